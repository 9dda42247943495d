"""The argument parser of the `deskbell` command. Each verb is one function.

`stdio` and `wrap` are only listed here: __main__ passes them to the shim.
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
    from bridge.cli import (
        accounts,
        cgi,
        completion,
        history,
        hosts,
        questions,
        secrets,
        servers,
        status,
        token,
        tools,
    )
else:
    questions = lazy_import("bridge.cli.questions")
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

    one = verb.add_parser("serve", help="run without windows")
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

    verb.add_parser(
        "questions",
        help="questions that wait for an answer",
        fill=lambda one: questions.questions_arguments(one),
    )
    verb.add_parser(
        "answer",
        help="answer a waiting question: answer ID key=value…",
        fill=lambda one: questions.answer_arguments(one),
    )

    one = verb.add_parser("history", help="past calls, questions and messages of servers")
    one.add_argument("--search", metavar="TEXT", default="", help="only entries that contain TEXT")
    kinds = ("call", "question", "server", "notice")
    one.add_argument("--kind", choices=kinds, default="", help="only entries of this kind")
    one.add_argument("--host", metavar="NAME", default="", help="only entries of this AI application")
    one.add_argument("--server", metavar="NAME", default="", help="only entries of this server")
    one.add_argument(
        "--outcome", metavar="WORD", default="", help="only entries with this outcome: ok, error, denied, …"
    )
    one.add_argument("--since", type=count, default=0, metavar="DAYS", help="only the last DAYS days")
    one.add_argument("--limit", type=count, default=100, metavar="N", help="at most N entries (default: 100)")
    one.add_argument("--json", action="store_true", help="one JSON object a line")
    one.add_argument(
        "--export", metavar="FILE", help="write the entries, with contents of calls, to a .csv or .jsonl file"
    )
    one.set_defaults(run=lambda arguments, home: history.history(arguments, home))

    one = verb.add_parser("status", help="connected applications, servers, waiting questions")
    one.add_argument("--json", action="store_true", help="one JSON object")
    one.set_defaults(run=lambda arguments, home: status.status(arguments, home))

    one = verb.add_parser("doctor", help="check everything Deskbell needs, and say what is wrong")
    one.add_argument("--json", action="store_true", help="one JSON list")
    one.add_argument("--report", action="store_true", help="a report for a bug tracker, without secrets")
    one.set_defaults(run=doctor)

    verb.add_parser(
        "token",
        help="the token that applications send to Deskbell by HTTP",
        fill=lambda one: token.token_arguments(one),
    )
    verb.add_parser(
        "completion",
        help="print a completion script for your shell",
        fill=lambda one: completion.completion_arguments(one, parser),
    )
    return parser


def count(word: str) -> int:
    """Parse a positive number. argparse uses this function's name in its error message."""
    number = int(word)
    if number < 1:
        raise ValueError(word)
    return number


def doctor(arguments: argparse.Namespace, home: Home) -> int:
    from bridge.cli.doctor import doctor  # here: it imports nearly everything

    return doctor(arguments, home)
