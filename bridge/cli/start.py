"""Start the app: `deskbell` without a verb, and `deskbell serve`. Few imports, so that the tray icon appears
fast."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from bridge.errors import DeskbellError
from bridge.settings import Home
from bridge.system import appimage, log_file
from bridge.system.fast import process_tuning
from bridge.system.process.memory_protection import protect_memory

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

DESKTOP, SILENT = "desktop", "silent"
NOBODY = "nobody can be asked here: every question is cancelled. See `deskbell serve --help`, --presenter."
_X = re.compile(r"(?P<host>.*):(?P<number>\d+)(\.\d+)?")
_PATIENCE = 2.0  # seconds for a display on another machine
LINGER = 30.0  # seconds a Deskbell that a host started stays after its last host


def main(argv: Sequence[str]) -> int:
    """Start the tray application, without the argument parser."""
    log_file.log_to_terminal(os.environ.get("DESKBELL_LOG", "warning"))
    link = next((word for word in argv if word.startswith("deskbell:")), "")
    wanted = SimpleNamespace(for_host="--for-host" in argv, at_login="--at-login" in argv, link=link)
    return guarded(lambda home: start(wanted, home))


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `deskbell serve`."""
    from bridge.settings import Settings  # here: the tray's start adds no arguments

    usual = f"config.toml's, or {Settings().port}"
    parser.add_argument(
        "--port", type=port, metavar="N", help=f"port on 127.0.0.1 (default: {usual}; 0: any)"
    )
    parser.add_argument(
        "--presenter",
        metavar="P",
        help="how questions are asked: terminal, silent, command:PROG (default: terminal if there is one)",
    )
    parser.set_defaults(run=serve)


def port(word: str) -> int:
    """Parse --port. argparse uses this function's name in its error message."""
    number = int(word)
    if not 0 <= number <= 65535:
        raise ValueError(word)
    return number


def guarded(run: Callable[[Home], int]) -> int:
    """Run and return the exit code; print errors to stderr."""
    try:
        return run(Home.find(os.environ))
    except DeskbellError as error:
        print(f"deskbell: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0


def start(arguments: Namespace | SimpleNamespace, home: Home) -> int:
    """Start the tray application; without a display, or if DESKBELL_PRESENTER names another presenter, serve
    without windows."""
    protect_memory()
    if not arguments.for_host and became_newer(home):
        return 0
    appimage.stable_launcher()
    lack = no_windows()
    if not lack:
        process_tuning.freeze_modules()
        complain(home)
        refuse_foreign_package()
        app = importlib.import_module("desktop.app")
        code: int = app.main(
            home, for_host=arguments.for_host, at_login=arguments.at_login, link=arguments.link
        )
        return code
    if arguments.link:
        raise DeskbellError(
            "Links can be opened only on a desktop", f"{lack} Add servers with `deskbell servers add`."
        )
    if not arguments.for_host:
        print(f"deskbell: {lack} Serving without windows.", file=sys.stderr)
    arguments.port, arguments.presenter = None, None
    return serve(arguments, home, linger=LINGER if arguments.for_host else 0.0)


def became_newer(home: Home) -> bool:
    """Install a downloaded newer version. True if this process must end, because setup starts the new one."""
    if not home.staged.exists():
        return False
    from bridge.updates.swap import swap  # here: rarely

    return swap(home)


def no_windows() -> str:
    """Return why windows are not shown; "" if they are. Without a display Qt would abort the process."""
    lack, chosen = "", os.environ.get("DESKBELL_PRESENTER", DESKTOP)
    if chosen not in ("", DESKTOP):
        lack = f"DESKBELL_PRESENTER is {chosen}."
    elif sys.platform.startswith("linux") and not os.environ.get("QT_QPA_PLATFORM"):
        lack = why_no_display(os.environ)
    if not lack and not has_windows():
        return "Qt is not installed (this is deskbell-server; the package deskbell has windows)."
    return lack


def has_windows() -> bool:
    """False in deskbell-server, also where another package has brought Qt."""
    return all(importlib.util.find_spec(name) is not None for name in ("PySide6", "desktop"))


def refuse_foreign_package(own: Path = Path(__file__).parents[2]) -> None:
    """Raise if the package `desktop` is not Deskbell's: the package index has another one of that name."""
    spec = importlib.util.find_spec("desktop")
    found = Path(spec.origin).parent if spec is not None and spec.origin else None
    if found is not None and not getattr(sys, "frozen", False) and found != own / "desktop":
        hint = "Install Deskbell by itself: uv tool install deskbell, or pipx install deskbell."
        raise DeskbellError("Another package called desktop is in the way", f"It is in {found}. {hint}")


def why_no_display(env: Mapping[str, str]) -> str:
    """Return why no display that `env` names can be opened; "" if one can."""
    wayland, x = env.get("WAYLAND_DISPLAY", ""), env.get("DISPLAY", "")
    if not wayland and not x:
        return "There is no display."
    if wayland and os.path.exists(os.path.join(env.get("XDG_RUNTIME_DIR", ""), wayland)):
        return ""
    if x and _answers(x):
        return ""
    return f"The display {x or wayland} cannot be opened."


def _answers(display: str) -> bool:
    found = _X.fullmatch(display)
    if found is None:
        return True  # an unknown notation, which Qt may support
    path = f"/tmp/.X11-unix/X{found['number']}"  # noqa: S108 - where X servers listen
    if found["host"] in ("", "unix"):
        return _connects(path) or _connects(f"\0{path}")
    try:
        socket.create_connection((found["host"], 6000 + int(found["number"])), _PATIENCE).close()
    except (OSError, OverflowError):
        return False
    return True


def _connects(path: str) -> bool:
    if sys.platform == "win32":  # no X server
        return False
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


def serve(arguments: Namespace | SimpleNamespace, home: Home, linger: float = 0.0) -> int:
    from bridge import api  # here: the parser imports this module, and other verbs need no engine

    if not linger and became_newer(home):
        return 0
    protect_memory()
    process_tuning.freeze_modules()
    chosen = arguments.presenter or os.environ.get("DESKBELL_PRESENTER")
    presenter = chosen or default_presenter(home)

    def ready(address: str, problem: str) -> None:
        for words in filter(None, (f"listening on {address}" if address else "", problem)):
            print(f"deskbell: {words}", file=sys.stderr, flush=True)
        complain(home)
        if presenter == SILENT and not chosen:
            print(f"deskbell: {NOBODY}", file=sys.stderr, flush=True)

    try:
        api.serve(home, presenter=presenter, port=arguments.port, linger=linger, on_ready=ready)
    except api.AlreadyRunning as error:
        if linger:
            return 0  # another host started it first; that one serves this host too
        hint = "See `deskbell status`; to serve from here, end it first."
        raise api.AlreadyRunning(error.title, f"{error.message.rstrip('.')}. {hint}") from error
    return 0


def complain(home: Home) -> None:
    """Print what is wrong with config.toml to stderr."""
    from bridge.settings import SettingsFile

    settings = SettingsFile(home.config)
    settings.reload()
    if settings.problem and sys.stderr is not None:
        print(f"deskbell: {settings.problem}", file=sys.stderr, flush=True)


def default_presenter(home: Home) -> str:
    from bridge.settings import SettingsFile

    settings = SettingsFile(home.config)
    settings.reload()
    if settings.current.presenter:
        return settings.current.presenter
    return "terminal" if sys.stdin is not None and sys.stdin.isatty() else SILENT
