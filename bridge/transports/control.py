"""What other `deskbell` commands ask of the running one, over its socket. A new request is a new verb.

`tools`, `call` and `cgi` ask in one line. While a call is under way each line back is a note; the last one
is the answer.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from bridge.core.protocol.jsonrpc import Envelope
from bridge.functions.caller import OnNotification, ToolCaller
from bridge.functions.openapi import Function
from bridge.system.fast.lazy_import import late
from bridge.tools.results import CallResult, failed

if TYPE_CHECKING:
    from bridge.functions import docs_page
else:
    docs_page = late("bridge.functions.docs_page")


Reply = bytes | Awaitable[bytes] | AsyncIterator[bytes]
Answering = Callable[[dict[str, Any]], Any]  # a value, something to wait for, or many values one by one


class Control:
    def __init__(self, verbs: Mapping[str, Answering]) -> None:
        self._verbs = verbs

    def answer(self, hello: dict[str, Any]) -> Reply:
        verb = hello.get("verb")
        answering = self._verbs.get(verb) if isinstance(verb, str) else None
        if answering is None:
            return msgspec.json.encode({"error": f"This Deskbell does not know {verb!r}."})
        said = answering(hello)
        if isinstance(said, AsyncIterator):
            return _each(said)
        return _later(said) if isinstance(said, Awaitable) else _encoded(said)


async def _later(said: Awaitable[Any]) -> bytes:
    return _encoded(await said)


async def _each(said: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    async for word in said:
        yield _encoded(word)


def _encoded(said: Any) -> bytes:
    """Words cross as the English they are."""
    return msgspec.json.encode(said, enc_hook=str)


Say = Callable[[bytes], None]
AnswerRequest = Callable[[bytes, Say], Awaitable[bytes]]


class FunctionRequest(msgspec.Struct, frozen=True):
    what: Literal["tools", "tool", "call", "openapi", "docs", "complete"]
    wire: Literal["cli", "cgi"] = "cli"
    name: str = ""
    arguments: str | None = None  # JSON; else `words`
    words: list[tuple[str, str]] = []
    server: str = ""
    argument: str = ""
    begun: str = ""
    base: str = "/"


def function_requests(functions: ToolCaller) -> AnswerRequest:
    async def inquire(line: bytes, say: Say) -> bytes:
        try:
            asked = msgspec.json.decode(line, type=FunctionRequest)
        except msgspec.DecodeError as error:
            return msgspec.json.encode({"error": f"The running Deskbell does not understand this: {error}."})
        return msgspec.json.encode(await _answer(functions, asked, say))

    return inquire


async def _answer(functions: ToolCaller, asked: FunctionRequest, say: Say) -> dict[str, Any]:
    match asked.what:
        case "tools":
            offer = await functions.all(asked.wire, asked.server)
            return {
                "tools": [_listed(one) for one in offer.functions],
                "missing": {name: (why.status, why.text) for name, why in offer.missing.items()},
                "known": not asked.server or functions.knows(asked.server),
            }
        case "tool":
            found = await functions.find_or_none(asked.wire, asked.name)
            return {"tool": found and _listed(found)}
        case "openapi":
            document = msgspec.json.encode(await functions.document(asked.wire, asked.base))
            return _said(CallResult(200, document))
        case "docs":
            return _said(CallResult(200, docs_page.page(await functions.all(asked.wire)).encode()))
        case "complete":
            words = await functions.complete(asked.wire, asked.name, asked.argument, asked.begun)
            return {"values": words}
    return _said(await _call(functions, asked, lambda note: say(_noted(note))))


async def _call(functions: ToolCaller, asked: FunctionRequest, on_notification: OnNotification) -> CallResult:
    if asked.arguments is None:
        return await functions.call_with_words(asked.wire, asked.name, asked.words, on_notification)
    try:
        given = asked.arguments.encode()
    except UnicodeEncodeError:  # half a character
        return failed(400, "The arguments are not UTF-8.")
    return await functions.call(asked.wire, asked.name, given, on_notification)


def _listed(one: Function) -> dict[str, Any]:
    return {**one.tool, "name": one.public, "server": one.server}


def _said(answer: CallResult) -> dict[str, Any]:
    return {"status": answer.status, "body": answer.body.decode(), "text": answer.text}


def _noted(note: Envelope) -> bytes:
    return msgspec.json.encode({"note": note.method, "params": note.params if len(note.params) else None})
