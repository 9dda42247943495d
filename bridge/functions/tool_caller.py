"""List and call tools for callers without MCP: REST, CGI, the command line and the windows.

To the core such a caller is a Host: it gets a Link of the modern era, which has no session, and its calls are
subject to policy, approvals and history as all others.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import msgspec

from bridge import __version__
from bridge.core.ports import OWN_WINDOWS, Caller, HostPort, ServerSpec
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import (
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    Envelope,
    error_body,
    failure,
    peek,
    read,
)
from bridge.core.protocol.revisions import CAPABILITIES_KEY, INFO_KEY, LOG_KEY, MODERN_REVISION, VERSION_KEY
from bridge.core.protocol.tool_names import MAX_NAME, not_found, public_name
from bridge.functions import openapi
from bridge.functions.openapi import Function
from bridge.tools import arguments, results
from bridge.tools.results import CallResult
from bridge.tools.toolbox import Toolbox

LIST_TIMEOUT = 20.0  # seconds for one server, when all are listed
CACHE_TIME = 30.0  # seconds a list is used again
MAX_PAGES = 200
THREAD_ABOVE = 64 * 1024  # bytes of arguments that are checked in a thread
_PREFIX_LENGTH = MAX_NAME - 7  # characters of "server_" that a shortened tool name keeps
# Names of these hosts in windows and policy rules.
HOST_NAMES = {"rest": "REST", "cgi": "CGI", "cli": "Command line", OWN_WINDOWS: "Deskbell"}

OnNotification = Callable[[Envelope], None]
RawArguments = bytes | Sequence[tuple[str, str]]  # a JSON object (b"": empty), or name and value as typed


class ToolListFailed(Exception):
    """A server did not list its tools; `result` gives the reason."""

    def __init__(self, result: CallResult) -> None:
        super().__init__(result.text)
        self.result = result


@dataclass(frozen=True, slots=True)
class FunctionList:
    """The functions of several servers, and why some servers could not be listed."""

    functions: Sequence[Function]
    missing: Mapping[str, CallResult]  # server → reason


class _Page(msgspec.Struct, frozen=True, rename="camel"):
    tools: list[dict[str, Any]] = []
    next_cursor: str | None = None


class _Completed(msgspec.Struct, frozen=True):
    completion: dict[str, Any] = {}


class CallerLink:
    """One Link and its requests, one after the other."""

    def __init__(
        self, front: HostPort, wire: str, server: str, on_notification: OnNotification | None = None
    ) -> None:
        self._front = front
        self._on_note = on_notification
        self._reply: asyncio.Future[bytes] | None = None
        self._name = HOST_NAMES[wire]
        caller = Caller(wire, server, host_name=self._name, tenant=wire, plain=True)
        self._link = front.open_link(caller, self._deliver, self._hang_up)

    async def request(self, method: str, params: Mapping[str, Any]) -> Envelope:
        meta = {
            VERSION_KEY: MODERN_REVISION,
            CAPABILITIES_KEY: {},
            INFO_KEY: {"name": self._name, "version": __version__},
            **({"progressToken": 1, LOG_KEY: "warning"} if self._on_note else {}),
        }
        reply = self._reply = asyncio.get_running_loop().create_future()
        data = jsonrpc.request(b"1", method, msgspec.json.encode({**params, "_meta": meta}))
        self._front.host_sent(self._link, data)
        return peek(await reply)

    def close(self) -> None:
        """Close the Link; this cancels its request."""
        self._front.close_link(self._link)

    def _deliver(self, message: bytes, about: bytes, final: bool, /) -> None:
        if not final:
            if self._on_note is not None:
                self._on_note(peek(message))
        elif self._reply is not None and not self._reply.done():
            self._reply.set_result(message)

    def _hang_up(self) -> None:
        self._deliver(failure(b"1", error_body(INTERNAL_ERROR, "Deskbell is closing.")), b"1", True)


class ToolCaller:
    """`servers` returns the current servers, built-in ones too; `boxes` are the latter's tools."""

    def __init__(
        self,
        front: HostPort,
        servers: Callable[[], Mapping[str, ServerSpec]],
        boxes: Mapping[str, Toolbox] = MappingProxyType({}),
    ) -> None:
        self._front = front
        self._servers = servers
        self._boxes = boxes
        # (wire, server) → (monotonic time, server as it was, its tools)
        self._lists: dict[tuple[str, str], tuple[float, ServerSpec, list[dict[str, Any]]]] = {}

    # --- listing -----------------------------------------------------------------------------------------

    async def list_functions(self, wire: str, server: str = "") -> FunctionList:
        """List the functions of all servers, or of one."""
        specs = [spec for spec in self._enabled() if not server or spec.name == server]
        listed = await asyncio.gather(*(self._list_within_timeout(wire, spec) for spec in specs))
        by_server = {spec.name: found for spec, found in zip(specs, listed, strict=True)}
        lists = {name: found for name, found in by_server.items() if not isinstance(found, CallResult)}
        missing = {name: found for name, found in by_server.items() if isinstance(found, CallResult)}
        return FunctionList(self._with_public_names(lists), missing)

    async def find(self, wire: str, name: str) -> Function | None:
        """Find a function by its public name, or by its tool's name if one built-in server has it.

        Raises ToolListFailed.
        """
        specs = self._enabled()
        candidates = [spec for spec in specs if name.startswith(f"{spec.name}_"[:_PREFIX_LENGTH])]
        lists = {spec.name: await self.list_tools(wire, spec) for spec in specs if spec.builtin}
        builtin = [function for function in self._with_public_names(lists) if function.name == name]
        try:
            lists = {spec.name: await self.list_tools(wire, spec, name) for spec in candidates}
        except ToolListFailed:
            if len(builtin) != 1:
                raise
            lists = {}
        by_public = [function for function in self._with_public_names(lists) if function.public == name]
        return by_public[0] if by_public else builtin[0] if len(builtin) == 1 else None

    async def find_or_none(self, wire: str, name: str) -> Function | None:
        """Find a function; None also if a server could not be listed."""
        try:
            return await self.find(wire, name)
        except ToolListFailed:
            return None

    def has_server(self, server: str) -> bool:
        return any(spec.name == server for spec in self._enabled())

    def _with_public_names(self, lists: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Function]:
        """Make functions of tools; the public name is that of the merged MCP endpoint."""
        servers = self._servers()
        functions = (
            Function(server, tool["name"], public_name(server, tool["name"], servers), tool)
            for server, tools in lists.items()
            for tool in tools
        )
        return list({function.public: function for function in functions}.values())

    def _enabled(self) -> list[ServerSpec]:
        return [spec for spec in self._servers().values() if spec.enabled]

    async def _list_within_timeout(self, wire: str, spec: ServerSpec) -> list[dict[str, Any]] | CallResult:
        """Return a server's tools, or the reason why they could not be listed."""
        try:
            async with asyncio.timeout(LIST_TIMEOUT):
                return await self.list_tools(wire, spec)
        except ToolListFailed as problem:
            return problem.result
        except TimeoutError:
            return results.failed(504, f"{spec.name} did not list its tools within {LIST_TIMEOUT:g} seconds.")

    def functions_of(self, server: str, tools: Sequence[Mapping[str, Any]]) -> list[Function]:
        return self._with_public_names({server: tools})

    def last_listed(self, spec: ServerSpec) -> list[dict[str, Any]] | None:
        """Return the last list of this server's tools, by any caller; None if there is none."""
        return next((tools for _, cached_spec, tools in self._lists.values() if cached_spec == spec), None)

    def forget_lists(self, server: str) -> None:
        """Drop the cached lists of this server."""
        self._lists = {key: cached for key, cached in self._lists.items() if key[1] != server}

    async def list_tools(self, wire: str, spec: ServerSpec, public: str = "") -> list[dict[str, Any]]:
        """Return a server's tools, from the cache if it is fresh and has the `public` name wanted.

        Raises ToolListFailed.
        """
        since, cached_spec, known = self._lists.get((wire, spec.name), (0.0, None, []))
        fresh = cached_spec == spec and time.monotonic() < since + CACHE_TIME
        names = {function.public for function in self.functions_of(spec.name, known)} if fresh else ()
        if fresh and (not public or public in names):
            return known
        with closing(CallerLink(self._front, wire, spec.name)) as link:
            tools = await _list_all(link)
        self._lists[wire, spec.name] = (time.monotonic(), spec, tools)
        return tools

    async def openapi_document(self, wire: str, base: str = "/") -> dict[str, Any]:
        """Describe all functions in OpenAPI. CGI needs no token: the web server controls the access."""
        found = await self.list_functions(wire)
        return openapi.document(
            found.functions, __version__, base, needs_token=wire != "cgi", missing=found.missing
        )

    # --- calling -----------------------------------------------------------------------------------------

    async def call(
        self, wire: str, name: str, raw: RawArguments, on_notification: OnNotification | None = None
    ) -> CallResult:
        reply = await self.call_raw(wire, name, raw, on_notification)
        return reply if isinstance(reply, CallResult) else results.call_result(reply)

    async def call_raw(
        self, wire: str, name: str, raw: RawArguments, on_notification: OnNotification | None
    ) -> Envelope | CallResult:
        """Call a function; return the whole reply of the server, or why it was not called."""
        try:
            function = await self.find(wire, name)
            if function is None:
                return results.failed(404, not_found(name))
            fitted = await _fit_arguments(function, raw, self._renaming(function))
        except ToolListFailed as problem:
            return problem.result
        except arguments.InvalidArguments as problem:
            return results.failed(400, str(problem))
        params = {"name": function.name, "arguments": msgspec.Raw(fitted)}
        with closing(CallerLink(self._front, wire, function.server, on_notification)) as link:
            return await link.request("tools/call", params)

    def _renaming(self, function: Function) -> arguments.Renaming:
        """Return what knows the earlier names of a built-in function's arguments."""
        box = self._boxes.get(function.server) if self._servers()[function.server].builtin else None
        return partial(box.renamed, function.name) if box is not None else lambda arguments: arguments

    async def complete_argument(self, wire: str, name: str, argument: str, typed: str) -> list[str]:
        """Return the completions of an argument, from its schema or from the built-in tool."""
        function = await self.find_or_none(wire, name)
        if function is None:
            return []
        choices = _choices(function, argument)
        if choices or not self._servers()[function.server].builtin:
            return [word for word in choices if word.startswith(typed)]
        params = {
            "ref": {"type": "ref/tool", "name": function.name},
            "argument": {"name": argument, "value": typed},
        }
        with closing(CallerLink(self._front, wire, function.server)) as link:
            reply = await link.request("completion/complete", params)
        return read(_Completed, reply.result).completion.get("values", []) if len(reply.result) else []


