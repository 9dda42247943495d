"""The events of one legacy Link, kept so that a broken stream can be resumed. No I/O.

An event id is `STREAM-NUMBER`, both counted within the Link: `Last-Event-ID` names the stream too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from bridge.transports.http.response import frame

MAX_EVENTS = 1000
MAX_BYTES = 4 * 1024 * 1024


class EventReplay:
    """Keeps at most MAX_EVENTS and MAX_BYTES: drops events of finished streams first, then the oldest event;
    the newest event always stays. `on_forget` is called with the number of a stream that is dropped."""

    def __init__(self, on_forget: Callable[[int], object]) -> None:
        self._on_forget = on_forget
        self._by_stream: dict[int, deque[tuple[int, bytes]]] = {}
        self._finished: dict[int, None] = {}  # stream numbers, in the order of their ends
        self._number = 0
        self._events = 0
        self._size = 0  # bytes

    def __contains__(self, stream: int) -> bool:
        """True if the host has an event id of this stream, and can resume it."""
        return stream in self._by_stream

    def prime(self, stream: int) -> bytes:
        """Return a frame with an id and no data (2025-11-25); `retry` is the milliseconds to wait."""
        self._by_stream.setdefault(stream, deque())
        self._number += 1
        return b"id: %d-%d\nretry: 500\ndata:\n\n" % (stream, self._number)

    def add(self, stream: int, message: bytes) -> bytes:
        """Keep a message, and return it as a frame."""
        self._number += 1
        event = frame(message, b"%d-%d" % (stream, self._number))
        self._by_stream.setdefault(stream, deque()).append((self._number, event))
        self._events += 1
        self._size += len(event)
        while (self._events > MAX_EVENTS or self._size > MAX_BYTES) and self._events > 1:
            self._drop_oldest()
        return event

    def finish(self, stream: int) -> None:
        if stream in self._by_stream:
            self._finished[stream] = None

    def is_finished(self, stream: int) -> bool:
        return stream in self._finished

    def forget(self, stream: int) -> None:
        """Drop a stream that will not be resumed."""
        for _, event in self._by_stream.pop(stream, ()):
            self._events -= 1
            self._size -= len(event)
        self._finished.pop(stream, None)
        self._on_forget(stream)

    def after(self, stream: int, number: int) -> list[bytes]:
        return [event for n, event in self._by_stream.get(stream, ()) if n > number]

    def _drop_oldest(self) -> None:
        finished = next(iter(self._finished), None)
        if finished is not None and not self._by_stream[finished]:
            self.forget(finished)
            return
        if finished is None:
            unfinished = filter(None, self._by_stream.values())
            events = min(unfinished, key=lambda events: events[0][0])
        else:
            events = self._by_stream[finished]
        _, event = events.popleft()
        self._events -= 1
        self._size -= len(event)


def parse_event_id(text: bytes) -> tuple[int, int] | None:
    stream, dash, number = text.partition(b"-")
    if dash and stream.isdigit() and number.isdigit() and len(text) < 40:
        return int(stream), int(number)
    return None
