"""Status: one frozen look at everything a window or `deskbell status` shows. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field

from bridge.core.questions.flood_control import LIMIT
from bridge.core.questions.interruption import PLAIN, AlertSettings
from bridge.core.questions.question import Question
from bridge.core.status.hosts import HostsStatus
from bridge.core.status.servers import ServersStatus
from bridge.i18n import say, together


@dataclass(frozen=True, slots=True)
class HostStatus:
    """One AI application that is connected now."""

    name: str
    version: str
    wire: str  # "stdio" | "http"
    revision: str  # protocol date, "" before it said so
    can_ask: bool  # it declares form elicitation itself
    servers: tuple[str, ...]
    calls: int
    can: tuple[str, ...] = ()  # "form" | "url" | "sampling", as it declares


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """One server: configured, or wrapped by a host."""

    name: str
    kind: str  # "stdio" | "http" | "built-in"
    state: str  # "idle" | "starting" | "ready" | "failed" | "resting" | "sign-in" | "secret" | "disabled"
    revision: str = ""
    problem: str = ""
    sign_in: str = ""  # "needed" | "under way": the person is at it | "": neither
    tools: int = -1  # how many it has; -1: it was never asked
    rests_until: float = 0.0  # seconds since the epoch; after failures it is left alone so long
    missing: tuple[str, ...] = ()  # secrets it refers to that are not kept
    configured: bool = True  # config.toml has it; else it is built in, or wrapped by a host


@dataclass(frozen=True, slots=True)
class RunningCall:
    """A call that is not over."""

    id: int
    host: str
    server: str
    tool: str
    since: float  # seconds since the epoch
    waits_for: str  # "server" | "approval" | "question": what it waits for now
    size: int  # bytes of its arguments


@dataclass(frozen=True, slots=True)
class ToolStatus:
    """A tool that a server offers, as far as it was heard."""

    server: str
    name: str  # the server's own
    public: str  # as rules and hosts call it
    title: str = ""
    hints: tuple[str, ...] = ()  # "readOnly", "destructive", "idempotent", "openWorld"; "!…": not so
    verdict: str = "allow"  # for a host without rules of its own
    is_changed: bool = False  # since the person allowed it


@dataclass(frozen=True, slots=True)
class RuleStatus:
    """A rule of the policy, and what it decides now. First match wins."""

    host: str  # whose rule it is; "*" and "": everyone's
    pattern: str
    verdict: str  # "allow" | "confirm" | "deny"
    tools: tuple[str, ...] = ()  # that it decides, the first of them
    count: int = 0  # how many it decides
    hidden: int = 0  # how many it matches that an earlier rule decides
    allowed: int = 0  # id of the "Allow always" that made it, which can be undone; 0: the person wrote it
    allowed_at: float = 0.0  # when, in seconds since the epoch
    allowed_by: str = ""  # and which application wanted to call it


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the person has allowed for good since Deskbell started; it can be undone."""

    id: int
    tool: str  # its public name
    host: str  # for which alone; "": all
    at: float  # seconds since the epoch
    by: str = ""  # the application that wanted to call it


@dataclass(frozen=True, slots=True)
class Flood:
    """A server that asks too often: its Questions wait without ringing until the person decides."""

    server: str
    waiting: int


@dataclass(frozen=True, slots=True)
class Mute:
    """A server whose Questions are declined, until then (seconds since the epoch)."""

    server: str
    until: float


@dataclass(frozen=True, slots=True)
class ConfigStatus:
    """config.toml, where it cannot be read."""

    path: str = ""
    problem: str = ""  # where and why; "": it can be read
    in_force: str = "file"  # "file" | "last good": as it was before | "nothing": every call is denied


@dataclass(frozen=True, slots=True)
class VaultStatus:
    """Where secrets are kept, at this moment."""

    store: str = ""  # "keyring" | "file" | "memory" | "refuse"; "": none was needed yet
    state: str = "unused"  # "unused" | "ready" | "locked" | "asking" | "unusable"
    limits: str = ""  # what it does and does not protect, for a person
    problem: str = ""
    why: str = ""  # why it is this store, where that is not what one would expect
    wanted: str = "auto"  # as config.toml has it: "auto", or a store
    moving: bool = False  # to another one, as the person wanted
    moved: str = ""  # what came of that
    refused: str = ""  # or why nothing did

    def words(self) -> str:
        """All of it, for a person."""
        said = say("{where}{state}.", where=_WHERE[self.store], state=_STATES.get(self.state, ""))
        return together(said, self.problem, self.why, self.limits)


