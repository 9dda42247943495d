"""One file, written as a whole or not at all. Knows nothing of what is in it."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from bridge.errors import SettingsError
from bridge.i18n import say


def write(path: Path, data: bytes, mode: int | None = None) -> None:
    """A crash leaves the old file or the new one. A symlink stays one; owner, mode and labels stay, unless a
    mode is given."""
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileNotFoundError):
                _take_after(target, name)
            if mode is not None:
                os.chmod(name, mode)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise SettingsError(say("{path} cannot be written", path=path), f"{error}.") from error


def _take_after(target: Path, name: str) -> None:
    known = target.stat()
    if hasattr(os, "chown") and (known.st_uid, known.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(PermissionError):  # a group that is not ours
            os.chown(name, known.st_uid, known.st_gid)
    shutil.copystat(target, name)
    os.utime(name)
