"""What a host may ask for again: the events of one legacy Link, by stream, within bounds. No I/O.

An event id is `STREAM-NUMBER`, both counted within the Link, so that `Last-Event-ID` names its stream.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from bridge.transports.http.response import frame

EVENTS = 1000
SIZE = 4 * 1024 * 1024  # bytes


class Log:
    """Events that were sent, or would have been. Over its bounds it forgets finished streams first, then
    the oldest event; the newest always stays. `on_forget` hears the number of a stream that is no more."""

    def __init__(self, on_forget: Callable[[int], object]) -> None:
        self._on_forget = on_forget
        self._shelves: dict[int, deque[tuple[int, bytes]]] = {}
        self._finished: dict[int, None] = {}  # in the order they finished
        self._number = 0
        self._events = 0
        self._size = 0

    def __contains__(self, stream: int) -> bool:
        """Whether the host was given an event id to resume this stream with, and still may."""
        return stream in self._shelves

    def prime(self, stream: int) -> bytes:
        """A frame with nothing but an id (2025-11-25), and how soon to come back, in ms."""
        self._shelves.setdefault(stream, deque())
        self._number += 1
        return b"id: %d-%d\nretry: 500\ndata:\n\n" % (stream, self._number)

    def add(self, stream: int, message: bytes) -> bytes:
        """The message as a frame, from now on kept."""
        self._number += 1
        event = frame(message, b"%d-%d" % (stream, self._number))
        self._shelves.setdefault(stream, deque()).append((self._number, event))
        self._events += 1
        self._size += len(event)
        while (self._events > EVENTS or self._size > SIZE) and self._events > 1:
            self._drop_oldest()
        return event

    def finish(self, stream: int) -> None:
        if stream in self._shelves:
            self._finished[stream] = None

    def is_finished(self, stream: int) -> bool:
        return stream in self._finished

    def forget(self, stream: int) -> None:
        """Nobody will come back for it."""
        for _, event in self._shelves.pop(stream, ()):
            self._events -= 1
            self._size -= len(event)
        self._finished.pop(stream, None)
        self._on_forget(stream)

    def after(self, stream: int, number: int) -> list[bytes]:
        return [event for n, event in self._shelves.get(stream, ()) if n > number]

    def _drop_oldest(self) -> None:
        finished = next(iter(self._finished), None)
        if finished is not None and not self._shelves[finished]:
            self.forget(finished)
            return
        if finished is None:
            live = ((shelf[0][0], shelf) for shelf in self._shelves.values() if shelf)
            shelf = min(live, key=lambda pair: pair[0])[1]
        else:
            shelf = self._shelves[finished]
        _, event = shelf.popleft()
        self._events -= 1
        self._size -= len(event)


def parse_event_id(text: bytes) -> tuple[int, int] | None:
    stream, dash, number = text.partition(b"-")
    if dash and stream.isdigit() and number.isdigit() and len(text) < 40:
        return int(stream), int(number)
    return None
