"""`deskbell doctor`: check everything Deskbell depends on, and say what to do about failures.

Changes nothing, except for a test value in the secret store.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.metadata
import importlib.util
import os
import platform
import socket
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from bridge import __version__, diagnostics
from bridge.cli import secrets
from bridge.cli.start import has_windows
from bridge.core.ports import ServerSpec
from bridge.core.status import Status, VaultStatus
from bridge.errors import DeskbellError
from bridge.presenters.tty import one_line
from bridge.settings import Home, Settings, SettingsFile, load
from bridge.system.ownership import refuse_foreign, refuse_foreign_contents
from bridge.system.process.port_owner import port_owner
from bridge.transports.control_client import ask_running
from bridge.upstreams.process import launch
from bridge.upstreams.process.login_path import LoginPath

FAILED = 5
_MARKS = {True: "✓", False: "✗", None: "·"}


@dataclass(frozen=True, slots=True)
class Finding:
    """`ok` None: information, not a fault."""

    what: str
    ok: bool | None
    words: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON list")
    parser.add_argument("--report", action="store_true", help="a report for a bug tracker, without secrets")
    parser.set_defaults(run=doctor)


def doctor(arguments: argparse.Namespace, home: Home) -> int:
    """Print the findings; exit code 0 if all is well, else 5."""
    if arguments.report:
        print(diagnostics.report(home, _running(home) or Status()))
        return 0
    findings = []
    for finding in examine(home):
        findings.append(finding)
        if not arguments.json:
            print_finding(finding)
    if arguments.json:
        print(msgspec.json.encode(findings, enc_hook=str).decode())
    return FAILED if any(finding.ok is False for finding in findings) else 0


def print_finding(finding: Finding) -> None:
    print(f"{_MARKS[finding.ok]} {finding.what}: {one_line(finding.words)}", flush=True)


def examine(home: Home) -> Iterator[Finding]:
    python = f"Python {platform.python_version()}"
    yield Finding("Deskbell", None, f"{__version__}, {python}, {platform.platform()}")
    yield from _folder(home)
    running = _running(home)
    settings, finding = _settings(home)
    yield finding
    yield from _app(home, running, settings)
    yield _presenter(running)
    yield _secrets(home)
    yield _windows()
    yield _tray()
    login = LoginPath(home.login_path)
    for program in ("npx", "uvx"):
        yield _program(program, login)
    problems = {one.name: one.problem for one in running.servers if one.problem} if running else {}
    for spec in settings.servers.values():
        yield _server(spec, problems.get(spec.name, ""), login)


# --- the home ---------------------------------------------------------------------------------------------


def _folder(home: Home) -> Iterator[Finding]:
    if not home.root.exists():
        yield Finding("Home", None, f"{home.root} will be made when it is needed")
        return
    mode = stat.S_IMODE(home.root.stat().st_mode)
    if sys.platform != "win32" and mode & 0o077:
        yield Finding("Home", False, f"others can look into {home.root}. Run: chmod 700 {home.root}")
    elif not os.access(home.root, os.W_OK | os.X_OK):
        yield Finding("Home", False, f"{home.root} cannot be written to")
    elif foreign := _foreign(home):
        yield Finding("Home", False, foreign)
    else:
        yield Finding("Home", True, str(home.root))
    if not home.token.exists():
        yield Finding("Token", None, "will be made when it is needed")
    elif sys.platform != "win32" and stat.S_IMODE(home.token.stat().st_mode) & 0o077:
        yield Finding("Token", False, f"others can read {home.token}. Run: chmod 600 {home.token}")
    else:
        yield Finding("Token", True, f"{home.token}, for you only")


def _foreign(home: Home) -> str:
    """Return what another user owns of the home; "" if nothing."""
    try:
        refuse_foreign(home.root)
        refuse_foreign_contents(home.root)
    except PermissionError as error:
        return f"{home.root} cannot be used: {error.strerror}"
    return ""


def _settings(home: Home) -> tuple[Settings, Finding]:
    try:
        settings = load(home.config)
    except DeskbellError as error:
        file = SettingsFile(home.config)
        file.reload()
        return file.current, Finding("Settings", False, file.problem or str(error))
    if settings.notes:
        return settings, Finding("Settings", False, " ".join(settings.notes))
    count = len(settings.servers)
    return settings, Finding("Settings", True, f"{home.config}, {count} server{'s' if count != 1 else ''}")


# --- the app ----------------------------------------------------------------------------------------------


def _running(home: Home) -> Status | None:
    reply = ask_running(home, "status")
    return None if reply is None else msgspec.convert(reply, Status)


def _app(home: Home, running: Status | None, settings: Settings) -> Iterator[Finding]:
    if running is not None:
        same = "" if running.version == __version__ else f", but of version {running.version}: restart it"
        yield Finding("App", not same, f"runs and answers at {home.socket}{same}")
        where = f"listens on {running.address}" if running.address else "does not listen for HTTP"
        yield Finding("HTTP", bool(running.address), where)
        for problem in running.problems:
            yield Finding("Problem", False, problem)
        return
    yield Finding("App", None, "does not run. Start it with `deskbell`, or without windows: `deskbell serve`")
    yield _port(settings.port)


def _port(port: int) -> Finding:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(sys.platform != "win32"))
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            hint = "Deskbell will take a free one, or give another `port` in config.toml"
            why = f"used by {owner}" if (owner := port_owner(port)) else error.strerror
            return Finding("HTTP", False, f"port {port} cannot be used ({why}). {hint}")
    return Finding("HTTP", True, f"port {port or 'of any number'} is free")


def _presenter(running: Status | None) -> Finding:
    if running is None:
        return Finding("Questions", None, "the app shows them while it runs")
    if running.presenter == "silent":
        return Finding("Questions", False, "all are cancelled (presenter: silent). See docs/presenters.md")
    return Finding("Questions", True, f"shown by: {running.presenter}")


def _secrets(home: Home) -> Finding:
    try:
        reply = secrets.ask(home, "probe")
    except DeskbellError as error:
        return Finding("Secrets", False, str(error))
    vault = msgspec.convert(reply["vault"], VaultStatus)
    return Finding("Secrets", vault.state == "ready", vault.words())


# --- the machine ------------------------------------------------------------------------------------------


def _windows() -> Finding:
    if not has_windows():
        return Finding("Windows", None, "Qt is not installed (this is deskbell-server)")
    version = importlib.metadata.version("PySide6-Essentials")
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        hint = "Install that library (on Debian, `make qt` does)"
        return Finding("Windows", False, f"Qt {version} cannot be loaded: {error}. {hint}")
    shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not shown:
        return Finding("Windows", None, f"Qt {version} works, but there is no display")
    return Finding("Windows", True, f"Qt {version}")


def _tray() -> Finding:
    """Check the tray: on Linux another program, which Qt reaches by libdbus."""
    if not sys.platform.startswith("linux"):
        return Finding("Tray", True, "part of the system")
    import ctypes.util

    if ctypes.util.find_library("dbus-1") is None:
        return Finding("Tray", False, "libdbus-1 is missing: there will be a window instead of an icon")
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return Finding("Tray", None, "no D-Bus here: a window instead of an icon")
    return Finding("Tray", True, "libdbus-1 and a session bus are there")


def _program(name: str, login: LoginPath) -> Finding:
    ok, words = _launch(ServerSpec(name, command=name), login)
    lack = f"not found; servers that are started with {name} need it"
    return Finding(name, ok or None, words if ok else lack)


def _server(spec: ServerSpec, problem: str, login: LoginPath) -> Finding:
    """Check one server. `problem`: as the running Deskbell reports it."""
    what = f"Server {spec.name}"
    if not spec.enabled:
        return Finding(what, None, "is switched off")
    if problem:
        return Finding(what, False, problem)
    if spec.url:
        return Finding(what, None, f"at {spec.url}; it is reached when it is needed")
    return Finding(what, *_launch(spec, login))


def _launch(spec: ServerSpec, login: LoginPath) -> tuple[bool, str]:
    """Return whether the server's program is found, and its path or what is wrong."""
    try:
        return True, asyncio.run(launch.prepare(spec, login=login)).argv[0]
    except DeskbellError as error:
        return False, str(error)
