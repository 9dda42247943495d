"""The manual page, from what `--help` says: the parser is the reference, and there is no second one."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator

from release import Release

from bridge.cli.parser import LazyParser, build_parser
from bridge.shim import HELP

_FILES = (
    ("~/.local/share/deskbell/config.toml", "settings; reread whenever it changes"),
    ("~/.local/share/deskbell/journal.db", "the history"),
    ("~/.local/share/deskbell/deskbell.log", "the log"),
)
_ENVIRONMENT = (
    ("DESKBELL_HOME", "the folder of all of it, instead of ~/.local/share/deskbell"),
    ("DESKBELL_PORT", "the port on 127.0.0.1"),
    ("DESKBELL_PRESENTER", "who asks: desktop, terminal, silent, command:PROG"),
    ("DESKBELL_LOG", "debug, info, warning or error"),
)
_EXITS = "0 ok, 1 usage, 2 network, 3 not found, 4 timeout, 5 other."


def man_page(release: Release, moment: int) -> str:
    parser = build_parser()
    day = time.strftime("%Y-%m-%d", time.gmtime(moment))
    name = release.name
    parts = [
        f'.TH {name.upper()} 1 "{day}" "{release.title} {release.version}" "User Commands"',
        _section("NAME", f"{name} \\- {_roff(release.summary)}"),
        _section("SYNOPSIS", f".B {name}\n[\\fIVERB\\fR \\fIARGUMENTS\\fR]"),
        _section("DESCRIPTION", "\n.PP\n".join(_roff(text) for text in release.description)),
        ".PP\nWithout a verb it starts the tray application; a second start raises the first.",
        _section("VERBS", "\n".join(_verbs(parser))),
        _section("FILES", _pairs(_FILES)),
        _section("ENVIRONMENT", _pairs(_ENVIRONMENT)),
        _section("EXIT STATUS", _EXITS),
        _section("SEE ALSO", _roff(release.homepage)),
    ]
    return "\n".join(parts) + "\n"


def launcher_page(release: Release, moment: int) -> str:
    """Return the page of the program that AI applications start."""
    day = time.strftime("%Y-%m-%d", time.gmtime(moment))
    title = f'.TH DESKBELL\\-MCP 1 "{day}" "{release.title} {release.version}" "User Commands"'
    about = "deskbell\\-mcp \\- what AI applications start to reach Deskbell"
    text = "The same as \\fBdeskbell\\fR(1), and faster for its verbs stdio and wrap."
    verbs = "\n".join(_shim_verb(verb) for verb in HELP)
    return "\n".join((title, _section("NAME", about), _section("DESCRIPTION", text), verbs)) + "\n"


def _verbs(parser: argparse.ArgumentParser) -> Iterator[str]:
    verbs = _below(parser)
    assert verbs is not None  # noqa: S101 - the parser has verbs
    words = {action.dest: action.help or "" for action in verbs._choices_actions}
    for verb, below in verbs.choices.items():
        yield f".SS {_roff(verb)}"
        if verb in HELP:
            yield _shim_verb(verb)
            continue
        yield _roff(words[verb][:1].upper() + words[verb][1:]) + "."
        yield from _arguments(below)


def _arguments(parser: LazyParser) -> Iterator[str]:
    parser.filled()
    for action in parser._actions:
        if action.help == argparse.SUPPRESS or "--help" in action.option_strings:
            continue
        if isinstance(action, argparse._SubParsersAction):
            words = {one.dest: one.help or "" for one in action._choices_actions}
            for name, below in action.choices.items():
                yield f".TP\n.B {_roff(_usage(below, name))}\n{_roff(words[name])}"
        elif action.option_strings:
            value = f" {action.metavar or action.dest.upper()}" if action.nargs != 0 else ""
            yield f".TP\n.B {_roff(', '.join(action.option_strings) + value)}\n{_roff(action.help or '')}"
        else:
            shown = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
            yield f".TP\n.I {_roff(shown)}\n{_roff(action.help or '')}"


def _usage(parser: LazyParser, name: str) -> str:
    usage = " ".join(parser.filled().format_usage().split())
    return name + usage.partition(f" {name}")[2].replace(" [-h]", "")


def _below(parser: argparse.ArgumentParser) -> argparse._SubParsersAction[LazyParser] | None:
    found = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return next(found, None)


def _shim_verb(verb: str) -> str:
    """The shim has no parser: its text is shown as it is written."""
    return f".nf\n{_roff(HELP[verb].rstrip())}\n.fi"


def _section(title: str, body: str) -> str:
    return f".SH {title}\n{body}"


def _pairs(pairs: tuple[tuple[str, str], ...]) -> str:
    return "\n".join(f".TP\n.I {_roff(name)}\n{_roff(text)}" for name, text in pairs)


def _roff(text: str) -> str:
    """Escape for roff: backslashes, hyphens, and a control character at the start of a line."""
    text = (
        text.replace("\\", "\\e")
        .replace("-", "\\-")
        .replace("%%", "%")
        .replace("’", "\\(cq")
        .replace("…", "...")
    )
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)
