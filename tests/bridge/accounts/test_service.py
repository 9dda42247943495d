"""What windows ask of the accounts: each call returns at once, and Status tells what came of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.accounts import autoreply_import
from bridge.accounts.service import AccountService
from bridge.core.status import AccountsStatus
from tests.bridge.accounts.accounts_rig import Browser, signed_in
from tests.fixtures import fake_pds as skies
from tests.fixtures.account_owner import book_in
from tests.fixtures.fake_pds import APP_PASSWORD, DID, OTHER, Sky
from tests.fixtures.patience import WITHIN


@pytest.fixture
async def sky():
    async with skies.sky_at() as sky:
        yield sky


class Watched:
    """An AccountService, and what a window would see of it."""

    def __init__(self, sky: Sky, folder: Path, browser: Browser | None = None) -> None:
        self.seen: list[AccountsStatus] = []
        self._changed = asyncio.Event()
        show = browser.open if browser else self._nowhere
        self.office = AccountService(book_in(folder, sky.places), folder / "pictures", show, self._look)

    async def _nowhere(self, url: str) -> bool:
        return False

    def _look(self) -> None:
        self.seen.append(self.office.status())
        self._changed.set()

    async def until(self, look: Callable[[AccountsStatus], object]) -> AccountsStatus:
        async with asyncio.timeout(WITHIN):
            while not look(self.office.status()):
                self._changed.clear()
                await self._changed.wait()
        return self.office.status()


async def test_one_click_is_an_account_in_the_end_and_every_step_is_shown(sky: Sky, tmp_path: Path) -> None:
    watched = Watched(sky, tmp_path, Browser())
    watched.office.sign_in()
    watched.office.sign_in()  # pressed twice, done once
    status = await watched.until(lambda status: status.done)
    assert status.done == "✓ Logged in as @alice.test"
    assert (status.accounts[0].did, status.accounts[0].default, status.signing_in) == (DID, True, "")
    steps = list(dict.fromkeys(one.signing_in for one in watched.seen if one.signing_in))
    assert [step.split()[0] for step in steps] == ["Asking", "Waiting", "Finishing"]
    assert len(sky.grants) == 1
    await watched.office.close()


async def test_a_sign_in_is_cancelled_and_the_address_was_there_to_copy(sky: Sky, tmp_path: Path) -> None:
    watched = Watched(sky, tmp_path)
    watched.office.sign_in("alice.test")
    status = await watched.until(lambda status: status.signing_in.startswith("Waiting"))
    assert status.url.startswith(f"{sky.url}/oauth/authorize?")
    watched.office.cancel()
    status = await watched.until(lambda status: not status.signing_in)
    assert (status.accounts, status.problem, status.url) == ((), "", "")
    await watched.office.close()


async def test_a_failure_is_a_sentence(sky: Sky, tmp_path: Path) -> None:
    watched = Watched(sky, tmp_path)
    watched.office.sign_in("bob.test", password="hunter2")
    assert "NOT your main password" in (await watched.until(lambda status: status.problem)).problem
    watched.office.delete("did:plc:x")
    assert "not signed in here" in (await watched.until(lambda s: "signed in" in s.problem)).problem
    await watched.office.close()


async def test_another_default_then_deleted(sky: Sky, tmp_path: Path) -> None:
    watched = Watched(sky, tmp_path)
    await signed_in(sky, tmp_path, registry=watched.office.registry)
    watched.office.sign_in("bob.test", password=APP_PASSWORD)
    await watched.until(lambda status: status.done)
    watched.office.make_default(OTHER)
    await watched.until(lambda status: status.accounts[1].default)
    watched.office.delete(OTHER)
    status = await watched.until(lambda status: len(status.accounts) == 1)
    assert status.accounts[0].default
    await watched.office.close()


async def test_a_sign_in_that_has_ended_is_a_notice(sky: Sky, tmp_path: Path) -> None:
    watched = Watched(sky, tmp_path)
    office = watched.office
    await signed_in(sky, tmp_path, registry=office.registry)
    assert office.notices() == ()
    sky.grants.clear()
    with pytest.raises(Exception, match="sign in again"):
        await office.calls("alice.test").get("com.atproto.server.getSession")
    (notice,) = office.notices()
    assert notice.startswith("Please sign in again as @alice.test.")
    assert office.status().accounts[0].problem
    await office.close()


# --- autoreply -------------------------------------------------------------------------------------------


async def test_what_autoreply_saved_is_taken_over_once_each_account_for_itself(
    sky: Sky, tmp_path: Path
) -> None:
    registry = book_in(tmp_path, sky.places)
    sky.grants["old"] = {"did": DID, "jkt": "", "access": "", "refresh": ""}
    kept = {
        ("autoreply-bluesky", "account_list"): json.dumps(["bob.test", "gone.test", "broken.test"]),
        ("autoreply-bluesky", "bob.test"): json.dumps({"identifier": "bob.test", "password": APP_PASSWORD}),
        ("autoreply-bluesky", "gone.test"): json.dumps({"identifier": "gone.test", "password": APP_PASSWORD}),
        ("autoreply-bluesky", "broken.test"): "{",
        ("autoreply", "default_handle"): "alice.test",
        ("autoreply", "user:alice.test"): json.dumps({"handle": "alice.test", "refresh_token": "old~1"}),
    }
    report = await autoreply_import.adopt(registry, read=lambda service, name: kept.get((service, name)))
    assert report.added == ("bob.test", "alice.test")
    assert report.skipped[0].startswith("gone.test: There is no account @gone.test")
    await registry.close()


async def test_nothing_saved_is_said_so(sky: Sky, tmp_path: Path) -> None:
    registry = book_in(tmp_path, sky.places)
    report = await autoreply_import.adopt(registry, read=lambda service, name: None)
    assert report.words() == "autoreply has no saved accounts here."
    await registry.close()


async def test_the_accounts_page_never_shows_a_stale_sign_in(sky: Sky, tmp_path: Path) -> None:
    watched = Watched(sky, tmp_path, Browser())
    watched.office.sign_in("alice.test")
    await watched.until(lambda status: status.done)
    await watched.office.delete_now(DID)  # as the tool and the command line do
    assert (watched.office.status().done, watched.office.status().accounts) == ("", ())
    watched.office.sign_in("nobody.test")
    await watched.until(lambda status: status.problem)
    _, account = await signed_in(sky, tmp_path, registry=watched.office.registry)
    watched.office.welcome(account)
    assert (watched.office.status().problem, watched.office.status().done) == (
        "",
        "✓ Logged in as @alice.test",
    )
    await watched.office.close()
