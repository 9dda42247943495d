"""A connection to the session or system D-Bus in Qt's event loop.

Not QtDBus: from Python it cannot send unsigned integers, which org.freedesktop.Notifications needs.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QSocketNotifier

OnReply = Callable[[tuple[Any, ...] | None], None]
OnSignal = Callable[[tuple[Any, ...]], None]


class DBusObject(NamedTuple):
    """An object on the bus and one of its interfaces."""

    service: str
    path: str
    interface: str


class DBus(QObject):
    """Connects when first used; without a bus every call is answered with None."""

    def __init__(self, *, system: bool = False) -> None:
        super().__init__()
        self._which = "SYSTEM" if system else "SESSION"
        self._connection: Any = None
        self._notifier: QSocketNotifier | None = None
        self._waiting: dict[int, OnReply] = {}
        self._subscriptions: dict[tuple[str, str], OnSignal] = {}

    def call(
        self,
        place: DBusObject,
        method: str,
        signature: str,
        body: tuple[Any, ...],
        reply: OnReply,
        start: bool = True,
    ) -> None:
        """Call a method; `reply` gets its result, or None if it failed.

        `start`: the bus may start the service.
        """
        if not self._connect():
            reply(None)
            return
        import jeepney  # type: ignore[import-untyped]

        address = jeepney.DBusAddress(place.path, place.service, place.interface)
        message = jeepney.new_method_call(address, method, signature or None, body)
        if not start:
            message.header.flags |= jeepney.MessageFlag.no_auto_start
        serial = next(self._connection.outgoing_serial)
        self._waiting[serial] = reply
        self._send(message, serial)

    def subscribe(self, place: DBusObject, member: str, callback: OnSignal) -> None:
        """Call `callback` with the body of each such signal. An object without a path: from any path."""
        if not self._connect():
            return
        import jeepney

        self._subscriptions[place.interface, member] = callback
        where = {"path": place.path} if place.path else {}
        rule = jeepney.MatchRule(
            type="signal", sender=place.service, interface=place.interface, member=member, **where
        )
        self._send(jeepney.message_bus.AddMatch(rule), next(self._connection.outgoing_serial))

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
            self._notifier = None
        if connection is not None:
            connection.close()
        waiting, self._waiting = self._waiting, {}
        for reply in waiting.values():
            reply(None)

    def _connect(self) -> bool:
        if self._connection is None and sys.platform == "linux" and self._is_there():
            with contextlib.suppress(OSError, RuntimeError, ImportError, ValueError, KeyError):
                from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

                self._connection = open_dbus_connection(self._which)
                self._notifier = QSocketNotifier(
                    self._connection.sock.fileno(), QSocketNotifier.Type.Read, self
                )
                self._notifier.activated.connect(self._arrived)
        return self._connection is not None

    def _is_there(self) -> bool:
        """False for a session bus without an address: connecting would start one."""
        return self._which == "SYSTEM" or bool(os.environ.get("DBUS_SESSION_BUS_ADDRESS"))

    def _send(self, message: Any, serial: int) -> None:
        try:
            self._connection.send(message, serial=serial)
        except OSError:
            self.close()

    def _arrived(self) -> None:
        if sys.platform == "win32":  # no D-Bus
            return
        try:
            data = self._connection.sock.recv(65536, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:  # the bus closed the connection
            self.close()
            return
        self._connection.parser.add_data(data)
        while (
            self._connection is not None
            and (message := self._connection.parser.get_next_message()) is not None
        ):
            self._take(message)

    def _take(self, message: Any) -> None:
        from jeepney import HeaderFields, MessageType

        fields, kind = message.header.fields, message.header.message_type
        if kind is MessageType.signal:
            key = fields.get(HeaderFields.interface, ""), fields.get(HeaderFields.member, "")
            if key in self._subscriptions:
                self._subscriptions[key](message.body)
            return
        reply = self._waiting.pop(fields.get(HeaderFields.reply_serial, 0), None)
        if reply is not None:
            reply(message.body if kind is MessageType.method_return else None)
