"""Quote text of other people: each line begins with `> `. Pure.

Invisible characters are removed: controls, bidirectional overrides, characters that can carry hidden text.
Joiners stay, because emoji and some scripts need them.
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
    """Remove invisible characters; end each line with a line feed."""
    return strip_deceptive(_BREAK.sub("\n", text).replace("\t", " "))


def quoted(text: str, depth: int = 1) -> list[str]:
    """Return the quoted lines of a text, without empty lines at its ends."""
    body = clean(text).strip("\n \u00a0")
    return [QUOTE * depth + line if line else ">" * depth for line in body.split("\n")] if body else []


def verbatim(text: str) -> list[str]:
    """Quote and escape a text, so that Markdown shows exactly these characters: no heading or link."""
    return quoted(_NUMBER.sub(r"\1\2\\\3", _START.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", clean(text)))))


def one_line(text: str, most: int = 0) -> str:
    """Put a text on one line, shortened to `most` characters (0: any length)."""
    line = _SPACES.sub(" ", clean(text)).strip()
    return line if not most or len(line) <= most else line[: most - 1].rstrip() + "…"


def label(text: str) -> str:
    """Return the text of a Markdown link, without brackets."""
    return one_line(text).replace("[", "(").replace("]", ")")


def link(text: str, url: str) -> str:
    """Return a Markdown link; only its text if the URL is not http or https."""
    address = address_of(url)
    words = label(text)
    if not address or not words:
        return words or address
    bare = address.partition("://")[2].rstrip("/")
    return address if words.rstrip("/") in (address, address.rstrip("/"), bare) else f"[{words}]({address})"


def address_of(url: str) -> str:
    """Return an http URL that cannot end a link or a line early; "" for any other URL."""
    address = one_line(url)
    known = address.lower().startswith(("https://", "http://"))
    return address.translate(_BREAKING) if known else ""
