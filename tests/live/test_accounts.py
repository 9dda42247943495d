"""Accounts on a real Bluesky network (tests/rigs/atproto): real sign-ins, expiry, limits, crashes.

tests/bridge tells most of these stories against a stand-in; here nobody plays a part but the person.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from struct import pack

import pytest

from bridge.accounts import avatar
from bridge.accounts.account import Access, Account, secret_of
from bridge.accounts.dpop import DpopKey
from bridge.accounts.registry import AccountRegistry
from bridge.accounts.sign_in import by_app_password, by_browser
from bridge.accounts.xrpc import AccountCalls
from bridge.errors import AccountError, NetworkError, RateLimited, SignInAgain
from bridge.settings import Bluesky
from bridge.vault.base import Store
from bridge.vault.file import FileStore
from tests.fixtures import account_owner
from tests.fixtures.account_owner import book_in
from tests.live import chromium
from tests.rigs.atproto.network import Network, lack, network
from tests.rigs.atproto.person import sign_in

pytestmark = [
    pytest.mark.skipif(bool(lack()), reason=f"no Bluesky network: {lack()}"),
    pytest.mark.timeout(240),
]
SESSION = "com.atproto.server.getSession"


@pytest.fixture(scope="module")
def net() -> Iterator[Network]:
    with network() as net:
        yield net


@pytest.fixture(scope="module")
def brief() -> Iterator[Network]:
    """Access tokens last three seconds."""
    with network(token_max_age=3) as net:
        yield net


def places(net: Network) -> Bluesky:
    return Bluesky(service=net.pds, plc=net.plc, resolver=net.pds)


async def signed_in(
    net: Network, folder: Path, who: str = "alice", store: Store | None = None
) -> tuple[AccountRegistry, Account]:
    registry, pages = book_in(folder, places(net), store=store), []

    async def show(url: str) -> bool:
        pages.append(asyncio.create_task(sign_in(url, net.people[who])))
        return True

    account = await by_browser(registry, f"{who}.test", "", lambda _: None, show)
    assert f"Signed in as @{who}.test" in await pages[0]
    return registry, account


async def test_a_sign_in_posts_and_is_ended_by_deleting_it(net: Network, tmp_path: Path) -> None:
    registry, account = await signed_in(net, tmp_path)
    assert account.did == net.alice.did
    record = {"$type": "app.bsky.feed.post", "text": "Hello", "createdAt": "2026-01-01T00:00:00Z"}
    wanted = {"repo": account.did, "collection": "app.bsky.feed.post", "record": record}
    made = await AccountCalls(registry, account.did).post("com.atproto.repo.createRecord", wanted)
    assert made["uri"].startswith(f"at://{account.did}/app.bsky.feed.post/")
    item = await registry.vault.get(f"account/{account.did}") or ""
    access = await registry.access(account.did)
    assert len(item) < 400
    assert await registry.delete(account.did) == ""
    assert not await accepts(registry, access)
    await registry.close()


async def accepts(registry: AccountRegistry, access: Access) -> bool:
    """Does the PDS take this token, as it is?"""
    url, key = f"{access.pds}/xrpc/{SESSION}", DpopKey.load(access.key)
    for _ in range(2):
        proof = key.proof("GET", url, registry.nonces.of(url), access.token)
        headers = {"Authorization": f"DPoP {access.token}", "DPoP": proof}
        reply = await registry.http.request("GET", url, headers=headers)
        if not registry.nonces.learn(reply):
            break
    return reply.ok


async def test_the_person_says_no(net: Network, tmp_path: Path) -> None:
    registry, pages = book_in(tmp_path, places(net)), []

    async def show(url: str) -> bool:
        pages.append(asyncio.create_task(sign_in(url, net.alice, agree=False)))
        return True

    with pytest.raises(AccountError, match="You declined"):
        await by_browser(registry, "alice.test", "", lambda _: None, show)
    assert "Not signed in" in await pages[0]
    await registry.close()


@pytest.mark.skipif(chromium.PROGRAM is None, reason="no chromium (Debian: sudo apt-get install chromium)")
@pytest.mark.parametrize("handle", ["bob.test", ""], ids=["named", "one click"])
async def test_a_real_browser_signs_in(net: Network, tmp_path: Path, handle: str) -> None:
    registry, pages = book_in(tmp_path, places(net)), []

    async def person(url: str) -> str:
        async with chromium.browser(url) as page:
            if not handle:
                await page.press("Sign in")
                await page.type("input[autocomplete=username]", net.bob.handle)
            await page.type("input[type=password]", net.bob.password)
            await page.press("Sign in")
            await page.press("Authorize")
            return str(await page.until("document.title === 'Deskbell' && document.body.innerText"))

    async def show(url: str) -> bool:
        pages.append(asyncio.create_task(person(url)))
        return True

    account = await by_browser(registry, handle, "", lambda _: None, show, wait=120)
    assert account.did == net.bob.did
    assert "Signed in as @bob.test" in await pages[0]
    assert (await AccountCalls(registry, account.did).get(SESSION))["handle"] == "bob.test"
    await registry.close()


async def test_an_app_password_signs_in_and_is_renewed(net: Network, tmp_path: Path) -> None:
    registry = book_in(tmp_path, places(net))
    account = await by_app_password(registry, "bob.test", net.bob.app_password)
    calls = AccountCalls(registry, account.did)
    first = await registry.vault.get(f"account/{account.did}")
    assert (await calls.get(SESSION))["did"] == net.bob.did
    await registry.access(account.did, refused=(await registry.access(account.did)).token)
    assert await registry.vault.get(f"account/{account.did}") != first
    assert (await calls.get(SESSION))["did"] == net.bob.did
    assert await registry.delete(account.did) == ""
    await registry.close()


# --- expiry ----------------------------------------------------------------------------------------------


async def expired(registry: AccountRegistry, did: str) -> None:
    """Wait until the server itself refuses the token, and let the registry believe in it."""
    access = await registry.access(did)
    async with asyncio.timeout(20):
        while await accepts(registry, access):  # noqa: ASYNC110 - only the server knows
            await asyncio.sleep(0.2)
    registry._accesses[did] = Access(access.token, access.pds, access.key)


async def test_fifty_calls_at_the_moment_of_expiry_renew_once(brief: Network, tmp_path: Path) -> None:
    registry, account = await signed_in(brief, tmp_path)
    await expired(registry, account.did)
    before = brief.renewals
    answers = await asyncio.gather(*(AccountCalls(registry, account.did).get(SESSION) for _ in range(50)))
    assert {answer["did"] for answer in answers} == {account.did}
    assert brief.renewals == before + 1
    await registry.close()


def owner(net: Network, folder: Path, stop: str = "", **more: str | int) -> list[str]:
    given = {
        "folder": str(folder),
        "places": {"service": net.pds, "plc": net.plc, "resolver": net.pds},
        "did": net.alice.did,
        "stop": stop,
        **more,
    }
    return [sys.executable, "-m", account_owner.__name__, json.dumps(given)]


@pytest.mark.parametrize("moment", ["before", "after", "before-set", "after-set", "done"])
async def test_an_owner_killed_at_any_step_of_a_renewal_keeps_its_sign_in(
    net: Network, tmp_path: Path, moment: str
) -> None:
    registry, account = await signed_in(net, tmp_path)
    await registry.close()
    held = moment in ("before", "after")
    net.hold(moment if held else "")
    stop = moment if moment.endswith("-set") else ""
    process = await asyncio.create_subprocess_exec(*owner(net, tmp_path, stop), stdout=subprocess.PIPE)
    assert process.stdout
    if held:
        async with asyncio.timeout(30):
            while not net.held:  # noqa: ASYNC110 - only the server knows
                await asyncio.sleep(0.05)
    else:
        await asyncio.wait_for(process.stdout.readline(), 30)
    if moment != "done":
        process.kill()
    await process.wait()
    asyncio.get_running_loop().call_later(0.5, net.hold)
    again = book_in(tmp_path, places(net))
    for _ in range(2):
        assert (await AccountCalls(again, account.did).get(SESSION))["did"] == account.did
        await again.access(account.did, refused=(await again.access(account.did)).token)
    assert again.accounts[0].ended == ""
    await again.close()


async def test_an_owner_killed_at_any_touch_of_the_disk_while_it_keeps_tokens_keeps_its_sign_in(
    net: Network, tmp_path: Path
) -> None:
    """In the real encrypted file, with the tokens of a real renewal, and the account registry after it."""
    registry, account = await signed_in(net, tmp_path, "bob", FileStore(tmp_path))
    await registry.close()
    deaths, before = 0, net.renewals
    while True:
        process = await asyncio.create_subprocess_exec(
            *owner(net, tmp_path, did=account.did, die=deaths), stdout=subprocess.DEVNULL
        )
        if await asyncio.wait_for(process.wait(), 60) == 0:
            break
        assert process.returncode == -signal.SIGKILL
        deaths += 1
        again = book_in(tmp_path, places(net), store=FileStore(tmp_path))
        assert (await AccountCalls(again, account.did).get(SESSION))["did"] == account.did
        assert again.accounts[0].ended == ""
        await again.close()
    assert deaths > 8, (
        "lock, temporary file, fsync, rename, fsync of the folder, and the same for the registry"
    )
    assert net.renewals > before


async def test_a_replayed_refresh_token_ends_in_a_notice_and_the_account_stays(
    net: Network, tmp_path: Path
) -> None:
    """What two owners would do to each other, and why there is only one."""
    registry, account = await signed_in(net, tmp_path)
    item = await registry.vault.get(f"account/{account.did}") or ""
    await registry.access(account.did, refused=(await registry.access(account.did)).token)
    assert (
        secret_of(item).refresh != secret_of(await registry.vault.get(f"account/{account.did}") or "").refresh
    )
    await registry.vault.set(f"account/{account.did}", item)
    with pytest.raises(SignInAgain, match="sign in again as @alice"):
        await registry.access(account.did, refused=(await registry.access(account.did)).token)
    assert registry.find("alice.test").ended
    await registry.close()


# --- limits, moves, pictures -----------------------------------------------------------------------------


async def test_too_many_requests_are_told_with_how_long_to_wait(tmp_path: Path) -> None:
    with network(rate_limits=True) as strict:
        registry = book_in(tmp_path, places(strict))
        account = await by_app_password(registry, "carla.test", strict.people["carla"].app_password)
        calls = AccountCalls(registry, account.did)

        async def rename() -> None:
            for number in range(12):
                await calls.post("com.atproto.identity.updateHandle", {"handle": f"carla{number}.test"})

        async def guess() -> None:
            for _ in range(40):
                with pytest.raises(AccountError, match="do not belong together"):
                    await by_app_password(registry, "bob.test", "aaaa-bbbb-cccc-dddd")

        with pytest.raises(RateLimited, match="Try again in") as limited:
            await rename()
        assert limited.value.retry_after > 0
        with pytest.raises(NetworkError, match="wants you to wait"):
            await guess()
        await registry.close()


async def test_a_new_handle_and_a_new_server_are_followed_by_the_did(net: Network, tmp_path: Path) -> None:
    registry, account = await signed_in(net, tmp_path, "carla")
    net.ask("/rename", did=account.did, handle="carlotta.test")
    await registry.access(account.did, refused=(await registry.access(account.did)).token)
    assert registry.find("carlotta.test").did == account.did
    with network() as elsewhere:
        net.ask("/move", did=account.did, to=elsewhere.pds)
        with pytest.raises(SignInAgain, match="has moved to"):
            await registry.access(account.did, refused=(await registry.access(account.did)).token)
    await registry.close()


async def test_a_picture_comes_from_the_accounts_own_server(net: Network, tmp_path: Path) -> None:
    registry, account = await signed_in(net, tmp_path)
    calls, folder = AccountCalls(registry, account.did), tmp_path / "pictures"
    assert not await avatar.fetch(registry.http, account, folder)
    blob = (await calls.upload("com.atproto.repo.uploadBlob", PNG, "image/png"))["blob"]
    record = {"$type": "app.bsky.actor.profile", "avatar": blob}
    wanted = {"repo": account.did, "collection": "app.bsky.actor.profile", "rkey": "self", "record": record}
    await calls.post("com.atproto.repo.putRecord", wanted)
    assert await avatar.fetch(registry.http, account, folder)
    assert avatar.path(folder, account.did).read_bytes() == PNG
    await registry.close()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\0\x33\x66\x99"))
    + _chunk(b"IEND", b"")
)
