"""Files that survive whatever happens: written as a whole or not at all, for their owner only, one at a time.

Knows nothing of what is in them.
"""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bridge.errors import VaultError
from bridge.i18n import say

_PATIENCE = 10.0  # seconds for another process to finish its write
_PAUSE = 0.02
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def read(path: Path) -> bytes | None:
    """The file; None if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise VaultError(say("{path} cannot be read", path=path), f"{error.strerror or error}.") from error


def write(path: Path, data: bytes) -> None:
    """A crash at any moment leaves the old file or the new one, whole. A symlink stays one."""
    target = Path(os.path.realpath(path))
    try:
        _replace(target, data)
    except OSError as error:
        raise VaultError(say("{path} cannot be written", path=path), f"{error.strerror or error}.") from error


def _replace(target: Path, data: bytes) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    try:
        with open(os.open(fresh, _NEW, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, target)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """The new name must survive a power cut as well. Windows has no such call."""
    if sys.platform == "win32":
        return
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Nobody else, in this process or another, is in here with the same `path`."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise VaultError(say("{path} cannot be used", path=path), f"{error.strerror or error}.") from error
    try:
        _wait_for(file, path)
        yield
    finally:
        os.close(file)


def _wait_for(file: int, path: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while not locked(file):
        if time.monotonic() > end:
            words = say("Another program holds on to the secrets")
            raise VaultError(words, say("It has locked {path}.", path=path))
        time.sleep(_PAUSE)


if sys.platform == "win32":
    import msvcrt

    def locked(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def locked(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
