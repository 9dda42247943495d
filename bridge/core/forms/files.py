"""Files and pictures in answers: text fields whose schema wants base64 or a data URL. Pure.

`contentEncoding: base64` (JSON Schema 2020-12, 8.3) and `format: data-url` or `data-uri` (RFC 2397), both
with `contentMediaType`, such as image/png or image/*.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

from bridge.i18n import say

BASE64, DATA_URL = "base64", "data-url"
LARGEST = 5_000_000  # bytes of a file
_DATA_URL = re.compile(r"data:([\w.+/-]*)(?:;[\w=.+-]+)*;base64,")
_FORMATS = ("data-url", "data-uri")


def encoding_of(node: Mapping[str, Any]) -> str:
    """Return how a field of this schema wants a file; "" if it wants plain text."""
    if node.get("type") != "string":
        return ""
    if node.get("format") in _FORMATS:
        return DATA_URL
    return BASE64 if node.get("contentEncoding") == "base64" else ""


def encode(encoding: str, data: bytes, media_type: str) -> str:
    """Return a file as the value of its field."""
    text = b64encode(data).decode()
    return f"data:{media_type or 'application/octet-stream'};base64,{text}" if encoding == DATA_URL else text


def decode(encoding: str, text: str) -> bytes | None:
    """Return the file of a value; None if it is none."""
    if encoding == DATA_URL:
        head = _DATA_URL.match(text)
        if head is None:
            return None
        text = text[head.end() :]
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def problem(encoding: str, text: str) -> str:
    """Return what is wrong with a value, for the person; "" if nothing is."""
    data = decode(encoding, text)
    if data is None:
        return say("This is not a file.")
    too_large = say("This file is larger than {limit} MB.", limit=LARGEST // 1_000_000)
    return too_large if len(data) > LARGEST else ""


def suits(media_type: str, wanted: str) -> bool:
    """True if a file of this type may be given where `wanted` is; "" is any type."""
    kind, _, rest = wanted.partition("/")
    return not wanted or media_type == wanted or (rest == "*" and media_type.startswith(f"{kind}/"))
