"""Split a command line into program and arguments, and join them. Shell syntax is refused: no shell runs."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence

from bridge.errors import UsageError
from bridge.i18n import say

_OPERATORS = frozenset({"|", "||", "&", "&&", ";", ">", ">>", "<", "<<", "2>", "2>&1"})
_ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_NEARLY_ADDRESS = re.compile(
    r"(?:(localhost|127\.0\.0\.1|\[::1\])|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,})(?::\d+)?/\S*"
)
_PLAIN = re.compile(r"[\w@%+=:,./\\~-]+", re.ASCII)


def split(line: str, platform: str = sys.platform) -> list[str]:
    """Split at spaces outside quotes. A backslash escapes the next character, except on Windows (paths)."""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    if platform == "win32":
        lexer.escape = ""
    try:
        words = list(lexer)
    except ValueError as error:
        raise UsageError(
            say("A quote is not closed"), say("Close it, or put it into other quotes.")
        ) from error
    if found := _OPERATORS & set(words):
        hint = say("Put it into quotes if the program itself shall have it; else leave it out.")
        raise UsageError(say("There is no shell that would understand {mark}", mark=min(found)), hint)
    return words


def joined(words: Sequence[str], platform: str = sys.platform) -> str:
    """Return a line that `split` takes apart into these words."""
    return " ".join(_quoted(word, platform) for word in words)


def _quoted(word: str, platform: str) -> str:
    if _PLAIN.fullmatch(word) and (platform == "win32" or "\\" not in word):
        return word
    if platform != "win32":
        return shlex.quote(word)
    return f"'{word}'" if '"' in word else f'"{word}"'


def parted(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Separate leading `NAME=value` words (environment) from the program and its arguments."""
    rest, env = list(words), {}
    while rest and (found := _ASSIGNED.fullmatch(rest[0])):
        env[found[1]] = found[2]
        rest = rest[1:]
    return env, rest


def whole_address(text: str) -> str:
    """Add the missing http:// or https:// to an address; return any other text as it is."""
    nearly = _NEARLY_ADDRESS.fullmatch(text)
    return text if nearly is None else ("http://" if nearly[1] else "https://") + text
