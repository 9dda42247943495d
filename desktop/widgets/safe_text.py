"""Foreign text made safe to show: never markup, never invisible tricks. Pure; no widget, no translation."""

from __future__ import annotations

import json
import re

import msgspec

from bridge.api import foreign_text

_READABLE = 100_000  # bytes of JSON that are worth laying out
_JOINERS = re.compile(f"[{foreign_text.JOINERS}]")  # nothing a name needs
_SPACES = re.compile(r"\s+")
_ESCAPE = re.compile(r"\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u\w{4}|\\.")
_MARKED = re.compile(r"(\*\*|__|`)(?=\S)(.{1,400}?)(?<=\S)\1")
_LONG_RUN = re.compile(r"(\S{24})(?=\S)")


def readable(text: str) -> str:
    """Return several lines of foreign text, with U+FFFD for what is invisible or reorders it."""
    return foreign_text.mark_deceptive(text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str, limit: int = 80) -> str:
    """Return a foreign name on one line of at most `limit` characters, without what is invisible."""
    shown = readable(_JOINERS.sub("", foreign_text.strip_invisible(text)))
    line = _SPACES.sub(" ", shown).strip()
    return line if len(line) <= limit else line[: limit - 1] + "…"


def strip_markdown(text: str) -> str:
    """Markdown's emphasis and code, as words: for where it is not rendered."""
    return _MARKED.sub(r"\2", text)


def allow_breaks(text: str) -> str:
    """The same text, for a label: long runs may break (QLabel wraps at spaces only)."""
    return _LONG_RUN.sub("\\1\u200b", text)


def format_json(data: bytes) -> str:
    """JSON for reading, every token as it was sent: numbers unrounded, keys given twice shown twice."""
    try:
        laid_out = msgspec.json.format(data[:_READABLE], indent=2)
    except (msgspec.DecodeError, RecursionError):  # cut short, or no JSON: shown as it came
        return readable(data[:_READABLE].decode("utf-8", "replace"))
    return readable(_ESCAPE.sub(_unescape, laid_out.decode("utf-8", "replace")))


def full_json(data: bytes) -> str:
    """All of it: laid out where it is not too long for that, else as it came."""
    return format_json(data) if len(data) <= _READABLE else data.decode("utf-8", "replace")


def _unescape(escape: re.Match[str]) -> str:
    """\\u00e9 as é; what is not printable, or would end the string, stays as it is."""
    if not escape[0].startswith("\\u"):
        return escape[0]
    letter: str = json.loads(f'"{escape[0]}"')
    seen = letter.isprintable() and not foreign_text.has_unseen(letter)
    return letter if seen and letter not in '"\\' else escape[0]


def escape_mnemonic(text: str) -> str:
    """For buttons and labels with a buddy: `&` stays an ampersand."""
    return text.replace("&", "&&")
