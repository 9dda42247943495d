"""One desktop notification, updated as Questions come and go. It never contains a question's text.

Linux: org.freedesktop.Notifications, with buttons (Qt's own notification loses clicks). Elsewhere, and where
there is no daemon: the balloon of the tray icon, which has no buttons.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QUrl, Signal

from desktop.system.dbus import DBus, DBusObject
from desktop.theme.resources import resource

_DAEMON = DBusObject(
    "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications"
)
DEFAULT = "default"  # a click on the notification itself
_NORMAL = 1  # urgency
_NEVER = 0  # expiry: it stays until it is dealt with


@dataclass(frozen=True, slots=True)
class Notification:
    """`actions`: key and label of each button. `loud`: with a sound, if the daemon plays one."""

    title: str
    text: str
    actions: tuple[tuple[str, str], ...] = ()
    loud: bool = False


class Notifier(QObject):
    """`balloon` shows a title and a text where there is no daemon."""

    chosen = Signal(str)  # the key of a button, or DEFAULT
    sounds = False  # the daemon plays the sound of a loud notice

    def __init__(self, bus: DBus, balloon: Callable[[str, str], None]) -> None:
        super().__init__()
        self._bus = bus
        self._balloon = balloon
        self._id = 0
        self._shown: Notification | None = None
        self._wanted: Notification | None = None  # to be shown after the daemon's reply
        self._calling = False
        self._capabilities: frozenset[str] | None = None  # of the daemon; None: unknown

    def show(self, notice: Notification) -> None:
        """Show this notification instead of the previous one."""
        if notice == self._shown:
            return
        self._shown = self._wanted = notice
        self._send_next()

    def close(self) -> None:
        self._shown = self._wanted = None
        if self._id:
            self._bus.call(_DAEMON, "CloseNotification", "u", (self._id,), lambda _: None)
            self._id = 0

    def _send_next(self) -> None:
        if self._calling or self._wanted is None:
            return
        self._calling = True
        if self._capabilities is None:
            self._bus.call(_DAEMON, "GetCapabilities", "", (), self._got_capabilities)
            return
        notice, self._wanted = self._wanted, None
        self._bus.call(_DAEMON, "Notify", "susssasa{sv}i", self._arguments(notice), self._got_id)

    def _got_capabilities(self, reply: tuple[Any, ...] | None) -> None:
        self._calling = False
        if reply is None:
            self._fall_back()
            return
        self._capabilities = frozenset(reply[0])
        self.sounds = "sound" in self._capabilities
        self._bus.subscribe(_DAEMON, "ActionInvoked", self._invoked)
        self._bus.subscribe(_DAEMON, "NotificationClosed", self._closed)
        self._bus.subscribe(_DAEMON, "ActivationToken", self._got_token)
        self._send_next()

    def _arguments(self, notice: Notification) -> tuple[Any, ...]:
        can = self._capabilities or frozenset()
        actions = ((DEFAULT, ""), *notice.actions) if "actions" in can else ()
        text = _without_markup(notice.text) if "body-markup" in can else notice.text
        hints: dict[str, tuple[str, object]] = {
            "desktop-entry": ("s", "deskbell"),
            "category": ("s", "im.received"),
            "urgency": ("y", _NORMAL),
            "resident": ("b", True),
        }
        if notice.loud and self.sounds:
            hints["sound-file"] = ("s", resource("sounds/bell.wav"))
        else:
            hints["suppress-sound"] = ("b", True)
        picture = QUrl.fromLocalFile(resource("icons/deskbell.svg")).toString()
        flat = [word for action in actions for word in action]
        return ("Deskbell", self._id, picture, notice.title, text, flat, hints, _NEVER)

    def _got_id(self, reply: tuple[Any, ...] | None) -> None:
        self._calling = False
        if reply is None:
            self._capabilities = None  # the daemon ended; another may start
            self._fall_back()
            return
        self._id = int(reply[0])
        if self._shown is None:  # closed while the call was open
            self.close()
        self._send_next()

    def _fall_back(self) -> None:
        notice, self._wanted = self._shown, None
        if notice is not None:
            self._balloon(notice.title, notice.text)

    def _invoked(self, body: tuple[Any, ...]) -> None:
        if self._id and body[0] == self._id:
            self.chosen.emit(str(body[1]))

    def _closed(self, body: tuple[Any, ...]) -> None:
        if body[0] == self._id:
            self._id = 0

    def _got_token(self, body: tuple[Any, ...]) -> None:
        """Keep the activation token of a click: on Wayland a window may come to the front only with it."""
        if self._id and body[0] == self._id:
            os.environ["XDG_ACTIVATION_TOKEN"] = str(body[1])


def _without_markup(text: str) -> str:
    """Escape markup. Not by the module `html`, whose tables take half a megabyte."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
