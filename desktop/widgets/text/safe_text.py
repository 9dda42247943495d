"""Make foreign text safe to show: no markup, nothing invisible. Pure; no widget, no translation."""

from __future__ import annotations

import json
import re

import msgspec

from bridge.api import foreign_text

_READABLE = 100_000  # bytes of JSON that are indented
_JOINERS = re.compile(f"[{foreign_text.JOINERS}]")  # nothing a name needs
_SPACES = re.compile(r"\s+")
_ESCAPE = re.compile(r"\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u\w{4}|\\.")
_MARKED = re.compile(r"(\*\*|__|(?<!`)`(?!`))(?=\S)(.{1,400}?)(?<=\S)\1")
_SLANTED = re.compile(r"(?<![\w*])([*_])(?=\w)([^*\n]{1,400}?)(?<=\w)\1(?![\w*])")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?=\S)", re.MULTILINE)
_TABLE_RULE = re.compile(r"^ {0,3}\|(?: *:?-{3,}:? *\|)+ *\n", re.MULTILINE)
_FENCED = re.compile(r"^(`{3,})[a-z]*\n(.*?)(?:\n\1$|\Z)", re.DOTALL | re.MULTILINE)  # cut off: to the end
_LONG_RUN = re.compile(r"(\S{24})(?=\S)")


def readable(text: str) -> str:
    """Return several lines of foreign text, with U+FFFD for what is invisible or reorders it."""
    return foreign_text.mark_deceptive(text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str, limit: int = 80) -> str:
    """Return a foreign name on one line of at most `limit` characters, without what is invisible."""
    shown = readable(_JOINERS.sub("", foreign_text.strip_invisible(text)))
    line = _SPACES.sub(" ", shown).strip()
    return line if len(line) <= limit else line[: limit - 1] + "…"


def title_of(name: str) -> str:
    """Return a name as people write it: `dry_run` is Dry run, `maxItems` Max items."""
    parted = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
    line = one_line((parted if not name.isupper() else name).replace("_", " ").replace("-", " "), 60)
    return line[:1].upper() + line[1:]


def strip_markdown(text: str) -> str:
    """Remove marks of headings, emphasis, code and tables, for places that do not render Markdown."""
    plain = _TABLE_RULE.sub("", _HEADING.sub("", _FENCED.sub(r"\2", text)))
    return _SLANTED.sub(r"\2", _MARKED.sub(r"\2", plain))


def allow_breaks(text: str) -> str:
    """Add break opportunities to long runs, for a QLabel, which wraps at spaces only."""
    return _LONG_RUN.sub("\\1\u200b", text)


def format_json(data: bytes) -> str:
    """Indent JSON, every token as it was sent: numbers unrounded, duplicate keys shown twice."""
    try:
        laid_out = msgspec.json.format(data[:_READABLE], indent=2)
    except (msgspec.DecodeError, RecursionError):  # cut short, or not JSON
        return readable(data[:_READABLE].decode("utf-8", "replace"))
    return readable(_ESCAPE.sub(_unescape, laid_out.decode("utf-8", "replace")))


def full_json(data: bytes) -> str:
    """Return JSON of any length, indented unless it is too long for that."""
    return format_json(data) if len(data) <= _READABLE else data.decode("utf-8", "replace")


def _unescape(escape: re.Match[str]) -> str:
    """Turn \\u00e9 into é; escapes of unprintable characters and of quotes stay."""
    if not escape[0].startswith("\\u"):
        return escape[0]
    letter: str = json.loads(f'"{escape[0]}"')
    seen = letter.isprintable() and not foreign_text.has_unseen(letter)
    return letter if seen and letter not in '"\\' else escape[0]


def escape_mnemonic(text: str) -> str:
    """Escape `&` for buttons and labels with a buddy."""
    return text.replace("&", "&&")
