"""Replies to other `deskbell` commands over the owner-only socket (host_socket.py).

ControlVerbs replies to the verb in the hello; a new request is a new verb. The commands `tools`, `call` and
`cgi` send a FunctionRequest as the second line: during a call each line back is a notification, the last line
the reply.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from bridge.core.protocol.jsonrpc import Envelope
from bridge.functions.openapi import Function
from bridge.functions.tool_caller import OnNotification, ToolCaller
from bridge.system.fast.lazy_import import lazy_import
from bridge.tools.results import CallResult, failed

if TYPE_CHECKING:
    from bridge.functions import docs_page
else:
    docs_page = lazy_import("bridge.functions.docs_page")


VerbReply = bytes | Awaitable[bytes] | AsyncIterator[bytes]
VerbHandler = Callable[[dict[str, Any]], Any]  # returns a value, an awaitable or an async iterator of values


class ControlVerbs:
    def __init__(self, verbs: Mapping[str, VerbHandler]) -> None:
        self._verbs = verbs

    def answer(self, hello: dict[str, Any]) -> VerbReply:
        verb = hello.get("verb")
        handler = self._verbs.get(verb) if isinstance(verb, str) else None
        if handler is None:
            return msgspec.json.encode({"error": f"This Deskbell does not know {verb!r}."})
        reply = handler(hello)
        if isinstance(reply, AsyncIterator):
            return _encode_each(reply)
        return _encode_later(reply) if isinstance(reply, Awaitable) else _encode(reply)


async def _encode_later(reply: Awaitable[Any]) -> bytes:
    return _encode(await reply)


async def _encode_each(values: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    async for value in values:
        yield _encode(value)


def _encode(value: Any) -> bytes:
    """Encode as JSON; translatable texts are sent in English."""
    return msgspec.json.encode(value, enc_hook=str)


SendLine = Callable[[bytes], None]
AnswerRequest = Callable[[bytes, SendLine], Awaitable[bytes]]


class FunctionRequest(msgspec.Struct, frozen=True):
    what: Literal["tools", "tool", "call", "openapi", "docs", "complete"]
    wire: Literal["cli", "cgi"] = "cli"
    name: str = ""
    arguments: str | None = None  # JSON; None: `words` has them
    words: list[tuple[str, str]] = []  # name, value
    server: str = ""
    argument: str = ""
    begun: str = ""  # typed so far, for completion
    base: str = "/"  # path prefix, for OpenAPI


def function_requests(caller: ToolCaller) -> AnswerRequest:
    """Return the function that answers the FunctionRequest in a line."""

    async def answer_request(line: bytes, send_line: SendLine) -> bytes:
        try:
            request = msgspec.json.decode(line, type=FunctionRequest)
        except msgspec.DecodeError as error:
            return msgspec.json.encode({"error": f"The running Deskbell does not understand this: {error}."})
        return msgspec.json.encode(await _answer(caller, request, send_line))

    return answer_request


async def _answer(caller: ToolCaller, request: FunctionRequest, send_line: SendLine) -> dict[str, Any]:
    match request.what:
        case "tools":
            function_list = await caller.list_functions(request.wire, request.server)
            return {
                "tools": [_describe(one) for one in function_list.functions],
                "missing": {name: (why.status, why.text) for name, why in function_list.missing.items()},
                "known": not request.server or caller.has_server(request.server),
            }
        case "tool":
            found = await caller.find_or_none(request.wire, request.name)
            return {"tool": found and _describe(found)}
        case "openapi":
            document = msgspec.json.encode(await caller.openapi_document(request.wire, request.base))
            return _reply(CallResult(200, document))
        case "docs":
            html = docs_page.render_page(await caller.list_functions(request.wire))
            return _reply(CallResult(200, html.encode()))
        case "complete":
            values = await caller.complete_argument(
                request.wire, request.name, request.argument, request.begun
            )
            return {"values": values}
    return _reply(await _call(caller, request, lambda note: send_line(_notification(note))))


async def _call(caller: ToolCaller, request: FunctionRequest, on_notification: OnNotification) -> CallResult:
    try:
        arguments = request.words if request.arguments is None else request.arguments.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return failed(400, "The arguments are not UTF-8.")
    return await caller.call(request.wire, request.name, arguments, on_notification)


def _describe(function: Function) -> dict[str, Any]:
    return {**function.tool, "name": function.public, "server": function.server}


def _reply(result: CallResult) -> dict[str, Any]:
    return {"status": result.status, "body": result.body.decode(), "text": result.text}


def _notification(note: Envelope) -> bytes:
    return msgspec.json.encode({"note": note.method, "params": note.params if len(note.params) else None})
