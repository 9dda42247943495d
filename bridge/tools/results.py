"""The response builder: what a function returned, as every surface says it. Pure.

A function's answer is `{"result": v}`; of several values `{"result0": …, "result1": …}`; of none `{}`; a
failure is `{"error": "message"}`. REST, CGI and `deskbell call` give these bytes; in MCP they are
`structuredContent`, and the text too unless the function returns prose.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import (
    ABSENT,
    INVALID_PARAMS,
    UNANSWERED,
    Envelope,
    Malformed,
    edit,
    elements,
    is_object,
    members,
)

T = TypeVar("T")

FAILURE_KEY = "deskbell/failure"  # in a result's `_meta`: why a built-in function failed
BAD_ARGUMENTS = "arguments"
TOO_LATE = "expired"
_STATUS = {BAD_ARGUMENTS: 400, TOO_LATE: 504}
_REJECTED = (f"MCP error {INVALID_PARAMS}", "Input validation error")  # as the official SDKs begin it
_CODES = {INVALID_PARAMS: 400, UNANSWERED: 504}


class Prose(str):
    """Markdown for a model or a person to read: it is shown as it is, not as JSON."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Report(Generic[T]):
    """The same thing twice: as prose, and as data for a program."""

    prose: str
    data: T


@dataclass(frozen=True, slots=True)
class CallResult:
    """How a call ended, for a caller without MCP: `body` is JSON, `text` the same for a terminal."""

    status: int
    body: bytes
    text: str = ""

    @property
    def failed(self) -> bool:
        return self.status >= 400


# --- a built-in function's value, as MCP says it ---------------------------------------------------------


def result_of(value: object) -> dict[str, Any]:
    """The result of tools/call. Raises TypeError for what JSON cannot hold."""
    if isinstance(value, Prose):
        return {"content": _text(value)}
    if isinstance(value, Report):
        data = msgspec.json.encode(named([value.data]))
        return {"content": _text(value.prose), "structuredContent": msgspec.Raw(data)}
    values = value if type(value) is tuple else () if value is None else (value,)
    answer = msgspec.json.encode(named(values))
    return {"content": _text(answer.decode()), "structuredContent": msgspec.Raw(answer)}


def failure_of(message: str, why: str = "") -> dict[str, Any]:
    """The result of tools/call for a model to read and to mend."""
    result: dict[str, Any] = {"content": _text(message), "isError": True}
    return {**result, "_meta": {FAILURE_KEY: why}} if why else result


def named(values: Sequence[Any]) -> dict[str, Any]:
    """The answer that these values make."""
    if len(values) == 1:
        return {"result": values[0]}
    return {f"result{number}": one for number, one in enumerate(values)}


def _text(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": str(text)}]  # of a subclass, just the text


# --- any server's answer, as REST, CGI and the command line say it ---------------------------------------


class _Block(msgspec.Struct, frozen=True):
    type: str = ""
    text: str = ""


class _Result(msgspec.Struct, frozen=True, rename="camel"):
    content: msgspec.Raw = ABSENT
    structured_content: msgspec.Raw = ABSENT
    is_error: bool = False
    meta: dict[str, Any] = msgspec.field(default={}, name="_meta")


class _Error(msgspec.Struct, frozen=True):
    code: int = 0
    message: str = ""


def answered(reply: Envelope) -> CallResult:
    """What a reply to tools/call means."""
    try:
        if len(reply.error):
            error = jsonrpc.read(_Error, reply.error)
            return failed(_CODES.get(error.code, 500), error.message)
        return _read(jsonrpc.read(_Result, reply.result))
    except Malformed as error:
        return failed(500, f"The server sent an answer that makes no sense: {error}.")


def failed(status: int, message: str) -> CallResult:
    words = str(message) or "The function failed and did not say why."
    return CallResult(status, msgspec.json.encode({"error": words}), words)


def _read(result: _Result) -> CallResult:
    blocks = elements(result.content) if len(result.content) else []
    texts = [block.text for block in (jsonrpc.read(_Block, raw) for raw in blocks) if block.type == "text"]
    text = "\n".join(texts)
    if result.is_error:
        status = 400 if text.startswith(_REJECTED) else 500
        return failed(_STATUS.get(str(result.meta.get(FAILURE_KEY)), status), text)
    if is_object(result.structured_content):
        body = _wrapped(result.structured_content)
    else:
        body = _joined([_value(raw) for raw in blocks])
    body = msgspec.json.format(body, indent=-1)
    said = texts and len(texts) == len(blocks) and text.encode() != body
    return CallResult(200, body, text if said else shown(body))


def _wrapped(content: bytes | msgspec.Raw) -> bytes:
    """An answer as it is; any other object is the one value there is. Some SDKs wrap what is no object."""
    if is_answer(members(content)):
        return bytes(content)
    return edit(b"{}", {"result": bytes(content)})


def shown(answer: bytes) -> str:
    """An answer for a person: texts as they are, all else as JSON, one value after the other."""
    return "\n".join(
        jsonrpc.read(str, raw)
        if bytes(raw)[:1] == b'"'
        else msgspec.json.format(bytes(raw), indent=2).decode()
        for raw in members(answer).values()
    )


def is_answer(names: Collection[str]) -> bool:
    """Are these the names of an answer's values?"""
    return set(names) in ({"result"}, {f"result{number}" for number in range(len(names))})


def _joined(values: Sequence[bytes]) -> bytes:
    places: Iterable[str] = named(range(len(values)))
    return edit(b"{}", dict(zip(places, values, strict=True)))


def _value(block: bytes) -> bytes:
    """Text is a string; an image, a sound or a resource stays what it is."""
    known: Mapping[str, msgspec.Raw] = members(block)
    text = known.get("text", ABSENT)
    return bytes(text) if jsonrpc.read(_Block, block).type == "text" and len(text) else block
