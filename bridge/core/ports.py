"""What the core's neighbours promise one another. Types only: no behaviour, no I/O.

    Transport ──host_sent──▶ Front (the engine) ──send──▶ Connection (an upstream adapter)
    Transport ◀──deliver──── Front (the engine) ◀─received── Connection

All calls happen in the engine's loop, return at once and never raise for what a peer did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

from bridge.core.protocol.jsonrpc import Envelope
from bridge.core.questions.question import Answer, Question

BUILT_IN = ("desk", "bluesky")  # names that servers in this process have
OWN_WINDOWS = "window"  # wire and tenant of Deskbell's own windows, which are no AI application


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """One upstream server as configured. Either `command` (stdio) or `url` (Streamable HTTP)."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)  # added to the base environment
    base_env: Mapping[str, str] | None = None  # None: Deskbell's own; `wrap` brings the host's
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    oauth: Mapping[str, str] = field(default_factory=dict)  # for signing in; empty: as the server says
    timeout: float = 120.0  # seconds of machine time; human time does not count
    shared: bool = False
    era: str = ""  # "legacy" or "modern": met in that one if it speaks it; "": in its host's own
    enabled: bool = True
    builtin: bool = False
    asks_itself: tuple[str, ...] = ()  # own names of built-in tools that show a preview and ask the user

    @property
    def identity(self) -> str:
        """A digest of its name and of where it is, without what is secret in it."""
        told = "\0".join((self.name, self.url, self.command, *self.args))
        return sha256(told.encode(errors="replace")).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who opens a Link, as its transport knows it.

    `tenant` owns the upstream connections. A stdio host or a legacy HTTP session is a tenant of its own
    (""); modern HTTP is stateless, so all its POSTs from one application name the same tenant.
    """

    wire: str  # "stdio" | "http"; of callers without MCP "rest" | "cgi" | "cli"
    server: str = ""  # one server with its own names; "": all servers, names prefixed
    wrap: ServerSpec | None = None
    host_name: str = ""  # overrides what the host calls itself
    tenant: str = ""
    plain: bool = False  # wants an answer and nothing else: it cannot be asked, whatever the settings say


class Deliver(Protocol):
    """Hands one message to the host. `about`: raw JSON id of the host's request it belongs to, b"" if to
    none. `final`: it is the reply to that request."""

    def __call__(self, message: bytes, about: bytes, final: bool, /) -> None: ...


class Front(Protocol):
    """The engine as transports see it. A message is one JSON-RPC object without its newline."""

    def open_link(self, caller: Caller, deliver: Deliver, hang_up: HangUp) -> int: ...
    def host_sent(self, link: int, message: bytes) -> None: ...
    def close_link(self, link: int, why: str = "") -> None:
        """`why`: what the host did to be hung up on, if it did not leave by itself."""


class HangUp(Protocol):
    """The engine ends the Link (app quits): close the host's connection once what was delivered is out."""

    def __call__(self, /) -> None: ...


class Back(Protocol):
    """The engine as upstream adapters see it."""

    def received(
        self, conn: int, message: bytes, about: bytes = b"", envelope: Envelope | None = None
    ) -> None:
        """One message from the server. `about`: raw id of the request on whose stream it came (HTTP).
        `envelope`: its own, if whoever brings it had to read it."""

    def unreached(self, conn: int, request: bytes, words: str, status: int = 0) -> None:
        """A request of this raw id will not be answered: why, for a person. The connection lives on."""

    def ended(self, conn: int, reason: str) -> None:
        """The connection is over, once. `reason` is for a person and holds the last stderr lines."""

    def noted(self, conn: int, line: str) -> None:
        """A stderr line, for the journal."""


class Connection(Protocol):
    """One connection to one server, for one tenant. Starts itself; what is sent meanwhile waits."""

    def send(self, message: bytes) -> None: ...
    def close(self) -> None:
        """Begin to stop: polite, then by force, at most 2 s; `Back.ended` is not called any more."""

    async def closed(self) -> None:
        """Returns when nothing of it is left running."""

    def rouse(self) -> None:
        """The machine slept: what may have died meanwhile is opened anew."""


class Presenter(Protocol):
    """Shows Questions to the person. Cancelling `ask` withdraws the Question."""

    async def ask(self, question: Question) -> Answer: ...
    async def close(self) -> None: ...
