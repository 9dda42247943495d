"""The manual page, from what `--help` says: the parser is the reference, and there is no second one."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import groupby

from bridge.shim import HELP
from generated_docs.commands import Command, commands
from release import Release

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
    day = time.strftime("%Y-%m-%d", time.gmtime(moment))
    name = release.name
    parts = [
        f'.TH {name.upper()} 1 "{day}" "{release.title} {release.version}" "User Commands"',
        _section("NAME", f"{name} \\- {_roff(release.summary)}"),
        _section("SYNOPSIS", f".B {name}\n[\\fIVERB\\fR \\fIARGUMENTS\\fR]"),
        _section("DESCRIPTION", "\n.PP\n".join(_roff(text) for text in release.description)),
        ".PP\nWithout a verb it starts the tray application; a second start raises the first.",
        _section("VERBS", "\n".join(_verbs())),
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
    about = "deskbell\\-mcp \\- what AI apps start to reach Deskbell"
    text = "The same as \\fBdeskbell\\fR(1), and faster for its verbs stdio and wrap."
    verbs = "\n".join(_shim_verb(verb) for verb in HELP)
    return "\n".join((title, _section("NAME", about), _section("DESCRIPTION", text), verbs)) + "\n"


def _verbs() -> Iterator[str]:
    """Yield each verb with its arguments; of a verb with actions, each action with its usage."""
    for verb, group in groupby(commands(), lambda command: command.name.split()[0]):
        yield f".SS {_roff(verb)}"
        yield from [_shim_verb(verb)] if verb in HELP else (line for one in group for line in _command(one))


def _command(command: Command) -> Iterator[str]:
    text = _roff(command.text)
    if " " in command.name:
        yield f".TP\n.B {_roff(command.usage.removeprefix('deskbell '))}\n{text}"
        return
    yield f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
    for typed, meaning in command.arguments:
        yield f".TP\n.B {_roff(typed)}\n{_roff(meaning)}"


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
