"""The setup program for Windows, run by Wine around a program that only notes how it is started: it installs,
upgrades after a self-test, puts the old version back if that fails, and uninstalls."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("wine", "makensis", "x86_64-w64-mingw32-gcc", "xvfb-run")
pytestmark = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in TOOLS), reason="packaging/linux/build-tools.sh installs Wine"
)
PROGRAM = r"""
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    FILE *notes = fopen("C:\\notes.txt", "a");
    fprintf(notes, "%s %s\n", NAME, argc > 1 ? argv[1] : "starts");
    fclose(notes);
    return argc > 1 && !strcmp(argv[1], "self-test") ? CODE : 0;
}
"""
UNTIL_ALL_ENDED = '"$@"; code=$?; wineserver --wait; exit $code'  # also what setup has started
COMMAND = r"HKCU\Software\Classes\deskbell\shell\open\command"


class Windows:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._env = {
            **os.environ,
            "WINEPREFIX": str(folder / "prefix"),
            "WINEARCH": "win64",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
        }
        self.run("wineboot", "-i")
        self.c = folder / "prefix" / "drive_c"

    def run(self, *words: str | Path) -> int:
        command = ("xvfb-run", "--auto-servernum", "sh", "-c", UNTIL_ALL_ENDED, "sh", *map(str, words))
        return subprocess.run(command, env=self._env, stdin=subprocess.DEVNULL, timeout=300).returncode

    def setup(self, name: str, code: int = 0) -> Path:
        """Return a setup program for a version of this name, whose self-test ends with this code."""
        bundle = self._folder / name
        (bundle / "_internal").mkdir(parents=True)
        (bundle / "_internal" / f"{name}.txt").touch()
        (self._folder / "program.c").write_text(PROGRAM)
        compiling = (
            "x86_64-w64-mingw32-gcc",
            f'-DNAME="{name}"',
            f"-DCODE={code}",
            "-o",
            bundle / "deskbell.exe",
        )
        subprocess.run((*compiling, self._folder / "program.c"), check=True)
        shutil.copy(bundle / "deskbell.exe", bundle / "deskbell-mcp.exe")
        made = subprocess.run(
            (sys.executable, "-m", "windows.nsis", bundle),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": "packaging"},
            check=True,
            capture_output=True,
            text=True,
        )
        return Path(shutil.move(made.stdout.strip(), self._folder / f"{name}-setup.exe"))

    @property
    def installed(self) -> Path:
        [local] = (self.c / "users").glob("*/AppData/Local")
        return local / "Programs" / "Deskbell"

    def notes(self) -> list[str]:
        file = self.c / "notes.txt"
        return file.read_text().splitlines() if file.exists() else []


def test_setup_installs_upgrades_goes_back_and_leaves(tmp_path: Path) -> None:
    windows = Windows(tmp_path)
    assert windows.run("wine", windows.setup("one"), "/S") == 0
    assert windows.notes() == []
    assert windows.run("wine", "reg", "query", COMMAND) == 0

    assert windows.run("wine", windows.setup("two"), "/S", "/UPDATE") == 0
    assert windows.notes() == ["one uninstall", "two self-test", "two starts"]

    assert windows.run("wine", windows.setup("three", code=5), "/S", "/UPDATE") == 3
    assert windows.notes()[3:] == ["two uninstall", "three self-test", "two starts"]
    assert [path.name for path in (windows.installed / "_internal").iterdir()] == ["two.txt"]
    assert not windows.installed.with_name("Deskbell.previous").exists()

    place = "Z:" + str(windows.installed).replace("/", "\\")
    assert windows.run("wine", windows.installed / "uninstall.exe", "/S", f"_?={place}") == 0
    assert windows.notes()[6:] == ["two uninstall"]
    assert not windows.installed.exists() or [path.name for path in windows.installed.iterdir()] == [
        "uninstall.exe"
    ]
    assert windows.run("wine", "reg", "query", COMMAND) != 0
