"""Replies to other `deskbell` commands over the owner-only socket (host_socket.py).

ControlVerbs replies to the verb in the hello; a new request is a new verb. The commands `tools`, `call` and
`cgi` send a FunctionRequest with the verb `functions`: during a call each line back is a notification, the
last line the reply.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from bridge.core.protocol.jsonrpc import Envelope
from bridge.functions.openapi import Function
from bridge.functions.tool_caller import OnNotification, ToolCaller
from bridge.system.fast.lazy_import import lazy_import
from bridge.tools.base import FAULT_LOG
from bridge.tools.results import CallResult, failed

if TYPE_CHECKING:
    from bridge.functions import docs_page
else:
    docs_page = lazy_import("bridge.functions.docs_page")


VerbHandler = Callable[[dict[str, Any]], Any]  # returns a value, an awaitable or an async iterator of values


class ControlVerbs:
    def __init__(self, verbs: Mapping[str, VerbHandler]) -> None:
        self._verbs = verbs
        self._changing: set[asyncio.Future[Any]] = set()  # verbs under way

    async def answer(self, hello: dict[str, Any]) -> AsyncIterator[bytes]:
        """Yield the lines of the reply: JSON, with translatable texts in English."""
        handler: VerbHandler = self._verbs.get(hello["verb"], _unknown_verb)
        reply = handler(hello)
        if isinstance(reply, Awaitable):  # goes on after a disconnect: what the verb changes must be complete
            work = asyncio.ensure_future(reply)
            self._changing.add(work)
            work.add_done_callback(self._changing.discard)
            reply = await asyncio.shield(work)
        async for value in reply if isinstance(reply, AsyncIterator) else _only(reply):
            yield msgspec.json.encode(value, enc_hook=str)


def _unknown_verb(hello: dict[str, Any]) -> dict[str, str]:
    return {"error": f"This Deskbell does not know {hello['verb']!r}."}


async def _only(value: Any) -> AsyncIterator[Any]:
    yield value


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
    debug: bool = False  # reply with tracebacks of tools


async def serve_functions(caller: ToolCaller, hello: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
    """Yield the notifications of a call, then the reply to the FunctionRequest in the hello."""
    try:
        request = msgspec.convert(hello.get("request"), FunctionRequest)
    except msgspec.ValidationError as error:
        yield {"error": f"The running Deskbell does not understand this: {error}."}
        return
    notes: asyncio.Queue[Envelope | None] = asyncio.Queue()
    answering = asyncio.ensure_future(_answer(caller, request, notes.put_nowait))
    answering.add_done_callback(lambda _: notes.put_nowait(None))
    try:
        while (note := await notes.get()) is not None:
            yield {"note": note.method, "params": note.params if len(note.params) else None}
        yield answering.result()
    finally:
        answering.cancel()


async def _answer(
    caller: ToolCaller, request: FunctionRequest, on_notification: OnNotification
) -> dict[str, Any]:
    match request.what:
        case "tools":
            function_list = await caller.list_functions(request.wire, request.server)
            return {
                "tools": [_describe(function) for function in function_list.functions],
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
    with _tracebacks() if request.debug else nullcontext(()) as tracebacks:
        reply = _reply(await _call(caller, request, on_notification))
    return {**reply, "tracebacks": list(tracebacks)}


@contextmanager
def _tracebacks() -> Iterator[Sequence[str]]:
    """Collect what tools raise meanwhile: only the owner of this computer can reach this socket."""
    found: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: found.append(handler.format(record))  # type: ignore[method-assign]
    faults = logging.getLogger(FAULT_LOG)
    faults.addHandler(handler)
    try:
        yield found
    finally:
        faults.removeHandler(handler)


async def _call(caller: ToolCaller, request: FunctionRequest, on_notification: OnNotification) -> CallResult:
    try:
        arguments = request.words if request.arguments is None else request.arguments.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return failed(400, "The arguments are not UTF-8.")
    return await caller.call(request.wire, request.name, arguments, on_notification)


def _describe(function: Function) -> dict[str, Any]:
    return {**function.tool, "name": function.public, "server": function.server}


def _reply(result: CallResult) -> dict[str, Any]:
    return {
        "status": result.status,
        "body": result.body.decode(),
        "text": result.text,
        "exit_code": result.exit_code,
    }
