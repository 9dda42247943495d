"""logind, a screen saver and a session manager that a test moves by hand, on a private bus."""

from __future__ import annotations

import threading
from typing import Any

from jeepney import (  # type: ignore[import-untyped]
    DBusAddress,
    HeaderFields,
    MessageType,
    new_error,
    new_method_return,
    new_signal,
)
from jeepney.bus_messages import message_bus  # type: ignore[import-untyped]
from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

LOGIND = "org.freedesktop.login1"
SAVER = "org.freedesktop.ScreenSaver"
KEEPER = "org.gnome.SessionManager"
_MANAGER = DBusAddress("/org/freedesktop/login1", LOGIND, f"{LOGIND}.Manager")
_CLIENT = DBusAddress("/org/gnome/SessionManager/Client7", KEEPER, f"{KEEPER}.ClientPrivate")
_SAVER = DBusAddress("/org/freedesktop/ScreenSaver", SAVER, SAVER)


class Moods:
    """Answers what it is asked in a thread of its own."""

    def __init__(self, address: str) -> None:
        self.locked = False
        self.clients: list[str] = []
        self.responses: list[tuple[bool, str]] = []
        self._line = open_dbus_connection(address)
        for name in (LOGIND, SAVER, KEEPER):
            self._line.send_and_get_reply(message_bus.RequestName(name, 4))
        self._over = False
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def wakes(self) -> None:
        for asleep in (True, False):
            self._line.send(new_signal(_MANAGER, "PrepareForSleep", "b", (asleep,)))

    def locks(self, locked: bool) -> None:
        self.locked = locked
        self._line.send(new_signal(_SAVER, "ActiveChanged", "b", (locked,)))

    def asks_to_log_out(self) -> None:
        self._line.send(new_signal(_CLIENT, "QueryEndSession", "u", (0,)))

    def logs_out(self) -> None:
        self._line.send(new_signal(_CLIENT, "EndSession", "u", (0,)))

    def close(self) -> None:
        self._over = True
        self._thread.join()
        self._line.close()

    def _serve(self) -> None:
        while not self._over:
            try:
                message = self._line.receive(timeout=0.1)
            except TimeoutError:
                continue
            if message.header.message_type is MessageType.method_call:
                self._line.send(self._answer(message))

    def _answer(self, message: Any) -> Any:
        asked = message.header.fields.get(HeaderFields.member)
        if asked == "RegisterClient":
            self.clients.append(str(message.body[0]))
            return new_method_return(message, "o", (_CLIENT.object_path,))
        if asked == "EndSessionResponse":
            self.responses.append(tuple(message.body))
            return new_method_return(message)
        if asked == "GetActive":
            return new_method_return(message, "b", (self.locked,))
        if asked == "Get":
            return new_method_return(message, "v", (("b", self.locked),))
        return new_error(message, "org.freedesktop.DBus.Error.UnknownMethod")
