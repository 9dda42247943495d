"""What the "Install in …" buttons of READMEs link to → an entry with its name. Nothing is opened or fetched.

VS Code has the entry as JSON, in the query or as its `config`; Cursor and LM Studio have `config` in base64;
Goose has a parameter for each word.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

_LINK = re.compile(
    r"(?:vscode(?:-insiders)?:/{0,2}mcp/install|cursor://anysphere\.cursor-deeplink/mcp/install|lmstudio://add_mcp"
    r"|goose://extension|https://(?:[a-z-]+\.)*(?:vscode\.dev|cursor\.com)/[\w/-]+)\?\S+"
)
_REDIRECTED = ("url", "link")  # parameters that hold another such link


def entry_behind(link: str) -> dict[str, Any] | None:
    """The entry, with its `name`; None where this is no such link, or nothing can be read from it."""
    if not _LINK.fullmatch(link):
        return None
    query = urlsplit(link).query
    whole = _read(unquote(query))
    if whole is not None:
        return whole
    values = parse_qs(query.replace("+", "%2B"))  # base64 has pluses, and no link here has spaces
    for name in _REDIRECTED:
        if name in values and (found := entry_behind(values[name][0])):
            return found
    if "cmd" in values:
        found = {"command": values["cmd"][0], "args": values.get("arg", [])}
    else:
        found = _read("".join(values.get("config", [])[:1])) or {}
    return {"name": "".join(values.get("name", values.get("id", []))[:1]), **found} if found else None


def _read(text: str) -> dict[str, Any] | None:
    """JSON, as it is or in base64."""
    try:
        decoded = (
            text if text.startswith("{") else base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
        )
        found = json.loads(decoded)
    except (ValueError, binascii.Error, RecursionError):
        return None
    return found if isinstance(found, dict) and found else None
