"""Tools as functions, for callers without MCP: REST, CGI and the command line.

Such a caller is a Host to the core: it gets a Link, of the modern era since that keeps nothing between two
calls, and its calls go the way of all others, with policy, approvals and history.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from bridge import __version__
from bridge.core.ports import OWN_WINDOWS, Caller, Front, ServerSpec
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
from bridge.core.protocol.tool_names import MAX_NAME, public_name
from bridge.functions import arguments, openapi
from bridge.functions.openapi import Function
from bridge.tools import results
from bridge.tools.results import CallResult

PATIENCE = 20.0  # seconds for a server's list where all of them are wanted
FRESH = 30.0  # seconds for which a list is not asked for again
MOST_PAGES = 200
LONG = 64 * 1024  # bytes of arguments
_KEPT = MAX_NAME - 7  # letters of a server's name that its tools' names keep, however long they are
# How the person knows these hosts.
NAMES = {"rest": "REST", "cgi": "CGI", "cli": "Command line", OWN_WINDOWS: "Deskbell"}

OnNotification = Callable[[Envelope], None]


class ToolListFailed(Exception):
    """A server's tools are not to be had; `answer` says why."""

    def __init__(self, answer: CallResult) -> None:
        super().__init__(answer.text)
        self.answer = answer


@dataclass(frozen=True, slots=True)
class FunctionList:
    """What servers offer, and why some of them have told nothing."""

    functions: Sequence[Function]
    missing: Mapping[str, CallResult]


class _Page(msgspec.Struct, frozen=True, rename="camel"):
    tools: list[dict[str, Any]] = []
    next_cursor: str | None = None


class _Code(msgspec.Struct, frozen=True):
    code: int = 0


class _Completion(msgspec.Struct, frozen=True):
    values: list[str] = []


class _Completed(msgspec.Struct, frozen=True):
    completion: _Completion = _Completion()


