"""One notification, replaced as things change and gone when nothing waits. It never holds a question's text.

Linux: org.freedesktop.Notifications, with buttons (Qt's own loses clicks). Elsewhere, and where no daemon
answers: the tray icon's balloon, which can only be clicked.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QUrl, Signal

from desktop.system.dbus import DBus, DBusObject
from desktop.widgets.icons import resource

_DAEMON = DBusObject(
    "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications"
)
DEFAULT = "default"  # a click on the notification itself
_NORMAL = 1  # urgency
_BY_DAEMON = -1  # how long it stays


@dataclass(frozen=True, slots=True)
class Notification:
    """`actions`: key and words of each button. `loud`: with the daemon's own sound, if it has one."""

    title: str
    text: str
    actions: tuple[tuple[str, str], ...] = ()
    loud: bool = False


class Notifier(QObject):
    """`balloon` shows a title and a text where there is no daemon."""

    chosen = Signal(str)  # the key of a button, or DEFAULT
    sounds = False  # the daemon plays the sound of a loud notice

    def __init__(self, bus: DBus, balloon: Callable[[str, str], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        self._balloon = balloon
        self._id = 0
        self._shown: Notification | None = None
        self._wanted: Notification | None = None  # comes when the daemon has answered
        self._asking = False
        self._can: frozenset[str] | None = None  # the daemon's capabilities; None: not asked yet

    def show(self, notice: Notification) -> None:
        """This and no other."""
        if notice == self._shown:
            return
        self._shown = self._wanted = notice
        self._go_on()

    def close(self) -> None:
        self._shown = self._wanted = None
        if self._id:
            self._bus.call(_DAEMON, "CloseNotification", "u", (self._id,), lambda _: None)
            self._id = 0

    def _go_on(self) -> None:
        if self._asking or self._wanted is None:
            return
        self._asking = True
        if self._can is None:
            self._bus.call(_DAEMON, "GetCapabilities", "", (), self._learned)
            return
        notice, self._wanted = self._wanted, None
        self._bus.call(_DAEMON, "Notify", "susssasa{sv}i", self._arguments(notice), self._came)

    def _learned(self, reply: tuple[Any, ...] | None) -> None:
        self._asking = False
        if reply is None:
            self._fall_back()
            return
        self._can = frozenset(reply[0])
        self.sounds = "sound" in self._can
        self._bus.subscribe(_DAEMON, "ActionInvoked", self._invoked)
        self._bus.subscribe(_DAEMON, "NotificationClosed", self._gone)
        self._bus.subscribe(_DAEMON, "ActivationToken", self._token)
        self._go_on()

    def _arguments(self, notice: Notification) -> tuple[Any, ...]:
        can = self._can or frozenset()
        actions = ((DEFAULT, ""), *notice.actions) if "actions" in can else ()
        text = _without_markup(notice.text) if "body-markup" in can else notice.text
        hints: dict[str, tuple[str, object]] = {
            "desktop-entry": ("s", "deskbell"),
            "category": ("s", "im.received"),
            "urgency": ("y", _NORMAL),
        }
        if notice.loud and self.sounds:
            hints["sound-file"] = ("s", resource("sounds/bell.wav"))
        else:
            hints["suppress-sound"] = ("b", True)
        picture = QUrl.fromLocalFile(resource("icons/deskbell.svg")).toString()
        flat = [word for action in actions for word in action]
        return ("Deskbell", self._id, picture, notice.title, text, flat, hints, _BY_DAEMON)

    def _came(self, reply: tuple[Any, ...] | None) -> None:
        self._asking = False
        if reply is None:
            self._can = None  # the daemon went; another may come
            self._fall_back()
            return
        self._id = int(reply[0])
        if self._shown is None:  # closed meanwhile
            self.close()
        self._go_on()

    def _fall_back(self) -> None:
        notice, self._wanted = self._shown, None
        if notice is not None:
            self._balloon(notice.title, notice.text)

    def _invoked(self, body: tuple[Any, ...]) -> None:
        if self._id and body[0] == self._id:
            self.chosen.emit(str(body[1]))

    def _gone(self, body: tuple[Any, ...]) -> None:
        if body[0] == self._id:
            self._id = 0

    def _token(self, body: tuple[Any, ...]) -> None:
        """Wayland lets a window come to the front only with the token of the click that asked for it."""
        if self._id and body[0] == self._id:
            os.environ["XDG_ACTIVATION_TOKEN"] = str(body[1])


def _without_markup(text: str) -> str:
    """Not by `html`, which keeps every name of every character: half a megabyte."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
