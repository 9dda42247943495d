"""Which files PyInstaller may put into the bundle: of Qt what is used, of the build machine few libraries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import PurePath, PurePosixPath

from release import Release

Entry = tuple[str, str, str]  # destination, source, type: a row of PyInstaller's lists
_QT = "PySide6"
_WHEELS = "/site-packages/"
_UNUSED_QT = re.compile(
    r"libQt6(Egl|Wl(?!-)|.*Qml|.*Quick|.*Pdf|.*VirtualKeyboard)|lib(Qt6)?.*ffmpeg|opengl32sw"
)
# Only Windows needs QtNetwork (desktop/system/single_instance.py); it would ask for Kerberos, too.
_UNUSED_ON_LINUX = re.compile(r"QtNetwork\.abi3\.so|libQt6Network\.so|Qt/plugins/tls/")


def kept(entries: Iterable[Entry], release: Release) -> list[Entry]:
    return [entry for entry in entries if is_kept(*entry[:2], release)]


def is_kept(destination: str, source: str, release: Release) -> bool:
    path = PurePosixPath(destination.replace("\\", "/"))
    if _UNUSED_ON_LINUX.search(str(path)):
        return False
    if "plugins" in path.parts and _QT in path.parts:
        plugin = "/".join(path.parts[-2:])
        return any(_matches(plugin, pattern) for pattern in release.qt["plugins"])
    if "translations" in path.parts and _QT in path.parts:
        return path.name in {f"qtbase_{language}.qm" for language in release.qt["translations"]}
    if _UNUSED_QT.search(path.name):
        return False
    if is_system_library(path, source):
        return any(fnmatch(path.name, pattern) for pattern in release.linux["bundled"])
    return True


def is_system_library(path: PurePath, source: str) -> bool:
    """True for a library that PyInstaller found on the build machine because something links to it."""
    return (
        len(path.parts) == 1 and ".so" in path.name and ".cpython-" not in path.name and _WHEELS not in source
    )


def _matches(name: str, pattern: str) -> bool:
    """Match a glob with {one,another}."""
    if found := re.search(r"\{(.*?)\}", pattern):
        before, after = pattern[: found.start()], pattern[found.end() :]
        return any(_matches(name, before + choice + after) for choice in found[1].split(","))
    return fnmatch(name, pattern)
