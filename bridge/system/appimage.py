"""A path that stays, for a program in an AppImage: entries of AI applications and of the log-in name that.

An AppImage's contents are mounted only while it runs, and people rename and move the file. So the small
launcher of the bundle (packaging/launcher) is copied into Deskbell's home, with a record of which file is
meant; it finds that file again by its inode. Every start of the AppImage renews both.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from bridge.shim import home

LAUNCHER, RECORD = "deskbell-mcp", "appimage"


def stable_launcher(env: Mapping[str, str] = os.environ) -> Path | None:
    """Renew the launcher and return its path; None if this is no AppImage, or the home cannot be written."""
    image, within = own_image(env), Path(sys.executable).with_name(LAUNCHER)
    if not image or not within.is_file():
        return None
    folder = Path(home(env)) / "bin"
    with contextlib.suppress(OSError):
        info = os.stat(image)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _renew(folder / LAUNCHER, within.read_bytes(), 0o700)
        _renew(folder / RECORD, f"{image}\n{info.st_dev} {info.st_ino}\n".encode(), 0o600)
        return folder / LAUNCHER
    return None


def own_image(env: Mapping[str, str]) -> str:
    """Return the AppImage that this program runs from, "" if from none. An AI application that is an AppImage
    passes on its own variables; the folder tells whose they are."""
    image, mounted = env.get("APPIMAGE", ""), env.get("APPDIR", "")
    return image if image and mounted and sys.executable.startswith(mounted.rstrip("/") + "/") else ""


def _renew(path: Path, content: bytes, mode: int) -> None:
    if path.is_file() and path.read_bytes() == content:
        return
    beside = path.with_name(f".{path.name}.{os.getpid()}")  # a program that runs cannot be written to
    beside.write_bytes(content)
    beside.chmod(mode)
    os.replace(beside, path)
