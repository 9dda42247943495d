"""Status: a frozen snapshot of everything that windows and `deskbell status` show. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field

from bridge.core.ports import DEFAULT_PORT
from bridge.core.questions.draft import AnswerDraft
from bridge.core.questions.flood_control import LIMIT
from bridge.core.questions.interruption import PLAIN, AlertSettings
from bridge.core.questions.question import Action, Question
from bridge.core.status.hosts import HostsStatus
from bridge.core.status.models import ModelsStatus
from bridge.core.status.servers import ServersStatus
from bridge.i18n import say, together


@dataclass(frozen=True, slots=True)
class HostStatus:
    """One host that is connected now."""

    name: str
    version: str
    wire: str  # "stdio" | "http"; of callers without MCP "rest" | "cgi" | "cli"
    revision: str  # protocol date; "" before the handshake
    can_ask: bool  # the host declares form elicitation
    servers: tuple[str, ...]
    calls: int
    can: tuple[str, ...] = ()  # "form" | "url" | "sampling", as it declares
    patience: float = 0.0  # seconds until it gives up a call; 0: it does not
    patience_source: str = ""  # "measured" | "learned" | "settings" | "entry" | "unknown"


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """One server: configured, or wrapped by a host."""

    name: str
    kind: str  # "stdio" | "http" | "built-in"
    state: str  # "idle" | "starting" | "ready" | "failed" | "back-off" | "sign-in" | "secret" | "disabled"
    revision: str = ""
    problem: str = ""
    sign_in: str = ""  # "needed" | "under way" (in the browser) | ""
    tools: int = -1  # how many; -1: never listed
    backoff_until: float = 0.0  # seconds since the epoch; back-off after crashes
    missing: tuple[str, ...] = ()  # secrets it refers to that the vault does not have
    configured: bool = True  # in config.toml; else built in, or wrapped by a host
    approval: str = "allow"  # what is asked before its tools are called (core/policy/presets.py)
    icon: str = ""  # path of a picture that the server declares; "": none


@dataclass(frozen=True, slots=True)
class RunningCall:
    """A call in progress."""

    id: int
    host: str
    server: str
    tool: str
    since: float  # seconds since the epoch
    waits_for: str  # "server" | "approval" | "question"
    size: int  # bytes of its arguments


@dataclass(frozen=True, slots=True)
class HeldCallStatus:
    """A call that its host stopped waiting for; its reply is kept for the host's next try."""

    ticket: str
    host: str
    server: str
    tool: str
    begun: float  # seconds since the epoch
    finished: float  # seconds since the epoch; 0: it is under way
    is_awaited: bool  # its host waits again


@dataclass(frozen=True, slots=True)
class ToolStatus:
    """A tool of a server's last known tools/list."""

    server: str
    name: str  # the server's own
    public: str  # as rules and hosts call it
    title: str = ""
    hints: tuple[str, ...] = ()  # "readOnly", "destructive", "idempotent", "openWorld"; "!…": not so
    verdict: str = "allow"  # for a host without rules of its own
    is_changed: bool = False  # since the person allowed it


@dataclass(frozen=True, slots=True)
class RuleStatus:
    """A policy rule and the tools it decides now. First match wins."""

    host: str  # the host it is for; "*" and "": all
    pattern: str
    verdict: str  # "allow" | "confirm" | "deny"
    tools: tuple[str, ...] = ()  # the first of those it decides
    count: int = 0  # how many it decides
    hidden: int = 0  # how many it matches that an earlier rule decides
    allowed: int = 0  # id of the "Allow always" that made it; 0: written by hand
    allowed_at: float = 0.0  # seconds since the epoch
    allowed_by: str = ""  # the application that wanted to call it


@dataclass(frozen=True, slots=True)
class AlwaysAllowed:
    """An "Allow always" since Deskbell started; it can be undone."""

    id: int
    tool: str  # its public name
    host: str  # the only host it holds for; "": all
    at: float  # seconds since the epoch
    by: str = ""  # the application that wanted to call it


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A Question whose Answer can still be undone."""

    question: Question
    action: Action
    until: float  # Unix time the Answer is passed on


@dataclass(frozen=True, slots=True)
class Flood:
    """A server that asks too often: its Questions wait silently until the user decides."""

    server: str
    waiting: int


@dataclass(frozen=True, slots=True)
class Mute:
    """A server whose Questions are declined until then (seconds since the epoch)."""

    server: str
    until: float


@dataclass(frozen=True, slots=True)
class ConfigStatus:
    """The state of config.toml."""

    path: str = ""
    problem: str = ""  # where and why; "": it can be read
    in_force: str = "file"  # "file" | "last good" | "nothing" (every call is denied)
    loosened: str = ""  # rules that are gone from it, not by Deskbell's own windows


@dataclass(frozen=True, slots=True)
class VaultStatus:
    """The store of secrets, and its state."""

    store: str = ""  # "keyring" | "file" | "memory" | "refuse"; "": not used yet
    state: str = "unused"  # "unused" | "ready" | "locked" | "asking" | "unusable"
    limits: str = ""  # what it protects against, for users
    problem: str = ""
    why: str = ""  # why this store, if it is not the expected one
    wanted: str = "auto"  # as in config.toml: "auto", or a store
    moving: bool = False  # secrets are being moved to another store
    moved: str = ""  # result of the last move
    refused: str = ""  # why the last move failed

    def words(self) -> str:
        """Return the problem, its reason and its limits as text for users."""
        text = say("{where}{state}.", where=_WHERE[self.store], state=_STATES.get(self.state, ""))
        return together(text, self.problem, self.why, self.limits)


_WHERE = {
    "": say("No keys are stored yet"),
    "keyring": say("Keys are stored in your system keychain"),
    "file": say("Keys are stored in an encrypted file"),
    "memory": say("Keys are stored in memory"),
    "refuse": say("No keys are stored"),
}
CALLED = {"keyring": say("keychain"), "file": say("file"), "memory": say("memory")}
_STATES = {
    "locked": say(", locked by a passphrase"),
    "asking": say(", which waits for you to unlock it in a window of its own"),
    "unusable": say(", which cannot be used now"),
}


def called(store: str) -> str:
    """Return a store's name for use inside a sentence."""
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
    problem: str = ""  # why the user has to sign in again
    avatar: str = ""  # path of a picture; "": none


