"""Format what a tool returned, for MCP and for callers without MCP. Pure.

A function's answer is `{"result": v}`; of several values `{"result0": …, "result1": …}`; of none `{}`; a
failure is `{"error": "message"}`. REST, CGI and `deskbell call` give these bytes; in MCP they are the text,
and of an answer also `structuredContent`. Prose is sent as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.translate import FAILURE_KEY, TOO_LATE

T = TypeVar("T")

BAD_ARGUMENTS = "arguments"
UNREACHABLE = "network"
NOT_FOUND = "not found"  # an account or a post, not the function
_STATUS = {BAD_ARGUMENTS: 400, TOO_LATE: 504}
_EXIT_CODES = {400: 1, 404: 3, 504: 4, UNREACHABLE: 2, NOT_FOUND: 3}  # HTTP status or reason → exit code
_REJECTED = (
    f"MCP error {jsonrpc.INVALID_PARAMS}",
    "Input validation error",
)  # how texts of the official SDKs begin
_CODES = {jsonrpc.INVALID_PARAMS: 400, jsonrpc.UNANSWERED: 504}


class Prose(str):
    """Markdown for a model or a person, sent as text and not as JSON."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Report(Generic[T]):
    """One result in two forms: text for a model, and data for a program."""

    prose: str
    data: T


class Values(tuple[Any, ...]):
    """The values of an answer, as many as the function declares."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CallResult:
    """The result of a call for a caller without MCP: `body` is JSON, `text` is for a terminal."""

    status: int
    body: bytes
    text: str = ""
    why: str = ""  # UNREACHABLE and the like, if a built-in tool gave the reason of its failure

    @property
    def failed(self) -> bool:
        return self.status >= 400

    @property
    def exit_code(self) -> int:
        """The exit code of `deskbell call`."""
        return _EXIT_CODES.get(self.why) or _EXIT_CODES.get(self.status, 5 if self.failed else 0)


# --- the value of a built-in tool → MCP ------------------------------------------------------------------


def result_of(value: object) -> dict[str, Any]:
    """Return the result of tools/call. Raises TypeError for a value that JSON cannot hold."""
    if isinstance(value, Prose):
        return {"content": _text(value)}
    if isinstance(value, Report):
        data = msgspec.json.encode(named([value.data]))
        return {"content": _text(value.prose), "structuredContent": msgspec.Raw(data)}
    if type(value) is not tuple and not isinstance(value, Values):
        value = () if value is None else (value,)
    answer = msgspec.json.encode(named(value))
    return {"content": _text(answer.decode()), "structuredContent": msgspec.Raw(answer)}


def failure_of(message: str, why: str = "", *, prose: bool = False) -> dict[str, Any]:
    """Return a failed result of tools/call: the bytes that REST replies, or the message as prose."""
    failure = failed(500, message)
    result: dict[str, Any] = {
        "content": _text(failure.text if prose else failure.body.decode()),
        "isError": True,
    }
    return {**result, "_meta": {FAILURE_KEY: why}} if why else result


def named(values: Sequence[Any]) -> dict[str, Any]:
    """Return the answer with these values."""
    if len(values) == 1:
        return {"result": values[0]}
    return {f"result{number}": value for number, value in enumerate(values)}


def _text(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": str(text)}]  # str(): not a subclass


# --- the reply of any server → REST, CGI, command line ---------------------------------------------------


class _Block(msgspec.Struct, frozen=True):
    type: str = ""
    text: str = ""


class _Result(msgspec.Struct, frozen=True, rename="camel"):
    content: msgspec.Raw = jsonrpc.ABSENT
    structured_content: msgspec.Raw = jsonrpc.ABSENT
    is_error: bool = False
    meta: dict[str, Any] = msgspec.field(default={}, name="_meta")


class ErrorObject(msgspec.Struct, frozen=True):
    """The `error` member of a JSON-RPC response."""

    code: int = 0
    message: str = ""


def call_result(reply: jsonrpc.Envelope) -> CallResult:
    """Convert a reply to tools/call for a caller without MCP."""
    try:
        if len(reply.error):
            error = jsonrpc.read(ErrorObject, reply.error)
            return failed(_CODES.get(error.code, 500), error.message)
        return _read(jsonrpc.read(_Result, reply.result))
    except jsonrpc.Malformed as error:
        return failed(500, f"The server sent an invalid answer: {error}.")


def failed(status: int, message: str, why: str = "") -> CallResult:
    text = str(message) or "The function failed and did not say why."
    return CallResult(status, msgspec.json.encode({"error": text}), text, why)


class _Failure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    error: str


def failure_message(text: str) -> str:
    """Return the message in `{"error": "message"}`; any other text unchanged."""
    try:
        return msgspec.json.decode(text, type=_Failure).error if text.startswith("{") else text
    except (msgspec.DecodeError, RecursionError):
        return text


def _read(result: _Result) -> CallResult:
    blocks = jsonrpc.elements(result.content) if len(result.content) else []
    texts = [block.text for block in (jsonrpc.read(_Block, raw) for raw in blocks) if block.type == "text"]
    text = "\n".join(texts)
    if result.is_error:
        status = 400 if text.startswith(_REJECTED) else 500
        why = str(result.meta.get(FAILURE_KEY, ""))
        return failed(_STATUS.get(why, status), failure_message(text), why)
    if jsonrpc.is_object(result.structured_content):
        body = _wrapped(result.structured_content)
    else:
        body = _joined([_value(raw) for raw in blocks])
    body = msgspec.json.format(body, indent=-1)
    is_text = texts and len(texts) == len(blocks) and text.encode() != body
    return CallResult(200, body, text if is_text else as_text(body))


def _wrapped(content: bytes | msgspec.Raw) -> bytes:
    """Return an answer unchanged; wrap any other object as `result`. (Some SDKs send answers.)"""
    if is_answer(jsonrpc.members(content)):
        return bytes(content)
    return jsonrpc.edit(b"{}", {"result": bytes(content)})


def as_text(answer: bytes) -> str:
    """Format an answer for a terminal: strings as they are, other values as JSON."""
    return "\n".join(
        jsonrpc.read(str, raw)
        if bytes(raw)[:1] == b'"'
        else msgspec.json.format(bytes(raw), indent=2).decode()
        for raw in jsonrpc.members(answer).values()
    )


def is_answer(names: Collection[str]) -> bool:
    """True if these are the member names of an answer."""
    return set(names) in ({"result"}, {f"result{number}" for number in range(len(names))})


def _joined(values: Sequence[bytes]) -> bytes:
    names: Iterable[str] = named(range(len(values)))
    return jsonrpc.edit(b"{}", dict(zip(names, values, strict=True)))


def _value(block: bytes) -> bytes:
    """Return the string of a text block; any other block as it is."""
    known: Mapping[str, msgspec.Raw] = jsonrpc.members(block)
    text = known.get("text", jsonrpc.ABSENT)
    return bytes(text) if jsonrpc.read(_Block, block).type == "text" and len(text) else block
