"""A person signs in to a server with a real browser: Chromium, and the mcp SDK's authorisation server."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.api import Bridge, Home, ServerStatus
from tests.live import chromium

ROOT = Path(__file__).parent.parent.parent
OPENER = "#!/bin/sh\nprintf %s \"$1\" > '{0}.part' && mv '{0}.part' '{0}'\n"


@pytest.fixture
def address() -> Iterator[str]:
    command = [sys.executable, str(ROOT / "tests/fixtures/oauth_server.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.terminate()


def told(address: str, wish: str = "") -> dict[str, int]:
    with urllib.request.urlopen(f"{address.removesuffix('/mcp')}/told?{wish}", timeout=10) as said:
        return dict(json.load(said))


@pytest.fixture
def bridge(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bridge]:
    (tmp_path / "bin").mkdir()
    opener = tmp_path / "bin" / "xdg-open"
    opener.write_text(OPENER.format(tmp_path / "opened"))
    opener.chmod(0o700)
    monkeypatch.setenv("PATH", f"{opener.parent}:{os.environ['PATH']}")
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text(f'port = 0\nvault = "memory"\n[servers.club]\nurl = "{address}"\n')
    bridge = Bridge(Home(home))
    bridge.start()
    yield bridge
    bridge.stop()


def club(bridge: Bridge) -> ServerStatus:
    return next(one for one in bridge.status.servers if one.name == "club")


async def opened(tmp_path: Path) -> str:
    place = tmp_path / "opened"
    async with asyncio.timeout(30):
        while not place.exists():  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)
    return place.read_text()


@pytest.mark.skipif(chromium.PROGRAM is None, reason="no chromium (Debian: sudo apt-get install chromium)")
async def test_a_click_in_the_window_and_one_in_the_browser_sign_in(
    bridge: Bridge, address: str, tmp_path: Path
):
    told(address, "page=1")
    bridge.servers.sign_in("club")
    async with chromium.browser(await opened(tmp_path)) as page:
        await page.until("document.body.innerText.includes('Deskbell wants in')")
        assert club(bridge).sign_in == "under way"
        await page.press("Allow")
        await page.until("document.body.innerText.includes('Signed in to club')")
    async with asyncio.timeout(30):
        while club(bridge).state != "idle":  # noqa: ASYNC110 - another thread
            await asyncio.sleep(0.05)
    assert told(address) == {"registered": 1, "authorized": 1}
