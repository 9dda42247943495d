"""The commands that start this Deskbell, by whole paths: what a desktop starts has a poor PATH.

The shim has its own (`shim/start_app.own_command`), because it must load nothing; it starts the same code at
once, and is never written to a file.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from bridge.system import appimage

_EXE = ".exe" if sys.platform == "win32" else ""


def running_command() -> tuple[str, ...]:
    """Return the command that runs this very code again, for a child process of this run."""
    if getattr(sys, "frozen", False):
        return (sys.executable,)
    return sys.executable, str(Path(__file__).parents[2] / "__main__.py")


def console_command(env: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the command with stdin and stdout, to be kept in files of AI apps; `stdio` or `wrap` follow."""
    if image := appimage.own_image(env):  # its contents are mounted only while it runs
        return (str(appimage.stable_launcher(env) or image),)
    if getattr(sys, "frozen", False):  # the windowed program of a bundle has no stdout
        beside = Path(sys.executable).with_name(f"deskbell-mcp{_EXE}")
        return (str(beside if beside.is_file() else Path(sys.executable)),)
    for candidate in _scripts(env):
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return (str(candidate),)
    return running_command()


def windowed_command(env: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the command that starts the application without a console window, for log-in entries."""
    if getattr(sys, "frozen", False) and not appimage.own_image(env):
        return (sys.executable,)
    pythonw = Path(sys.executable).with_name("pythonw.exe")
    if sys.platform == "win32" and pythonw.exists():
        return str(pythonw), "-m", "bridge"
    return console_command(env)


def _scripts(env: Mapping[str, str]) -> Iterator[Path]:
    """Yield where an installer puts `deskbell`: beside this Python, for this user, anywhere on the PATH."""
    import sysconfig  # here: a large module

    name = f"deskbell{_EXE}"
    yield Path(os.path.abspath(sys.executable)).with_name(name)
    yield Path(sysconfig.get_path("scripts")) / name
    yield Path(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))) / name
    if sys.argv and Path(sys.argv[0]).name == name:
        yield Path(os.path.abspath(sys.argv[0]))
    if found := shutil.which("deskbell", path=env.get("PATH")):
        yield Path(os.path.abspath(found))
