"""What the Servers page is at: one server looked at, what would be added, a tool that is tried, secrets.

Frozen values; no I/O. Status.servers has the list itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bridge.system.masking import MASK

HIDDEN = MASK  # a secret that config.toml holds in plain text; sent back, it means "unchanged"


@dataclass(frozen=True, slots=True)
class ServerForm:
    """A server as config.toml has it, or will: for a person to read and to edit."""

    name: str
    command: str = ""  # program and arguments, quoted as `split` reads them
    url: str = ""
    cwd: str = ""
    env: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    timeout: float = 120.0
    shared: bool = False
    enabled: bool = True
    vault: bool = False  # a wish: what looks like a key in it shall be there, not in config.toml


@dataclass(frozen=True, slots=True)
class ServerTool:
    """As its server describes it. `hints` are those annotations that it calls true."""

    name: str
    public: str  # how hosts and rules call it
    title: str = ""
    description: str = ""
    hints: tuple[str, ...] = ()  # "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint"
    schema: bytes = b"{}"


@dataclass(frozen=True, slots=True)
class ServerView:
    """One server, from near."""

    plan: ServerForm
    kind: str  # as in ServerStatus
    tools: tuple[ServerTool, ...] = ()
    listed: bool = False  # its tools are known, if only from its last run
    busy: bool = False  # it is being asked for them
    problem: str = ""  # why it could not be asked
    lines: tuple[str, ...] = ()  # the last it wrote to stderr
    signed_in: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """One server that may be added, or why it cannot be."""

    place: int
    called: str  # where it was found
    plan: ServerForm | None = None  # with a name that is free
    clash: str = ""  # the server that has its name already
    source: str = ""  # the AI application whose it is
    reason: str = ""
    same: str = ""  # the server of ours that it already is
    remarks: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()  # which of its env or headers look like keys


@dataclass(frozen=True, slots=True)
class Draft:
    """What was found in a text, or on this machine. Nothing of it is written yet."""

    number: int = 0
    proposals: tuple[Proposal, ...] = ()
    problems: tuple[str, ...] = ()
    busy: bool = False


@dataclass(frozen=True, slots=True)
class ProposalChoice:
    """What the person wants of a Proposal."""

    place: int
    name: str
    vault: bool = True  # its secrets go there
    replace: bool = False  # the server that has this name already


@dataclass(frozen=True, slots=True)
class ContentBlock:
    """One part of a tool's answer."""

    kind: str  # "text" | "json" | "image" | "audio" | "link" | "resource"
    text: str = ""
    data: bytes = field(default=b"", repr=False)
    mime: str = ""
    uri: str = ""


@dataclass(frozen=True, slots=True)
class ToolTrial:
    """A tool the person tries."""

    number: int = 0
    server: str = ""
    tool: str = ""  # its public name
    running: bool = False
    done: float = 0.0
    total: float = 0.0  # 0: nobody knows
    message: str = ""
    notes: tuple[str, ...] = ()  # what the server logged meanwhile
    failed: bool = False
    cancelled: bool = False
    blocks: tuple[ContentBlock, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SecretUse:
    """A name that servers refer to, or that is kept for none."""

    name: str
    servers: tuple[str, ...] = ()
    kept: bool = False
    sign_in: bool = False  # not a secret by a name, but the sign-in to a server that is gone


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What came of what the person wanted last; `number` counts those."""

    number: int = 0
    done: str = ""
    problem: str = ""
    undo: bool = False  # it can be taken back


@dataclass(frozen=True, slots=True)
class ServersStatus:
    look: ServerView | None = None
    draft: Draft = Draft()
    trial: ToolTrial = ToolTrial()
    secrets: tuple[SecretUse, ...] = ()
    told: ActionResult = ActionResult()
