"""How others start this Deskbell: by whole paths, since what a desktop starts has a poor PATH."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import bridge

_EXE = ".exe" if sys.platform == "win32" else ""


def own_command(env: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The command and its first words; `stdio` or `wrap` follow."""
    if appimage := env.get("APPIMAGE", ""):  # what runs is mounted only while it runs
        return (appimage,)
    if getattr(sys, "frozen", False):  # a bundle: the windowed program has no stdout, the other one has
        beside = Path(sys.executable).with_name(f"deskbell-mcp{_EXE}")
        return (str(beside if beside.is_file() else Path(sys.executable)),)
    for candidate in _scripts(env):
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return (str(candidate),)
    return sys.executable, str(Path(bridge.__file__).with_name("__main__.py"))


def _scripts(env: Mapping[str, str]) -> Iterator[Path]:
    """Where an installer puts `deskbell`: beside this Python, for this user, or anywhere on the PATH."""
    import sysconfig  # late: a large module

    name = f"deskbell{_EXE}"
    yield Path(os.path.abspath(sys.executable)).with_name(name)
    yield Path(sysconfig.get_path("scripts")) / name
    yield Path(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))) / name
    if sys.argv and Path(sys.argv[0]).name == name:
        yield Path(os.path.abspath(sys.argv[0]))
    if found := shutil.which("deskbell", path=env.get("PATH")):
        yield Path(os.path.abspath(found))
