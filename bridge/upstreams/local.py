"""The built-in server, in this process: speaks legacy MCP to the engine like any other upstream.

It asks by `elicitation/create`; the core carries that to hosts of either era.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from bridge import __version__
from bridge.core import messages
from bridge.core.eras import LEGACY_REVISIONS, NEWEST_LEGACY, Hello, Params, read
from bridge.core.messages import INVALID_PARAMS, METHOD_NOT_FOUND, Envelope, Malformed, error_body
from bridge.core.ports import Back, ServerSpec
from bridge.core.questions import CANCEL, Action, Answer
from bridge.tools.base import Tool, ToolProblem

_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "array": list,
    "object": dict,
}


class _Elicited(msgspec.Struct):
    action: str = "cancel"
    content: msgspec.Raw = messages.ABSENT


class LocalConnection:
    """One party's connection to the built-in tools."""

    def __init__(self, conn: int, spec: ServerSpec, back: Back, tools: Sequence[Tool]) -> None:
        self._conn = conn
        self._name = spec.name
        self._back = back
        self._tools = {tool.name: tool for tool in tools}
        self._running: dict[bytes, asyncio.Task[None]] = {}
        self._questions: dict[bytes, asyncio.Future[Answer]] = {}
        self._asked = 0
        self._loop = asyncio.get_running_loop()

    def send(self, message: bytes) -> None:
        envelope = messages.peek(message)
        if envelope.method is None:
            self._answered(envelope)
        elif len(envelope.id):
            request = bytes(envelope.id)
            self._running[request] = self._loop.create_task(self._run(request, envelope))
        elif envelope.method == "notifications/cancelled":
            cancelled = messages.members(envelope.params).get("requestId", messages.ABSENT)
            task = self._running.pop(bytes(cancelled), None)
            if task is not None:
                task.cancel()

    def close(self) -> None:
        for task in self._running.values():
            task.cancel()

    async def closed(self) -> None:
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def _run(self, request: bytes, envelope: Envelope) -> None:
        try:
            answer = await self._serve(envelope)
        finally:
            self._running.pop(request, None)
        self._back.received(self._conn, answer)

    def _answered(self, envelope: Envelope) -> None:
        waiting = self._questions.pop(bytes(envelope.id), None)
        if waiting is None or waiting.done():
            return
        said = read(_Elicited, envelope.result)
        known = said.action if said.action in tuple(Action) else "cancel"
        waiting.set_result(Answer(Action(known), bytes(said.content)) if len(envelope.result) else CANCEL)

    # --- requests ------------------------------------------------------------------------------------

    async def _serve(self, envelope: Envelope) -> bytes:
        request, method = bytes(envelope.id), envelope.method
        try:
            if method == "initialize":
                return messages.response(request, self._introduction(envelope))
            if method == "tools/list":
                listed = [tool.listing() for tool in self._tools.values()]
                return messages.response(request, msgspec.json.encode({"tools": listed}))
            if method == "tools/call":
                return messages.response(request, msgspec.json.encode(await self._call(envelope)))
            if method == "ping":
                return messages.response(request, b"{}")
        except Malformed as error:
            return messages.failure(request, error_body(INVALID_PARAMS, str(error)))
        return messages.failure(
            request, error_body(METHOD_NOT_FOUND, f"{self._name} does not know {method}.")
        )

    def _introduction(self, envelope: Envelope) -> bytes:
        asked = read(Hello, envelope.params).protocol_version
        return msgspec.json.encode(
            {
                "protocolVersion": asked if asked in LEGACY_REVISIONS else NEWEST_LEGACY,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": f"deskbell-{self._name}", "version": __version__},
            }
        )

    async def _call(self, envelope: Envelope) -> Mapping[str, Any]:
        params = read(Params, envelope.params)
        tool = self._tools.get(params.name)
        if tool is None:
            raise Malformed(f"There is no tool called {params.name}.")
        arguments = read(dict[str, Any], params.arguments)
        check(tool, arguments)
        try:
            result = await tool.run(self, arguments)
        except ToolProblem as problem:
            return {"content": [{"type": "text", "text": str(problem)}], "isError": True}
        text = msgspec.json.encode(result).decode()
        return {"content": [{"type": "text", "text": text}], "structuredContent": result}

    async def elicit(self, message: str, schema: Mapping[str, Any]) -> Answer:
        self._asked += 1
        request = b"%d" % self._asked
        waiting: asyncio.Future[Answer] = self._loop.create_future()
        self._questions[request] = waiting
        params = msgspec.json.encode({"message": message, "requestedSchema": schema})
        self._back.received(self._conn, messages.request(request, "elicitation/create", params))
        try:
            return await waiting
        finally:
            if self._questions.pop(request, None) is not None:
                withdrawn = messages.notification(
                    "notifications/cancelled", b'{"requestId":' + request + b"}"
                )
                self._back.received(self._conn, withdrawn)


def check(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Name what is missing or of the wrong type, before the person is bothered."""
    missing = [name for name in tool.input_schema["required"] if name not in arguments]
    if missing:
        raise Malformed(f"{tool.name} needs {', '.join(missing)}.")
    for name, value in arguments.items():
        kind = tool.input_schema["properties"].get(name, {}).get("type")
        if kind and (not isinstance(value, _TYPES[kind]) or isinstance(value, bool)):
            raise Malformed(f"{name} of {tool.name} must be of type {kind}.")
