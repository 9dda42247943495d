"""The setup program for Windows under Wine: from the file to the first answered question, and away again.

As tests/rigs/installing.py does for Linux, whose table this is a row of. Needs what `make dist` has built and
installed; the Wine prefix is a fresh one, with the two DLLs that Wine lacks (packaging/windows/wine.py).
"""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LIMIT = 600.0  # seconds for one command
PROGRAM = r"%LOCALAPPDATA%\Programs\Deskbell\deskbell-mcp.exe"
CURSOR = Path("drive_c/users")


class Failed(Exception):
    """What went wrong, in words."""


class Windows:
    """A Windows of its own: runs command lines by cmd.exe in a folder."""

    def __init__(self, prefix: Path, folder: Path, log: Path) -> None:
        sys.path.insert(0, str(ROOT / "packaging"))
        self._wine: Any = importlib.import_module("windows.wine")  # of packaging/, which is no package
        self._folder = folder
        self._log = log
        self.prefix = prefix
        shutil.rmtree(prefix, ignore_errors=True)
        self._wine.make_prefix(prefix)

    def start(self, line: str) -> subprocess.Popen[bytes]:
        environment = {**self._wine.environment(self.prefix), "QT_QPA_PLATFORM": "offscreen"}
        return subprocess.Popen(
            self._wine.command("wine", "cmd", "/c", line),
            cwd=self._folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def run(self, line: str) -> str:
        """Run a line to its end; return what it printed. Raises Failed."""
        process = self.start(line)
        return self.finish(process, line)

    def finish(self, process: subprocess.Popen[bytes], line: str) -> str:
        printed = process.communicate(timeout=LIMIT)[0].decode("utf-8", "replace")
        with self._log.open("a") as log:
            log.write(f"> {line}\n{printed}\n[{process.returncode}]\n")
        if process.returncode:
            raise Failed(f"`{line}` failed")
        return printed

    def find(self, pattern: str) -> list[Path]:
        """Return what matches below the person's folder."""
        return list((self.prefix / CURSOR).glob(f"*/{pattern}"))


def attempt(setup: str, question: str, file: Path, keep: Path) -> tuple[float, str]:
    """Run the page's commands; return the seconds to the answer, and what went wrong."""
    folder, log = keep / "shared-nsis", keep / "installing-nsis.log"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    log.unlink(missing_ok=True)
    shutil.copy(file, folder)
    windows = Windows(keep / "wine-prefix", folder, log)
    began = time.monotonic()
    try:
        windows.run(setup.replace("VERSION", file.name.split("-")[1]))
        answer(windows, question)
        seconds = time.monotonic() - began
        leave(windows)
    except (Failed, subprocess.TimeoutExpired) as error:
        return time.monotonic() - began, f"{error}: see {log}"
    return seconds, ""


def answer(windows: Windows, question: str) -> None:
    """Call the tool, and answer as soon as it asks."""
    calling = windows.start(question)
    while calling.poll() is None:
        try:
            waiting = json.loads(windows.run(f"{PROGRAM} questions --json"))
        except (Failed, ValueError):  # it does not run yet
            continue
        if waiting:
            windows.run(f"{PROGRAM} answer {waiting[0]['id']} value=Ada")
            break
    if "Ada" not in windows.finish(calling, question):
        raise Failed("nobody was asked")


def leave(windows: Windows) -> None:
    """Keep a secret, connect an AI application, uninstall, and see that nothing is left."""
    windows.run(f"echo s3cret| {PROGRAM} secrets set rig")
    if "credential" not in windows.run(f"{PROGRAM} secrets list").lower():
        raise Failed("the secret is not in the Credential Manager")
    [person] = windows.find("AppData")
    settings = person.parent / ".cursor" / "mcp.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('{"mcpServers": {}}')
    windows.run(f"{PROGRAM} hosts connect cursor")
    if "deskbell-mcp.exe" not in settings.read_text():
        raise Failed("Cursor is not connected")
    windows.run(r"%LOCALAPPDATA%\Programs\Deskbell\uninstall.exe /S _?=%LOCALAPPDATA%\Programs\Deskbell")
    if settings.read_text() != '{"mcpServers": {}}':
        raise Failed("Cursor is still connected")
    left = [
        path for path in windows.find("AppData/Local/Programs/Deskbell/*") if path.name != "uninstall.exe"
    ]
    if left:
        raise Failed(f"uninstall.exe left {left[0]}")
