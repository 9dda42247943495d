"""The shortcut that opens the oldest question: which keys it may be, and asking the desktop for it."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from jeepney import (  # type: ignore[import-untyped]
    DBusAddress,
    HeaderFields,
    MessageType,
    new_method_return,
    new_signal,
)
from jeepney.bus_messages import message_bus  # type: ignore[import-untyped]
from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from desktop.system.dbus import DBus
from desktop.system.shortcuts.global_shortcut import GlobalShortcut
from desktop.system.shortcuts.keys import DEFAULT, Shortcut, parse
from desktop.system.shortcuts.portal import PortalShortcut
from desktop.widgets.inputs.shortcut import KeysField
from tests.desktop import samples
from tests.desktop.system.test_dbus import bus, daemon

__all__ = ["bus", "daemon"]  # fixtures
PORTAL = "org.freedesktop.portal.Desktop"
SHORTCUTS = DBusAddress("/org/freedesktop/portal/desktop", PORTAL, "org.freedesktop.portal.GlobalShortcuts")
SESSION = "/org/freedesktop/portal/desktop/session/1/deskbell"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Meta+Alt+A", Shortcut(ord("a"), 64 + 8, ord("A"), 8 + 1, "ALT+LOGO+a")),
        ("Ctrl+Shift+7", Shortcut(ord("7"), 4 + 1, ord("7"), 2 + 4, "CTRL+SHIFT+7")),
        ("F9", Shortcut(0xFFC6, 0, 0x78, 0, "F9")),
        ("Ctrl+Space", Shortcut(0x20, 4, 0x20, 2, "CTRL+space")),
    ],
)
def test_a_combination_is_told_as_each_system_wants_it(text: str, keys: Shortcut) -> None:
    assert parse(text) == keys


@pytest.mark.parametrize("text", ["none", "A", "Shift+A", "Ctrl+A, Ctrl+B", "Ctrl+Nonsense"])
def test_a_combination_that_people_type_or_that_no_keyboard_has_is_none(text: str) -> None:
    assert parse(text) is None


def test_without_a_wish_the_default_counts() -> None:
    assert parse("") == parse(DEFAULT)


def test_no_key_is_grabbed_where_there_is_no_desktop(qtbot: QtBot) -> None:
    shortcut = GlobalShortcut(DBus())
    shortcut.draw(replace(samples.QUIET, shortcut="Ctrl+Shift+F9"))
    assert shortcut.state == "off"
    shortcut.close()


class Portal:
    """A portal that agrees, in a thread of its own."""

    def __init__(self, address: str) -> None:
        self.asked: list[Any] = []
        self._line = open_dbus_connection(address)
        self._line.send_and_get_reply(message_bus.RequestName(PORTAL, 4))
        self._over = False
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def press(self) -> None:
        body = (SESSION, "answer", 7, {"activation_token": ("s", "")})
        self._line.send(new_signal(SHORTCUTS, "Activated", "osta{sv}", body))

    def close(self) -> None:
        self._over = True
        self._thread.join()
        self._line.close()

    def _serve(self) -> None:
        while not self._over:
            try:
                message = self._line.receive(timeout=0.05)
            except TimeoutError:
                continue
            if message.header.message_type is MessageType.method_call:
                self._agree(message)

    def _agree(self, message: Any) -> None:
        method = message.header.fields[HeaderFields.member]
        self.asked.append((method, message.body))
        path = f"/org/freedesktop/portal/desktop/request/1/{method}"
        if method == "Close":
            self._line.send(new_method_return(message))
            return
        self._line.send(new_method_return(message, "o", (path,)))
        granted: dict[str, Any] = {
            "session_handle": ("s", SESSION),
            "shortcuts": ("a(sa{sv})", [("answer", {})]),
        }
        request = DBusAddress(path, PORTAL, "org.freedesktop.portal.Request")
        self._line.send(new_signal(request, "Response", "ua{sv}", (0, granted)))


@pytest.fixture
def portal(daemon: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Portal]:
    import os

    made = Portal(os.environ["DBUS_SESSION_BUS_ADDRESS"])
    yield made
    made.close()


@pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="needs dbus-daemon")
def test_the_desktop_is_asked_for_the_keys_and_says_when_they_are_pressed(
    portal: Portal, bus: DBus, qtbot: QtBot
) -> None:
    agreed: list[bool] = []
    pressed: list[str] = []
    wanted = parse("Meta+Alt+A")
    assert wanted is not None
    shortcut = PortalShortcut(
        bus, "Open the oldest question", lambda: pressed.append("pressed"), agreed.append
    )
    shortcut.grab(wanted)
    qtbot.waitUntil(lambda: agreed == [True])
    ((name, about),) = portal.asked[1][1][1]
    assert (name, about["preferred_trigger"]) == ("answer", ("s", "ALT+LOGO+a"))
    portal.press()
    qtbot.waitUntil(lambda: pressed == ["pressed"])
    shortcut.close()
    qtbot.waitUntil(lambda: portal.asked[-1][0] == "Close")


def test_pressed_keys_are_saved_and_cleared_ones_are_none(qtbot: QtBot) -> None:
    saved: list[object] = []
    field = KeysField(saved.append)
    qtbot.addWidget(field)
    field.draw("")
    field.draw("")  # as each Status is drawn
    assert field.keySequence().toString() == DEFAULT
    assert field.findChildren(QLineEdit)[0].text() == f"{'Win' if sys.platform == 'win32' else 'Super'}+Alt+A"
    QTest.keyClick(field, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: saved == ["Ctrl+F9"])
    field.clear()
    field.editingFinished.emit()
    assert saved[-1] == "none"
