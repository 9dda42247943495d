"""The front door: all that desktop/ and the command line may know of the engine.

What crosses is values (Status, Question, Answer): the engine lives in a thread of its own and could as well
live in a process of its own.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bridge import presenters
from bridge.accounts.texts import APP_PASSWORDS
from bridge.core import events as ev
from bridge.core.forms import schema
from bridge.core.forms.full_validation import parse as parse_form
from bridge.core.policy import url_safety
from bridge.core.questions import interruption
from bridge.core.questions.question import CANCEL, DECLINE, Action, Answer, Mode, Question, accept
from bridge.core.status import (
    AccountsStatus,
    AccountStatus,
    Allowed,
    ConfigStatus,
    DoorStatus,
    Flood,
    HostStatus,
    Mute,
    RuleStatus,
    RunningCall,
    ServerStatus,
    Status,
    ToolStatus,
    UpdateStatus,
    VaultStatus,
)
from bridge.core.status.hosts import AppChange, AppNews, AppStatus, HostsStatus
from bridge.core.status.servers import (
    HIDDEN,
    Block,
    Choice,
    Draft,
    Look,
    Plan,
    Proposal,
    Secret,
    ServersStatus,
    Told,
    Tool,
    Trial,
)
from bridge.errors import (
    AlreadyRunning,
    DeskbellError,
    NetworkError,
    NotFoundError,
    SettingsError,
    UsageError,
)
from bridge.i18n import Words, told
from bridge.journal import Contents, History, Load, Names, Row, Wanted, export
from bridge.settings import Home, load
from bridge.system.log_file import tail as log_tail
from bridge.system.public_suffix import registrable
from bridge.transports.control_client import ask_running, stream_from_running

if TYPE_CHECKING:
    pass

__all__ = [
    "APP_PASSWORDS",
    "CANCEL",
    "DECLINE",
    "HIDDEN",
    "AccountStatus",
    "AccountsStatus",
    "Action",
    "Allowed",
    "AlreadyRunning",
    "Answer",
    "AppChange",
    "AppNews",
    "AppStatus",
    "Block",
    "Bridge",
    "Choice",
    "ConfigStatus",
    "Contents",
    "DeskbellError",
    "DoorStatus",
    "Draft",
    "Flood",
    "History",
    "Home",
    "HostStatus",
    "HostsStatus",
    "Load",
    "Look",
    "Mode",
    "Mute",
    "Names",
    "NetworkError",
    "NotFoundError",
    "Plan",
    "Proposal",
    "Question",
    "Row",
    "RuleStatus",
    "RunningCall",
    "Secret",
    "ServerStatus",
    "ServersStatus",
    "SettingsError",
    "Status",
    "Told",
    "Tool",
    "ToolStatus",
    "Trial",
    "UpdateStatus",
    "UsageError",
    "VaultStatus",
    "Wanted",
    "Words",
    "accept",
    "ask_running",
    "ask_running_to_yield",
    "diagnose",
    "export",
    "interruption",
    "judge_link",
    "language_of",
    "log_tail",
    "parse_form",
    "save_bundle",
    "schema",
    "serve",
    "stream_from_running",
    "told",
    "url_safety",
]

DESKTOP = "desktop"
_STOP_LIMIT = 4.0
_PAUSE = 0.05


class Bridge:
    """The engine in its own thread. There it calls `on_status` after every change, and `on_busy` about once a
    second while calls are under way."""

    def __init__(
        self,
        home: Home,
        *,
        on_status: Callable[[Status], None] | None = None,
        on_busy: Callable[[], None] | None = None,
        presenter: str = DESKTOP,
    ) -> None:
        made = None if presenter == DESKTOP else presenters.make(presenter)
        from bridge.app import Deskbell  # late: half of the start, and the icon need not wait for it

        self._deskbell = Deskbell(
            home, presenter=made, presenter_name=presenter, on_status=on_status, on_busy=on_busy
        )
        self._ready: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._thread = threading.Thread(target=self._run, name="deskbell-engine", daemon=True)

    def start(self) -> None:
        """Returns when it listens; raises a DeskbellError when it cannot."""
        self._thread.start()
        self._ready.result()

    def stop(self) -> None:
        """Everything open gets its last word; returns when nothing is left running."""
        if self._thread.is_alive():
            self._deskbell.submit(self._deskbell.stop)
            self._thread.join(_STOP_LIMIT)

    def answer(self, question_id: str, answer: Answer) -> None:
        """From any thread. A Question that is gone is ignored: it cannot be answered twice."""
        self._deskbell.submit(self._deskbell.answer, question_id, answer)

    def snooze(self, seconds: float | None = None) -> None:
        """Nothing rings and no Question's clock runs for so long; None: until `resume`."""
        self._tell(ev.Snoozed(time.time() + seconds if seconds else 0.0))

    def resume(self) -> None:
        self._tell(ev.Resumed())

    def mute(self, server: str, seconds: float) -> None:
        """Every Question of this server is declined for so long."""
        self._tell(ev.Muted(server, time.time() + seconds))

    def unmute(self, server: str) -> None:
        self._tell(ev.Unmuted(server))

    def spare(self, server: str) -> None:
        """The person wants to be asked by this server, however often it asks."""
        self._tell(ev.Spared(server))

    def prefer(self, table: str, key: str, value: object) -> None:
        """Change a preference in config.toml; what cannot be changed becomes a problem in Status."""
        self._deskbell.submit(self._deskbell.prefer, table, key, value)

    def forget(self, rows: tuple[int, ...] | None) -> None:
        """Remove these lines of history, or all of it (None)."""
        self._deskbell.submit(self._deskbell.forget, rows)

    def renew_token(self) -> None:
        """Another token for HTTP; Status names the files that still hold the old one."""
        self._deskbell.submit(self._deskbell.renew_token)

    def choose_vault(self, store: str) -> None:
        """Keep secrets there: "auto", "keyring", "file", "memory" or "refuse". What is kept moves
        along; Status.vault tells."""
        self._deskbell.submit(self._deskbell.choose_vault, store)

    def ask_for_updates(self) -> None:
        """Now, if the person wants it to be asked at all."""
        self._deskbell.submit(self._deskbell.ask_for_updates)

    def set_rules(
        self, host: str, rules: tuple[tuple[str, str], ...], before: tuple[tuple[str, str], ...]
    ) -> None:
        """The rules of one host ("": of everyone), pattern and verdict, if they still are as `before`; what
        cannot be changed becomes a problem in Status."""
        self._deskbell.submit(lambda: self._deskbell.approvals.set_rules(host, rules, before))

    def undo_allowed(self, number: int) -> None:
        """Take back an "Allow always", by its id in Status."""
        self._deskbell.submit(lambda: self._deskbell.approvals.undo(number))

    def look_at_calls(self, on: bool) -> None:
        """Status tells of calls under way while somebody looks at them."""
        self._deskbell.submit(self._deskbell.look_at_calls, on)

    def cancel_call(self, call: int) -> None:
        """The person does not want to wait for it; one that is over is ignored."""
        self._tell(ev.CallCancelled(call))

    def woke(self) -> None:
        """The machine has slept: nobody's time ran meanwhile, and connections are looked after."""
        self._deskbell.submit(self._deskbell.read_clock)

    def _tell(self, event: ev.Event) -> None:
        self._deskbell.submit(self._deskbell.tell, event)

    def sign_in_to(self, server: str) -> None:
        """The browser opens where this server wants the person to sign in; again while it waits for that."""
        self._deskbell.submit(self._deskbell.sign_in_to, server)

    # Servers, from any thread. Each returns at once; Status.at_servers tells what came of it.

    def look_at(self, server: str, ask: bool = False) -> None:
        """Show this server from near; `ask`: start it and have it list its tools."""
        self._deskbell.submit(lambda: self._deskbell.at_servers.look_at(server, ask))

    def restart(self, server: str) -> None:
        self._deskbell.submit(lambda: self._deskbell.at_servers.restart(server))

    def draft_servers(self, text: str) -> None:
        """What this text would add: a command line, an address, a piece of an AI application's settings."""
        self._deskbell.submit(lambda: self._deskbell.at_servers.draft(text))

    def find_servers(self) -> None:
        """What the AI applications on this machine have."""
        self._deskbell.submit(lambda: self._deskbell.at_servers.find())

    def add_servers(self, choices: tuple[Choice, ...]) -> None:
        """These of the Draft that is shown."""
        self._deskbell.submit(lambda: self._deskbell.at_servers.add(choices))

    def edit_server(self, plan: Plan, name: str = "") -> None:
        """`name`: what it is called from now on, if that changes."""
        self._deskbell.submit(lambda: self._deskbell.at_servers.edit(plan, name))

    def enable_server(self, server: str, enabled: bool) -> None:
        self._deskbell.submit(lambda: self._deskbell.at_servers.enable(server, enabled))

    def remove_server(self, server: str, clean: bool = False) -> None:
        """`clean`: with its sign-in and the secrets that only it refers to, which cannot be undone."""
        self._deskbell.submit(lambda: self._deskbell.at_servers.remove(server, clean))

    def undo_servers(self) -> None:
        """Take back the last change to config.toml, while Told says that this can be done."""
        self._deskbell.submit(lambda: self._deskbell.at_servers.undo())

    def sign_out_of(self, server: str) -> None:
        self._deskbell.submit(lambda: self._deskbell.at_servers.sign_out(server))

    def try_tool(self, server: str, tool: str, arguments: bytes) -> None:
        """Call it as any application would; `tool` is its public name. Status.at_servers.trial tells."""
        self._deskbell.submit(lambda: self._deskbell.at_servers.trials.begin(server, tool, arguments))

    def cancel_trial(self) -> None:
        self._deskbell.submit(lambda: self._deskbell.at_servers.trials.cancel())

    def look_for_secrets(self, *, missing_only: bool = False) -> None:
        """`missing_only`: only if a server refers to one."""
        self._deskbell.submit(lambda: self._deskbell.at_servers.look_for_secrets(missing_only))

    def set_secret(self, name: str, value: str) -> None:
        self._deskbell.submit(lambda: self._deskbell.at_servers.set_secret(name, value))

    def delete_secret(self, name: str) -> None:
        self._deskbell.submit(lambda: self._deskbell.at_servers.delete_secret(name))

    # AI applications' files, from any thread. Each returns at once; Status.at_hosts tells what came of it.

    def look_at_apps(self) -> None:
        self._deskbell.submit(lambda: self._deskbell.at_hosts.look())

    def propose_change(self, app: str, what: str, move: bool = False, http: bool = False) -> None:
        """Show what would change in this application's file; nothing is written."""
        self._deskbell.submit(lambda: self._deskbell.at_hosts.propose(app, what, move=move, http=http))

    def agree_to_change(self, number: int) -> None:
        """Write the change that is shown."""
        self._deskbell.submit(lambda: self._deskbell.at_hosts.agree(number))

    def dismiss_change(self) -> None:
        self._deskbell.submit(lambda: self._deskbell.at_hosts.dismiss())

    def ask_by(self, host: str, asks: str) -> None:
        """Who shows this host's questions: auto, desktop or host."""
        self._deskbell.submit(lambda: self._deskbell.at_hosts.ask_by(host, asks))

    # Bluesky accounts, from any thread. Each returns at once; Status tells what came of it.

    def sign_in(self, who: str = "", service: str = "", password: str = "") -> None:
        """By browser, or with an app password; one at a time."""
        self._deskbell.submit(lambda: self._deskbell.office.sign_in(who, service, password))

    def cancel_sign_in(self) -> None:
        self._deskbell.submit(lambda: self._deskbell.office.cancel())

    def delete_account(self, did: str) -> None:
        self._deskbell.submit(lambda: self._deskbell.office.delete(did))

    def make_default(self, did: str) -> None:
        self._deskbell.submit(lambda: self._deskbell.office.make_default(did))

    def read_autoreply(self) -> None:
        """Only after the person has agreed."""
        self._deskbell.submit(lambda: self._deskbell.office.read_autoreply())

    def look_for_pictures(self) -> None:
        self._deskbell.submit(lambda: self._deskbell.office.look_for_pictures())

    @property
    def status(self) -> Status:
        return self._deskbell.status

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=new_loop) as runner:
                runner.run(self._deskbell.run(lambda: self._ready.set_result(None)))
        except BaseException as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)


