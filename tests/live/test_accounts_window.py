"""The Accounts page as a person uses it: one click, the sign-in page of a real PDS, a real keyring's dialog.

Seen from outside, by assistive technology; the person at the sign-in page is played without a browser.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.app_under_test import until
from tests.live.secret_service import SecretService
from tests.live.test_desktop import PICTURES, House
from tests.live.test_keyring_dialog import LACK, dialog
from tests.live.test_signing_in import OPENER
from tests.rigs.atproto.network import Network, lack, network
from tests.rigs.atproto.person import sign_in
from tests.rigs.atspi import Gone, Thing
from tests.rigs.desktop import Desktop, desktop

pytestmark = [
    pytest.mark.skipif(bool(lack()), reason=f"no Bluesky network: {lack()}"),
    pytest.mark.skipif(bool(LACK), reason=f"no {LACK} here"),
    pytest.mark.timeout(240),
]


@pytest.fixture(scope="module")
def net() -> Iterator[Network]:
    with network() as net:
        yield net


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desktop]:
    """Its browser only writes down where it was sent."""
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(OPENER.format(tmp_path / "opened"))
    opener.chmod(0o700)
    with desktop(tray="none") as desk:
        desk.env["PATH"] = f"{opener.parent}:{desk.env['PATH']}"
        yield desk


@pytest.fixture
def ring(desk: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SecretService]:
    service = SecretService(tmp_path)
    service.env = dict(desk.env)
    service.start_daemon()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", desk.env["DBUS_SESSION_BUS_ADDRESS"])
    yield service
    service.stop_daemon()


def says(page: Thing, words: str) -> bool:
    found = False
    for thing in page.walk():
        with contextlib.suppress(Gone):
            found = found or (words in thing.name and thing.showing)
    return found


def test_one_click_a_page_and_a_keyring_and_the_account_is_there_until_it_is_deleted(
    net: Network, desk: Desktop, ring: SecretService, tmp_path: Path
) -> None:
    ring.lock()
    house = House(desk, tmp_path / "home", f'vault = "keyring"\n{net.settings()}enabled = true\n')
    try:
        window = house.screen.window("Deskbell")
        window.find("list item", "Bluesky").press()
        window.find("push button", "Sign in with your browser").press()
        until(lambda: says(window, "Waiting for you to sign in with your browser"))
        until((tmp_path / "opened").exists)
        url = (tmp_path / "opened").read_text()
        page: list[str] = []
        visit = threading.Thread(target=lambda: page.append(asyncio.run(sign_in(url, net.alice))))
        visit.start()

        until(lambda: dialog(desk))
        until(lambda: says(window, "Unlock your keychain in the window it has opened."))
        desk.screenshot(PICTURES / "accounts-keyring.png")
        assert not says(window, "@alice.test"), "it is there when it is kept"
        desk.type("rig")
        desk.keys("Return")
        visit.join(60)
        assert "Signed in as @alice.test" in page[0]
        until(lambda: says(window, "✓ Logged in as @alice.test"))
        assert says(window, "Sign-ins are stored in your keychain.")
        desk.screenshot(PICTURES / "accounts-signed-in.png")

        window.find("push button", "Sign out of @alice.test").press()
        house.screen.root.find("push button", "Sign out").press()  # in the question whether they are sure
        until(lambda: says(window, "No accounts yet"))
    finally:
        house.close()