_WHERE = {
    "": say("No secrets are kept yet"),
    "keyring": say("Secrets are kept in the keyring"),
    "file": say("Secrets are kept in an encrypted file"),
    "memory": say("Secrets are kept in memory"),
    "refuse": say("Secrets are refused"),
}
CALLED = {"keyring": say("keyring"), "file": say("file"), "memory": say("memory")}
_STATES = {
    "locked": say(", locked by a passphrase"),
    "asking": say(", which waits for you to unlock it in a window of its own"),
    "unusable": say(", which cannot be used now"),
}


def called(store: str) -> str:
    """A store in the middle of a sentence."""
    return CALLED.get(store, store)


@dataclass(frozen=True, slots=True)
class AccountStatus:
    """One Bluesky account."""

    did: str
    handle: str
    pds: str
    method: str  # "oauth" | "app-password"
    default: bool = False
    added: float = 0.0  # seconds since the epoch
    used: float = 0.0
    problem: str = ""  # why the person has to sign in again
    avatar: str = ""  # path of a picture; "": none


@dataclass(frozen=True, slots=True)
class AccountsStatus:
    """The accounts, and how far the window's sign-in is."""

    accounts: tuple[AccountStatus, ...] = ()
    signing_in: str = ""  # the step it is at; "": none is under way
    url: str = ""  # where the browser was sent
    problem: str = ""  # what did not work, last
    done: str = ""  # what did, last
    autoreply: bool = False  # its saved accounts have not been read yet


@dataclass(frozen=True, slots=True)
class EndpointStatus:
    """Where AI applications reach Deskbell by HTTP, beside the address itself."""

    port: int = 8765  # as config.toml wants it; 0: any
    renewed: float = 0.0  # when the token was replaced, in seconds since the epoch
    outdated: tuple[str, ...] = ()  # files of applications that still hold what was replaced


@dataclass(frozen=True, slots=True)
class UpdateStatus:
    """Is there a newer Deskbell? Asked only if the person wants it."""

    check: bool = False
    url: str = ""
    newer: str = ""  # its version
    problem: str = ""  # why nobody knows
    asked: float = 0.0  # when, in seconds since the epoch


@dataclass(frozen=True, slots=True)
class Status:
    version: str = ""
    address: str = ""  # http://127.0.0.1:N/mcp, "" until it listens
    presenter: str = ""
    waiting: tuple[Question, ...] = ()  # oldest first
    visits: tuple[str, ...] = ()  # URL Questions that were accepted, and whose pages are still needed
    hosts: tuple[HostStatus, ...] = ()
    servers: tuple[ServerStatus, ...] = ()
    problems: tuple[str, ...] = ()  # for a person; a broken config.toml, a taken port
    snoozed: bool = False  # nothing rings, no clock runs
    snoozed_until: float = 0.0  # seconds since the epoch; 0: until the person says otherwise
    floods: tuple[Flood, ...] = ()
    mutes: tuple[Mute, ...] = ()
    wishes: AlertSettings = PLAIN  # how loudly Questions may come
    questions_per_minute: int = LIMIT
    history_days: float = 30.0
    contents_days: float = 1.0  # of what calls said
    running: tuple[RunningCall, ...] = ()  # oldest first; told only while somebody looks
    rules: tuple[RuleStatus, ...] = ()  # in the order in which they are asked
    tools: tuple[ToolStatus, ...] = ()
    allowed: tuple[Allowed, ...] = ()  # newest first
    recorded: int = 0  # how much went into the history so far; the same
    language: str = ""  # of the windows; "": the system's
    theme: str = "system"  # of the windows; or "light", "dark"
    icon: str = "colour"  # of the tray; or "mono", "mono-light", "mono-dark" by the panel
    question_timeout: float = 300.0
    notices: tuple[str, ...] = ()  # for a person; what works, and could work better
    config: ConfigStatus = field(default_factory=ConfigStatus)
    vault: VaultStatus = field(default_factory=VaultStatus)
    bluesky: AccountsStatus = field(default_factory=AccountsStatus)
    endpoint: EndpointStatus = field(default_factory=EndpointStatus)
    updates: UpdateStatus = field(default_factory=UpdateStatus)
    at_servers: ServersStatus = field(default_factory=ServersStatus)  # what the Servers page is at
    at_hosts: HostsStatus = field(default_factory=HostsStatus)