def serve(
    home: Home, *, presenter: str, port: int | None, linger: float, on_ready: Callable[[str], None]
) -> None:
    """The engine in this thread, without windows, until SIGINT or SIGTERM."""
    try:
        _serve(home, presenter, port, linger, on_ready)
    except AlreadyRunning:
        if linger or not ask_running_to_yield(home, force=False, lingering=True):
            raise
        _serve_once_free(home, presenter, port, on_ready)


def _serve_once_free(home: Home, presenter: str, port: int | None, on_ready: Callable[[str], None]) -> None:
    """The bridge that lingered has agreed to end; that takes it a moment."""
    end = time.monotonic() + _STOP_LIMIT
    while True:
        try:
            return _serve(home, presenter, port, 0.0, on_ready)
        except AlreadyRunning:
            if time.monotonic() > end:
                raise
        time.sleep(_PAUSE)


def _serve(
    home: Home, presenter: str, port: int | None, linger: float, on_ready: Callable[[str], None]
) -> None:
    from bridge.app import Deskbell

    deskbell = Deskbell(
        home,
        presenter=presenters.make(presenter),
        presenter_name=presenter,
        port=port,
        linger=linger,
        must_listen=not linger,
    )

    async def main() -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # Windows: KeyboardInterrupt ends the Runner
                loop.add_signal_handler(number, deskbell.stop)
        await deskbell.run(lambda: on_ready(deskbell.address))

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main())


