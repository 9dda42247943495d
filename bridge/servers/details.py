"""Details of servers: their tools as they describe them, what they wrote to stderr last, missing secrets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from bridge.core.policy.presets import Preset
from bridge.core.ports import OWN_WINDOWS, ServerSpec
from bridge.core.routing.state import RoutingState
from bridge.core.status import ServerStatus
from bridge.core.status.servers import ServerTool, ServerView
from bridge.functions.openapi import Function
from bridge.functions.tool_caller import ToolCaller, ToolListFailed
from bridge.servers.icons import ServerIconFiles
from bridge.servers.secrets import SecretNames
from bridge.settings import SettingsFile
from bridge.system.background_tasks import BackgroundTasks
from bridge.system.fast.lazy_import import lazy_import
from bridge.vault.service import SIGN_IN, VaultService

if TYPE_CHECKING:
    from bridge.servers import drafts
else:
    drafts = lazy_import("bridge.servers.drafts")

TOOLS = "tools/list"

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_LINES = 60
_LONGEST = 2_000  # letters of a line


class ServerDetailsService:
    """Complete each ServerStatus, and show one server in detail."""

    def __init__(
        self,
        settings: SettingsFile,
        vault: VaultService,
        tool_caller: ToolCaller,
        state: RoutingState,
        secrets: SecretNames,
        icons: ServerIconFiles,
        on_change: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._vault = vault
        self._tool_caller = tool_caller
        self._state = state
        self._secrets = secrets
        self._icons = icons
        self._on_change = on_change
        self._tasks = BackgroundTasks()
        self._look: ServerView | None = None
        self._tools: dict[
            str, tuple[ServerSpec, bytes | None, tuple[ServerTool, ...]]
        ] = {}  # as of this list
        self.stderr = Lines()

    async def close(self) -> None:
        await self._tasks.cancel()

    def complete(self, servers: Iterable[ServerStatus]) -> tuple[ServerStatus, ...]:
        """Add what the core does not know: missing secrets, the number of tools, icons, whether it is
        configured."""
        self._icons.read_introductions()
        return tuple(map(self._complete, servers))

    def _complete(self, server: ServerStatus) -> ServerStatus:
        spec = self._state.servers.get(server.name)
        tools = self._known_tools(spec) if spec else None
        missing = self._secrets.missing(spec) if spec else ()
        stopped = server.state in ("idle", "failed", "back-off")
        return replace(
            server,
            state="secret" if missing and stopped else server.state,
            missing=missing,
            tools=self._count(server.name, tools),
            configured=server.name in self._settings.current.servers,
            approval=self._settings.current.approvals.get(server.name, Preset.ALLOW).value,
            icon=self._icons.path(server.name),
        )

    def _count(self, server: str, tools: tuple[ServerTool, ...] | None) -> int:
        """Return the number of tools; -1 if it is not known. Of a wrapped server, the core alone knows it."""
        if tools is not None:
            return len(tools)
        return -1 if server in self._state.servers else self._state.pins.count(server) or -1

    # --- the server that is shown --------------------------------------------------------------------

    def shown(self) -> ServerView | None:
        """Return the server that is shown, as it is now."""
        look = self._look
        spec = self._state.servers.get(look.plan.name) if look is not None else None
        if look is None or spec is None:
            return look
        tools = self._known_tools(spec)
        lines = self.stderr.of(spec.name)
        return replace(
            look, plan=drafts.plan_of(spec), tools=tools or (), listed=tools is not None, lines=lines
        )

    def show(self, name: str, ask: bool = False) -> None:
        """Show a server. `ask`: start it and list its tools; a built-in server always lists them."""
        spec = self._state.servers.get(name)
        if spec is None:
            self.hide()
            self._on_change()
            return
        kind = "built-in" if spec.builtin else "http" if spec.url else "stdio"
        self._look = ServerView(drafts.plan_of(spec), kind, busy=True)
        self._tasks.start(self._fill(spec, (ask or spec.builtin) and spec.enabled))

    def hide(self) -> None:
        self._look = None

    def refresh(self, changed: Collection[str]) -> None:
        """Show the server again, if it is one of `changed`; if it could not list its tools, ask once more."""
        look = self._look
        spec = self._state.servers.get(look.plan.name) if look is not None else None
        if look is not None and spec is not None and spec.name in changed:
            self.show(spec.name, ask=bool(look.problem) and not self._secrets.missing(spec))

    async def _fill(self, spec: ServerSpec, ask: bool) -> None:
        problem = await self.list_tools(spec) if ask else ""
        signed_in = bool(spec.url) and await self._vault.vault.may_have(SIGN_IN + spec.name)
        if self._look is not None and self._look.plan.name == spec.name:
            self._look = replace(self._look, busy=False, problem=problem, signed_in=signed_in)
            self._on_change()

    # --- tools ---------------------------------------------------------------------------------------

    async def list_tools(self, spec: ServerSpec) -> str:
        """Ask the server for its tools; return why it could not list them."""
        try:
            found = await self._tool_caller.list_tools(OWN_WINDOWS, spec)
        except ToolListFailed as error:
            return self._state.phrases.of(error.result.text)
        self._remember(spec, found)
        self._on_change()
        return ""

    def _known_tools(self, spec: ServerSpec) -> tuple[ServerTool, ...] | None:
        """Return the tools as any host or window listed them last; None if none has."""
        raw = self._state.remembered.get((spec.name, TOOLS))
        known = self._tools.get(spec.name)
        if known is not None and known[0] == spec and known[1] is raw:
            return known[2]
        found = self._tool_caller.last_listed(spec) if raw is None else listed(raw)
        return None if found is None else self._remember(spec, found)

    def _remember(self, spec: ServerSpec, found: list[dict[str, Any]]) -> tuple[ServerTool, ...]:
        tools = tools_in(self._tool_caller.functions_of(spec.name, found))
        self._tools[spec.name] = (spec, self._state.remembered.get((spec.name, TOOLS)), tools)
        return tools


def tools_in(functions: Sequence[Function]) -> tuple[ServerTool, ...]:
    return tuple(_tool(one) for one in functions)


def _tool(one: Function) -> ServerTool:
    annotations = one.tool.get("annotations")
    notes: Mapping[str, Any] = annotations if isinstance(annotations, dict) else {}
    title = one.title if one.title != one.name else str(notes.get("title") or "")
    return ServerTool(
        one.name,
        one.public,
        title,
        one.description,
        tuple(hint for hint in HINTS if notes.get(hint) is True),
        msgspec.json.encode(one.input_schema),
    )


def listed(raw: bytes) -> list[dict[str, Any]]:
    """Return the tools that lists.json keeps of a server; [] if the file is damaged."""
    try:
        tools = msgspec.json.decode(raw, type=list[dict[str, Any]])
    except (msgspec.MsgspecError, RecursionError):
        return []
    return [tool for tool in tools if isinstance(tool.get("name"), str)]


class Lines:
    """The last lines that servers wrote to stderr, by server."""

    def __init__(self) -> None:
        self._known: dict[str, deque[str]] = {}

    def add(self, server: str, line: str) -> None:
        self._known.setdefault(server, deque(maxlen=_LINES)).append(line[:_LONGEST])

    def of(self, server: str) -> tuple[str, ...]:
        return tuple(self._known.get(server, ()))
