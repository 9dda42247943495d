"""Translate params and results between the legacy and the modern era. Pure."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from bridge.core.protocol.capabilities import with_elicitation
from bridge.core.protocol.jsonrpc import (
    ABSENT,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    Malformed,
    Outcome,
    OwnReply,
    edit,
    is_object,
    members,
    own_error,
    quote,
    read_error,
)
from bridge.core.protocol.revisions import (
    CAPABILITIES_KEY,
    ENVELOPE,
    INFO_KEY,
    LOG_KEY,
    MODERN,
    MODERN_REVISION,
    NO_RESOURCE,
    VERSION_KEY,
    Era,
)
from bridge.core.protocol.tool_names import not_found

FAILURE_KEY = "deskbell/failure"  # in `_meta` of a result: why a built-in tool failed
TOO_LATE = "expired"
_CACHEABLE = frozenset(
    {"tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"}
)


class Meta(msgspec.Struct, frozen=True):
    """The members of `params._meta` that are read."""

    progress_token: Raw = msgspec.field(default=ABSENT, name="progressToken")
    version: str = msgspec.field(default="", name=VERSION_KEY)
    capabilities: Raw = msgspec.field(default=ABSENT, name=CAPABILITIES_KEY)
    info: Raw = msgspec.field(default=ABSENT, name=INFO_KEY)
    log_level: str = msgspec.field(default="", name=LOG_KEY)


class Params(msgspec.Struct, frozen=True, rename="camel"):
    """The members of a host's params that are read; `arguments` stays raw."""

    meta: Meta = msgspec.field(default=Meta(), name="_meta")
    name: str = ""
    uri: str = ""
    arguments: Raw = ABSENT
    input_responses: Raw = ABSENT
    request_state: str | None = None
    task: Raw = ABSENT


def modern_params(params: bytes | Raw, capabilities: bytes, info: bytes | Raw, level: str = "") -> bytes:
    """Add the `_meta` that the modern era requires, on behalf of this host."""
    meta: dict[str, bytes | None] = {
        VERSION_KEY: quote(MODERN_REVISION),
        CAPABILITIES_KEY: with_elicitation(capabilities),
    }
    if len(info):
        meta[INFO_KEY] = bytes(info)
    if level:
        meta[LOG_KEY] = quote(level)
    return edit(params, {"_meta": edit(members(params).get("_meta", b""), meta)})


def legacy_params(params: bytes | Raw) -> bytes:
    """Remove the host's identity from `_meta`: legacy servers got it in `initialize`, and may reject it here
    (the mcp SDK does).

    A retry would run the tool a second time, since a legacy server knows none: raises Malformed.
    """
    found = members(params)
    if "requestState" in found or "inputResponses" in found:
        raise Malformed("it is a retry of a request that Deskbell did not return")
    meta = edit(found.get("_meta", b""), dict.fromkeys(ENVELOPE))
    return edit(params, {"_meta": meta if members(meta) else None})


def retry_params(params: bytes | Raw, answers: dict[str, bytes], ticket: bytes | Raw) -> bytes:
    """Return params for a retry with the requested input; the server's `requestState` goes back verbatim."""
    responses = edit(b"{}", dict(answers)) if answers else None
    state = bytes(ticket) if len(ticket) else None
    return edit(params, {"inputResponses": responses, "requestState": state})


def modern_result(method: str, result: bytes | Raw) -> bytes:
    """Add the members that a modern host requires to a legacy result."""
    found = members(result)
    extra = {"resultType": b'"complete"'}
    if method in _CACHEABLE or method == "server/discover":
        extra |= {"ttlMs": b"0", "cacheScope": b'"private"'}
    return edit(result, {name: value for name, value in extra.items() if name not in found})


def legacy_result(result: bytes | Raw) -> bytes | None:
    """Remove members of the modern era from a result; None if there are none."""
    kind = members(result).get("resultType") if is_object(result) else None
    return edit(result, {"resultType": None}) if kind is not None and bytes(kind) == b'"complete"' else None


def resource_error(error: bytes | Raw, era: Era) -> bytes | None:
    """Translate the code for a missing resource into that of `era`; None if nothing changes."""
    other, own = (INVALID_PARAMS, NO_RESOURCE) if era is Era.LEGACY else (NO_RESOURCE, INVALID_PARAMS)
    return edit(error, {"code": b"%d" % own}) if read_error(error).code == other else None


def missing_error(error: bytes | Raw, method: str, own: str, public: str) -> bytes | None:
    """Return the error for a tool or prompt that does not exist with its public name; None for any other."""
    if read_error(error).message != not_found(own, method):
        return None
    return edit(error, {"message": quote(not_found(public, method))})


def refusal(method: str, text: str, era: Era, why: str = "") -> Outcome:
    """Return the reply to a request that is refused: of a tool call a result, for the model to read. `why`:
    for callers with status codes."""
    return refusal_result(text, era, why) if method == "tools/call" else own_error(INTERNAL_ERROR, text)


def refusal_result(text: str, era: Era, why: str = "") -> OwnReply:
    """Return a tool result with `isError` that tells the model why the call was not made."""
    return text_result(text, era, True, why)


def text_result(text: str, era: Era, fails: bool = False, why: str = "") -> OwnReply:
    """Return a tool result of one text.

    Hosts that show structuredContent show the text if there is none. Of a tool with an outputSchema, the SDKs
    accept a result without structuredContent only if it `fails`.
    """
    content: dict[str, object] = {"content": [{"type": "text", "text": str(text)}], "isError": fails}
    result = msgspec.json.encode({**content, "_meta": {FAILURE_KEY: why}} if why else content)
    return OwnReply(modern_result("tools/call", result) if era is MODERN else result)
