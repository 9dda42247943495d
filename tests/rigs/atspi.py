"""The screen as assistive technology sees it, from outside the application: AT-SPI over D-Bus.

Only what a screen reader or a switch device can do: read names, roles, states and descriptions; press, focus,
set text. Nothing here knows Qt.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jeepney import DBusAddress, new_method_call  # type: ignore[import-untyped]
from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]
from jeepney.wrappers import DBusErrorResponse, unwrap_msg  # type: ignore[import-untyped]

_ACCESSIBLE = "org.a11y.atspi.Accessible"
_ACTION = "org.a11y.atspi.Action"
_COMPONENT = "org.a11y.atspi.Component"
_EDITABLE = "org.a11y.atspi.EditableText"
_TEXT = "org.a11y.atspi.Text"
_ROOT = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_SHOWING = 25  # AtspiStateType
_FOCUSED = 12
_CHECKED = 4
_ENABLED = 8
_INVALID = 37
_ON_SCREEN = 0  # AtspiCoordType
WAIT = 15.0


class Gone(Exception):
    """What was looked at is not there any more."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One accessible object."""

    screen: Screen
    owner: str
    path: str

    @property
    def name(self) -> str:
        return str(self._get(_ACCESSIBLE, "Name"))

    @property
    def description(self) -> str:
        return str(self._get(_ACCESSIBLE, "Description"))

    @property
    def role(self) -> str:
        return str(self._call(_ACCESSIBLE, "GetRoleName")[0])

    @property
    def states(self) -> frozenset[int]:
        low, high = self._call(_ACCESSIBLE, "GetState")[0]
        bits = low | high << 32
        return frozenset(number for number in range(64) if bits >> number & 1)

    @property
    def showing(self) -> bool:
        return _SHOWING in self.states

    @property
    def enabled(self) -> bool:
        return _ENABLED in self.states

    @property
    def focused(self) -> bool:
        return _FOCUSED in self.states

    @property
    def checked(self) -> bool:
        return _CHECKED in self.states

    @property
    def invalid(self) -> bool:
        return _INVALID in self.states

    @property
    def text(self) -> str:
        return str(self._call(_TEXT, "GetText", "ii", (0, -1))[0])

    @property
    def children(self) -> list[Thing]:
        found = self._call(_ACCESSIBLE, "GetChildren")[0]
        return [Thing(self.screen, owner, path) for owner, path in found if not path.endswith("/null")]

    @property
    def middle(self) -> tuple[int, int]:
        """Where a person would click it, in pixels of the screen."""
        (x, y, width, height) = self._call(_COMPONENT, "GetExtents", "u", (_ON_SCREEN,))[0]
        return x + width // 2, y + height // 2

    def press(self) -> None:
        """Its first action: what a click does."""
        self._call(_ACTION, "DoAction", "i", (0,))

    def enter(self, text: str) -> None:
        self._call(_EDITABLE, "SetTextContents", "s", (text,))

    def focus(self) -> None:
        self._call(_COMPONENT, "GrabFocus")

    def walk(self) -> Iterator[Thing]:
        """This and everything below, in reading order; what vanishes meanwhile is left out."""
        yield self
        with contextlib.suppress(Gone):
            for child in self.children:
                yield from child.walk()

    def find(self, role: str = "", name: str | None = None, within: float = WAIT) -> Thing:
        """The first showing thing of this role and name, now or soon."""
        wanted = f"{role} {name!r}"
        return self.screen.until(lambda: self._found(role, name), wanted, within)

    def _found(self, role: str, name: str | None) -> Thing | None:
        for thing in self.walk():
            with contextlib.suppress(Gone):
                if (
                    (not role or thing.role == role)
                    and (name is None or thing.name == name)
                    and thing.showing
                ):
                    return thing
        return None

    def _get(self, interface: str, name: str) -> Any:
        return self._call("org.freedesktop.DBus.Properties", "Get", "ss", (interface, name))[0][1]

    def _call(self, interface: str, method: str, signature: str = "", body: tuple[Any, ...] = ()) -> Any:
        address = DBusAddress(self.path, self.owner, interface)
        return self.screen.ask(new_method_call(address, method, signature or None, body))


class Screen:
    """Every application on the desktop with this environment."""

    def __init__(self, env: Mapping[str, str]) -> None:
        session = open_dbus_connection(env["DBUS_SESSION_BUS_ADDRESS"])
        where = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        (address,) = unwrap_msg(
            session.send_and_get_reply(new_method_call(where, "GetAddress"), timeout=WAIT)
        )
        session.close()
        self._bus = open_dbus_connection(address)
        self.root = Thing(self, *_ROOT)

    def window(self, title: str, within: float = WAIT) -> Thing:
        """The showing top-level window of this title."""

        def look() -> Thing | None:
            for app in self.root.children:
                with contextlib.suppress(Gone):
                    for window in app.children:
                        if window.name == title and window.showing:
                            return window
            return None

        return self.until(look, f"window {title!r}", within)

    def windows(self) -> list[str]:
        found = []
        for app in self.root.children:
            with contextlib.suppress(Gone):
                found += [window.name for window in app.children if window.showing]
        return found

    def until(self, look: Callable[[], Any], what: str, within: float = WAIT) -> Any:
        end = time.monotonic() + within
        while not (found := look()):
            assert time.monotonic() < end, f"no {what} within {within:g} s; windows: {self.windows()}"
            time.sleep(0.03)
        return found

    def ask(self, message: Any) -> Any:
        try:
            return unwrap_msg(self._bus.send_and_get_reply(message, timeout=WAIT))
        except DBusErrorResponse as error:
            raise Gone(str(error)) from error

    def close(self) -> None:
        self._bus.close()
