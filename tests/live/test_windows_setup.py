"""The setup program and the MSI for Windows, run by Wine around a program that notes how it is started: both
install and uninstall; setup also upgrades after a self-test, and puts the old version back if that fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("wine", "makensis", "wixl", "msibuild", "x86_64-w64-mingw32-gcc", "xvfb-run")
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
        self.env = {
            **os.environ,
            "WINEPREFIX": str(folder / "prefix"),
            "WINEARCH": "win64",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
        }
        self.run("wineboot", "-i")
        self.c = folder / "prefix" / "drive_c"

    def run(self, *words: str | Path) -> int:
        display = ("xvfb-run", "--auto-servernum", f"--auth-file={self._folder / 'xauthority'}")
        command = (*display, "sh", "-c", UNTIL_ALL_ENDED, "sh", *map(str, words))
        return subprocess.run(command, env=self.env, stdin=subprocess.DEVNULL, timeout=300).returncode

    def setup(self, name: str, code: int = 0) -> Path:
        """Return a setup program for a version of this name, whose self-test ends with this code."""
        return self._made("windows.nsis", self._bundle(name, code), f"{name}-setup.exe")

    def msi(self, name: str) -> Path:
        return self._made("windows.msi", self._bundle(name), f"{name}.msi")

    def _bundle(self, name: str, code: int = 0) -> Path:
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
        return bundle

    def _made(self, recipe: str, bundle: Path, name: str) -> Path:
        made = subprocess.run(
            (sys.executable, "-m", recipe, bundle),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": "packaging"},
            check=True,
            capture_output=True,
            text=True,
        )
        return Path(shutil.move(made.stdout.strip(), self._folder / name))

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


def test_the_msi_installs_and_leaves(tmp_path: Path) -> None:
    windows = Windows(tmp_path)
    msi = windows.msi("one")
    installed = windows.c / "Program Files" / "Deskbell"
    assert windows.run("wine", "msiexec", "/i", msi, "/qn") == 0
    assert sorted(path.name for path in installed.rglob("*") if path.is_file()) == [
        "deskbell-mcp.exe",
        "deskbell.exe",
        "one.txt",
    ]
    assert windows.run("wine", "reg", "query", COMMAND.replace("HKCU", "HKLM")) == 0
    assert windows.notes() == []

    assert windows.run("wine", "msiexec", "/x", msi, "/qn") == 0
    assert windows.notes() == ["one uninstall"]
    assert not installed.exists()
    assert windows.run("wine", "reg", "query", COMMAND.replace("HKCU", "HKLM")) != 0
