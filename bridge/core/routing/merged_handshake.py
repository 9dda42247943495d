"""How Deskbell introduces itself where many servers stand behind one entry. Pure: wire forms out.

Hosts want to be greeted before any server has started: what a server had to say for all its tools is known
from its last introduction.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from bridge.core.protocol import eras
from bridge.core.protocol.eras import (
    LEGACY_REVISIONS,
    MODERN_REVISION,
    NEWEST_LEGACY,
    SERVER_INFO_KEY,
    TASKS_EXTENSION,
)
from bridge.core.protocol.handshake import Introduction
from bridge.core.protocol.jsonrpc import Malformed, edit, quote

INSTRUCTIONS = "instructions"  # under what they are remembered
NONE = b"[]"
LONGEST = 4000  # letters of one server's instructions: they are part of every conversation
_INFO = b'{"name":"deskbell","title":"Deskbell","version":"1"}'
_CAPABILITIES = (
    b'{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},'
    b'"logging":{},"completions":{}}'
)
_TASKS = b'{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}'


class _Said(msgspec.Struct, frozen=True):
    instructions: str = ""


def instructions_of(introduction: Introduction) -> bytes:
    """What is remembered of an introduction: an array of one text, or of none."""
    try:
        said = eras.read(_Said, introduction.result).instructions.strip()
    except Malformed:
        said = ""
    if len(said) > LONGEST:
        said = said[:LONGEST] + "…"
    return msgspec.json.encode([said] if said else [])


def instructions(known: Iterable[tuple[str, bytes]]) -> str:
    """One text out of those of many servers, each under the name that its tools begin with."""
    return "\n\n".join(f"# {server}\n{text}" for server, kept in known for text in _texts(kept))


def _texts(kept: bytes) -> list[str]:
    try:
        return eras.read(list[str], kept)
    except Malformed:  # it was in a file, and who knows what happened to that
        return []


def introduction(asked: str, text: str = "") -> bytes:
    """Our own `initialize` result."""
    revision = asked if asked in LEGACY_REVISIONS else NEWEST_LEGACY
    can = edit(_CAPABILITIES, {"tasks": _TASKS}) if revision == NEWEST_LEGACY else _CAPABILITIES
    hello = {"protocolVersion": quote(revision), "capabilities": can, "serverInfo": _INFO}
    return edit(b"{}", hello | _told(text))


def discovery(text: str = "") -> bytes:
    """Our own `server/discover` result."""
    versions = msgspec.json.encode([MODERN_REVISION, *LEGACY_REVISIONS])
    can = edit(_CAPABILITIES, {"extensions": edit(b"{}", {TASKS_EXTENSION: b"{}"})})
    meta = edit(b"{}", {SERVER_INFO_KEY: _INFO})
    found = edit(b"{}", {"supportedVersions": versions, "capabilities": can, "_meta": meta} | _told(text))
    return eras.modern_result("server/discover", found)


def _told(text: str) -> dict[str, bytes]:
    return {"instructions": quote(text)} if text else {}
