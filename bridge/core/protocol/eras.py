"""The two eras of MCP, 2024-11-05…2025-11-25 and 2026-07-28, and how to say one thing in the other's words.

Pure module: wire forms in, wire forms out. Who talks to whom, and when, is decided elsewhere.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, NamedTuple, TypeVar, cast

import msgspec
from msgspec import Raw

from bridge.core.protocol.jsonrpc import (
    ABSENT,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Made,
    Malformed,
    Outcome,
    edit,
    envelope_of,
    is_object,
    members,
    quote,
)
from bridge.core.questions.question import Mode, Question

T = TypeVar("T")

LEGACY_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
NEWEST_LEGACY = LEGACY_REVISIONS[-1]
MODERN_REVISION = "2026-07-28"

_PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = _PREFIX + "protocolVersion"
CAPABILITIES_KEY = _PREFIX + "clientCapabilities"
INFO_KEY = _PREFIX + "clientInfo"
SERVER_INFO_KEY = _PREFIX + "serverInfo"
LOG_KEY = _PREFIX + "logLevel"
_ENVELOPE = (VERSION_KEY, CAPABILITIES_KEY, INFO_KEY, LOG_KEY)
SUBSCRIPTION_KEY = _PREFIX + "subscriptionId"
TASKS_EXTENSION = _PREFIX + "tasks"

NOT_YET = {  # ways to elicit that a revision does not have, whatever a host of it declares
    "2024-11-05": frozenset({Mode.FORM, Mode.URL}),
    "2025-03-26": frozenset({Mode.FORM, Mode.URL}),
    "2025-06-18": frozenset({Mode.URL}),
}
UNSUPPORTED_VERSION = -32022
NO_RESOURCE = -32002  # legacy only; the modern era says INVALID_PARAMS
RESUMABLE = frozenset({"tools/call", "prompts/get", "resources/read"})  # may return input_required
_CACHEABLE = frozenset(
    {"tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"}
)
REMOVED = frozenset(  # from the modern era
    {"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"}
)
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_NAMELESS = b'{"name":"","version":""}'
ASKING_METHODS = {"sampling/createMessage": Mode.SAMPLING, "roots/list": Mode.ROOTS}


class Era(Enum):
    LEGACY = "legacy"
    MODERN = "modern"


LEGACY, MODERN = Era.LEGACY, Era.MODERN  # named once: see core/routing/exchange.py
_IS_ERROR = re.compile(rb'"isError"\s*:\s*true')
_NEAR = 4_096  # bytes from either end of a result, where it says how it went


class Who(msgspec.Struct, frozen=True):
    """What a peer says of itself; for display only."""

    name: str = ""
    title: str = ""
    version: str = ""


class Hello(msgspec.Struct, frozen=True, rename="camel"):
    """The parts of a host's `initialize` that we read."""

    protocol_version: str = ""
    capabilities: Raw = ABSENT
    client_info: Raw = ABSENT


class Meta(msgspec.Struct, frozen=True):
    """The parts of `params._meta` that we read."""

    progress_token: Raw = msgspec.field(default=ABSENT, name="progressToken")
    version: str = msgspec.field(default="", name=VERSION_KEY)
    capabilities: Raw = msgspec.field(default=ABSENT, name=CAPABILITIES_KEY)
    info: Raw = msgspec.field(default=ABSENT, name=INFO_KEY)
    log_level: str = msgspec.field(default="", name=LOG_KEY)


class Params(msgspec.Struct, frozen=True, rename="camel"):
    """The parts of a host's request that we read; `arguments` stays raw."""

    meta: Meta = msgspec.field(default=Meta(), name="_meta")
    name: str = ""
    uri: str = ""
    arguments: Raw = ABSENT
    input_responses: Raw = ABSENT
    request_state: str | None = None
    task: Raw = ABSENT


class Returned(msgspec.Struct, frozen=True, rename="camel"):
    """A result that may be `input_required`."""

    result_type: str = "complete"
    input_requests: dict[str, Raw] = {}
    request_state: Raw = ABSENT


class Inquiry(msgspec.Struct, frozen=True):
    """A server's request to its host, in either era."""

    method: str = ""
    params: Raw = ABSENT


