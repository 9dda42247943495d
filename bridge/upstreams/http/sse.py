"""Server-sent events (WHATWG HTML §9.2), read from bytes. Pure: no I/O; data stays bytes."""

from __future__ import annotations

from dataclasses import dataclass, field

from bridge.system.line_buffer import LineBuffer, LineTooLong


@dataclass(slots=True)
class Place:
    """Where a stream stood, should it have to be taken up again: Last-Event-ID, and when to try."""

    last: str = ""
    retry: float = 0.0  # seconds, 0: the server did not say


@dataclass(slots=True)
class Events:
    """Collects lines into events and keeps `place` up to date. Raises LineTooLong for a huge event."""

    limit: int
    place: Place = field(default_factory=Place)
    _lines: LineBuffer = field(init=False)
    _data: list[bytes] = field(init=False, default_factory=list)
    _size: int = field(init=False, default=0)
    _id: str | None = field(init=False, default=None)
    _foreign: bool = field(init=False, default=False)
    _after_return: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self._lines = LineBuffer(self.limit)

    def feed(self, data: bytes) -> list[bytes]:
        """The data of the events that are complete now; those of other types than `message` are left out."""
        found = [self._line(line) for line in self._lines.feed(self._newlines(data))]
        return [data for data in found if data]

    def _newlines(self, data: bytes) -> bytes:
        """Lines may end in CR, LF or both."""
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
            self._foreign = value not in (b"message", b"")
        elif name == b"id" and b"\0" not in value:
            self._id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit():
            self.place.retry = int(value[:9]) / 1000
        return b""

    def _keep(self, value: bytes) -> None:
        self._size += len(value) + 1
        if self._size > self.limit:
            raise LineTooLong
        self._data.append(value)

    def _dispatch(self) -> bytes:
        if self._id is not None:  # not before the whole event is here, or it could never be asked for again
            self.place.last, self._id = self._id, None
        data, foreign = self._data, self._foreign
        self._data, self._size, self._foreign = [], 0, False
        return b"" if foreign else b"\n".join(data)
