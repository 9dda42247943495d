"""The Servers page: details of one server, proposals to add, a tool being tried, secrets.

Frozen values. Status.servers has the list of servers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bridge.system.masking import MASK

HIDDEN = MASK  # a secret that config.toml holds in plain text; sent back, it means "unchanged"


@dataclass(frozen=True, slots=True)
class ServerForm:
    """A server's settings as text, for users to read and edit."""

    name: str
    command: str = ""  # program and arguments, quoted as `split` reads them
    url: str = ""
    cwd: str = ""
    env: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    timeout: float = 120.0
    shared: bool = False
    enabled: bool = True
    vault: bool = False  # move values that look like keys into the vault


@dataclass(frozen=True, slots=True)
class ServerTool:
    """A tool as its server describes it. `hints`: annotations that are true."""

    name: str
    public: str  # its public name
    title: str = ""
    description: str = ""
    hints: tuple[str, ...] = ()  # "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint"
    schema: bytes = b"{}"


@dataclass(frozen=True, slots=True)
class ServerView:
    """Details of one server."""

    plan: ServerForm
    kind: str  # as in ServerStatus
    tools: tuple[ServerTool, ...] = ()
    listed: bool = False  # its tools are known, perhaps from its last run
    busy: bool = False  # its tools are being listed
    problem: str = ""  # why they could not be listed
    lines: tuple[str, ...] = ()  # last lines of stderr
    signed_in: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A server that may be added, or why it cannot be."""

    place: int
    called: str  # its name in the source
    plan: ServerForm | None = None  # with a free name
    clash: str = ""  # the server that already has its name
    source: str = ""  # the AI application it was found in
    reason: str = ""
    same: str = ""  # the configured server it is identical to
    remarks: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()  # its env or headers that look like keys


@dataclass(frozen=True, slots=True)
class Draft:
    """Servers found in a text or on this machine; nothing is written yet."""

    number: int = 0
    proposals: tuple[Proposal, ...] = ()
    problems: tuple[str, ...] = ()
    busy: bool = False


@dataclass(frozen=True, slots=True)
class ProposalChoice:
    """The user's choice for one Proposal."""

    place: int
    name: str
    vault: bool = True  # move its secrets into the vault
    replace: bool = False  # replace the server that has this name


@dataclass(frozen=True, slots=True)
class ContentBlock:
    """One content block of a tool's result."""

    kind: str  # "text" | "json" | "image" | "audio" | "link" | "resource"
    text: str = ""
    data: bytes = field(default=b"", repr=False)
    mime: str = ""
    uri: str = ""


@dataclass(frozen=True, slots=True)
class ToolTrial:
    """A call of a tool from the Servers page."""

    number: int = 0
    server: str = ""
    tool: str = ""  # its public name
    running: bool = False
    done: float = 0.0
    total: float = 0.0  # 0: unknown
    message: str = ""
    notes: tuple[str, ...] = ()  # the server's log messages during the call
    failed: bool = False
    cancelled: bool = False
    blocks: tuple[ContentBlock, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SecretUse:
    """A secret that servers refer to, or that no server uses."""

    name: str
    servers: tuple[str, ...] = ()
    kept: bool = False
    sign_in: bool = False  # the sign-in to a server that was removed


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result of the user's last action; `number` identifies it."""

    number: int = 0
    done: str = ""
    problem: str = ""
    undo: bool = False  # can be undone


@dataclass(frozen=True, slots=True)
class ServersStatus:
    look: ServerView | None = None
    draft: Draft = Draft()
    trial: ToolTrial = ToolTrial()
    secrets: tuple[SecretUse, ...] = ()
    last_action: ActionResult = ActionResult()
