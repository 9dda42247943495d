"""Watch a file: call back in the event loop when it is written, replaced, created or removed.

Linux: inotify on the file's folder, because editors replace the file and a watch on it would be lost.
Elsewhere, or when inotify has no watches left: poll every 2 s.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

SETTLE = 0.05  # seconds; editors write, rename and touch in quick succession
LONGEST = 0.5  # seconds after which a file that is written all the time is read all the same
POLL_EVERY = 2.0

# linux/inotify.h. Without IN_MODIFY: a half-written file must not be read, a closed one may.
_ATTRIB, _CLOSE_WRITE, _MOVED, _CREATE, _DELETE = 0x4, 0x8, 0x40 | 0x80, 0x100, 0x200
_MASK = _ATTRIB | _CLOSE_WRITE | _MOVED | _CREATE | _DELETE
_OVERFLOW, _IGNORED = 0x4000, 0x8000  # events were lost; the folder is gone
_FLAGS = 0o2004000  # IN_NONBLOCK | IN_CLOEXEC; numeric, since os on Windows lacks these names
_EVENT = struct.Struct("iIII")


class Watcher(Protocol):
    def close(self) -> None: ...


def watch(path: Path, callback: Callable[[], None], loop: asyncio.AbstractEventLoop) -> Watcher:
    """Call `callback` in `loop` shortly after each change, once for changes in quick succession."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return _Inotify(path, callback, loop)
    return _Polling(path, callback, loop)


class _Inotify:
    def __init__(self, path: Path, callback: Callable[[], None], loop: asyncio.AbstractEventLoop) -> None:
        self._path = path
        self._callback = callback
        self._loop = loop
        self._soon: asyncio.TimerHandle | None = None
        self._first_event = 0.0  # of the loop's clock
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._fd = _checked(self._libc.inotify_init1(_FLAGS))
        try:
            self._add_watches()
        except OSError:
            os.close(self._fd)
            raise
        loop.add_reader(self._fd, self._read_events)

    def close(self) -> None:
        if self._fd >= 0:
            self._loop.remove_reader(self._fd)
            os.close(self._fd)
            self._fd = -1
        if self._soon is not None:
            self._soon.cancel()

    def _add_watches(self) -> None:
        """Watch the file's folder and, for a symlink, the folder of its target."""
        ways = {os.path.abspath(self._path), os.path.realpath(self._path)}
        self._names = {os.fsencode(os.path.basename(way)) for way in ways}
        for folder in {os.path.dirname(way) for way in ways}:
            _checked(self._libc.inotify_add_watch(self._fd, os.fsencode(folder), _MASK))

    def _read_events(self) -> None:
        with contextlib.suppress(BlockingIOError):
            seen = list(_events(os.read(self._fd, 65536)))
            if any(name in self._names or mask & (_OVERFLOW | _IGNORED) for mask, name in seen):
                self._notify_later()

    def _notify_later(self) -> None:
        """Count from the last event, but not for ever."""
        now = self._loop.time()
        if self._soon is None:
            self._first_event = now
        else:
            self._soon.cancel()
        self._soon = self._loop.call_at(min(now + SETTLE, self._first_event + LONGEST), self._notify)

    def _notify(self) -> None:
        self._soon = None
        with contextlib.suppress(OSError):  # the symlink's new folder does not exist yet
            self._add_watches()
        self._callback()


class _Polling:
    def __init__(self, path: Path, callback: Callable[[], None], loop: asyncio.AbstractEventLoop) -> None:
        self._path = path
        self._callback = callback
        self._loop = loop
        self._seen = self._signature()
        self._next = loop.call_later(POLL_EVERY, self._poll)

    def close(self) -> None:
        self._next.cancel()

    def _signature(self) -> tuple[int, int, int] | None:
        try:
            now = os.stat(self._path)
        except OSError:
            return None
        return now.st_mtime_ns, now.st_size, now.st_ino

    def _poll(self) -> None:
        self._next = self._loop.call_later(POLL_EVERY, self._poll)
        before, self._seen = self._seen, self._signature()
        if self._seen != before:
            self._callback()


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _events(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield mask and name of each struct inotify_event."""
    place = 0
    while place < len(data):
        _, mask, _, length = _EVENT.unpack_from(data, place)
        place += _EVENT.size
        yield mask, data[place : place + length].rstrip(b"\0")
        place += length
