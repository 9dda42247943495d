"""Identify hosts (HostIdentity) and find out a server's era (Handshake). Pure.

A handshake tries the host's own era first, so that a server of both eras needs no translation; any other
reply makes it try the other era. If both fail, the first failure is reported.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec import Raw

from bridge.core.protocol import jsonrpc, revisions, translate
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
    request,
)
from bridge.core.protocol.revisions import (
    LEGACY_REVISIONS,
    MODERN_REVISION,
    NEWEST_LEGACY,
    SERVER_INFO_KEY,
    TASKS_EXTENSION,
    Era,
)
from bridge.core.protocol.translate import Meta, modern_result
from bridge.core.questions.question import Mode
from bridge.i18n import Words, say

PATIENCE = 10.0  # seconds for a reply to `server/discover`: legacy servers may ignore unknown methods
_NONSENSE = say("The server's introduction makes no sense.")


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


class Handshake:
    def __init__(self, presence: HostIdentity) -> None:
        self._presence = presence
        self._tries = [Era.LEGACY, Era.MODERN] if presence.era is Era.LEGACY else [Era.MODERN, Era.LEGACY]
        self.problem = b""
        self._insisted = False

    @property
    def is_last_try(self) -> bool:
        """True if waiting is all that is left: no other era to try."""
        return len(self._tries) < 2 or self._tries[0] is Era.LEGACY

    def next_request(self, request_id: bytes) -> bytes:
        """Return the request to send now."""
        host = self._presence
        if self._tries[0] is Era.LEGACY:
            params = initialize_params(host.capabilities, host.info, host.hello)
            return request(request_id, "initialize", params)
        return request(
            request_id, "server/discover", translate.modern_params(b"", host.capabilities, host.info)
        )

    def receive(self, envelope: Envelope) -> ServerIdentity | None:
        """Read the reply; None: send `next_request`, unless `exhausted`."""
        era = self._tries[0]
        try:
            if len(envelope.result):
                said = jsonrpc.read(_Said, envelope.result)
                result, can = edit(envelope.result, {}), frozenset(said.capabilities)
                if era is Era.LEGACY and said.protocol_version:
                    return ServerIdentity(era, result, said.protocol_version, can)
                if era is Era.MODERN and revisions.MODERN_REVISION in said.supported_versions:
                    return ServerIdentity(era, result, revisions.MODERN_REVISION, can)
        except Malformed:
            pass
        if era is Era.MODERN and not self._insisted and _offers_modern(envelope.error):
            self._insisted = True  # it refused the revision but lists it as supported: retry once
        else:
            self.give_up(_problem(envelope.error))
        return None

    def give_up(self, problem: bytes) -> None:
        """Drop the current era; keep the first problem."""
        self.problem = self.problem or problem
        self._tries.pop(0)

    def postpone(self) -> None:
        """Try the other era first and this one again afterwards: no reply arrived yet. A server that is slow
        to start then receives both requests at once."""
        self._tries.append(self._tries.pop(0))

    @property
    def exhausted(self) -> bool:
        return not self._tries

    @property
    def problem_text(self) -> str:
        """Return the problem's message."""
        said = jsonrpc.read(_Complaint, self.problem).message
        return _NONSENSE if said == _NONSENSE else said


class _Said(msgspec.Struct, rename="camel"):
    """The members read from both eras' replies; the rest must only be valid JSON."""

    protocol_version: str = ""
    supported_versions: list[str] = []
    capabilities: dict[str, msgspec.Raw] = {}
    meta: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict, name="_meta")


class _Complaint(msgspec.Struct):
    message: str = ""


class _Versions(msgspec.Struct, frozen=True):
    supported: list[str] = []


class _Refused(msgspec.Struct, frozen=True):
    code: int = 0
    data: _Versions = _Versions()


def _offers_modern(error: bytes | msgspec.Raw) -> bool:
    try:
        refused = jsonrpc.read(_Refused, error)
    except Malformed:
        return False
    return (
        refused.code == revisions.UNSUPPORTED_VERSION and revisions.MODERN_REVISION in refused.data.supported
    )


def _problem(error: bytes | msgspec.Raw) -> bytes:
    """Return the server's error if it has a message, else one of our own."""
    try:
        if jsonrpc.read(_Complaint, error).message:
            return bytes(error)
    except Malformed:
        pass
    return error_body(INTERNAL_ERROR, _NONSENSE)


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


def initialize_params(capabilities: bytes | Raw, info: bytes | Raw, hello: bytes | Raw = b"") -> bytes:
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
    said = members(result).get("protocolVersion", ABSENT)
    if asked in LEGACY_REVISIONS and quote(asked) < bytes(said):
        return edit(result, {"protocolVersion": quote(asked)})
    return result


def initialize_from_discover(discovered: bytes | Raw, asked: str) -> bytes:
    """Return an `initialize` result for a legacy host, made of a modern server's `server/discover`."""
    found = members(discovered)
    answer: dict[str, bytes | None] = {
        "protocolVersion": quote(asked if asked in LEGACY_REVISIONS else NEWEST_LEGACY),
        "capabilities": bytes(found.get("capabilities", b"{}")),
        "serverInfo": bytes(members(found.get("_meta", b"")).get(SERVER_INFO_KEY, _NAMELESS)),
    }
    if "instructions" in found:
        answer["instructions"] = bytes(found["instructions"])
    return edit(b"{}", answer)


def discover_from_initialize(initialized: bytes | Raw) -> bytes:
    """Return a `server/discover` result for a modern host, made of a legacy server's `initialize`."""
    found = members(initialized)
    answer: dict[str, bytes | None] = {
        "supportedVersions": msgspec.json.encode([MODERN_REVISION, *LEGACY_REVISIONS]),
        "capabilities": bytes(found.get("capabilities", b"{}")),
        "_meta": edit(b"{}", {SERVER_INFO_KEY: bytes(found.get("serverInfo", b"{}"))}),
    }
    if "instructions" in found:
        answer["instructions"] = bytes(found["instructions"])
    return modern_result("server/discover", edit(b"{}", answer))


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
    lasting = TASKS_EXTENSION in members(members(capabilities).get("extensions", b""))
    host = HostIdentity(Era.MODERN, meta.version, who, bytes(meta.info), capabilities, can, tasks=lasting)
    return _repeatable(host)


def _repeatable(presence: HostIdentity) -> HostIdentity:
    """Raise Malformed if the host's own JSON repeats a key: it could not be forwarded to servers."""
    initialize_params(presence.capabilities, presence.info, presence.hello)
    return presence


ANONYMOUS_HOST = HostIdentity(Era.LEGACY, "", PeerInfo(), b"", b"", frozenset())