def new_loop() -> asyncio.AbstractEventLoop:
    """uvloop where it exists: half the cost of a call."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def language_of(home: Home) -> str:
    """Which language the windows speak; "": the system's. A broken file is told of later, by Status."""
    try:
        return load(home.config).language
    except SettingsError:
        return ""


def judge_link(url: str) -> url_safety.Address:
    """Return what there is to know about `url` before it is opened."""
    return url_safety.judge(url, registrable)


def diagnose(home: Home, status: Status) -> str:
    """A text for somebody who helps, without secrets. Blocks: call it in a thread."""
    from bridge import diagnostics  # late: rarely wanted

    return diagnostics.report(home, status)


def save_bundle(path: Path, icon: bytes) -> None:
    """What Claude Desktop installs by a double click. Raises DeskbellError. Blocks: call it in a thread."""
    from bridge.hosts import mcpb_bundle  # late: rarely wanted

    mcpb_bundle.save(path, icon)


def ask_running_to_yield(home: Home, force: bool, lingering: bool = False) -> bool:
    """Make way for another Deskbell: True when the running one ends (or none runs).

    `lingering`: only one that a host started and that waits for the next, not one that a person started.
    """
    said = ask_running(home, "yield", force=force, lingering=lingering)
    return said is None or bool(said.get("yielded"))
