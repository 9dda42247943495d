"""The `deskbell` command: a table of contents. Each verb is one function.

`stdio` and `wrap` never come here: __main__ hands them to the shim.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence

from bridge import (
    __version__,
    account_verbs,
    calls,
    cgi,
    completion,
    displays,
    host_verbs,
    logs,
    secret_verbs,
    verbs,
)
from bridge.errors import DeskbellError
from bridge.settings import Home, SettingsFile

SILENT = "silent"
NOBODY = "nobody can be asked here: every question is cancelled. See `deskbell serve --help`, --presenter."
LINGER = 30.0  # seconds a bridge that a host started stays after its last host


def main(argv: Sequence[str]) -> int:
    arguments = build_parser().parse_args(argv)
    logs.to_terminal(os.environ.get("DESKBELL_LOG", "warning"))
    home = Home.find(os.environ)
    run: Callable[[argparse.Namespace, Home], int] = getattr(arguments, "run", start)
    try:
        return run(arguments, home)
    except DeskbellError as error:
        print(f"deskbell: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0


class _Parser(argparse.ArgumentParser):
    """Usage errors end with 1, as every other verb's."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(1, f"deskbell: {message}\n")


def build_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="deskbell",
        description="A bell on your desk that AI applications ring. Without a verb: the tray application.",
    )
    parser.add_argument("--version", action="version", version=f"deskbell {__version__}")
    parser.add_argument("--for-host", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--at-login", action="store_true", help=argparse.SUPPRESS)
    verb = parser.add_subparsers(title="verbs", metavar="VERB", parser_class=_Parser)

    one = verb.add_parser("serve", help="the bridge without windows")
    one.add_argument(
        "--port", type=port, metavar="N", help="port on 127.0.0.1 (default: config.toml's, or 8765; 0: any)"
    )
    one.add_argument(
        "--presenter",
        metavar="P",
        help="who asks: terminal, silent, command:PROG (default: terminal if there is one)",
    )
    one.set_defaults(run=serve)

    verb.add_parser("stdio", help="what an AI host spawns: all servers, or one (--server NAME)")
    verb.add_parser(
        "wrap", help="put one stdio server behind the bridge: wrap [--name NAME] -- COMMAND ARGS…"
    )

    one = verb.add_parser("tools", help="the tools of all servers, as `call` names them")
    calls.tools_arguments(one)
    one = verb.add_parser("call", help="call a tool: call TOOL key=value…")
    calls.call_arguments(one)
    one = verb.add_parser("cgi", help="answer one CGI/1.1 request; a web server starts this")
    one.set_defaults(run=cgi.cgi)

    one = verb.add_parser("servers", help="the servers of config.toml")
    verbs.servers_arguments(one)

    one = verb.add_parser("hosts", help="AI applications on this machine: connect and disconnect them")
    host_verbs.arguments(one)

    one = verb.add_parser("secrets", help="values for ${vault:NAME} in config.toml")
    secret_verbs.arguments(one)

    one = verb.add_parser("accounts", help="Bluesky accounts: sign in, choose, sign out")
    account_verbs.arguments(one)

    one = verb.add_parser("history", help="what happened: calls, questions, servers")
    one.add_argument("--search", metavar="TEXT", default="", help="only what contains this")
    kinds = ("call", "question", "server", "notice")
    one.add_argument("--kind", choices=kinds, default="", help="only calls, questions, what servers said, …")
    one.add_argument("--host", metavar="NAME", default="", help="only of this AI application")
    one.add_argument("--server", metavar="NAME", default="", help="only of this server")
    one.add_argument("--outcome", metavar="WORD", default="", help="only what ended so: ok, error, denied, …")
    one.add_argument("--since", type=count, default=0, metavar="DAYS", help="only of so many days")
    one.add_argument("--limit", type=count, default=100, metavar="N", help="at most this many (default: 100)")
    one.add_argument("--json", action="store_true", help="one JSON object a line")
    one.add_argument(
        "--export", metavar="FILE", help="write all of it to a .csv or .jsonl file, with what calls said"
    )
    one.set_defaults(run=verbs.history)

    one = verb.add_parser("status", help="what runs, who is connected, what waits")
    one.add_argument("--json", action="store_true", help="one JSON object")
    one.set_defaults(run=verbs.status)

    one = verb.add_parser("doctor", help="look at everything Deskbell needs, and say what is wrong")
    one.add_argument("--json", action="store_true", help="one JSON list")
    one.add_argument("--report", action="store_true", help="diagnostics to pass on, without secrets")
    one.set_defaults(run=doctor)

    one = verb.add_parser("token", help="what applications show to reach Deskbell by HTTP")
    verbs.token_arguments(one)

    one = verb.add_parser("completion", help="a script that lets your shell complete what you type")
    completion.completion_arguments(one, parser)
    return parser


def count(word: str) -> int:
    """Of --limit, as `port` is."""
    number = int(word)
    if number < 1:
        raise ValueError(word)
    return number


def port(word: str) -> int:
    """Of --port; argparse names this function in what it says of a ValueError."""
    number = int(word)
    if not 0 <= number <= 65535:
        raise ValueError(word)
    return number


def start(arguments: argparse.Namespace, home: Home) -> int:
    """The tray application; where there is nothing to show it on, a bridge without windows."""
    lack = no_windows()
    if not lack:
        complain(home)
        app = importlib.import_module("desktop.app")
        code: int = app.main(home, for_host=arguments.for_host, at_login=arguments.at_login)
        return code
    if not arguments.for_host:
        print(f"deskbell: {lack} Serving without windows.", file=sys.stderr)
    arguments.port, arguments.presenter = None, None
    return serve(arguments, home, linger=LINGER if arguments.for_host else 0.0)


def no_windows() -> str:
    """Why there can be no windows here; empty if there can."""
    if sys.platform.startswith("linux") and not os.environ.get("QT_QPA_PLATFORM"):
        lack = displays.lack(os.environ)
        if lack:
            return lack
    if importlib.util.find_spec("PySide6") is None:
        return "Qt is not installed (pip install 'deskbell[desktop]')."
    return ""


def serve(arguments: argparse.Namespace, home: Home, linger: float = 0.0) -> int:
    from bridge import api  # late: `servers` and `history` need no engine

    chosen = arguments.presenter or os.environ.get("DESKBELL_PRESENTER")
    presenter = chosen or default_presenter(home)

    def ready(address: str) -> None:
        if address:
            print(f"deskbell: listening on {address}", file=sys.stderr, flush=True)
        complain(home)
        if presenter == SILENT and not chosen:
            print(f"deskbell: {NOBODY}", file=sys.stderr, flush=True)

    try:
        api.serve(home, presenter=presenter, port=arguments.port, linger=linger, on_ready=ready)
    except api.AlreadyRunning as error:
        if linger:
            return 0  # another host's start was faster; its bridge serves ours too
        hint = "See `deskbell status`; to serve from here, end it first."
        raise api.AlreadyRunning(error.title, f"{error.message.rstrip('.')}. {hint}") from error
    return 0


def doctor(arguments: argparse.Namespace, home: Home) -> int:
    from bridge.doctor import doctor  # late: it looks at everything

    return doctor(arguments, home)


def complain(home: Home) -> None:
    """Whoever starts it on a terminal sees there what is wrong with config.toml."""
    settings = SettingsFile(home.config)
    settings.reload()
    if settings.problem and sys.stderr is not None:
        print(f"deskbell: {settings.problem}", file=sys.stderr, flush=True)


def default_presenter(home: Home) -> str:
    settings = SettingsFile(home.config)
    settings.reload()
    if settings.current.presenter:
        return settings.current.presenter
    return "terminal" if sys.stdin is not None and sys.stdin.isatty() else SILENT
