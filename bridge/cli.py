"""The `deskbell` command: a table of contents. Each verb is one function.

`stdio` and `wrap` never come here: __main__ hands them to the shim.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from bridge import (
    __version__,
    account_verbs,
    calls,
    cgi,
    completion,
    host_verbs,
    logs,
    secret_verbs,
    verbs,
)
from bridge.settings import Home
from bridge.starting import guarded, serve, start


def main(argv: Sequence[str]) -> int:
    arguments = build_parser().parse_args(argv)
    logs.to_terminal(os.environ.get("DESKBELL_LOG", "warning"))
    run: Callable[[argparse.Namespace, Home], int] = getattr(arguments, "run", start)
    return guarded(lambda home: run(arguments, home))


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


def doctor(arguments: argparse.Namespace, home: Home) -> int:
    from bridge.doctor import doctor  # late: it looks at everything

    return doctor(arguments, home)
