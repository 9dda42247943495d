"""Read and write whole files: a crash leaves the old file or the new one, never half of either."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from bridge.errors import DeskbellError, SettingsError, VaultError
from bridge.i18n import say

OWNER_ONLY = 0o600
_SUFFIX = ".deskbell-tmp"
_ABANDONED = 600.0  # seconds; an older temporary file was left by a crash


def write(
    path: Path, data: bytes, mode: int | None = None, error: type[DeskbellError] = SettingsError
) -> None:
    """Replace the file. Raises `error`.

    A symlink is followed. Owner, mode and security labels of an old file are kept, unless `mode` is given; a
    new file is readable by its owner only.
    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=_SUFFIX)
        try:
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileNotFoundError):
                _copy_attributes(target, name)
            if mode is not None:
                os.chmod(name, mode)
            os.replace(name, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
        _sync_folder(target.parent)
    except OSError as failure:
        reason = f"{failure.strerror or failure}."
        raise error(say("{path} cannot be written", path=path), reason) from failure


def remove_abandoned(folder: Path) -> None:
    """Remove what writers left in this folder, and below, when they were killed."""
    for path in folder.rglob(f".*{_SUFFIX}"):
        with contextlib.suppress(OSError):
            if time.time() - path.lstat().st_mtime > _ABANDONED:
                path.unlink()


def write_private(path: Path, data: bytes) -> None:
    """Replace a file that only its owner may read. Raises VaultError."""
    write(path, data, OWNER_ONLY, VaultError)


def read_private(path: Path) -> bytes | None:
    """Return the contents; None if there is no such file. Raises VaultError."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise VaultError(say("{path} cannot be read", path=path), f"{error.strerror or error}.") from error


def _copy_attributes(target: Path, name: str) -> None:
    known = target.stat()
    if sys.platform != "win32" and (known.st_uid, known.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(PermissionError):  # a group we are not a member of
            os.chown(name, known.st_uid, known.st_gid)
    shutil.copystat(target, name)
    os.utime(name)


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut. Windows has no such call."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
