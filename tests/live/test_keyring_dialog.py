"""A locked keyring and the person before its dialog: GNOME's own, on a private desktop, by the keyboard."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridge.errors import VaultError
from bridge.vault.base import Vault
from bridge.vault.store_selection import ChosenStore
from tests.live.secret_service import MISSING, SecretService
from tests.rigs import desktop as rig
from tests.rigs.desktop import Desktop, desktop

PROMPTER = shutil.which("gcr-prompter", path="/usr/libexec:/usr/lib/gcr")
LACK = ", ".join(filter(None, (MISSING, rig.MISSING, "" if PROMPTER else "gcr-prompter")))
pytestmark = [
    pytest.mark.skipif(bool(LACK), reason=f"no {LACK} here"),
    pytest.mark.timeout(120),
]
SHOTS = Path("build/screenshots")


@pytest.fixture
def desk() -> Iterator[Desktop]:
    with desktop(tray="none", notify=False) as desk:
        yield desk


@pytest.fixture
def ring(desk: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SecretService]:
    """On the desktop's own bus, which starts the dialog when the keyring wants it."""
    service = SecretService(tmp_path)
    service.env = dict(desk.env)
    service.start_daemon()
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND", raising=False)
    for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, desk.env[name])
    yield service
    service.stop_daemon()


async def until(look: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not look():  # noqa: ASYNC110 - other processes
            await asyncio.sleep(0.05)


def dialog(desk: Desktop) -> bool:
    return desk._found("xdotool", "search", "--onlyvisible", "--class", "gcr-prompter")


async def test_who_sits_before_the_dialog_has_time_and_who_gives_up_takes_it_along(
    desk: Desktop, ring: SecretService, tmp_path: Path
) -> None:
    told: list[str] = []
    store = ChosenStore(
        tmp_path, lambda: "keyring", "deskbell dialog", lambda: told.append(store.look().state)
    )
    vault = Vault(store)
    await vault.set("secret/x", "value")

    # It waits much longer than a machine may take, and says so.
    ring.lock()
    call = asyncio.create_task(vault.do(lambda: store.get("secret/x"), patience=1.0))
    await until(lambda: dialog(desk))
    assert store.look().state == "asking"
    desk.screenshot(SHOTS / "keyring-dialog.png")
    await until(lambda: time.monotonic() - store.asking.since > 3.0)
    assert not call.done()
    desk.type("rig")
    desk.keys("Return")
    assert await call == "value"
    assert (told[-2:], store.look().state) == (["asking", "ready"], "ready")

    # Nobody waits for it any more: it goes away, and the next one is asked anew.
    ring.lock()
    call = asyncio.create_task(vault.get("secret/x"))
    await until(lambda: dialog(desk))
    call.cancel()
    await until(lambda: not dialog(desk))

    # A no is heard by all who waited for it, without a dialog for each.
    calls = [asyncio.create_task(vault.get("secret/x")) for _ in range(3)]
    await until(lambda: dialog(desk))
    desk.keys("Escape")
    for one in calls:
        with pytest.raises(VaultError, match="The keychain is locked"):
            await one
    assert told.count("asking") == 3
    vault.close()


async def test_a_first_keyring_is_made_with_the_person(desk: Desktop, tmp_path: Path, ring: SecretService):
    ring.stop_daemon()
    for kept in (Path(desk.env["XDG_DATA_HOME"]) / "keyrings").iterdir():
        kept.unlink()
    ring.start_daemon(unlock=False)
    vault = Vault(ChosenStore(tmp_path, lambda: "keyring", "deskbell first"))
    call = asyncio.create_task(vault.set("secret/x", "value"))
    await until(lambda: dialog(desk))
    desk.screenshot(SHOTS / "keyring-first.png")
    desk.type("rig")
    desk.keys("Tab")
    desk.type("rig")
    desk.keys("Return")
    await call
    assert await vault.get("secret/x") == "value"
    vault.close()
