"""Introductions that Deskbell writes itself: for all servers as one, and for a server that is starting."""

from __future__ import annotations

import msgspec

from bridge import __version__
from bridge.core.protocol.jsonrpc import edit, quote
from bridge.core.protocol.revisions import (
    LEGACY_REVISIONS,
    MODERN_REVISION,
    NEWEST_LEGACY,
    SERVER_INFO_KEY,
    TASKS_EXTENSION,
)
from bridge.core.protocol.translate import modern_result

_INFO = b'{"name":"deskbell","title":"Deskbell","version":"%b"}' % __version__.encode()
_CAPABILITIES = (
    b'{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},'
    b'"logging":{},"completions":{}}'
)
_TASKS = b'{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}'
_LISTS_CHANGE = (
    b'{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true}}'
)


def introduction(asked: str, text: str = "") -> bytes:
    """Return the `initialize` result of all servers as one. `text`: instructions."""
    revision = _revision(asked)
    can = edit(_CAPABILITIES, {"tasks": _TASKS}) if revision == NEWEST_LEGACY else _CAPABILITIES
    return _initialize(revision, can, _INFO, text)


def discovery(text: str = "") -> bytes:
    """Return the `server/discover` result of all servers as one. `text`: instructions."""
    can = edit(_CAPABILITIES, {"extensions": edit(b"{}", {TASKS_EXTENSION: b"{}"})})
    return _discover(can, _INFO, text)


def starting_server(method: str, asked: str, name: str) -> bytes:
    """Return the result of `initialize` or `server/discover` for a server of which nothing is known yet: its
    lists may change."""
    info = edit(b"{}", {"name": quote(name), "version": b'""'})
    if method == "initialize":
        return _initialize(_revision(asked), _LISTS_CHANGE, info)
    return _discover(_LISTS_CHANGE, info)


def _revision(asked: str) -> str:
    return asked if asked in LEGACY_REVISIONS else NEWEST_LEGACY


def _initialize(revision: str, can: bytes, info: bytes, text: str = "") -> bytes:
    hello = {"protocolVersion": quote(revision), "capabilities": can, "serverInfo": info}
    return edit(b"{}", {**hello, "instructions": quote(text) if text else None})


def _discover(can: bytes, info: bytes, text: str = "") -> bytes:
    versions = msgspec.json.encode([MODERN_REVISION, *LEGACY_REVISIONS])
    found = {
        "supportedVersions": versions,
        "capabilities": can,
        "_meta": edit(b"{}", {SERVER_INFO_KEY: info}),
    }
    result = edit(b"{}", {**found, "instructions": quote(text) if text else None})
    return modern_result("server/discover", result)
