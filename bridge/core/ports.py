"""Interfaces between transports, engine and upstream adapters. Types only: no behaviour, no I/O.

    Transport ──host_sent──▶ HostPort   (the engine) ──send──────▶ Connection (an upstream adapter)
    Transport ◀──deliver──── ServerPort (the engine) ◀──received── Connection

All calls happen in the engine's loop, return at once and never raise for what a peer did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

import msgspec

from bridge.core.protocol.jsonrpc import Envelope
from bridge.core.questions.question import Answer, Question

BUILT_IN = ("desk", "bluesky")  # names of the servers in this process
DEFAULT_PORT = 23355  # of HTTP; not registered with IANA, and no known program's default
OWN_WINDOWS = "window"  # wire and tenant of Deskbell's own windows


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """One upstream server as configured. Either `command` (stdio) or `url` (Streamable HTTP)."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)  # added to the base environment
    base_env: Mapping[str, str] | None = None  # None: Deskbell's own; of `wrap`: the host's
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    oauth: Mapping[str, str] = field(
        default_factory=dict
    )  # sign-in options; empty: discovered from the server
    timeout: float = 120.0  # seconds; a person's time does not count
    shared: bool = False
    era: str = ""  # "legacy" or "modern": tried first; "": the host's own
    models: bool = False  # the server gets a token for our models in its environment
    sampling: str = "auto"  # who answers its sampling requests: "auto" | "host" | "model" | "person" | "off"
    enabled: bool = True
    builtin: bool = False
    json_errors: bool = False  # of a built-in server: its errors are JSON, as those of REST
    asks_itself: tuple[str, ...] = ()  # own names of built-in tools that show a preview and ask the user

    @property
    def identity(self) -> str:
        """A digest of name and address or command, without secrets."""
        text = "\0".join((self.name, self.url, self.command, *self.args))
        return sha256(text.encode(errors="replace")).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Caller:
    """The host that opens a Link, as its transport knows it.

    `tenant` owns the upstream connections. A stdio host or a legacy HTTP session is a tenant of its own
    (""); modern HTTP is stateless, so all its POSTs from one application name the same tenant.
    """

    wire: str  # "stdio" | "http"; of callers without MCP "rest" | "cgi" | "cli"
    server: str = ""  # one server with its own names; "": all servers, names prefixed
    wrap: ServerSpec | None = None
    host_name: str = ""  # overrides the name the host gives itself
    identity: str = ""  # its name, proven by its token
    tenant: str = ""
    plain: bool = False  # only takes a reply: it cannot be asked, whatever the settings


class HeldCall(msgspec.Struct, frozen=True):
    """A call that its host stopped waiting for, as it is saved (routing/held/held_calls.py)."""

    ticket: str
    host: str
    server: str
    identity: str  # ServerSpec.identity
    tool: str  # as its server calls it
    arguments: str  # digest
    begun: float  # Unix time
    finished: float = 0.0  # Unix time; 0: under way
    reply: bytes = b""  # JSON-RPC response under any id
    wrapped: bool = False  # the server is none of the settings


class DeliverCallback(Protocol):
    """Hands one message to the host. `about`: raw JSON id of the host's request it belongs to, b"" if to
    none. `final`: it is the reply to that request."""

    def __call__(self, message: bytes, about: bytes, final: bool, /) -> None: ...


class HostPort(Protocol):
    """The engine as transports see it. A message is one JSON-RPC object without its newline."""

    def open_link(self, caller: Caller, deliver: DeliverCallback, hang_up: HangUpCallback) -> int: ...
    def host_sent(self, link: int, message: bytes) -> None: ...
    def close_link(self, link: int, why: str = "") -> None:
        """`why`: what the host did wrong, if its connection was closed for that."""


class HangUpCallback(Protocol):
    """Close the host's connection after all delivered messages are written, because the app quits."""

    def __call__(self, /) -> None: ...


class ServerPort(Protocol):
    """The engine as upstream adapters see it."""

    def received(
        self, conn: int, message: bytes, about: bytes = b"", envelope: Envelope | None = None
    ) -> None:
        """Take one message from the server. `about`: raw id of the request on whose stream it came (HTTP).
        `envelope`: of the message, if the adapter has parsed it."""

    def unreached(self, conn: int, request: bytes, words: str, status: int = 0) -> None:
        """The request with this raw id gets no reply. `words`: why, for a person. The connection stays."""

    def ended(self, conn: int, reason: str) -> None:
        """The connection has ended; called once. `reason`: for a person, with the last stderr lines."""

    def noted(self, conn: int, line: str) -> None:
        """A stderr line, for the journal."""


class Connection(Protocol):
    """One connection to one server, for one Tenant. Starts itself; messages sent before that wait."""

    def send(self, message: bytes) -> None: ...
    def close(self) -> None:
        """Begin to stop, by force after 2 s; `ServerPort.ended` is not called after this."""

    async def closed(self) -> None:
        """Return when the connection has ended, with all its processes and tasks."""

    def rouse(self) -> None:
        """Reopen sockets that may have broken while the machine slept."""


class Presenter(Protocol):
    """Shows Questions to the person. Cancelling `ask` withdraws the Question."""

    async def ask(self, question: Question) -> Answer: ...
    async def close(self) -> None: ...
