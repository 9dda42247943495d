"""Decode server-sent events (WHATWG HTML §9.2). Pure: no I/O; data stays bytes."""

from __future__ import annotations

from dataclasses import dataclass, field

from bridge.system.line_buffer import LineBuffer, LineTooLong


@dataclass(slots=True)
class StreamPosition:
    """Where to resume a stream that broke off."""

    last_event_id: str = ""
    retry: float = 0.0  # seconds to wait before; 0: not set by the server


@dataclass(slots=True)
class EventDecoder:
    """Collects lines into events, and updates `position`. Raises LineTooLong for an event beyond `limit`."""

    limit: int  # bytes
    position: StreamPosition = field(default_factory=StreamPosition)
    _lines: LineBuffer = field(init=False)
    _data: bytes | bytearray | None = field(init=False, default=None)
    _size: int = field(init=False, default=0)
    _id: str | None = field(init=False, default=None)
    _other_type: bool = field(init=False, default=False)
    _after_return: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self._lines = LineBuffer(self.limit)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the data of each `message` event that is complete now."""
        found = [self._line(line) for line in self._lines.feed(self._newlines(data))]
        return [data for data in found if data]

    def _newlines(self, data: bytes) -> bytes:
        """Return `data` with all line ends (CR, LF, CRLF) as LF."""
        if self._after_return and data[:1] == b"\n":
            data = data[1:]
        self._after_return = data[-1:] == b"\r"
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data

    def _line(self, line: bytes) -> bytes:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(b":")
        value = value[1:] if value[:1] == b" " else value
        if name == b"data":
            self._keep(value)
        elif name == b"event":
            self._other_type = value not in (b"message", b"")
        elif name == b"id" and b"\0" not in value:
            self._id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit():
            self.position.retry = int(value[:9]) / 1000
        return b""

    def _keep(self, value: bytes) -> None:
        self._size += len(value) + 1
        if self._size > self.limit:
            raise LineTooLong
        if self._data is None:
            self._data = value
        else:  # one array: a list of short lines would need many times their size
            self._data = self._data if isinstance(self._data, bytearray) else bytearray(self._data)
            self._data += b"\n" + value

    def _dispatch(self) -> bytes:
        if self._id is not None:  # not before the event is complete: a resumed stream would skip it
            self.position.last_event_id, self._id = self._id, None
        data, other_type = self._data, self._other_type
        self._data, self._size, self._other_type = None, 0, False
        return b"" if other_type or data is None else bytes(data)
