"""Other people's words, made harmless: whatever somebody wrote, each of its lines begins with `> `. Pure.

What cannot be seen goes: control characters, bidirectional overrides, invisible letters that carry hidden
text. Joiners inside emoji and scripts that need them stay.
"""

from __future__ import annotations

import re

from bridge.system.foreign_text import strip_deceptive

QUOTE = "> "
_BREAK = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SPACES = re.compile(r"\s+")
_MARKUP = re.compile(r"[\\*`\[\]<>~|&]|(?<!\w)_|_(?!\w)")
_START = re.compile(r"^( *)(#{1,6}(?= |$)|[-+](?= |$)|-(?=-)|=)", re.MULTILINE)
_NUMBER = re.compile(r"^( *)(\d+)([.)])(?= |$)", re.MULTILINE)
_BREAKING = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "`": "%60"}
)


def clean(text: str) -> str:
    """The same words without what cannot be seen, each line ended by a line feed."""
    return strip_deceptive(_BREAK.sub("\n", text).replace("\t", " "))


def quoted(text: str, depth: int = 1) -> list[str]:
    """The lines of somebody's text; empty ones at its ends are left out."""
    body = clean(text).strip("\n \u00a0")
    return [QUOTE * depth + line if line else ">" * depth for line in body.split("\n")] if body else []


def verbatim(text: str) -> list[str]:
    """Quoted so that a window that shows Markdown shows exactly these letters: no heading or link."""
    return quoted(_NUMBER.sub(r"\1\2\\\3", _START.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", clean(text)))))


def one_line(text: str, most: int = 0) -> str:
    """Somebody's text where there is room for one line only."""
    line = _SPACES.sub(" ", clean(text)).strip()
    return line if not most or len(line) <= most else line[: most - 1].rstrip() + "…"


def label(text: str) -> str:
    """The words of a link."""
    return one_line(text).replace("[", "(").replace("]", ")")


def link(text: str, url: str) -> str:
    """A Markdown link, or the words alone if the address is none for a browser."""
    address = address_of(url)
    words = label(text)
    if not address or not words:
        return words or address
    bare = address.partition("://")[2].rstrip("/")
    return address if words.rstrip("/") in (address, address.rstrip("/"), bare) else f"[{words}]({address})"


def address_of(url: str) -> str:
    """An http address that cannot end a link or a line early; "" if it is something else."""
    address = one_line(url)
    known = address.lower().startswith(("https://", "http://"))
    return address.translate(_BREAKING) if known else ""
