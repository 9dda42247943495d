"""BuiltinConnection: a built-in server in this process. It exchanges legacy MCP with the engine, as child
processes do.

Its tools ask by `elicitation/create`; the core carries that to hosts of either era.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from bridge import __version__
from bridge.core.ports import ServerPort
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.handshake import InitializeParams, PeerInfo
from bridge.core.protocol.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Envelope,
    Malformed,
    error_body,
    read,
)
from bridge.core.protocol.log_levels import known_level
from bridge.core.protocol.revisions import LEGACY_REVISIONS, NEWEST_LEGACY, NO_RESOURCE
from bridge.core.protocol.tool_names import not_found
from bridge.core.protocol.translate import Params
from bridge.core.routing.state import UNKNOWN_HOST
from bridge.i18n import english
from bridge.tools import results
from bridge.tools.base import FAULT_LOG, PeerRefused, Tool, ToolProblem
from bridge.tools.context import ToolContext
from bridge.tools.files import Files
from bridge.tools.resources_and_prompts import Prompt, Resource
from bridge.tools.toolbox import Toolbox

log = logging.getLogger(FAULT_LOG)
MAX_VALUES = 100  # of a completion, by the MCP specification


class _Completion(msgspec.Struct, frozen=True):
    ref: dict[str, str] = {}
    argument: dict[str, str] = {}


class _RequestFailed(Exception):
    """A request other than tools/call has failed; its arguments are the code and the message of the error."""


class BuiltinConnection:
    """One tenant's connection to a Toolbox. `known_as` returns the person's name for the host, or "";
    `folders` those that are mounted for the Toolbox now."""

    def __init__(
        self,
        conn: int,
        back: ServerPort,
        box: Toolbox,
        known_as: Callable[[], str] = str,
        folders: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._conn = conn
        self._back = back
        self._box = box
        self.known_as = known_as
        self._folders = folders
        self._running: dict[bytes, asyncio.Task[None]] = {}
        self._waiting: dict[bytes, asyncio.Future[Envelope]] = {}
        self._last_id = 0
        self._loop = asyncio.get_running_loop()
        self.host = UNKNOWN_HOST
        self.session: dict[str, Any] = {}
        self.log_level = "info"
        self._can: frozenset[str] = frozenset()  # capabilities of the host and Deskbell together

    @property
    def files(self) -> Files:
        """The folders that the settings mount for the Toolbox now."""
        return Files(self._box.name, self._folders())

    def send(self, message: bytes) -> None:
        envelope = jsonrpc.peek(message)
        if envelope.method is None:
            waiting = self._waiting.pop(bytes(envelope.id), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(envelope)
        elif len(envelope.id):
            request = bytes(envelope.id)
            self._running[request] = self._loop.create_task(self._run(request, envelope))
        elif envelope.method == "notifications/cancelled":
            cancelled = jsonrpc.members(envelope.params).get("requestId", jsonrpc.ABSENT)
            task = self._running.pop(bytes(cancelled), None)
            if task is not None:
                task.cancel()

    def close(self) -> None:
        for watching in self._box.watchers.values():
            watching.discard(self._resource_changed)
        for task in self._running.values():
            task.cancel()

    async def closed(self) -> None:
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def rouse(self) -> None:
        """No-op: this process sleeps with the machine."""

    async def _run(self, request: bytes, envelope: Envelope) -> None:
        try:
            answer = await self._serve(envelope)
        finally:
            self._running.pop(request, None)
        self._back.received(self._conn, answer)

    # --- requests ------------------------------------------------------------------------------------

    async def _serve(self, envelope: Envelope) -> bytes:
        request, method = bytes(envelope.id), envelope.method or ""
        try:
            result = await self._result(method, envelope)
            if result is None:
                raise _RequestFailed(METHOD_NOT_FOUND, f"{self._box.name} does not know {method}.")
            return jsonrpc.response(request, _json(result))
        except (Malformed, ToolProblem) as error:
            return jsonrpc.failure(request, error_body(INVALID_PARAMS, str(error)))
        except _RequestFailed as error:
            return jsonrpc.failure(request, error_body(*error.args))
        except Exception as error:  # its message may hold a secret: for the log only
            log.exception("%s of %s failed", method, self._box.name)
            text = f"{method} of {self._box.name} failed: {type(error).__name__}."
            return jsonrpc.failure(request, error_body(INTERNAL_ERROR, text))

    async def _result(self, method: str, envelope: Envelope) -> Mapping[str, Any] | None:
        """Return the result of a request; None for an unknown method."""
        kind = method.partition("/")[0]
        if (kind == "resources" and not self._box.resources) or (kind == "prompts" and not self._box.prompts):
            return None
        match method:
            case "initialize":
                return self._introduction(envelope)
            case "tools/list":
                tools = [tool for tool in self._box.tools.values() if tool.requires <= self._can]
                return {"tools": [tool.listing(self.host) for tool in tools]}
            case "tools/call":
                return await self._call(envelope)
            case "resources/list" | "resources/templates/list":
                templates = method == "resources/templates/list"
                listed = [one for one in self._box.resources.values() if one.is_template is templates]
                return {"resourceTemplates" if templates else "resources": [one.listing() for one in listed]}
            case "resources/read":
                return await self._read_resource(envelope)
            case "resources/subscribe":
                self._box.watchers.setdefault(_uri(envelope), set()).add(self._resource_changed)
                return {}
            case "resources/unsubscribe":
                self._box.watchers.get(_uri(envelope), set()).discard(self._resource_changed)
                return {}
            case "prompts/list":
                return {"prompts": [prompt.listing() for prompt in self._box.prompts.values()]}
            case "prompts/get":
                return await self._get_prompt(envelope)
            case "completion/complete":
                return await self._complete(envelope)
            case "logging/setLevel":
                self.log_level = known_level(envelope.params)
                return {}
            case "ping":
                return {}
        return None

    def _introduction(self, envelope: Envelope) -> Mapping[str, Any]:
        hello = read(InitializeParams, envelope.params)
        wanted = hello.protocol_version
        self._can = frozenset(jsonrpc.members(hello.capabilities))
        if jsonrpc.is_object(hello.client_info):
            self.host = read(PeerInfo, hello.client_info).name or UNKNOWN_HOST
        result: dict[str, Any] = {
            "protocolVersion": wanted if wanted in LEGACY_REVISIONS else NEWEST_LEGACY,
            "capabilities": {
                "tools": {},
                "logging": {},
                "completions": {},
                **({"resources": {"subscribe": True}} if self._box.resources else {}),
                **({"prompts": {}} if self._box.prompts else {}),
            },
            "serverInfo": {
                "name": f"deskbell-{self._box.name}",
                "title": self._box.title,
                "version": __version__,
            },
        }
        return {**result, "instructions": self._box.instructions} if self._box.instructions else result

    async def _call(self, envelope: Envelope) -> Mapping[str, Any]:
        params, prose = read(Params, envelope.params), self._box.prose_errors
        tool = self._tool(params.name)
        arguments = read(dict[str, Any], params.arguments)
        token = read(Any, params.meta.progress_token) if len(params.meta.progress_token) else None
        ctx = ToolContext(_Call(self, bytes(envelope.id)), token, elicits=tool.elicits)
        try:
            result = results.result_of(await tool.run(ctx, arguments))
        except ToolProblem as problem:
            return results.failure_of(str(problem), problem.why, prose=prose)
        except Exception as error:  # its message may hold a secret: for the log only
            log.exception("%s of %s failed", tool.name, self._box.name)
            return results.failure_of(f"{tool.name} failed: {type(error).__name__}.", prose=prose)
        if tool.is_text_only(self.host):
            result.pop("structuredContent", None)
        return result

    async def _read_resource(self, envelope: Envelope) -> Mapping[str, Any]:
        uri = _uri(envelope)
        for resource in self._box.resources.values():
            variables = resource.match(uri)
            if variables is not None:
                return resource.contents(uri, await resource.run(self._context(envelope), variables))
        raise _RequestFailed(NO_RESOURCE, f"Resource not found: {uri[:200]}")

    async def _get_prompt(self, envelope: Envelope) -> Mapping[str, Any]:
        params = read(Params, envelope.params)
        prompt = self._box.prompts.get(params.name)
        if prompt is None:
            raise Malformed(not_found(params.name, "prompts/get"))
        arguments = read(dict[str, Any], params.arguments) if len(params.arguments) else {}
        return prompt.messages(await prompt.run(self._context(envelope), arguments))

    def _context(self, envelope: Envelope) -> ToolContext:
        return ToolContext(_Call(self, bytes(envelope.id)))

    def notify_resource(self, uri: str) -> None:
        self._box.notify_resource(uri)

    def _resource_changed(self, uri: str) -> None:
        """Send the notification; a plain function calls this from its thread."""
        send = partial(self.notify, "notifications/resources/updated", {"uri": uri}, b"")
        self._loop.call_soon_threadsafe(send)

    async def _complete(self, envelope: Envelope) -> Mapping[str, Any]:
        """Complete an argument of a prompt, a template, or by our extension `ref/tool` of a tool."""
        wanted = read(_Completion, envelope.params)
        name = wanted.ref.get("name") or wanted.ref.get("uri", "")
        offers: Mapping[str, Mapping[str, Tool | Resource | Prompt]] = {
            "ref/tool": self._box.tools,
            "ref/prompt": self._box.prompts,
            "ref/resource": self._box.resources,
        }
        offer = offers.get(wanted.ref.get("type", ""), {}).get(name)
        if offer is None:
            raise Malformed(f"There is nothing called {name} to complete.")
        completer = offer.completers.get(wanted.argument.get("name", ""))
        values: list[str] = []
        if completer is not None:
            values = list(await completer(self._context(envelope), wanted.argument.get("value", "")))
        more = len(values) > MAX_VALUES
        return {"completion": {"values": values[:MAX_VALUES], "total": len(values), "hasMore": more}}

    def _tool(self, name: str) -> Tool:
        tool = self._box.tools.get(name)
        if tool is None:
            raise Malformed(not_found(name))
        return tool

    # --- messages of running tools -------------------------------------------------------------------

    def notify(self, method: str, params: Mapping[str, Any], about: bytes) -> None:
        self._back.received(self._conn, jsonrpc.notification(method, _json(params)), about)

    async def request(self, method: str, params: Mapping[str, Any], about: bytes) -> Envelope:
        self._last_id += 1
        request = b"%d" % self._last_id
        waiting: asyncio.Future[Envelope] = self._loop.create_future()
        self._waiting[request] = waiting
        data = jsonrpc.request(request, method, _json(params))
        self._back.received(self._conn, data, about)
        try:
            return await waiting
        finally:
            if self._waiting.pop(request, None) is not None:
                self.notify("notifications/cancelled", {"requestId": msgspec.Raw(request)}, about)


class _Call:
    """The Peer of one call: its messages belong to that call."""

    def __init__(self, connection: BuiltinConnection, about: bytes) -> None:
        self._connection = connection
        self._about = about
        self.host = connection.host
        self.known_as = connection.known_as() or connection.host
        self.session = connection.session
        self.files = connection.files

    @property
    def log_level(self) -> str:
        return self._connection.log_level

    async def request(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        reply = await self._connection.request(method, params, self._about)
        if len(reply.error):
            raise PeerRefused(read(results.ErrorObject, reply.error).message)
        return read(dict[str, Any], reply.result)

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        self._connection.notify(method, params, self._about)

    def notify_resource(self, uri: str) -> None:
        self._connection.notify_resource(uri)


def _uri(envelope: Envelope) -> str:
    return read(Params, envelope.params).uri


def _json(value: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(value, enc_hook=english)