class _Elicitation(msgspec.Struct, frozen=True, rename="camel"):
    mode: str = "form"
    message: str = ""
    requested_schema: Raw = ABSENT
    url: str = ""
    elicitation_id: str = ""


class _Reply(msgspec.Struct, frozen=True):
    action: str = ""


class _Failure(msgspec.Struct, frozen=True):
    code: int = 0


class _Level(msgspec.Struct, frozen=True):
    level: str = ""


_decoders: dict[type, msgspec.json.Decoder[Any]] = {}


def read(kind: type[T], data: bytes | Raw) -> T:
    """`data` as `kind`; absent data reads as an empty object."""
    decoder = _decoders.get(kind) or _decoders.setdefault(kind, msgspec.json.Decoder(kind))
    try:
        return cast(T, decoder.decode(data if len(data) else b"{}"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(str(error)) from error


# --- what a host can -------------------------------------------------------------------------------------


def abilities(capabilities: bytes | Raw) -> frozenset[Mode]:
    """Which Questions a host says it can answer itself. `elicitation: {}` means forms only."""
    declared = members(capabilities)
    can: set[Mode] = set()
    if "elicitation" in declared:
        modes = members(declared["elicitation"])
        if "form" in modes or "url" not in modes:
            can.add(Mode.FORM)
        if "url" in modes:
            can.add(Mode.URL)
    can |= {mode for name, mode in (("sampling", Mode.SAMPLING), ("roots", Mode.ROOTS)) if name in declared}
    return frozenset(can)


def widened(capabilities: bytes | Raw) -> bytes:
    """Capabilities as we declare them upstream: the host's own, and every way to elicit."""
    if {Mode.FORM, Mode.URL} <= abilities(capabilities):
        return bytes(capabilities)
    elicitation = edit(members(capabilities).get("elicitation", b"{}"), {"form": b"{}", "url": b"{}"})
    return edit(capabilities, {"elicitation": elicitation})


def without_own_tasks(capabilities: bytes | Raw, any_kind: bool) -> bytes:
    """The same host, that makes no tasks of what it is asked (2025-11-25): of nothing, or not of elicitation,
    where we may answer instead of the host."""
    own = members(capabilities).get("tasks", b"{}") if len(capabilities) else b"{}"
    asked = members(own).get("requests", b"{}") if is_object(own) else b"{}"
    if any_kind or not is_object(asked):
        return edit(capabilities, {"tasks": None})
    if "elicitation" not in members(asked):
        return bytes(capabilities)
    requests = edit(asked, {"elicitation": None})
    return edit(capabilities, {"tasks": edit(own, {"requests": requests})})


# --- saying hello ----------------------------------------------------------------------------------------


def initialize_params(capabilities: bytes | Raw, info: bytes | Raw, hello: bytes | Raw = b"") -> bytes:
    """Our `initialize` to an upstream, in the host's name.

    An older host still gets the newest legacy revision upstream: before 2025-06-18 nobody could elicit.
    """
    return edit(
        hello,
        {
            "protocolVersion": quote(NEWEST_LEGACY),
            "capabilities": widened(capabilities),
            "clientInfo": bytes(info) or b'{"name":"deskbell","version":"0"}',
        },
    )


def initialize_answer(result: bytes | Raw, asked: str) -> bytes | Raw:
    """An upstream's `initialize` result for a host that asked for revision `asked`: the older of both."""
    said = members(result).get("protocolVersion", ABSENT)
    if asked in LEGACY_REVISIONS and quote(asked) < bytes(said):
        return edit(result, {"protocolVersion": quote(asked)})
    return result


def initialize_from_discover(discovered: bytes | Raw, asked: str) -> bytes:
    """A modern upstream introduces itself to a legacy host."""
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
    """A legacy upstream introduces itself to a modern host."""
    found = members(initialized)
    answer: dict[str, bytes | None] = {
        "supportedVersions": msgspec.json.encode([MODERN_REVISION, *LEGACY_REVISIONS]),
        "capabilities": bytes(found.get("capabilities", b"{}")),
        "_meta": edit(b"{}", {SERVER_INFO_KEY: bytes(found.get("serverInfo", b"{}"))}),
    }
    if "instructions" in found:
        answer["instructions"] = bytes(found["instructions"])
    return modern_result("server/discover", edit(b"{}", answer))


# --- requests and results --------------------------------------------------------------------------------


def modern_params(
    params: bytes | Raw, capabilities: bytes | Raw, info: bytes | Raw, level: str = ""
) -> bytes:
    """A request's params as the modern era wants them, speaking for this host."""
    meta: dict[str, bytes | None] = {
        VERSION_KEY: quote(MODERN_REVISION),
        CAPABILITIES_KEY: widened(capabilities),
    }
    if len(info):
        meta[INFO_KEY] = bytes(info)
    if level:
        meta[LOG_KEY] = quote(level)
    return edit(params, {"_meta": edit(members(params).get("_meta", b""), meta)})


def legacy_params(params: bytes | Raw) -> bytes:
    """A modern host's params without what it says of itself in each: a legacy server has heard it before, and
    may refuse it (the mcp SDK does)."""
    meta = edit(members(params).get("_meta", b""), dict.fromkeys(_ENVELOPE))
    return edit(params, {"_meta": meta if members(meta) else None})


def retry_params(params: bytes | Raw, answers: dict[str, bytes], ticket: bytes | Raw) -> bytes:
    """The same request once more, with what the upstream asked for. Its ticket goes back verbatim."""
    responses = edit(b"{}", dict(answers)) if answers else None
    state = bytes(ticket) if len(ticket) else None
    return edit(params, {"inputResponses": responses, "requestState": state})


def modern_result(method: str, result: bytes | Raw) -> bytes:
    """A legacy result with what a modern host requires of it."""
    found = members(result)
    extra = {"resultType": b'"complete"'}
    if method in _CACHEABLE or method == "server/discover":
        extra |= {"ttlMs": b"0", "cacheScope": b'"private"'}
    return edit(result, {name: value for name, value in extra.items() if name not in found})


def legacy_result(result: bytes | Raw) -> bytes | None:
    """A modern result without what only the modern era knows; None: there is nothing of it."""
    kind = members(result).get("resultType") if is_object(result) else None
    return edit(result, {"resultType": None}) if kind is not None and bytes(kind) == b'"complete"' else None


def resource_error(error: bytes | Raw, era: Era) -> bytes | None:
    """What a read of a resource that is not there failed with, in the words of `era`; None: as it is."""
    other, own = (INVALID_PARAMS, NO_RESOURCE) if era is Era.LEGACY else (NO_RESOURCE, INVALID_PARAMS)
    try:
        return edit(error, {"code": b"%d" % own}) if read(_Failure, error).code == other else None
    except Malformed:
        return None


def loud_enough(note: bytes | Raw, level: str) -> bool:
    """Is this log message for someone who wants `level` and above? What is not a known level is."""
    said = read(_Level, note).level
    return said not in LEVELS or level not in LEVELS or LEVELS.index(said) >= LEVELS.index(level)


def log_level(params: bytes | Raw) -> str:
    """Which level a host's `logging/setLevel` wants."""
    return read(_Level, params).level


def loudest(levels: list[str]) -> str:
    """The level that brings each of these its messages; of none that is known, the first."""
    known = [one for one in levels if one in LEVELS]
    return min(known, key=LEVELS.index) if known else levels[0]


def input_request(asked: Asked) -> bytes:
    """One member of `inputRequests`."""
    params = b',"params":' + asked.params if asked.params else b""
    return b'{"method":' + quote(asked.method) + params + b"}"


def input_required(requests: dict[str, bytes], ticket: str) -> bytes:
    """Our own `input_required` result, to a modern host."""
    return edit(
        b'{"resultType":"input_required"}',
        {"inputRequests": edit(b"{}", dict(requests)), "requestState": quote(ticket)},
    )


# --- questions -------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A server's inquiry: what we would show, and what it said word for word."""

    question: Question
    method: str
    params: bytes


def asked(inquiry: Inquiry, question_id: str, server: str, host: str) -> Asked:
    """A server's request as a Question. Missing `mode` is a form (2025-11-25); an unknown one is OTHER."""
    params = bytes(inquiry.params)
    if inquiry.method != "elicitation/create":
        mode = ASKING_METHODS.get(inquiry.method, Mode.OTHER)
        return Asked(Question(question_id, mode, server, host), inquiry.method, params)
    said = read(_Elicitation, params)
    mode = Mode(said.mode) if said.mode in (Mode.FORM, Mode.URL) else Mode.OTHER
    question = Question(
        question_id,
        mode,
        server,
        host,
        said.message,
        schema=bytes(said.requested_schema),
        url=said.url,
        elicitation_id=said.elicitation_id,
    )
    return Asked(question, inquiry.method, params)


def for_legacy_host(inquiry: Asked) -> Asked:
    """The same for a legacy host, where a link to be opened has an id (2025-11-25)."""
    question = inquiry.question
    if question.mode is not Mode.URL or question.elicitation_id:
        return inquiry
    return inquiry._replace(params=edit(inquiry.params, {"elicitationId": quote(question.id)}))


def for_modern_host(inquiry: Asked) -> Asked:
    """The same for a modern host, where a link has no id."""
    if not inquiry.question.elicitation_id:
        return inquiry
    return inquiry._replace(params=edit(inquiry.params, {"elicitationId": None}))


def cannot_ask(error: bytes | Raw) -> bool:
    """Does a host refuse a Question because it cannot show it? Then nobody has seen it."""
    try:
        return read(_Failure, error).code in (METHOD_NOT_FOUND, INVALID_PARAMS)
    except Malformed:
        return False


def accepted(answer: bytes) -> bool:
    """Is this ElicitResult a yes?"""
    try:
        return read(_Reply, answer).action == "accept"
    except Malformed:
        return False


def said_no(text: str, era: Era) -> Outcome:
    """A tool result that tells the model, in words, that the call was not made."""
    result = msgspec.json.encode({"content": [{"type": "text", "text": str(text)}], "isError": True})
    return Made(modern_result("tools/call", result) if era is MODERN else result)


def seems_to_have_failed(reply: bytes) -> bool:
    """Is this response to tools/call a result that calls itself an error? For history.

    In a long one it would take longer to look everywhere than all else that is done with it. SDKs write it
    first or last, so that only one between two long members is overlooked.
    """
    ends = reply if len(reply) <= 2 * _NEAR else reply[:_NEAR] + reply[-_NEAR:]
    if _IS_ERROR.search(ends) is None:  # nearly always: nothing is decoded
        return False
    envelope = envelope_of(reply)
    return envelope is not None and says_it_failed(envelope.result)


def says_it_failed(result: bytes | Raw) -> bool:
    """Does this result of tools/call call itself an error?"""
    try:
        return bytes(members(result).get("isError", b"")) == b"true"
    except Malformed:
        return False


class Presence(NamedTuple):
    """One host as it introduced itself, in either era."""

    era: Era
    revision: str
    who: Who
    info: bytes
    capabilities: bytes
    can: frozenset[Mode]
    hello: bytes = b""  # a legacy host's initialize params
    tasks: bool = False  # a modern one's calls may become tasks


def greeted(params: bytes | Raw) -> Presence:
    """A legacy host, by its `initialize`."""
    hello = read(Hello, params)
    capabilities = bytes(hello.capabilities)
    can = abilities(capabilities) - NOT_YET.get(hello.protocol_version, frozenset()) | {Mode.OTHER}
    who = read(Who, hello.client_info)
    info, words = bytes(hello.client_info), bytes(params)
    return _repeatable(Presence(Era.LEGACY, hello.protocol_version, who, info, capabilities, can, words))


def presented(meta: Meta) -> Presence:
    """A modern host, by the `_meta` of any of its requests."""
    capabilities = bytes(meta.capabilities)
    can, who = abilities(capabilities), read(Who, meta.info)
    lasting = TASKS_EXTENSION in members(members(capabilities).get("extensions", b""))
    host = Presence(Era.MODERN, meta.version, who, bytes(meta.info), capabilities, can, tasks=lasting)
    return _repeatable(host)


def _repeatable(presence: Presence) -> Presence:
    """A host in whose words a key appears twice is refused: upstream they could not be repeated."""
    initialize_params(presence.capabilities, presence.info, presence.hello)
    return presence


STRANGER = Presence(Era.LEGACY, "", Who(), b"", b"", frozenset())
