"""One request as one account, and everything that may come between."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.accounts.xrpc import AccountCalls
from bridge.errors import NetworkError, NotFoundError, RateLimited, RequestRefused, UsageError
from bridge.settings import Bluesky
from tests.bridge.accounts.accounts_rig import signed_in
from tests.fixtures import fake_pds as skies
from tests.fixtures.account_owner import book_in
from tests.fixtures.fake_pds import DID, OTHER, Sky


@pytest.fixture
async def sky():
    async with skies.sky_at() as sky:
        yield sky


@pytest.fixture
async def calls(sky: Sky, tmp_path: Path):
    registry, _ = await signed_in(sky, tmp_path)
    yield AccountCalls(registry, DID)
    await registry.close()


async def test_parameters_and_bodies_arrive_as_xrpc_spells_them(calls: AccountCalls) -> None:
    got = await calls.get("app.test.echo", {"limit": 5, "all": True, "tags": ["a", "b"], "none": None})
    assert got["query"] == {"limit": "5", "all": "true", "tags": "a"}
    assert (await calls.post("app.test.echo", {"text": "hi"}))["body"] == {"text": "hi"}
    assert (await calls.post("app.test.echo"))["body"] is None


async def test_a_newer_nonce_is_taken_up_at_once_on_every_endpoint(sky: Sky, calls: AccountCalls) -> None:
    for nonce in ("n1", "n2"):
        sky.nonce = nonce
        assert (await calls.get("app.test.echo"))["did"] == DID
    sky.nonce = "n3"
    sky.expire()
    assert (await calls.get("app.test.echo"))["did"] == DID
    assert sky.renewals == 1


async def test_too_many_requests_are_said_in_words_with_how_long_to_wait(
    sky: Sky, calls: AccountCalls
) -> None:
    sky.limited = 1
    with pytest.raises(RateLimited, match="Try again in 2 minutes") as limited:
        await calls.get("app.test.echo")
    assert limited.value.retry_after == 120


async def test_what_the_server_refuses_keeps_its_name_and_its_words_on_one_line(calls: AccountCalls) -> None:
    with pytest.raises(RequestRefused, match="No such thing") as refused:
        await calls.get("app.test.refuse")
    assert (refused.value.name, refused.value.status) == ("InvalidRequest", 400)


async def test_an_account_is_noted_as_used(calls: AccountCalls) -> None:
    await calls.get("app.test.echo")
    assert calls._registry.accounts[0].used > 0


async def test_a_server_out_of_reach_is_said_in_words(sky: Sky, calls: AccountCalls) -> None:
    registry = calls._registry
    await registry.access(DID)
    registry.places = type(registry.places)(plc="http://localhost:9", resolver="http://localhost:9")
    registry._accesses[DID] = type(registry._accesses[DID])("t", "http://localhost:9", "")
    with pytest.raises(NetworkError, match="localhost:9 cannot be reached"):
        await calls.get("app.test.echo")


# --- the registry ----------------------------------------------------------------------------------------


async def test_several_accounts_one_default_and_deleting_it_ends_it_there_too(
    sky: Sky, tmp_path: Path
) -> None:
    registry, alice = await signed_in(sky, tmp_path)
    sky.who = OTHER
    _, bob = await signed_in(sky, tmp_path, "bob.test", registry=registry)
    assert registry.find().did == alice.did
    registry.make_default(bob.did)
    assert book_in(tmp_path, sky.places).find().did == bob.did
    assert await registry.delete(bob.did) == ""
    assert len(sky.revoked) == 1
    assert await registry.vault.get(f"account/{bob.did}") is None
    assert registry.find().did == alice.did
    with pytest.raises(NotFoundError, match=r"There is @alice\.test"):
        registry.find("bob.test")
    await registry.close()


async def test_an_account_is_deleted_here_even_if_its_server_cannot_be_told(sky: Sky, tmp_path: Path) -> None:
    registry, alice = await signed_in(sky, tmp_path)
    sky.issuer = "https://broken.example"
    assert "could not be told" in await registry.delete(alice.did)
    assert registry.accounts == ()
    await registry.close()


async def test_a_damaged_book_is_put_aside_and_written_anew_from_the_vault(sky: Sky, tmp_path: Path) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    await registry.close()
    (tmp_path / "accounts.json").write_text('{"accounts": [{')
    again = book_in(tmp_path, sky.places)
    assert again.accounts == ()
    await again.recover()
    assert again.find("alice.test").did == DID
    assert (await AccountCalls(again, DID).get("app.test.echo"))["did"] == DID
    assert (tmp_path / "accounts.broken").exists()
    await again.close()


def test_nobody_is_signed_in_and_the_words_say_how_to(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="deskbell accounts login"):
        book_in(tmp_path, Bluesky()).find()


@pytest.mark.parametrize("who", ["alice", "a b.test", "x.local", "did:key:z6", "https://bsky.app/", "@"])
async def test_what_is_no_account_is_refused_with_an_example(sky: Sky, tmp_path: Path, who: str) -> None:
    with pytest.raises(UsageError, match=r"alice\.bsky\.social"):
        await signed_in(sky, tmp_path, who)
