"""Notices that a file was written, replaced, made or removed, and says so in the loop. It never reads it.

Linux: inotify on the file's folder (an editor replaces the file, and a watch on the file would go with it);
nothing wakes up while nothing happens. Elsewhere, or when inotify has run out: a look every 2 s.
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

SETTLE = 0.05  # seconds: editors write, rename and touch in one go
LOOK_EVERY = 2.0

# linux/inotify.h. Not IN_MODIFY: a half-written file is no news, its closing is.
_ATTRIB, _CLOSE_WRITE, _MOVED, _CREATE, _DELETE = 0x4, 0x8, 0x40 | 0x80, 0x100, 0x200
_MASK = _ATTRIB | _CLOSE_WRITE | _MOVED | _CREATE | _DELETE
_OVERFLOW = 0x4000
_FLAGS = 0o2004000  # IN_NONBLOCK | IN_CLOEXEC; by number, for Windows' os has no such names
_EVENT = struct.Struct("iIII")


class Watcher(Protocol):
    def close(self) -> None: ...


def watch(path: Path, callback: Callable[[], None], loop: asyncio.AbstractEventLoop) -> Watcher:
    """Calls `callback` in `loop` shortly after each change, once for changes that come together."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return _Inotify(path, callback, loop)
    return _Looking(path, callback, loop)


class _Inotify:
    def __init__(self, path: Path, callback: Callable[[], None], loop: asyncio.AbstractEventLoop) -> None:
        self._path = path
        self._callback = callback
        self._loop = loop
        self._soon: asyncio.TimerHandle | None = None
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._fd = _checked(self._libc.inotify_init1(_FLAGS))
        try:
            self._aim()
        except OSError:
            os.close(self._fd)
            raise
        loop.add_reader(self._fd, self._happened)

    def close(self) -> None:
        if self._fd >= 0:
            self._loop.remove_reader(self._fd)
            os.close(self._fd)
            self._fd = -1
        if self._soon is not None:
            self._soon.cancel()

    def _aim(self) -> None:
        """The file's folder, and if it is a symlink also the folder of what it leads to."""
        ways = {os.path.abspath(self._path), os.path.realpath(self._path)}
        self._names = {os.fsencode(os.path.basename(way)) for way in ways}
        for folder in {os.path.dirname(way) for way in ways}:
            _checked(self._libc.inotify_add_watch(self._fd, os.fsencode(folder), _MASK))

    def _happened(self) -> None:
        with contextlib.suppress(BlockingIOError):
            seen = list(_events(os.read(self._fd, 65536)))
            if self._soon is None and any(name in self._names or mask & _OVERFLOW for mask, name in seen):
                self._soon = self._loop.call_later(SETTLE, self._tell)

    def _tell(self) -> None:
        self._soon = None
        with contextlib.suppress(OSError):  # the symlink's new folder is not there yet
            self._aim()
        self._callback()


class _Looking:
    def __init__(self, path: Path, callback: Callable[[], None], loop: asyncio.AbstractEventLoop) -> None:
        self._path = path
        self._callback = callback
        self._loop = loop
        self._seen = self._look()
        self._next = loop.call_later(LOOK_EVERY, self._again)

    def close(self) -> None:
        self._next.cancel()

    def _look(self) -> tuple[int, int, int] | None:
        try:
            now = os.stat(self._path)
        except OSError:
            return None
        return now.st_mtime_ns, now.st_size, now.st_ino

    def _again(self) -> None:
        self._next = self._loop.call_later(LOOK_EVERY, self._again)
        before, self._seen = self._seen, self._look()
        if self._seen != before:
            self._callback()


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _events(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Mask and name of each struct inotify_event."""
    place = 0
    while place < len(data):
        _, mask, _, length = _EVENT.unpack_from(data, place)
        place += _EVENT.size
        yield mask, data[place : place + length].rstrip(b"\0")
        place += length
