"""Identify hosts (HostIdentity) and find out a server's era (Handshake). Pure.

A handshake tries the host's own era first, so that a server of both eras needs no translation; any other
reply makes it try the other era. If both fail, the first failure is reported.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec import Raw

from bridge.core.protocol.capabilities import NOT_YET, abilities, with_elicitation
from bridge.core.protocol.jsonrpc import (
    ABSENT,
    INTERNAL_ERROR,
    Envelope,
    Malformed,
    edit,
    error_body,
    members,
    quote,
    read,
    read_error,
    request,
)
from bridge.core.protocol.revisions import (
    LEGACY_REVISIONS,
    MODERN_REVISION,
    NEWEST_LEGACY,
    SERVER_INFO_KEY,
    TASKS_EXTENSION,
    UNSUPPORTED_VERSION,
    Era,
)
from bridge.core.protocol.translate import Meta, modern_params, modern_result
from bridge.core.questions.question import Mode
from bridge.i18n import Words, say

PATIENCE = 2.0  # seconds for a reply to `server/discover`: legacy servers may ignore it, or hang from then on
_PYTHON_SDKS = (  # members as mcp 2.0–2.3 and FastMCP 4.0–4.1 write them; other SDKs order them otherwise
    ("cacheScope", "capabilities", "resultType", "supportedVersions", "ttlMs", "_meta"),
    ("_meta", "ttlMs", "cacheScope", "supportedVersions", "capabilities", "resultType"),
)
_NONSENSE = say("The server's reply to the handshake is not valid.")


def unanswered(server: str, limit: float) -> Words:
    return say("{server} did not answer within {limit} seconds.", server=server, limit=f"{limit:g}")


class ServerIdentity(msgspec.Struct, frozen=True):
    """A server's reply to `initialize` or `server/discover`."""

    era: Era
    result: bytes
    revision: str
    capabilities: frozenset[str]

    def has(self, capability: str) -> bool:
        return capability in self.capabilities

    @property
    def info(self) -> bytes | Raw:
        """The server's `serverInfo`; b"" if there is none."""
        result = members(self.result)
        if self.era is Era.LEGACY:
            return result.get("serverInfo", b"")
        return members(result.get("_meta", b"")).get(SERVER_INFO_KEY, b"")

    @property
    def asks_in_legacy_only(self) -> bool:
        """True for a server with the Python SDK 2 or FastMCP 4, by the order of its reply to
        `server/discover`: it knows both eras, and `ctx.elicit` and sampling work in the legacy one only. One
        that offers the tasks extension is written for the modern era, where alone that exists."""
        reply = members(self.result)
        known = tuple(name for name in reply if name != "instructions")
        return self.era is Era.MODERN and known in _PYTHON_SDKS and not _has_tasks(reply["capabilities"])


class Handshake:
    """`presence`: the host as its server sees it. `postponed`: the era that was tried first got no reply."""

    def __init__(self, presence: HostIdentity) -> None:
        self.presence = presence
        self.postponed = False
        self._tries = [Era.LEGACY, Era.MODERN] if presence.era is Era.LEGACY else [Era.MODERN, Era.LEGACY]
        self.problem = b""
        self._insisted = False

    @property
    def is_last_try(self) -> bool:
        """True if there is no other era to try."""
        return len(self._tries) < 2 or self._tries[0] is Era.LEGACY

    def next_request(self, request_id: bytes) -> bytes:
        """Return the request to send now."""
        host = self.presence
        if self._tries[0] is Era.LEGACY:
            params = initialize_params(host.capabilities, host.info, host.hello)
            return request(request_id, "initialize", params)
        return request(request_id, "server/discover", modern_params(b"", host.capabilities, host.info))

    def receive(self, envelope: Envelope) -> ServerIdentity | None:
        """Read the reply; None: send `next_request`, unless `exhausted`."""
        era = self._tries[0]
        try:
            if len(envelope.result):
                reply = read(_Introduction, envelope.result)
                result, can = edit(envelope.result, {}), frozenset(reply.capabilities)
                if era is Era.LEGACY and reply.protocol_version:
                    return ServerIdentity(era, result, reply.protocol_version, can)
                if era is Era.MODERN and MODERN_REVISION in reply.supported_versions:
                    return ServerIdentity(era, result, MODERN_REVISION, can)
        except Malformed:
            pass
        if era is Era.MODERN and not self._insisted and _offers_modern(envelope.error):
            self._insisted = True  # the server refused the revision but lists it as supported: retry once
        else:
            has_reason = _message(envelope.error)
            problem = bytes(envelope.error) if has_reason else error_body(INTERNAL_ERROR, _NONSENSE)
            self.problem = self.problem or problem  # the first one is reported
            self._tries.pop(0)
        return None

    def postpone(self) -> None:
        """Try the other era first and this one again afterwards: no reply arrived yet. A server that is slow
        to start then receives both requests at once."""
        self.postponed = True
        self._tries.append(self._tries.pop(0))

    @property
    def first(self) -> Era:
        """The era that is tried first."""
        return self.presence.era

    @property
    def exhausted(self) -> bool:
        return not self._tries

    @property
    def problem_text(self) -> str:
        """Return the problem's message."""
        message = _message(self.problem)
        return _NONSENSE if message == _NONSENSE else message