@dataclass(frozen=True, slots=True)
class AccountsStatus:
    """The accounts, and the progress of a sign-in."""

    accounts: tuple[AccountStatus, ...] = ()
    signing_in: str = ""  # current step; "": no sign-in
    url: str = ""  # where the browser was sent
    problem: str = ""  # the last failure
    done: str = ""  # the last success
    enabled: bool = True  # its tools are offered to AI applications
    chosen: bool = False  # the person has switched it on


@dataclass(frozen=True, slots=True)
class EndpointStatus:
    """The HTTP endpoint: configured port and token."""

    port: int = DEFAULT_PORT  # as config.toml wants it; 0: any
    renewed: float = 0.0  # seconds since the epoch; when the token was replaced
    outdated: tuple[str, ...] = ()  # applications' files that still hold the old token or port


@dataclass(frozen=True, slots=True)
class UpdateStatus:
    """The result of the update check, if it is enabled."""

    check: bool = False
    url: str = ""
    newer: str = ""  # its version
    problem: str = ""  # why the check failed
    asked: float = 0.0  # seconds since the epoch; last check
    install: bool = False  # download newer versions, and put them in place at the next start
    can_install: bool = False  # no package manager owns the files, and the publisher's key is known
    lacks_key: bool = False  # no package manager owns the files, and this build cannot verify a download
    ready: str = ""  # the version that the next start puts in place
    command: str = ""  # that updates to `newer`, where a package manager owns the files


@dataclass(frozen=True, slots=True)
class Status:
    version: str = ""
    address: str = ""  # http://127.0.0.1:N/mcp, "" until it listens
    presenter: str = ""
    waiting: tuple[Question, ...] = ()  # oldest first
    undoable: tuple[HeldBack, ...] = ()  # answered, but the person may take it back
    drafts: tuple[AnswerDraft, ...] = ()  # oldest first
    missed: tuple[Question, ...] = ()  # expired, until the person has seen it; oldest first
    elsewhere: tuple[tuple[str, str], ...] = ()  # last Questions that were answered in a host: id, host
    refusing: tuple[str, ...] = ()  # hosts that refused a Question unseen, and are not asked any more
    silent: tuple[str, ...] = ()  # hosts that left Questions unanswered more than once
    visits: tuple[str, ...] = ()  # ids of accepted URL Questions whose pages are still needed
    hosts: tuple[HostStatus, ...] = ()
    servers: tuple[ServerStatus, ...] = ()
    problems: tuple[str, ...] = ()  # for users; a broken config.toml, a port in use
    snoozed: bool = False  # no alerts, and no question expires
    snoozed_until: float = 0.0  # seconds since the epoch; 0: until resumed
    floods: tuple[Flood, ...] = ()
    mutes: tuple[Mute, ...] = ()
    wishes: AlertSettings = PLAIN  # how loudly Questions may come
    questions_per_minute: int = LIMIT
    history_days: float = 30.0
    contents_days: float = 1.0  # for contents of calls
    running: tuple[RunningCall, ...] = ()  # oldest first; filled only while the Activity page is open
    held: tuple[HeldCallStatus, ...] = ()  # oldest first
    rules: tuple[RuleStatus, ...] = ()  # in order of precedence
    tools: tuple[ToolStatus, ...] = ()
    allowed: tuple[AlwaysAllowed, ...] = ()  # newest first
    recorded: int = 0  # entries recorded so far; filled like `running`
    language: str = ""  # of the windows; "": the system's
    theme: str = "system"  # of the windows; or "light", "dark"
    icon: str = "colour"  # of the tray; or "mono", "mono-light", "mono-dark" by the panel
    shortcut: str = ""  # opens the oldest question; "": the default, "none": no shortcut
    question_timeout: float = 300.0
    notices: tuple[str, ...] = ()  # for users; suggestions
    config: ConfigStatus = field(default_factory=ConfigStatus)
    vault: VaultStatus = field(default_factory=VaultStatus)
    bluesky: AccountsStatus = field(default_factory=AccountsStatus)
    endpoint: EndpointStatus = field(default_factory=EndpointStatus)
    updates: UpdateStatus = field(default_factory=UpdateStatus)
    at_servers: ServersStatus = field(default_factory=ServersStatus)  # state of the Servers page
    at_hosts: HostsStatus = field(default_factory=HostsStatus)
    models: ModelsStatus = field(default_factory=ModelsStatus)

    @property
    def apps(self) -> tuple[HostStatus, ...]:
        """The connected AI applications: all hosts except the commands that the person types."""
        return tuple(host for host in self.hosts if host.wire != "cli")