class Line:
    """One Link and the requests on it, one after the other."""

    def __init__(
        self, front: Front, wire: str, server: str, on_notification: OnNotification | None = None
    ) -> None:
        self._front = front
        self._on_note = on_notification
        self._reply: asyncio.Future[bytes] | None = None
        self._name = NAMES[wire]
        caller = Caller(wire, server, host_name=self._name, tenant=wire, plain=True)
        self._link = front.open_link(caller, self._deliver, self._hang_up)

    async def ask(self, method: str, params: Mapping[str, Any]) -> Envelope:
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
        """What is under way has nobody who wants it any more."""
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
    """`servers` are those of now, with what is built in."""

    def __init__(self, front: Front, servers: Callable[[], Mapping[str, ServerSpec]]) -> None:
        self._front = front
        self._servers = servers
        self._lists: dict[tuple[str, str], tuple[float, ServerSpec, list[dict[str, Any]]]] = {}

    # --- what there is -------------------------------------------------------------------------------

    async def all(self, wire: str, server: str = "") -> FunctionList:
        """Every function of all servers, or of one."""
        specs = [spec for spec in self._enabled() if not server or spec.name == server]
        answers = await asyncio.gather(*(self._patiently(wire, spec) for spec in specs))
        found = {spec.name: said for spec, said in zip(specs, answers, strict=True)}
        lists = {name: said for name, said in found.items() if not isinstance(said, CallResult)}
        missing = {name: said for name, said in found.items() if isinstance(said, CallResult)}
        return FunctionList(self._named(lists), missing)

    async def find(self, wire: str, name: str) -> Function | None:
        """By its public name; by its own where only one built-in server has it. Raises ToolListFailed."""
        specs = self._enabled()
        near = [spec for spec in specs if name.startswith(f"{spec.name}_"[:_KEPT])]
        lists = {spec.name: await self.list_tools(wire, spec) for spec in specs if spec.builtin}
        same = [one for one in self._named(lists) if one.name == name]
        try:
            lists = {spec.name: await self.list_tools(wire, spec, name) for spec in near}
        except ToolListFailed:
            if len(same) != 1:
                raise
            lists = {}
        by_public = [one for one in self._named(lists) if one.public == name]
        return by_public[0] if by_public else same[0] if len(same) == 1 else None

    async def find_or_none(self, wire: str, name: str) -> Function | None:
        """The same, where it does not matter why there is none."""
        try:
            return await self.find(wire, name)
        except ToolListFailed:
            return None

    def knows(self, server: str) -> bool:
        return any(spec.name == server for spec in self._enabled())

    def _named(self, lists: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Function]:
        """Every tool under its public name, as the merged MCP endpoint calls it."""
        servers = self._servers()
        named = [(server, tool["name"], tool) for server, tools in lists.items() for tool in tools]
        found = [
            Function(server, name, public_name(server, name, servers), tool) for server, name, tool in named
        ]
        return list({one.public: one for one in found}.values())

    def _enabled(self) -> list[ServerSpec]:
        return [spec for spec in self._servers().values() if spec.enabled]

    async def _patiently(self, wire: str, spec: ServerSpec) -> list[dict[str, Any]] | CallResult:
        """A server's tools, or why it has told none."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self.list_tools(wire, spec)
        except ToolListFailed as problem:
            return problem.answer
        except TimeoutError:
            return results.failed(504, f"{spec.name} did not list its tools within {PATIENCE:g} seconds.")

    def named(self, server: str, tools: Sequence[Mapping[str, Any]]) -> list[Function]:
        return self._named({server: tools})

    def last_listed(self, spec: ServerSpec) -> list[dict[str, Any]] | None:
        """What any of these callers heard from this server; None: none of them asked."""
        return next((tools for _, of, tools in self._lists.values() if of == spec), None)

    def forget(self, server: str) -> None:
        """What it listed counts no more."""
        self._lists = {key: kept for key, kept in self._lists.items() if key[1] != server}

    async def list_tools(self, wire: str, spec: ServerSpec, public: str = "") -> list[dict[str, Any]]:
        """A server's tools. One that is looked for and not there is asked for anew. Raises ToolListFailed."""
        since, of, known = self._lists.get((wire, spec.name), (0.0, None, []))
        fresh = of == spec and time.monotonic() < since + FRESH
        if fresh and (not public or any(one.public == public for one in self._named({spec.name: known}))):
            return known
        line = Line(self._front, wire, spec.name)
        try:
            tools = await _pages(line)
        finally:
            line.close()
        self._lists[wire, spec.name] = (time.monotonic(), spec, tools)
        return tools

    async def document(self, wire: str, base: str = "/") -> dict[str, Any]:
        """What `all` says, as OpenAPI. In front of CGI stands a web server with its own rules."""
        offer = await self.all(wire)
        return openapi.document(
            offer.functions, __version__, base, guarded=wire != "cgi", missing=offer.missing
        )

    # --- calling -------------------------------------------------------------------------------------

    async def call(
        self, wire: str, name: str, given: bytes, on_notification: OnNotification | None = None
    ) -> CallResult:
        """`given`: the arguments, a JSON object; nothing at all is an empty one."""
        return await self._call(wire, name, lambda _: given.strip() or b"{}", on_notification)

    async def call_with_words(
        self,
        wire: str,
        name: str,
        words: Sequence[tuple[str, str]],
        on_notification: OnNotification | None = None,
    ) -> CallResult:
        """The same with arguments as a person types them."""
        return await self._call(
            wire, name, lambda one: arguments.from_words(one.public, one.input_schema, words), on_notification
        )

    async def _call(
        self, wire: str, name: str, given: Callable[[Function], bytes], on_notification: OnNotification | None
    ) -> CallResult:
        reply = await self._reply(wire, name, given, on_notification)
        return reply if isinstance(reply, CallResult) else results.answered(reply)

    async def reply(
        self, wire: str, name: str, given: bytes, on_notification: OnNotification
    ) -> Envelope | CallResult:
        """As `call`, but with all of what the server said."""
        return await self._reply(wire, name, lambda _: given, on_notification)

    async def _reply(
        self, wire: str, name: str, given: Callable[[Function], bytes], on_notification: OnNotification | None
    ) -> Envelope | CallResult:
        try:
            function = await self.find(wire, name)
            if function is None:
                return results.failed(404, f"Function not found: {name[:200]}")
            fitted = await _fitted(name, function, given(function))
        except ToolListFailed as problem:
            return problem.answer
        except arguments.InvalidArguments as problem:
            return results.failed(400, str(problem))
        line = Line(self._front, wire, function.server, on_notification)
        try:
            params = {"name": function.name, "arguments": msgspec.Raw(fitted)}
            return await line.ask("tools/call", params)
        finally:
            line.close()

    async def complete(self, wire: str, name: str, argument: str, begun: str) -> list[str]:
        """What may be typed for an argument: as its schema says, or its tool."""
        function = await self.find_or_none(wire, name)
        if function is None:
            return []
        offered = _offered(function, argument)
        if offered or not self._servers()[function.server].builtin:
            return [word for word in offered if word.startswith(begun)]
        wanted = {
            "ref": {"type": "ref/tool", "name": function.name},
            "argument": {"name": argument, "value": begun},
        }
        line = Line(self._front, wire, function.server)
        try:
            reply = await line.ask("completion/complete", wanted)
        finally:
            line.close()
        return read(_Completed, reply.result).completion.values if len(reply.result) else []


async def _fitted(name: str, function: Function, given: bytes) -> bytes:
    """Long ones in a thread: nobody else shall wait for them."""
    if len(given) < LONG:
        return arguments.fit(name, function.input_schema, given)
    return await asyncio.to_thread(arguments.fit, name, function.input_schema, given)


async def _pages(line: Line) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        reply = await line.ask("tools/list", {} if cursor is None else {"cursor": cursor})
        if len(reply.error):
            answer = results.answered(reply)
            if answer.status == 400 or _has_no_tools(reply):  # 400: the settings keep it from this host
                return []
            raise ToolListFailed(answer)
        try:
            page = read(_Page, reply.result)
        except jsonrpc.Malformed as error:
            raise ToolListFailed(
                results.failed(500, f"The list of tools makes no sense: {error}.")
            ) from error
        tools += [tool for tool in page.tools if isinstance(tool.get("name"), str)]
        cursor = page.next_cursor
        if cursor is None:
            break
    return tools


def _has_no_tools(reply: Envelope) -> bool:
    """A server need not have any, and then has no word for them."""
    try:
        return read(_Code, reply.error).code == METHOD_NOT_FOUND
    except jsonrpc.Malformed:
        return False


def _offered(function: Function, argument: str) -> list[str]:
    root = function.input_schema
    node = arguments.resolved(arguments.properties(root).get(argument, {}), root)
    listed = [choice for arm in arguments.arms(node, root) for choice in arguments.choices(arm)]
    if arguments.types(node, root) == {"boolean"}:
        listed = [True, False]
    return [one if isinstance(one, str) else msgspec.json.encode(one).decode() for one in listed]
