"""The installers for Windows under Wine: from the file to the first answered question, and away again.

As tests/rigs/installing.py does for Linux, whose table this is a row of. Needs what `make dist` has built and
installed, and the private desktop (tests/rigs/install.sh), on which the tray icon is awaited and a picture
taken; the Wine prefix is a fresh one, with the two DLLs that Wine lacks (packaging/windows/wine.py).
"""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.rigs.desktop import Desktop

ROOT = Path(__file__).parents[2]
LIMIT = 600.0  # seconds for one command
UNTOUCHED = '{"mcpServers": {}}'


class Failed(Exception):
    """What went wrong, in words."""


@dataclass(frozen=True)
class Installer:
    """`setup`: its command line, with VERSION. `folder`: where it installs to, in the prefix."""

    kind: str
    setup: str
    program: str
    remove: str
    folder: str


_OWN = r"%LOCALAPPDATA%\Programs\Deskbell"
_EVERYONES = r'"%ProgramFiles%\Deskbell'  # has a space
NSIS = Installer(
    "nsis",
    "Deskbell-VERSION-setup.exe /S",
    rf"{_OWN}\deskbell-mcp.exe",
    rf"{_OWN}\uninstall.exe /S _?={_OWN}",
    "users/*/AppData/Local/Programs/Deskbell",
)
MSI = Installer(
    "msi",
    "msiexec /i Deskbell-VERSION.msi /qn",
    rf'{_EVERYONES}\deskbell-mcp.exe"',
    "msiexec /x Deskbell-VERSION.msi /qn",
    "Program Files/Deskbell",
)


class Windows:
    """A Windows of its own, on a desktop: runs command lines by cmd.exe in a folder."""

    def __init__(self, prefix: Path, folder: Path, log: Path, desktop: Desktop) -> None:
        sys.path.insert(0, str(ROOT / "packaging"))
        wine: Any = importlib.import_module("windows.wine")  # of packaging/, which is no package
        self.desktop = desktop
        self.log = log
        self.c = prefix / "drive_c"
        self._folder = folder
        self._environment = {**wine.environment(prefix), "DISPLAY": desktop.env["DISPLAY"]}
        shutil.rmtree(prefix, ignore_errors=True)
        wine.make_prefix(prefix)

    def start(self, line: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ("wine", "cmd", "/s", "/c", f'"{line}"'),
            cwd=self._folder,
            env=self._environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def run(self, line: str) -> str:
        """Run a line to its end; return what it printed. Raises Failed."""
        process = self.start(line)
        return self.finish(process, line)

    def finish(self, process: subprocess.Popen[bytes], line: str) -> str:
        printed = process.communicate(timeout=LIMIT)[0].decode("utf-8", "replace")
        with self.log.open("a") as log:
            log.write(f"> {line}\n{printed}\n[{process.returncode}]\n")
        if process.returncode:
            raise Failed(f"`{line}` failed")
        return printed

    def end(self) -> None:
        subprocess.run(("wineserver", "--kill"), env=self._environment)


def attempt(one: Installer, question: str, file: Path, keep: Path) -> tuple[float, str]:
    """Install, ask, talk as an AI app does, remove; return the seconds to the answer, and what went wrong."""
    folder, log = keep / f"shared-{one.kind}", keep / f"installing-{one.kind}.log"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    log.unlink(missing_ok=True)
    shutil.copy(file, folder)
    version = file.stem.split("-")[1]
    desktop = Desktop(tray="xembed")
    windows = Windows(keep / "wine-prefix", folder, log, desktop)
    began = time.monotonic()
    try:
        windows.run(one.setup.replace("VERSION", version))
        answer(windows, one.program, question)
        seconds = time.monotonic() - began
        converse(windows, one.program)
        connect(windows, one.program)
        leave(windows, one, version)
    except (Failed, subprocess.TimeoutExpired) as error:
        desktop.screenshot(log.with_suffix(".failed.png"))
        return time.monotonic() - began, f"{error}: see {log}"
    finally:
        windows.end()
        desktop.close()
    return seconds, ""


def answer(windows: Windows, program: str, question: str) -> None:
    """Call the tool, and answer as soon as it asks."""
    calling = windows.start(question)
    windows.run(f"{program} answer {asked(windows, program, calling)} value=Ada")
    if "Ada" not in windows.finish(calling, question):
        raise Failed("nobody was asked")


def asked(windows: Windows, program: str, calling: subprocess.Popen[bytes]) -> str:
    """Wait until the call asks; return the question's id."""
    while calling.poll() is None:
        try:
            waiting: list[Mapping[str, str]] = json.loads(windows.run(f"{program} questions --json"))
        except (Failed, ValueError):  # it does not run yet
            continue
        if waiting:
            return waiting[0]["id"]
    raise Failed("nobody was asked")


def converse(windows: Windows, program: str) -> None:
    """As an AI app: start the program, call a tool that asks, get the answer; take a picture meanwhile."""
    app = windows.start(f"{program} stdio", subprocess.PIPE)
    assert app.stdin is not None
    assert app.stdout is not None
    about = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "rig", "version": "1"},
    }
    call = {"name": "desk_elicit_input", "arguments": {"message": "Who is there?"}}
    for message in (
        {"id": 1, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ):
        app.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    app.stdin.flush()
    question = asked(windows, program, app)
    windows.desktop.await_bell()
    windows.desktop.screenshot(windows.log.with_suffix(".png"))
    windows.run(f"{program} answer {question} value=Grace")
    if not any(json.loads(line).get("id") == 2 and b"Grace" in line for line in app.stdout):
        raise Failed("the AI app got no answer")
    app.stdin.close()
    if app.wait(LIMIT):
        raise Failed(f"the AI app's process ended with {app.returncode}")


def connect(windows: Windows, program: str) -> None:
    """Keep a secret, and connect an AI application."""
    windows.run(f"echo s3cret| {program} secrets set rig")
    if "credential" not in windows.run(f"{program} secrets list").lower():
        raise Failed("the secret is not in the Credential Manager")
    settings = _cursor(windows)
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(UNTOUCHED)
    windows.run(f"{program} hosts connect cursor")
    if "deskbell-mcp.exe" not in settings.read_text():
        raise Failed("Cursor is not connected")


def leave(windows: Windows, one: Installer, version: str) -> None:
    """Uninstall, and see that nothing is left."""
    windows.run(one.remove.replace("VERSION", version))
    if _cursor(windows).read_text() != UNTOUCHED:
        raise Failed("Cursor is still connected")
    if "deskbell" in windows.run("tasklist").lower():
        raise Failed("Deskbell still runs")
    left = [path for path in windows.c.glob(f"{one.folder}/*") if path.name != "uninstall.exe"]
    if left:
        raise Failed(f"{left[0]} is left")


def _cursor(windows: Windows) -> Path:
    [person] = windows.c.glob("users/*/AppData")
    return person.parent / ".cursor" / "mcp.json"
