"""The session bus, in Qt's loop, against a real dbus-daemon."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from bridge.api import interruption
from desktop.alerts.user_activity import ActivityQuery, UserActivity, idle_here, is_desktop, unwrap_variant
from desktop.system.dbus import DBus, DBusObject

pytestmark = pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="needs dbus-daemon")
DRIVER = DBusObject("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
NOBODY = DBusObject("org.example.Nobody", "/", "org.example.Nobody")
NAME_FLAG = 4  # do not queue


@pytest.fixture
def daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[str]]:
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"]
    address = f"unix:path={tmp_path}/bus"
    running = subprocess.Popen([*command, f"--address={address}"], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", running.stdout.readline().strip())
    yield running
    running.kill()
    running.wait()
    running.stdout.close()


@pytest.fixture
def bus(daemon: object, qtbot: QtBot) -> Iterator[DBus]:
    made = DBus()
    yield made
    made.close()


def test_a_call_is_answered_and_unsigned_numbers_can_be_sent(bus: DBus, qtbot: QtBot) -> None:
    heard: list[Any] = []
    bus.call(DRIVER, "RequestName", "su", ("org.example.Deskbell", NAME_FLAG), heard.append)
    qtbot.waitUntil(lambda: heard == [(1,)])


def test_a_signal_is_heard(bus: DBus, qtbot: QtBot) -> None:
    heard: list[Any] = []
    bus.subscribe(DRIVER, "NameOwnerChanged", heard.append)
    bus.call(DRIVER, "RequestName", "su", ("org.example.Deskbell", NAME_FLAG), lambda _: None)
    qtbot.waitUntil(lambda: any(body[0] == "org.example.Deskbell" for body in heard))


def test_whoever_is_not_there_answers_nothing(bus: DBus, qtbot: QtBot) -> None:
    heard: list[Any] = []
    bus.call(NOBODY, "Hello", "", (), heard.append, start=False)
    qtbot.waitUntil(lambda: heard == [None])


def test_a_bus_that_ends_answers_all_that_waits_and_is_looked_for_anew(
    bus: DBus, daemon: subprocess.Popen[str], qtbot: QtBot
) -> None:
    heard: list[Any] = []
    bus.call(DRIVER, "GetId", "", (), heard.append)
    qtbot.waitUntil(lambda: len(heard) == 1)
    daemon.kill()
    daemon.wait()
    bus.call(DRIVER, "GetId", "", (), heard.append)
    qtbot.waitUntil(lambda: heard[1:] == [None])
    bus.call(DRIVER, "GetId", "", (), heard.append)
    assert heard[1:] == [None, None]


def test_where_nobody_tells_nothing_is_known_and_it_is_said_at_once(
    bus: DBus, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "GNOME:XFCE")
    told: list[interruption.Activity] = []
    around = UserActivity(bus, DBus())
    around.look(interruption.AlertSettings(), told.append)
    qtbot.waitUntil(lambda: told == [interruption.Activity()])
    assert not any(look._timeout.isActive() for look in around.findChildren(ActivityQuery))


def test_who_wants_to_know_nothing_is_told_at_once(qtbot: QtBot) -> None:
    told: list[interruption.Activity] = []
    UserActivity(DBus(), DBus()).look(interruption.AlertSettings(do_not_disturb=False), told.append)
    assert told == [interruption.Activity()]


def test_a_desktop_that_does_not_answer_is_not_waited_for(qtbot: QtBot) -> None:
    class Silent(DBus):
        def call(self, *_: Any, **__: Any) -> None:
            """Says nothing, ever."""

    told: list[interruption.Activity] = []
    around = UserActivity(Silent(), DBus())
    around.look(interruption.AlertSettings(), told.append)
    qtbot.waitUntil(lambda: told == [interruption.Activity()])


@pytest.mark.parametrize(
    ("service", "value", "busy"),
    [
        ("org.freedesktop.DBus.Properties", ("b", True), True),
        ("org.freedesktop.DBus.Properties", ("b", False), False),
        ("org.freedesktop.portal.Settings", ("v", ("b", False)), True),
        ("org.freedesktop.portal.Settings", ("v", ("b", True)), False),
        ("org.xfce.Xfconf", ("b", True), True),
    ],
)
def test_every_desktops_do_not_disturb_is_understood(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, service: str, value: Any, busy: bool
) -> None:
    class Telling(DBus):
        def call(self, place: DBusObject, *rest: Any, start: bool = True) -> None:
            rest[-1]((value,) if place.interface == service else None)

    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "GNOME:XFCE")
    told: list[interruption.Activity] = []
    UserActivity(Telling(), DBus()).look(interruption.AlertSettings(), told.append)
    assert told == [interruption.Activity(busy=busy)]


def test_how_long_the_person_has_been_idle_is_asked_of_gnome_where_the_system_does_not_tell(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Telling(DBus):
        def call(self, place: DBusObject, *rest: Any, start: bool = True) -> None:
            rest[-1]((45_000,) if "Mutter" in place.service else None)

    monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
    told: list[interruption.Activity] = []
    UserActivity(Telling(), DBus()).look(
        interruption.AlertSettings(front=interruption.RaiseWindow.IDLE), told.append
    )
    assert told == [interruption.Activity(idle=45.0)]
    assert idle_here() is None


def test_small_things() -> None:
    assert unwrap_variant(("v", ("b", True))) is True
    assert unwrap_variant("text") == "text"
    assert is_desktop("GNOME", {"XDG_CURRENT_DESKTOP": "ubuntu:GNOME"})
    assert not is_desktop("GNOME", {})
