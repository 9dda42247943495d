"""The argument parser of the `deskbell` command. Each verb has a module, which adds its arguments.

`stdio` and `wrap` are only listed here: __main__ passes them to the shim.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from bridge import __version__
from bridge.cli.start import guarded, start
from bridge.settings import Home
from bridge.system import log_file

_VERBS = {  # verb → function in this folder that adds its arguments, help
    "serve": ("start.arguments", "run without windows"),
    "stdio": ("", "AI apps start this: all servers, or one (--server NAME)"),
    "wrap": ("", "run one stdio server behind Deskbell: wrap [--name NAME] -- COMMAND ARGS…"),
    "tools": ("tools.arguments", "list the tools of all servers"),
    "call": ("tools.call_arguments", "call a tool: call TOOL key=value…"),
    "cgi": ("cgi.arguments", "answer one CGI/1.1 request; a web server starts this"),
    "servers": ("servers.arguments", "list, add and change servers"),
    "hosts": ("hosts.arguments", "connect and disconnect AI apps"),
    "secrets": ("secrets.arguments", "keys and tokens for servers: ${vault:NAME} in config.toml"),
    "accounts": ("accounts.arguments", "Bluesky accounts: sign in, choose, sign out"),
    "questions": ("questions.questions_arguments", "list waiting questions"),
    "answer": ("questions.answer_arguments", "answer a waiting question: answer ID key=value…"),
    "held": ("held.arguments", "list calls whose AI apps stopped waiting; results are kept for a day"),
    "history": ("history.arguments", "show past calls, questions and messages of servers"),
    "status": ("status.arguments", "show connected AI apps, servers and waiting questions"),
    "doctor": ("doctor.arguments", "check everything Deskbell needs, and say what is wrong"),
    "self-test": ("self_test.arguments", "prove that this installation works, in a folder of its own"),
    "update": ("update.arguments", "check for a new version, and download it or show the command that does"),
    "uninstall": ("uninstall.arguments", "disconnect all AI apps and quit, before you remove the program"),
    "token": ("token.arguments", "replace the token for HTTP requests"),
    "completion": ("completion.arguments", "print a completion script for your shell"),
}


Run = Callable[[argparse.Namespace, Home], int]


class LazyParser(argparse.ArgumentParser):
    """`fill` adds the arguments when they are parsed, so that a verb does not import the modules of others.
    Usage errors exit with 1."""

    def __init__(self, *args: Any, fill: Callable[[LazyParser], None] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self._fill = fill
        self._below: Any = None

    def action(self, name: str, run: Run, text: str, **options: Any) -> LazyParser:
        """Add a word that follows the verb: `deskbell VERB NAME`."""
        if self._below is None:
            self._below = self.add_subparsers(
                title="what to do", metavar="WHAT", required=True, parser_class=LazyParser
            )
        parser: LazyParser = self._below.add_parser(name, help=text, description=_sentence(text), **options)
        parser.set_defaults(run=run)
        return parser

    def flag(self, name: str, text: str) -> None:
        self.add_argument(name, action="store_true", help=text)

    def filled(self) -> LazyParser:
        fill, self._fill = self._fill, None
        if fill is not None:
            fill(self)
        return self

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        self.filled()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(1, f"deskbell: {message}\n")


def main(argv: Sequence[str]) -> int:
    arguments = build_parser().parse_args(argv)
    log_file.log_to_terminal(os.environ.get("DESKBELL_LOG", "warning"))
    run: Run = getattr(arguments, "run", start)
    return guarded(lambda home: run(arguments, home))


def build_parser() -> LazyParser:
    parser = LazyParser(
        prog="deskbell",
        description="Shows the questions of AI tools on your desktop. Without a verb: the tray application.",
    )
    parser.add_argument("--version", action="version", version=f"deskbell {__version__}")
    parser.add_argument("--for-host", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--at-login", action="store_true", help=argparse.SUPPRESS)
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", parser_class=LazyParser)
    for verb, (function, text) in _VERBS.items():
        fill = partial(_fill, function) if function else None
        verbs.add_parser(verb, help=text, description=_sentence(text), fill=fill)
    return parser


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + ("" if text.endswith("…") else ".")


def _fill(function: str, parser: LazyParser) -> None:
    module, _, name = function.partition(".")
    getattr(import_module(f"bridge.cli.{module}"), name)(parser)
