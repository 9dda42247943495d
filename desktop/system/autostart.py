"""Start at log-in: the entry where the system looks for it. The entry itself is the only state.

Linux: XDG autostart; macOS: a LaunchAgent; Windows: the Run key. An entry that was disabled in the system's
own list counts as off. An update may move the program: `repair` runs at every start.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from bridge.api import windowed_command

AT_LOGIN = "--at-login"
_NAME = "Deskbell"
_LABEL = "org.deskbell.Deskbell"
_RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
_APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")


class AutostartEntry(Protocol):
    """Every method may raise OSError."""

    def program(self) -> str:
        """Return the program it starts; "" if there is no entry or it is disabled."""

    def write(self, command: Sequence[str]) -> None: ...
    def remove(self) -> None: ...


def entry() -> AutostartEntry:
    if sys.platform == "win32":
        return RunKey()
    if sys.platform == "darwin":
        return LaunchAgent(Path.home() / "Library" / "LaunchAgents" / f"{_LABEL}.plist")
    config = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return XdgEntry(Path(config) / "autostart" / "deskbell.desktop")


def is_on(where: AutostartEntry) -> bool:
    try:
        return bool(where.program())
    except OSError:
        return False


def switch(where: AutostartEntry, on: bool) -> None:
    """Raises OSError."""
    if on:
        where.write(command())
    else:
        where.remove()


def repair(where: AutostartEntry) -> None:
    """Rewrite an entry whose program no longer exists; leave every other entry alone."""
    with contextlib.suppress(OSError):
        program = where.program()
        if program and shutil.which(program) is None:
            where.write(command())


def command(env: Mapping[str, str] = os.environ) -> list[str]:
    """Return the command of the entry."""
    return [*windowed_command(env), AT_LOGIN]


class _FileEntry:
    """An entry that is a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)

    def _replace(self, content: bytes) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_name(f".{self._path.name}.new")
        beside.write_bytes(content)
        os.replace(beside, self._path)


class XdgEntry(_FileEntry):
    """https://specifications.freedesktop.org/autostart-spec"""

    def program(self) -> str:
        keys = self._keys()
        off = keys.get("Hidden") == "true" or keys.get("X-GNOME-Autostart-enabled") == "false"
        return "" if off else _first_word(keys.get("Exec", ""))

    def write(self, command: Sequence[str]) -> None:
        text = (
            "[Desktop Entry]\nType=Application\nName=Deskbell\n"
            "Comment=Answer the questions that AI apps ask\n"
            f"Exec={exec_line(command)}\nIcon=deskbell\nTerminal=false\n"
            "StartupNotify=false\nX-GNOME-Autostart-enabled=true\n"
        )
        self._replace(text.encode())

    def _keys(self) -> dict[str, str]:
        """Return the keys of the group [Desktop Entry]."""
        try:
            text = self._path.read_text("utf-8", errors="replace")
        except FileNotFoundError:
            return {}
        group = text.partition("[Desktop Entry]")[2].partition("\n[")[0]
        pairs = (line.partition("=") for line in group.splitlines() if "=" in line)
        return {key.strip(): value.strip() for key, _, value in pairs}


def exec_line(command: Sequence[str]) -> str:
    """Quote a command for Exec=: once for the command line, once for the file."""
    words = [
        word if _PLAIN.fullmatch(word) else '"' + re.sub(r'(["`$\\])', r"\\\1", word) + '"'
        for word in command
    ]
    return " ".join(words).replace("\\", "\\\\").replace("%", "%%")


def _first_word(line: str) -> str:
    line = line.replace("\\\\", "\\").replace("%%", "%")
    found = re.match(r'"((?:[^"\\]|\\.)*)"|(\S+)', line)
    if found is None:
        return ""
    return re.sub(r"\\(.)", r"\1", found[1]) if found[1] is not None else found[2]


class LaunchAgent(_FileEntry):
    """A property list that launchd reads at log-in: launchd.plist(5)."""

    def program(self) -> str:
        import plistlib  # needed on macOS only

        try:
            with self._path.open("rb") as file:
                plist: Any = plistlib.load(file)
        except (FileNotFoundError, plistlib.InvalidFileException, ValueError):
            return ""
        arguments = plist.get("ProgramArguments") if isinstance(plist, dict) else None
        if not arguments or plist.get("Disabled") is True or plist.get("RunAtLoad") is not True:
            return ""
        return str(arguments[0])

    def write(self, command: Sequence[str]) -> None:
        import plistlib

        plist = {
            "Label": _LABEL,
            "ProgramArguments": list(command),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
            "LimitLoadToSessionType": "Aqua",
        }
        self._replace(plistlib.dumps(plist))


class RunKey:
    """The Run key of HKEY_CURRENT_USER; Task Manager records disabled entries in StartupApproved."""

    def __init__(self, registry: Any = None) -> None:
        if registry is None:
            import winreg as registry  # Windows only
        self._reg = registry

    def program(self) -> str:
        line, approved = self._value(_RUN), self._value(_APPROVED)
        off = isinstance(approved, bytes) and bool(approved[:1]) and approved[0] % 2 == 1
        if not isinstance(line, str) or off:
            return ""
        return line[1:].partition('"')[0] if line.startswith('"') else line.partition(" ")[0]

    def write(self, command: Sequence[str]) -> None:
        program, *rest = command
        line = f'"{program}" {subprocess.list2cmdline(rest)}'.rstrip()
        with self._reg.CreateKey(self._reg.HKEY_CURRENT_USER, _RUN) as key:
            self._reg.SetValueEx(key, _NAME, 0, self._reg.REG_SZ, line)
        self._delete(_APPROVED)

    def remove(self) -> None:
        self._delete(_RUN)

    def _value(self, path: str) -> object:
        try:
            with self._reg.OpenKey(self._reg.HKEY_CURRENT_USER, path) as key:
                return self._reg.QueryValueEx(key, _NAME)[0]
        except FileNotFoundError:
            return None

    def _delete(self, path: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            access = self._reg.KEY_SET_VALUE
            with self._reg.OpenKey(self._reg.HKEY_CURRENT_USER, path, 0, access) as key:
                self._reg.DeleteValue(key, _NAME)
