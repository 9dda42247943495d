"""Toolbox: typed functions that together are one built-in server.

NOTES = Toolbox("notes", "Notes")

@NOTES.tool(read_only=True)
async def count(ctx: ToolContext, text: str) -> int: ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from bridge.core.ports import ServerSpec
from bridge.tools import handoff, signature
from bridge.tools.base import Completer, CompleterFunction, Tool
from bridge.tools.resources_and_prompts import Prompt, Resource

F = TypeVar("F", bound=Callable[..., Any])
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_TOOL = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class Toolbox:
    """`name` is the name of the server; its tools are `{name}_{tool}` in the merged list. `fill` adds the
    tools on first use, so that their imports can wait until then."""

    def __init__(
        self,
        name: str,
        title: str = "",
        instructions: str = "",
        *,
        timeout: float = 120.0,
        asks_itself: tuple[str, ...] = (),
        prose_errors: bool = False,
        fill: Callable[[Toolbox], None] | None = None,
    ) -> None:
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"{name!r} cannot be a server's name: use letters, digits, - and _")
        self.name = name
        self.title = title or name
        self.instructions = instructions
        self.timeout = timeout  # seconds for one call, without the time that questions wait
        self.asks_itself = asks_itself  # tools that show a preview and ask the user, whatever the policy
        self.prose_errors = prose_errors  # errors are sent as plain text, not as JSON
        self._fill = fill
        self._tools: dict[str, Tool] = {}
        self.resources: dict[str, Resource] = {}  # by URI or template
        self.prompts: dict[str, Prompt] = {}
        self.watchers: dict[str, set[Callable[[str], None]]] = {}  # URI → its subscribed connections

    @property
    def spec(self) -> ServerSpec:
        """The settings of this server, as if they stood in config.toml."""
        return ServerSpec(
            self.name,
            builtin=True,
            timeout=self.timeout,
            json_errors=not self.prose_errors,
            asks_itself=self.asks_itself,
        )

    @property
    def tools(self) -> dict[str, Tool]:
        fill, self._fill = self._fill, None
        if fill is not None:
            fill(self)
        return self._tools

    def renamed(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments of a call under the names that they have now, in the same order."""
        return arguments

    def add(self, tool: Tool) -> None:
        if _TOOL.fullmatch(tool.name) is None:
            raise ValueError(f"{tool.name!r} cannot be a tool's name: use letters, digits, _, . and -")
        if tool.name in self._tools:
            raise ValueError(f"{self.name} has two tools called {tool.name}")
        self._tools[tool.name] = tool

    def tool(
        self,
        *,
        name: str = "",
        title: str = "",
        names: Mapping[str, str] | None = None,
        read_only: bool = False,
        destructive: bool = True,
        idempotent: bool = False,
        open_world: bool = True,
        completers: Mapping[str, CompleterFunction] | None = None,
        requires: Iterable[str] = (),
        elicits: Mapping[str, Any] | None = None,
        before: Callable[..., Any] | None = None,
        after: Callable[..., Any] | None = None,
        text_only_for: str = "",
    ) -> Callable[[F], F]:
        """Register the decorated function, async or plain, as a tool, and return it unchanged.

        `names` maps parameters to argument names, `completers` maps arguments to their completions. A tool
        that `requires` "sampling" is listed only where a model can be asked. `elicits` names questions and
        the types of their answers, for `ctx.elicit`. `before` takes the arguments and returns what the
        function gets in their place, `after` makes the answer (handoff.py). A host whose name matches the
        pattern `text_only_for` gets neither output schema nor structuredContent. The rest are hints of MCP.
        """
        if after is not None and before is None:
            raise ValueError("`after` needs `before`, whose result it gets")
        hints = {"readOnlyHint": read_only, "openWorldHint": open_world}
        if not read_only:
            hints |= {"destructiveHint": destructive, "idempotentHint": idempotent}

        def register(function: F) -> F:
            tool_name = name or function.__name__
            if before is None:
                read = signature.read(function, names, tool_name)
            else:
                read = handoff.read(function, before, after, names, tool_name)
            self.add(
                Tool(
                    tool_name,
                    title or tool_name.replace("_", " ").capitalize(),
                    read.description,
                    read.input_schema,
                    read.output_schema,
                    read.call,
                    hints,
                    _completers(completers, read.input_schema, tool_name),
                    elicits or {},
                    frozenset(requires),
                    text_only_for,
                )
            )
            return function

        return register

    def resource(
        self,
        uri: str,
        *,
        title: str = "",
        mime_type: str = "",
        completers: Mapping[str, CompleterFunction] | None = None,
    ) -> Callable[[F], F]:
        """Register the decorated function, which reads a resource; {variables} of the URI are arguments."""

        def register(function: F) -> F:
            read, name = signature.read(function), function.__name__
            offered = title or name.replace("_", " ").capitalize()
            completing = _completers(completers, read.input_schema, name)
            made = Resource(uri, name, offered, read.description, mime_type, read.raw, completing)
            if set(made.variables) != set(read.input_schema["properties"]):
                raise ValueError(f"the variables of {uri} must be the parameters of {name}")
            self.resources[uri] = made
            return function

        return register

    def prompt(
        self, *, name: str = "", title: str = "", completers: Mapping[str, CompleterFunction] | None = None
    ) -> Callable[[F], F]:
        """Register the decorated function as a prompt; it returns a text or a list of MCP messages."""

        def register(function: F) -> F:
            own = name or function.__name__
            read, offered = signature.read(function, None, own), title or own.replace("_", " ").capitalize()
            completing = _completers(completers, read.input_schema, own)
            made = Prompt(own, offered, read.description, read.input_schema, read.raw, completing)
            self.prompts[own] = made
            return function

        return register

    def notify_resource(self, uri: str) -> None:
        """Tell the hosts that have subscribed to this resource that it has changed."""
        for tell in list(self.watchers.get(uri, ())):
            tell(uri)


def _completers(
    given: Mapping[str, CompleterFunction] | None, schema: Mapping[str, Any], owner: str
) -> Mapping[str, Completer]:
    """Return the completers as coroutine functions. Raises ValueError for one of no argument."""
    unknown = set(given or ()) - set(schema["properties"])
    if unknown:
        raise ValueError(f"{owner} has no argument called {', '.join(sorted(unknown))} to complete")
    return {name: signature.as_coroutine(function) for name, function in (given or {}).items()}
