"""Tool, the exceptions of tools, and Peer, by which a tool reaches its host.

upstreams/builtin.py runs the tools and implements Peer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Protocol

from bridge.core.protocol.translate import TOO_LATE
from bridge.tools.results import BAD_ARGUMENTS

if TYPE_CHECKING:
    from bridge.tools.context import ToolContext
    from bridge.tools.files import Files

Arguments = Mapping[str, Any]
Completer = Callable[["ToolContext", str], Awaitable[Sequence[str]]]
CompleterFunction = Completer | Callable[["ToolContext", str], Sequence[str]]  # async, or plain
FAULT_LOG = "bridge.tools.faults"  # logger of exceptions that tools raise, with their messages
READ_ONLY: Mapping[str, bool] = {"readOnlyHint": True, "openWorldHint": False}


class ToolProblem(Exception):
    """A failure the model should read; the call ends with this text as its error."""

    why = ""  # results.FAILURE_KEY, for callers with status codes

    def __init__(self, text: str = "", why: str = "") -> None:
        super().__init__(text)
        self.why = why or self.why


class BadArguments(ToolProblem):
    """The arguments are wrong; the text says what to change."""

    why = BAD_ARGUMENTS


class NotAnswered(ToolProblem):
    """The user did not answer a question. The tool must not assume an answer."""


class Declined(NotAnswered):
    """The user declined. `reason`: in their own words, if they gave one."""

    def __init__(self, text: str, reason: str = "") -> None:
        super().__init__(f"{text} They said: {reason}" if reason else text)
        self.reason = reason


class Cancelled(NotAnswered):
    """The user closed the question."""


class TimedOut(Cancelled):
    """The question expired."""

    why = TOO_LATE


class NobodyToAsk(Cancelled):
    """Neither the host nor Deskbell can show a question."""


class NoModel(ToolProblem):
    """Neither the host nor Deskbell provides a model."""


class PeerRefused(Exception):
    """The host replied to a request with an error."""


class Peer(Protocol):
    """The host of one call, and through it the user."""

    @property
    def host(self) -> str:
        """The name that the host gives itself."""

    @property
    def known_as(self) -> str:
        """The name of the host in windows and policy rules."""

    @property
    def session(self) -> dict[str, Any]:
        """Values that tools keep for as long as the host is connected."""

    @property
    def files(self) -> Files:
        """The folders that the person mounted for the Toolbox."""

    @property
    def log_level(self) -> str:
        """The lowest level of log messages that the host wants."""

    async def request(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a request and return its result. Raises PeerRefused. Cancelling the coroutine cancels the
        request."""

    def notify(self, method: str, params: Mapping[str, Any]) -> None: ...

    def notify_resource(self, uri: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Tool:
    """`run` gets the arguments unchecked; toolbox.py makes a Tool from a typed function."""

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    run: Callable[[ToolContext, Arguments], Awaitable[Any]]
    annotations: Mapping[str, bool] = field(default_factory=lambda: READ_ONLY)
    completers: Mapping[str, Completer] = field(default_factory=dict)
    elicits: Mapping[str, Any] = field(
        default_factory=dict
    )  # key of a question → type or schema of its answer
    requires: frozenset[str] = frozenset()  # capabilities without which it is not listed, such as "sampling"
    text_only_for: str = ""  # pattern of the hosts that refuse structuredContent beside its text

    def is_text_only(self, host: str) -> bool:
        return bool(self.text_only_for) and fnmatchcase(host, self.text_only_for)  # "" would match a host ""

    def listing(self, host: str = "") -> dict[str, Any]:
        """Return the entry of tools/list for a host of this name."""
        listed = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "annotations": self.annotations,
        }
        if self.output_schema is None or self.is_text_only(host):
            return listed
        return {**listed, "outputSchema": self.output_schema}
