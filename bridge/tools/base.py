"""What a built-in tool is, what it may do besides computing, and how it fails.

Knows nothing of how a host is reached; upstreams/builtin.py serves what is defined with it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from bridge.tools.results import BAD_ARGUMENTS, TOO_LATE

if TYPE_CHECKING:
    from bridge.tools.context import ToolContext

Arguments = Mapping[str, Any]
Completer = Callable[["ToolContext", str], Awaitable[Sequence[str]]]
READ_ONLY: Mapping[str, bool] = {"readOnlyHint": True, "openWorldHint": False}


class ToolProblem(Exception):
    """A failure the model should read; the call ends with this text as its error."""

    why = ""  # for callers that have statuses; see results.py


class BadArguments(ToolProblem):
    """The call makes no sense; the text says what to change."""

    why = BAD_ARGUMENTS


class NotAnswered(ToolProblem):
    """The person was asked, and there is no answer. What was asked for is not to be assumed."""


class Declined(NotAnswered):
    """The person said no."""


class Cancelled(NotAnswered):
    """The person closed the question."""


class TimedOut(Cancelled):
    """Nobody answered in time."""

    why = TOO_LATE


class NobodyToAsk(Cancelled):
    """Neither the host nor Deskbell can show a question."""


class NoModel(ToolProblem):
    """Neither the host nor Deskbell lets a model answer."""


class PeerRefused(Exception):
    """The host answered a request with an error."""


class Peer(Protocol):
    """The other end of one call: the host, and through it the person."""

    @property
    def host(self) -> str:
        """What the host calls itself."""

    @property
    def known_as(self) -> str:
        """What the person calls the host, in the rules of the policy, too."""

    @property
    def loudness(self) -> str:
        """The lowest level of log messages the host wants."""

    async def request(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Raises PeerRefused. Cancelling it takes the request back."""

    def notify(self, method: str, params: Mapping[str, Any]) -> None: ...


@dataclass(frozen=True, slots=True)
class Tool:
    """`run` gets the arguments as they came; toolbox.py makes it from a typed function."""

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    run: Callable[[ToolContext, Arguments], Awaitable[Any]]
    annotations: Mapping[str, bool] = field(default_factory=lambda: READ_ONLY)
    completers: Mapping[str, Completer] = field(default_factory=dict)

    def listing(self) -> dict[str, Any]:
        """As tools/list shows it."""
        listed = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "annotations": self.annotations,
        }
        return {**listed, "outputSchema": self.output_schema} if self.output_schema else listed
