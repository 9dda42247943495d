"""The `deskbell` command: a table of contents. Each verb is one function.

`stdio` and `wrap` never come here: __main__ hands them to the shim.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bridge import __version__
from bridge.cli.lazy_parser import LazyParser, serve_arguments
from bridge.cli.start import guarded, serve, start
from bridge.settings import Home
from bridge.system import log_file
from bridge.system.fast.lazy_import import lazy_import

if TYPE_CHECKING:
    from bridge.cli import accounts, cgi, completion, history, hosts, secrets, servers, status, token, tools
else:
    accounts, tools, cgi = map(lazy_import, ("bridge.cli.accounts", "bridge.cli.tools", "bridge.cli.cgi"))
    completion, hosts = map(lazy_import, ("bridge.cli.completion", "bridge.cli.hosts"))
    secrets, servers = map(lazy_import, ("bridge.cli.secrets", "bridge.cli.servers"))
    history, status, token = map(lazy_import, ("bridge.cli.history", "bridge.cli.status", "bridge.cli.token"))


def main(argv: Sequence[str]) -> int:
    arguments = build_parser().parse_args(argv)
    log_file.log_to_terminal(os.environ.get("DESKBELL_LOG", "warning"))
    run: Callable[[argparse.Namespace, Home], int] = getattr(arguments, "run", start)
    return guarded(lambda home: run(arguments, home))


def build_parser() -> argparse.ArgumentParser:
    parser = LazyParser(
        prog="deskbell",
        description="A bell on your desk that AI applications ring. Without a verb: the tray application.",
    )
    parser.add_argument("--version", action="version", version=f"deskbell {__version__}")
    parser.add_argument("--for-host", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--at-login", action="store_true", help=argparse.SUPPRESS)
    verb = parser.add_subparsers(title="verbs", metavar="VERB", parser_class=LazyParser)

    one = verb.add_parser("serve", help="the bridge without windows")
    serve_arguments(one)
    one.set_defaults(run=serve)

    verb.add_parser("stdio", help="what an AI host spawns: all servers, or one (--server NAME)")
    verb.add_parser(
        "wrap", help="put one stdio server behind the bridge: wrap [--name NAME] -- COMMAND ARGS…"
    )

    verb.add_parser(
        "tools",
        help="the tools of all servers, as `call` names them",
        fill=lambda one: tools.tools_arguments(one),
    )
    verb.add_parser(
        "call", help="call a tool: call TOOL key=value…", fill=lambda one: tools.call_arguments(one)
    )
    one = verb.add_parser("cgi", help="answer one CGI/1.1 request; a web server starts this")
    one.set_defaults(run=lambda arguments, home: cgi.cgi(arguments, home))

    verb.add_parser(
        "servers", help="the servers of config.toml", fill=lambda one: servers.servers_arguments(one)
    )
    verb.add_parser(
        "hosts",
        help="AI applications on this machine: connect and disconnect them",
        fill=lambda one: hosts.arguments(one),
    )
    verb.add_parser(
        "secrets",
        help="values for ${vault:NAME} in config.toml",
        fill=lambda one: secrets.arguments(one),
    )
    verb.add_parser(
        "accounts",
        help="Bluesky accounts: sign in, choose, sign out",
        fill=lambda one: accounts.arguments(one),
    )

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
    one.set_defaults(run=lambda arguments, home: history.history(arguments, home))

    one = verb.add_parser("status", help="what runs, who is connected, what waits")
    one.add_argument("--json", action="store_true", help="one JSON object")
    one.set_defaults(run=lambda arguments, home: status.status(arguments, home))

    one = verb.add_parser("doctor", help="look at everything Deskbell needs, and say what is wrong")
    one.add_argument("--json", action="store_true", help="one JSON list")
    one.add_argument("--report", action="store_true", help="diagnostics to pass on, without secrets")
    one.set_defaults(run=doctor)

    verb.add_parser(
        "token",
        help="what applications show to reach Deskbell by HTTP",
        fill=lambda one: token.token_arguments(one),
    )
    verb.add_parser(
        "completion",
        help="a script that lets your shell complete what you type",
        fill=lambda one: completion.completion_arguments(one, parser),
    )
    return parser


def count(word: str) -> int:
    """Of --limit; argparse names this function in what it says of a ValueError."""
    number = int(word)
    if number < 1:
        raise ValueError(word)
    return number


def doctor(arguments: argparse.Namespace, home: Home) -> int:
    from bridge.cli.doctor import doctor  # late: it looks at everything

    return doctor(arguments, home)
