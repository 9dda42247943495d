"""A key combination asked of the desktop itself: org.freedesktop.portal.GlobalShortcuts, for Wayland.

The desktop asks the person, and may offer other keys; which they are, Deskbell is not told.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from desktop.alerts.user_activity import unwrap_variant
from desktop.system.dbus import DBus, DBusObject
from desktop.system.shortcuts.keys import Shortcut

_SERVICE, _PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
_SHORTCUTS = DBusObject(_SERVICE, _PATH, "org.freedesktop.portal.GlobalShortcuts")
_REQUEST = DBusObject(_SERVICE, "", "org.freedesktop.portal.Request")
_SESSION = "org.freedesktop.portal.Session"
_TOKEN = "deskbell"  # noqa: S105 - names a request, and is no secret
_ID = "answer"


class PortalShortcut(QObject):
    """`label`: what the desktop calls it. `done` gets whether the desktop has agreed."""

    def __init__(
        self, bus: DBus, label: str, pressed: Callable[[], object], done: Callable[[bool], object]
    ) -> None:
        super().__init__()
        self._bus, self._label, self._pressed, self._done = bus, label, pressed, done
        self._session = ""
        self._requests: dict[str, Callable[[dict[str, Any] | None], None]] = {}  # by path

    def grab(self, keys: Shortcut) -> None:
        """Ask the desktop for this combination."""
        self._trigger = keys.trigger
        self._bus.subscribe(_REQUEST, "Response", self._responded)
        self._bus.subscribe(_SHORTCUTS, "Activated", self._activated)
        options = {"handle_token": ("s", _TOKEN), "session_handle_token": ("s", _TOKEN)}
        self._bus.call(_SHORTCUTS, "CreateSession", "a{sv}", (options,), self._expect(self._created))

    def close(self) -> None:
        """End the session, and with it the shortcut."""
        if self._session:
            place = DBusObject(_SERVICE, self._session, _SESSION)
            self._bus.call(place, "Close", "", (), lambda _: None)
            self._session = ""

    def _expect(
        self, take: Callable[[dict[str, Any] | None], None]
    ) -> Callable[[tuple[Any, ...] | None], None]:
        """Return what takes the reply of a call: the path on which its answer comes."""

        def replied(reply: tuple[Any, ...] | None) -> None:
            if reply is None:
                take(None)
            else:
                self._requests[str(reply[0])] = take

        return replied

    def _responded(self, body: tuple[Any, ...]) -> None:
        """Take the answer to a request. The portal handles one request of ours after the other."""
        if self._requests:
            _, take = self._requests.popitem()
            take(dict(body[1]) if body[0] == 0 else None)

    def _created(self, results: dict[str, Any] | None) -> None:
        if results is None:
            self._done(False)
            return
        self._session = str(unwrap_variant(results.get("session_handle", "")))
        about = {"description": ("s", self._label), "preferred_trigger": ("s", self._trigger)}
        body = (self._session, [(_ID, about)], "", {"handle_token": ("s", f"{_TOKEN}_bind")})
        self._bus.call(_SHORTCUTS, "BindShortcuts", "oa(sa{sv})sa{sv}", body, self._expect(self._bound))

    def _bound(self, results: dict[str, Any] | None) -> None:
        self._done(results is not None and bool(unwrap_variant(results.get("shortcuts", ("", ())))))

    def _activated(self, body: tuple[Any, ...]) -> None:
        session, shortcut, _, options = body
        if (session, shortcut) == (self._session, _ID):
            token = unwrap_variant(dict(options).get("activation_token", ("s", "")))
            if token:  # on Wayland a window may come to the front only with it
                os.environ["XDG_ACTIVATION_TOKEN"] = str(token)
            self._pressed()
