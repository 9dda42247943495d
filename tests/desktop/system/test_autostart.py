"""Deskbell starts with the desktop if the person wants it: the entry survives updates, and their word."""

from __future__ import annotations

import contextlib
import plistlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop.system import autostart
from desktop.system.autostart import (
    AutostartEntry,
    LaunchAgent,
    RunKey,
    XdgEntry,
    command,
    exec_line,
    is_on,
    repair,
    switch,
)
from tests.fixtures.patience import WITHIN


class Registry:
    """As much of winreg as a Run key needs; the real one is on Windows only."""

    HKEY_CURRENT_USER, REG_SZ, KEY_SET_VALUE = "HKCU", 1, 2

    def __init__(self) -> None:
        self.keys: dict[str, dict[str, Any]] = {}

    @contextlib.contextmanager
    def OpenKey(self, root: str, path: str, reserved: int = 0, access: int = 0) -> Iterator[dict[str, Any]]:
        if path not in self.keys:
            raise FileNotFoundError(path)
        yield self.keys[path]

    @contextlib.contextmanager
    def CreateKey(self, root: str, path: str) -> Iterator[dict[str, Any]]:
        yield self.keys.setdefault(path, {})

    def QueryValueEx(self, key: dict[str, Any], name: str) -> tuple[Any, int]:
        if name not in key:
            raise FileNotFoundError(name)
        return key[name], 1

    def SetValueEx(self, key: dict[str, Any], name: str, reserved: int, kind: int, value: Any) -> None:
        key[name] = value

    def DeleteValue(self, key: dict[str, Any], name: str) -> None:
        if name not in key:
            raise FileNotFoundError(name)
        del key[name]


@pytest.fixture(params=["xdg", "launchd", "run"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> AutostartEntry:
    made: dict[str, AutostartEntry] = {
        "xdg": XdgEntry(tmp_path / "autostart" / "deskbell.desktop"),
        "launchd": LaunchAgent(tmp_path / "LaunchAgents" / "deskbell.plist"),
        "run": RunKey(Registry()),
    }
    return made[request.param]


def test_autostart_is_off_until_it_is_switched_on_and_off_again(where: AutostartEntry) -> None:
    assert not is_on(where)
    switch(where, True)
    assert is_on(where)
    assert where.program() == command()[0]
    switch(where, False)
    switch(where, False)
    assert not is_on(where)


def test_a_program_that_moved_is_found_again(where: AutostartEntry, tmp_path: Path) -> None:
    where.write([str(tmp_path / "old version" / "deskbell"), "--at-login"])
    repair(where)
    assert where.program() == command()[0]


def test_another_deskbell_that_is_still_there_stays(where: AutostartEntry, tmp_path: Path) -> None:
    other = tmp_path / "other deskbell"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    where.write([str(other), "--at-login"])
    repair(where)
    assert where.program() == str(other)


def test_what_is_off_is_not_mended(where: AutostartEntry) -> None:
    repair(where)
    assert not is_on(where)


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_switched_off_by_the_desktop_is_off_and_stays_off(tmp_path: Path, line: str) -> None:
    path = tmp_path / "deskbell.desktop"
    path.write_text(f"[Desktop Entry]\nType=Application\nName=Deskbell\nExec=/gone/deskbell\n{line}\n")
    where = XdgEntry(path)
    repair(where)
    assert not is_on(where)
    assert line in path.read_text()
    switch(where, True)
    assert is_on(where)


def test_switched_off_by_the_task_manager_is_off_and_switching_on_undoes_that() -> None:
    registry = Registry()
    where = RunKey(registry)
    switch(where, True)
    registry.keys[autostart._APPROVED] = {"Deskbell": b"\x03" + b"\0" * 11}
    assert not is_on(where)
    registry.keys[autostart._APPROVED] = {"Deskbell": b"\x02" + b"\0" * 11}
    assert is_on(where)
    registry.keys[autostart._APPROVED] = {"Deskbell": b"\x03" + b"\0" * 11}
    switch(where, True)
    assert is_on(where)


@pytest.mark.parametrize("said", [{"Disabled": True}, {"RunAtLoad": False}])
def test_a_disabled_agent_is_off(tmp_path: Path, said: dict[str, Any]) -> None:
    path = tmp_path / "agent.plist"
    path.write_bytes(plistlib.dumps({"ProgramArguments": ["/x"], "RunAtLoad": True, **said}))
    assert not is_on(LaunchAgent(path))
    path.write_text("nonsense")
    assert not is_on(LaunchAgent(path))


def test_a_path_of_any_letters_survives_its_quoting(tmp_path: Path) -> None:
    odd = tmp_path / 'a "b" $c `d` 50% \\e'
    where = XdgEntry(tmp_path / "deskbell.desktop")
    where.write([str(odd), "--at-login"])
    assert where.program() == str(odd)


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="no desktop-file-validate")
def test_the_entry_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "deskbell.desktop"
    XdgEntry(path).write(["/opt/my apps/deskbell", "--at-login"])
    subprocess.run(["desktop-file-validate", str(path)], check=True, timeout=WITHIN)
    assert 'Exec="/opt/my apps/deskbell" --at-login' in path.read_text()


def test_what_starts_it_exists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert shutil.which(command()[0])
    inside = {"APPDIR": str(Path(sys.executable).parent)}
    assert command({"APPIMAGE": "/x/Deskbell.AppImage", **inside}) == ["/x/Deskbell.AppImage", "--at-login"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert command({}) == [sys.executable, "--at-login"]
    monkeypatch.setattr(sys, "frozen", False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python.exe"))
    monkeypatch.setattr(sys, "platform", "win32")
    (tmp_path / "pythonw.exe").touch()
    assert command({}) == [str(tmp_path / "pythonw.exe"), "-m", "bridge", "--at-login"]


@pytest.mark.skipif(sys.platform != "linux", reason="the entry of Linux")
def test_on_linux_the_entry_is_where_desktops_look(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    switch(autostart.entry(), True)
    assert (tmp_path / "autostart" / "deskbell.desktop").exists()
    assert exec_line(command()) in (tmp_path / "autostart" / "deskbell.desktop").read_text()


def test_what_cannot_be_read_is_off_and_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    where = XdgEntry(tmp_path / "file" / "deskbell.desktop")
    assert not is_on(where)
    repair(where)
    with pytest.raises(OSError, match=r"[Ee]xists|[Dd]irectory"):
        switch(where, True)
