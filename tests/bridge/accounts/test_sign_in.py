"""Signing in: by browser at a strict authorisation server, by app password, and all that goes wrong."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from bridge.accounts import texts
from bridge.accounts.oauth import CLIENT_ID
from bridge.accounts.sign_in import BrowserSignIn, by_app_password, by_browser
from bridge.errors import (
    AccountError,
    DeskbellError,
    NetworkError,
    NotFoundError,
    TimeoutError_,
    UsageError,
    VaultError,
)
from bridge.settings import Bluesky
from bridge.vault.memory import MemoryStore
from bridge.vault.unlock_dialog import UnlockDialog
from tests.bridge.accounts.accounts_rig import Browser, signed_in
from tests.fixtures import fake_pds as skies
from tests.fixtures.account_owner import book_in
from tests.fixtures.fake_pds import APP_PASSWORD, DID, OTHER, Sky
from tests.fixtures.patience import WITHIN


@pytest.fixture
async def sky():
    async with skies.sky_at() as sky:
        yield sky


async def test_a_sign_in_by_browser_from_handle_to_account(sky: Sky, tmp_path: Path) -> None:
    steps: list[str] = []
    registry, browser = book_in(tmp_path, sky.places), Browser()
    account = await by_browser(registry, "@alice.test", "", steps.append, browser.open)
    assert (account.did, account.handle, account.pds, account.issuer) == (DID, "alice.test", sky.url, sky.url)
    assert registry.find("alice.test") == account
    assert "Signed in as @alice.test" in await browser.says()
    assert [step.split()[0] for step in steps] == ["Looking", "Asking", "Waiting", "Finishing"]
    await registry.close()


def test_the_client_id_is_the_one_that_servers_know() -> None:
    assert CLIENT_ID == skies.CLIENT_ID


async def test_without_a_handle_whoever_signs_in_is_the_account(sky: Sky, tmp_path: Path) -> None:
    sky.who = OTHER
    registry, account = await signed_in(sky, tmp_path, "")
    assert account.handle == "bob.test"
    await registry.close()


async def test_accounts_json_has_no_secrets_and_the_vaults_item_is_short(sky: Sky, tmp_path: Path) -> None:
    registry, account = await signed_in(sky, tmp_path)
    item = await registry.vault.get(f"account/{DID}")
    assert item
    assert len(item) < 400
    kept = json.loads(item)
    index = (tmp_path / "accounts.json").read_text()
    assert DID in index
    assert all(secret not in index for secret in (kept["r"], kept["k"]))
    assert (tmp_path / "accounts.json").stat().st_mode & 0o077 == 0
    for thing in (account, registry._accesses):
        assert kept["r"] not in repr(thing)
    await registry.close()


async def test_a_person_who_says_no_hears_that_nothing_was_changed(sky: Sky, tmp_path: Path) -> None:
    sky.answer = "access_denied"
    registry, browser = book_in(tmp_path, sky.places), Browser()
    with pytest.raises(AccountError, match="You declined"):
        await by_browser(registry, "alice.test", "", lambda _: None, browser.open)
    assert "Not signed in" in await browser.says()
    assert registry.accounts == ()
    await registry.close()


@pytest.mark.parametrize(
    ("change", "words_"),
    [
        ({"echo": {"iss": "https://evil.example"}}, "answer is not from localhost"),
        ({"echo": {"code": "guessed"}}, "Invalid code"),
        ({"answer": "server_error"}, "server_error"),
        ({"who": OTHER}, "Another account signed in"),
        ({"issuer": "https://elsewhere.example"}, "cannot sign you in"),
    ],
)
async def test_an_answer_that_is_not_the_one_meant_is_refused(
    sky: Sky, tmp_path: Path, change: dict, words_: str
) -> None:
    for name, value in change.items():
        setattr(sky, name, value)
    with pytest.raises(DeskbellError, match=words_):
        await signed_in(sky, tmp_path)
    assert book_in(tmp_path, sky.places).accounts == ()


async def test_a_page_with_another_state_changes_nothing_and_the_right_one_still_counts(
    sky: Sky, tmp_path: Path
) -> None:
    registry, browser = book_in(tmp_path, sky.places), Browser()
    async with BrowserSignIn(registry, "alice.test") as one, httpx.AsyncClient() as http:
        url = await one.begin()
        back = one._callback.address
        answers = [
            await http.get(back, params={"state": "wrong", "code": "x", "iss": sky.url}),
            await http.get(back),
            await http.get(back.replace("/callback", "/")),
            await http.post(back),
            await http.get(back, headers={"Host": "rebound.example"}),
        ]
        assert [answer.status_code for answer in answers] == [400, 400, 404, 404, 421]
        await browser.open(url)
        assert (await one.finish()).handle == "alice.test"
        again = await http.get(back, params={"state": one._callback._state, "code": "x"})
        assert again.status_code == 409
    await registry.close()


async def test_a_browser_that_says_nothing_holds_nobody_up(sky: Sky, tmp_path: Path) -> None:
    registry = book_in(tmp_path, sky.places)
    async with BrowserSignIn(registry, "alice.test") as one:
        url, browser = await one.begin(), Browser()
        port = int(one._callback.address.rpartition(":")[2].partition("/")[0])
        _, silent = await asyncio.open_connection("127.0.0.1", port)
        await browser.open(url)
        assert (await one.finish()).did == DID
        silent.close()
    await registry.close()


async def test_nobody_signs_in_and_it_ends_in_words(sky: Sky, tmp_path: Path) -> None:
    async def ignored(url: str) -> bool:
        return True

    registry = book_in(tmp_path, sky.places)
    with pytest.raises(TimeoutError_, match="took too long"):
        await by_browser(registry, "alice.test", "", lambda _: None, ignored, wait=0.05)
    await registry.close()


async def test_without_a_browser_the_address_is_told(sky: Sky, tmp_path: Path) -> None:
    steps: list[str] = []
    registry, browser = book_in(tmp_path, sky.places), Browser()

    async def missing(url: str) -> bool:
        await browser.open(url)  # the person does it by hand
        return False

    await by_browser(registry, "alice.test", "", steps.append, missing)
    assert any(browser.url in step and "No browser" in step for step in steps)
    await registry.close()


async def test_no_port_to_be_had_is_said_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def taken(*_: object, **__: object) -> None:
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(asyncio, "start_server", taken)
    with pytest.raises(NetworkError, match=r"cannot listen on 127\.0\.0\.1.*app password"):
        await BrowserSignIn(book_in(tmp_path, Bluesky())).__aenter__()


async def test_cancelling_stops_listening(sky: Sky, tmp_path: Path) -> None:
    registry, opened = book_in(tmp_path, sky.places), asyncio.Event()

    async def ignored(url: str) -> bool:
        opened.set()
        return True

    task = asyncio.create_task(by_browser(registry, "alice.test", "", lambda _: None, ignored))
    await opened.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert registry.accounts == ()
    await registry.close()


class Asks(MemoryStore):
    """A keyring that asks the person for its password, who does not answer."""

    def __init__(self) -> None:
        super().__init__()
        self.asking = UnlockDialog()

    def set(self, name: str, value: str) -> None:
        with self.asking.shown() as stop:
            assert stop.wait(20)
        raise VaultError("The keychain is locked")


async def test_an_account_is_there_when_it_is_kept_and_given_up_leaves_nothing_anywhere(
    sky: Sky, tmp_path: Path
) -> None:
    store = Asks()
    registry = book_in(tmp_path, sky.places, store=store)
    signing_in = asyncio.create_task(by_app_password(registry, "bob.test", APP_PASSWORD))
    async with asyncio.timeout(WITHIN):
        while not store.asking.since:  # noqa: ASYNC110 - another thread
            await asyncio.sleep(0.01)
    assert (registry.accounts, registry.default) == ((), "")
    signing_in.cancel()
    with pytest.raises(asyncio.CancelledError):
        await signing_in
    async with asyncio.timeout(WITHIN):
        while not sky.revoked:  # noqa: ASYNC110 - another task
            await asyncio.sleep(0.01)
    assert book_in(tmp_path, sky.places).accounts == ()
    await registry.close()


async def test_signing_in_again_ends_the_earlier_sign_in(sky: Sky, tmp_path: Path) -> None:
    registry, account = await signed_in(sky, tmp_path)
    await signed_in(sky, tmp_path, registry=registry)
    assert len(registry.accounts) == 1
    assert registry.accounts[0].added == account.added
    assert len(sky.revoked) == 1
    assert len(sky.grants) == 1
    await registry.close()


# --- app passwords ---------------------------------------------------------------------------------------


async def test_an_app_password_signs_in(sky: Sky, tmp_path: Path) -> None:
    registry = book_in(tmp_path, sky.places)
    account = await by_app_password(registry, "bob.test", f" {APP_PASSWORD.upper()} ")
    assert (account.did, account.method) == (OTHER, "app-password")
    await registry.close()


@pytest.mark.parametrize("main", ["hunter2", "correct horse battery staple", "abcd-efgh", "Abcd1234!", ""])
async def test_a_main_password_is_refused_before_anything_is_sent(
    sky: Sky, tmp_path: Path, main: str
) -> None:
    registry = book_in(tmp_path, sky.places)
    with pytest.raises(UsageError) as refused:
        await by_app_password(registry, "bob.test", main)
    said = str(refused.value)
    assert "NOT your main password" in said
    assert texts.APP_PASSWORDS in said
    assert "strongly recommended" in said
    assert not main or main not in said
    assert sky.grants == {}
    await registry.close()


async def test_a_wrong_app_password_is_said_in_words(sky: Sky, tmp_path: Path) -> None:
    registry = book_in(tmp_path, sky.places)
    with pytest.raises(AccountError, match="do not belong together"):
        await by_app_password(registry, "bob.test", "aaaa-bbbb-cccc-dddd")
    await registry.close()


async def test_a_handle_nobody_has_is_not_found(sky: Sky, tmp_path: Path) -> None:
    registry = book_in(tmp_path, sky.places)
    with pytest.raises(NotFoundError, match="no account @nobody"):
        await by_app_password(registry, "nobody.test", APP_PASSWORD)
    await registry.close()


async def test_a_handle_that_its_account_does_not_know_is_refused(sky: Sky, tmp_path: Path) -> None:
    sky.handles["fake.test"] = DID
    with pytest.raises(NotFoundError, match="calls itself @alice"):
        await signed_in(sky, tmp_path, "fake.test")
