"""Tokens that are renewed once, whoever asks and whatever dies. The same stories as tests/live, in small."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.accounts.account import secret_of
from bridge.accounts.registry import AccountRegistry
from bridge.accounts.sign_in import by_app_password
from bridge.accounts.token_refresh import AccountRefreshes, seal_key
from bridge.accounts.xrpc import AccountCalls
from bridge.errors import NetworkError, SignInAgain, VaultError
from bridge.shim.start_app import own_command
from bridge.token_refresh.sealed import fingerprint, new_key, unseal
from bridge.token_refresh.worker import VERB
from tests.bridge.accounts.accounts_rig import signed_in
from tests.fixtures import account_owner
from tests.fixtures import fake_pds as skies
from tests.fixtures.account_owner import book_in
from tests.fixtures.fake_pds import APP_PASSWORD, DID, OTHER, Sky

SESSION = "com.atproto.server.getSession"


@pytest.fixture
async def sky():
    async with skies.sky_at() as sky:
        yield sky


async def test_fifty_calls_at_the_moment_of_expiry_renew_once(sky: Sky, tmp_path: Path) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    sky.expire()
    calls = [AccountCalls(registry, DID) for _ in range(50)]
    answers = await asyncio.gather(*(one.get(SESSION) for one in calls))
    assert {answer["did"] for answer in answers} == {DID}
    assert sky.renewals == 1
    await registry.close()


async def test_a_token_that_is_about_to_end_is_renewed_before_it_is_refused(sky: Sky, tmp_path: Path) -> None:
    sky.lifetime = 0.001  # type: ignore[assignment]
    registry, _ = await signed_in(sky, tmp_path)
    sky.lifetime = 3600
    await AccountCalls(registry, DID).get(SESSION)
    await AccountCalls(registry, DID).get(SESSION)
    assert sky.renewals == 1
    await registry.close()


async def test_one_caller_who_gives_up_does_not_stop_it_for_the_others(sky: Sky, tmp_path: Path) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    sky.expire()
    sky.hold = "before"
    first, second = (asyncio.create_task(AccountCalls(registry, DID).get(SESSION)) for _ in range(2))
    await sky.held.wait()
    first.cancel()
    sky.go_on.set()
    assert (await second)["did"] == DID
    assert sky.renewals == 1
    await registry.close()


async def test_signing_in_anew_while_a_renewal_is_under_way_keeps_the_new_sign_in(
    sky: Sky, tmp_path: Path
) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    sky.expire()
    sky.hold = "after"
    renewing = asyncio.create_task(AccountCalls(registry, DID).get(SESSION))
    await sky.held.wait()
    sky.hold = ""
    anew = asyncio.create_task(signed_in(sky, tmp_path, registry=registry))
    asyncio.get_running_loop().call_later(0.3, sky.go_on.set)
    await asyncio.gather(renewing, anew)
    (grant,) = sky.grants.values()
    assert secret_of(await registry.vault.get(f"account/{DID}") or "").refresh == grant["refresh"]
    await registry.close()


# --- kill -9 at every step -------------------------------------------------------------------------------


def owner(sky: Sky, folder: Path, stop: str) -> list[str]:
    places = {"service": sky.url, "plc": sky.url, "resolver": sky.url}
    given = {"folder": str(folder), "places": places, "did": DID, "stop": stop}
    return [sys.executable, "-m", account_owner.__name__, json.dumps(given)]


async def used_by_a_new_owner(sky: Sky, folder: Path) -> dict:
    registry = book_in(folder, sky.places)
    try:
        return await AccountCalls(registry, DID).get(SESSION)
    finally:
        await registry.close()


async def killed(sky: Sky, folder: Path, *, hold: str = "", stop: str = "") -> None:
    """An owner that dies in the middle of a renewal."""
    sky.hold = hold
    process = await asyncio.create_subprocess_exec(*owner(sky, folder, stop), stdout=subprocess.PIPE)
    if hold:
        await asyncio.wait_for(sky.held.wait(), 30)
    else:
        assert process.stdout
        assert await asyncio.wait_for(process.stdout.readline(), 30) == b"stopped\n"
    process.kill()
    await process.wait()


@pytest.mark.parametrize(
    "moment",
    [
        {"hold": "before"},  # the server has heard, and done nothing yet
        {"hold": "after"},  # it has used up the old token, and not answered yet
        {"stop": "before-set"},  # the answer is sealed, the Vault does not have it
        {"stop": "after-set"},  # the Vault has it, the sealed answer is still there
    ],
    ids=lambda moment: "-".join(moment.values()),
)
async def test_an_owner_killed_in_the_middle_of_a_renewal_loses_nothing(
    sky: Sky, tmp_path: Path, moment: dict[str, str]
) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    await registry.close()
    await killed(sky, tmp_path, **moment)
    sky.hold = ""
    asyncio.get_running_loop().call_later(0.5, sky.go_on.set)  # the server answers when the next one asks
    assert (await used_by_a_new_owner(sky, tmp_path))["did"] == DID
    assert (await used_by_a_new_owner(sky, tmp_path))["did"] == DID
    assert book_in(tmp_path, sky.places).accounts[0].ended == ""
    assert not list((tmp_path / "renewals").glob("*.sealed"))


def test_a_renewer_whose_deskbell_died_before_it_was_told_does_nothing(tmp_path: Path) -> None:
    command, folder = own_command(VERB, str(tmp_path / "x.sealed"))
    process = subprocess.run(command, input=b"", capture_output=True, cwd=folder or None, timeout=30)
    assert (process.returncode, process.stdout) == (0, b"ready\n")
    assert not (tmp_path / "x.sealed").exists()


async def test_what_is_sealed_is_no_plain_text_and_opens_for_its_own_account_only(
    sky: Sky, tmp_path: Path
) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    await registry.close()
    await killed(sky, tmp_path, stop="before-set")
    (sealed,) = (tmp_path / "renewals").glob("*.sealed")
    data = sealed.read_bytes()
    grant = next(iter(sky.grants.values()))
    assert grant["refresh"].encode() not in data
    secret = secret_of(await book_in(tmp_path, sky.places).vault.get(f"account/{DID}") or "")
    tokens = await AccountRefreshes(sealed.parent).unsaved(secret)
    assert tokens is not None
    assert tokens.refresh == grant["refresh"]
    assert unseal(sealed, new_key(), fingerprint(secret.refresh)) is None
    sealed.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert unseal(sealed, seal_key(secret), fingerprint(secret.refresh)) is None


# --- what else may happen --------------------------------------------------------------------------------


async def test_a_vault_that_is_locked_after_the_answer_costs_nothing(sky: Sky, tmp_path: Path) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    sky.expire()
    store = registry.vault.store
    keep = store.set

    def locked(name: str, value: str) -> None:
        raise VaultError("The keychain is locked")

    store.set = locked  # type: ignore[method-assign]
    assert (await AccountCalls(registry, DID).get(SESSION))["did"] == DID
    assert "could not be stored yet" in registry.problem
    sky.expire()
    with pytest.raises(VaultError):  # not renewed again before the last one is kept
        await AccountCalls(registry, DID).get(SESSION)
    store.set = keep  # type: ignore[method-assign]
    assert (await AccountCalls(registry, DID).get(SESSION))["did"] == DID
    await registry.close()
    assert (await used_by_a_new_owner(sky, tmp_path))["did"] == DID


async def test_a_sign_in_that_has_ended_asks_to_sign_in_again_and_stays_in_the_book(
    sky: Sky, tmp_path: Path
) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    sky.grants.clear()
    with pytest.raises(SignInAgain, match="sign in again as @alice"):
        await AccountCalls(registry, DID).get(SESSION)
    assert "ended" in registry.accounts[0].ended
    asked = sky.renewals
    with pytest.raises(SignInAgain):
        await AccountCalls(registry, DID).get(SESSION)
    assert sky.renewals == asked
    await signed_in(sky, tmp_path, registry=registry)
    assert registry.accounts[0].ended == ""
    await registry.close()


async def test_a_server_that_is_away_ends_nothing(sky: Sky, tmp_path: Path) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    sky.expire()
    token, sky.token = sky.token, None  # type: ignore[method-assign,assignment]
    sky.issuer = "https://not.me"
    with pytest.raises(NetworkError):
        await AccountCalls(registry, DID).get(SESSION)
    sky.issuer, sky.token = "", token  # type: ignore[method-assign]
    assert (await AccountCalls(registry, DID).get(SESSION))["did"] == DID
    await registry.close()


async def test_an_app_passwords_tokens_are_renewed_and_if_lost_replaced(sky: Sky, tmp_path: Path) -> None:
    registry = book_in(tmp_path, sky.places)
    await by_app_password(registry, "bob.test", APP_PASSWORD)
    sky.expire()
    answers = await asyncio.gather(*(AccountCalls(registry, OTHER).get(SESSION) for _ in range(20)))
    assert {answer["did"] for answer in answers} == {OTHER}
    assert sky.renewals == 1
    sky.grants.clear()
    assert (await AccountCalls(registry, OTHER).get(SESSION))["did"] == OTHER
    await registry.close()


# --- handles and servers that change ---------------------------------------------------------------------


async def renewed(registry: AccountRegistry, sky: Sky) -> None:
    sky.expire()
    await AccountCalls(registry, DID).get(SESSION)


async def test_a_new_handle_is_followed(sky: Sky, tmp_path: Path) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    sky.names[DID] = "alicia.test"
    await renewed(registry, sky)
    assert registry.find("alicia.test").did == DID
    await registry.close()


async def test_an_account_that_moved_to_a_server_of_the_same_issuer_goes_on(sky: Sky, tmp_path: Path) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    sky.homes[DID] = moved = sky.url.replace("localhost", "127.0.0.1")
    await renewed(registry, sky)
    assert registry.accounts[0].pds == moved
    await registry.close()


async def test_an_account_that_moved_to_another_issuer_signs_in_again(sky: Sky, tmp_path: Path) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    async with skies.sky_at() as elsewhere:
        sky.homes[DID] = elsewhere.url
        sky.expire()
        with pytest.raises(SignInAgain, match="has moved to localhost"):
            await AccountCalls(registry, DID).get(SESSION)
    assert sky.renewals == 0
    await registry.close()