class _Introduction(msgspec.Struct, rename="camel"):
    """The members read from both eras' replies; the rest must only be valid JSON."""

    protocol_version: str = ""
    supported_versions: list[str] = []
    capabilities: dict[str, Raw] = {}
    meta: dict[str, Raw] = msgspec.field(default_factory=dict, name="_meta")


class _Versions(msgspec.Struct, frozen=True):
    supported: list[str] = []


def _offers_modern(error: Raw) -> bool:
    body = read_error(error)
    return body.code == UNSUPPORTED_VERSION and MODERN_REVISION in body.read_data(_Versions).supported


def _message(error: bytes | Raw) -> str:
    message = read_error(error).message
    return message if isinstance(message, str) else ""


_NAMELESS = b'{"name":"","version":""}'


class PeerInfo(msgspec.Struct, frozen=True):
    """Name, title and version a peer declares; for display only."""

    name: str = ""
    title: str = ""
    version: str = ""


class InitializeParams(msgspec.Struct, frozen=True, rename="camel"):
    """The members of `initialize` that are read."""

    protocol_version: str = ""
    capabilities: Raw = ABSENT
    client_info: Raw = ABSENT


def initialize_params(capabilities: bytes, info: bytes | Raw, hello: bytes | Raw = b"") -> bytes:
    """Return params of our `initialize` to a server, in the host's name.

    For an older host, too, the newest legacy revision is requested: elicitation exists since 2025-06-18.
    """
    return edit(
        hello,
        {
            "protocolVersion": quote(NEWEST_LEGACY),
            "capabilities": with_elicitation(capabilities),
            "clientInfo": bytes(info) or b'{"name":"deskbell","version":"0"}',
        },
    )


def initialize_answer(result: bytes | Raw, asked: str) -> bytes | Raw:
    """Return a server's `initialize` result with the older of its revision and the host's, `asked`."""
    offered = bytes(members(result).get("protocolVersion", b""))
    if asked in LEGACY_REVISIONS and quote(asked) < offered:
        return edit(result, {"protocolVersion": quote(asked)})
    return result


def initialize_from_discover(discovered: bytes | Raw, asked: str) -> bytes:
    """Return an `initialize` result for a legacy host, made of a modern server's `server/discover`."""
    found = members(discovered)
    info = members(found.get("_meta", b"")).get(SERVER_INFO_KEY, _NAMELESS)
    revision = asked if asked in LEGACY_REVISIONS else NEWEST_LEGACY
    return edit(b"{}", {"protocolVersion": quote(revision), "serverInfo": bytes(info), **_common(found)})


def discover_from_initialize(initialized: bytes | Raw) -> bytes:
    """Return a `server/discover` result for a modern host, made of a legacy server's `initialize`."""
    found = members(initialized)
    meta = edit(b"{}", {SERVER_INFO_KEY: bytes(found.get("serverInfo", b"{}"))})
    versions = msgspec.json.encode([MODERN_REVISION, *LEGACY_REVISIONS])
    answer = edit(b"{}", {"supportedVersions": versions, "_meta": meta, **_common(found)})
    return modern_result("server/discover", answer)


def _common(found: dict[str, Raw]) -> dict[str, bytes | None]:
    """Return the members that both eras' introductions have."""
    instructions = found.get("instructions")
    return {
        "capabilities": bytes(found.get("capabilities", b"{}")),
        "instructions": None if instructions is None else bytes(instructions),
    }


class HostIdentity(NamedTuple):
    """What a host declares about itself, in either era."""

    era: Era
    revision: str
    who: PeerInfo
    info: bytes
    capabilities: bytes
    can: frozenset[Mode]
    hello: bytes = b""  # a legacy host's initialize params
    tasks: bool = False  # a modern one's calls may become tasks


def host_from_initialize(params: bytes | Raw) -> HostIdentity:
    """Identify a legacy host by its `initialize`."""
    hello = read(InitializeParams, params)
    capabilities = bytes(hello.capabilities)
    can = abilities(capabilities) - NOT_YET.get(hello.protocol_version, frozenset()) | {Mode.OTHER}
    who = read(PeerInfo, hello.client_info)
    info, words = bytes(hello.client_info), bytes(params)
    return _repeatable(HostIdentity(Era.LEGACY, hello.protocol_version, who, info, capabilities, can, words))


def host_from_meta(meta: Meta) -> HostIdentity:
    """Identify a modern host by the `_meta` of any of its requests."""
    capabilities = bytes(meta.capabilities)
    can, who = abilities(capabilities), read(PeerInfo, meta.info)
    lasting = _has_tasks(capabilities)
    host = HostIdentity(Era.MODERN, meta.version, who, bytes(meta.info), capabilities, can, tasks=lasting)
    return _repeatable(host)


def _has_tasks(capabilities: bytes | Raw) -> bool:
    """True if the modern era's tasks extension is among a peer's capabilities."""
    return TASKS_EXTENSION in members(members(capabilities).get("extensions", b""))


def _repeatable(presence: HostIdentity) -> HostIdentity:
    """Raise Malformed if the host's own JSON repeats a key: it could not be forwarded to servers."""
    initialize_params(presence.capabilities, presence.info, presence.hello)
    return presence


ANONYMOUS_HOST = HostIdentity(Era.LEGACY, "", PeerInfo(), b"", b"", frozenset())
