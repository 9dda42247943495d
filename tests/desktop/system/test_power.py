"""The machine wakes, the screen is locked and unlocked: heard on a real bus, from a logind moved by hand."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bridge.api import interruption
from desktop.alerts import user_activity
from desktop.alerts.user_activity import UserActivity
from desktop.system.dbus import DBus, DBusObject
from desktop.system.power import PowerEvents
from desktop.system.shutdown import LogoutWatcher
from tests.fixtures.patience import WITHIN
from tests.rigs.fake_session_services import Moods

pytestmark = pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="needs dbus-daemon")
DRIVER = DBusObject("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")


@pytest.fixture
def moods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Moods]:
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"]
    running = subprocess.Popen(
        [*command, f"--address=unix:path={tmp_path}/bus"], stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    address = running.stdout.readline().strip()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
    made = Moods(address)
    yield made
    made.close()
    running.kill()
    running.wait()
    running.stdout.close()


@pytest.fixture
def buses(moods: Moods, qtbot: QtBot) -> Iterator[tuple[DBus, DBus]]:
    made = DBus(), DBus(system=True)
    yield made
    for bus in made:
        bus.close()


def test_waking_and_unlocking_are_heard_and_falling_asleep_is_not(
    moods: Moods, buses: tuple[DBus, DBus], qtbot: QtBot
) -> None:
    machine, said = PowerEvents(*buses), list[str]()
    machine.woke.connect(lambda: said.append("woke"))
    machine.unlocked.connect(lambda: said.append("unlocked"))
    machine.listen()
    moods.wakes()
    qtbot.waitUntil(lambda: said == ["woke"])
    moods.locks(True)
    moods.locks(False)
    qtbot.waitUntil(lambda: said == ["woke", "unlocked"])


@pytest.mark.parametrize("locked", [True, False])
def test_a_look_around_tells_whether_the_screen_is_locked(
    moods: Moods, buses: tuple[DBus, DBus], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, locked: bool
) -> None:
    monkeypatch.setattr(user_activity, "TIMEOUT", round(1000 * WITHIN))
    moods.locks(locked)
    told: list[interruption.Activity] = []
    around = UserActivity(*buses)
    around.look(interruption.AlertSettings(do_not_disturb=False), told.append)
    qtbot.waitUntil(lambda: told == [interruption.Activity(locked=locked)])


def test_a_log_out_is_asked_about_agreed_to_and_ends_deskbell(
    moods: Moods, buses: tuple[DBus, DBus], qtbot: QtBot
) -> None:
    typed: list[object] = [True]
    log_out = LogoutWatcher(buses[0], lambda: not typed[0])
    log_out.register()
    qtbot.waitUntil(lambda: moods.clients == ["deskbell"])
    buses[0].call(DRIVER, "GetId", "", (), typed.append)  # what was sent before it has arrived with its reply
    qtbot.waitUntil(lambda: len(typed) == 2)
    moods.asks_to_log_out()
    qtbot.waitUntil(lambda: len(moods.responses) == 1)
    assert moods.responses[0] == (False, "You have typed an answer that is not sent yet.")
    typed[0] = False
    moods.asks_to_log_out()
    qtbot.waitUntil(lambda: moods.responses[1:] == [(True, "")])
    with qtbot.waitSignal(log_out.ends):
        moods.logs_out()