async def _fit_arguments(function: Function, raw: RawArguments, renaming: arguments.Renaming) -> bytes:
    """Check the arguments; large ones in a thread, so that other calls need not wait."""
    schema, name = function.input_schema, function.name
    data = raw if isinstance(raw, bytes) else arguments.from_words(name, schema, _renamed(raw, renaming))
    data = data.strip() or b"{}"
    if len(data) < THREAD_ABOVE:
        return arguments.fit(name, schema, data, renaming)
    return await asyncio.to_thread(arguments.fit, name, schema, data, renaming)


def _renamed(words: Sequence[tuple[str, str]], renaming: arguments.Renaming) -> list[tuple[str, str]]:
    given = dict(words)
    now = renaming(given)
    names = dict(zip(given, now, strict=True)) if len(now) == len(given) else {}
    return [(names.get(name, name), word) for name, word in words]


async def _list_all(link: CallerLink) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        reply = await link.request("tools/list", {} if cursor is None else {"cursor": cursor})
        if len(reply.error):
            result = results.call_result(reply)
            if result.status == 400 or _has_no_tools(reply):  # 400: hidden from this host by the settings
                return []
            raise ToolListFailed(result)
        try:
            page = read(_Page, reply.result)
        except jsonrpc.Malformed as error:
            raise ToolListFailed(results.failed(500, f"The list of tools is not valid: {error}.")) from error
        tools += [tool for tool in page.tools if isinstance(tool.get("name"), str)]
        cursor = page.next_cursor
        if cursor is None:
            break
    return tools


def _has_no_tools(reply: Envelope) -> bool:
    """True if the server does not implement tools/list."""
    try:
        return read(results.ErrorObject, reply.error).code == METHOD_NOT_FOUND
    except jsonrpc.Malformed:
        return False


def _choices(function: Function, argument: str) -> list[str]:
    root = function.input_schema
    node = arguments.resolve(arguments.properties(root).get(argument, {}), root)
    listed = [choice for option in arguments.alternatives(node, root) for choice in arguments.choices(option)]
    if arguments.types(node, root) == {"boolean"}:
        listed = [True, False]
    return [value if isinstance(value, str) else msgspec.json.encode(value).decode() for value in listed]
