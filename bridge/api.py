"""All of bridge/ that desktop/ may import: the Bridge, its services, and the values that cross to windows.

The engine runs in a thread of its own. Only frozen values (Status, Question, Answer) cross between threads,
so that it could as well run in a process of its own. Every name that is imported here may be used there.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import signal
import threading
import time
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bridge import presenters
from bridge.accounts.texts import APP_PASSWORDS
from bridge.core.forms import files, schema
from bridge.core.forms.full_validation import parse as parse_form
from bridge.core.forms.one_press import PressAnswer, one_press
from bridge.core.policy import url_safety
from bridge.core.policy.presets import is_destructive
from bridge.core.questions import interruption
from bridge.core.questions.draft import AnswerDraft
from bridge.core.questions.question import CANCEL, DECLINE, Action, Answer, Mode, Question, accept
from bridge.core.questions.sampling_review import ReviewFile, ReviewMessage, SamplingReview
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.status import (
    AccountsStatus,
    AccountStatus,
    AlwaysAllowed,
    ConfigStatus,
    EndpointStatus,
    Flood,
    HeldBack,
    HeldCallStatus,
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
from bridge.core.status.models import ModelsStatus, ModelStatus, ModelTrial, ServerUsage
from bridge.core.status.servers import (
    HIDDEN,
    ActionResult,
    ContentBlock,
    Draft,
    Proposal,
    ProposalChoice,
    SecretUse,
    ServerForm,
    ServersStatus,
    ServerTool,
    ServerView,
    ToolTrial,
)
from bridge.errors import (
    AlreadyRunning,
    DeskbellError,
    NetworkError,
    NotFoundError,
    SettingsError,
    UsageError,
)
from bridge.i18n import Words, failure_text
from bridge.journal import (
    Contents,
    EarlierAnswer,
    History,
    HistoryFilter,
    HistoryNames,
    JournalRow,
    conversation_of,
    earlier_answers,
    export,
)
from bridge.settings import Home, load
from bridge.system import foreign_text
from bridge.system.background_tasks import BackgroundTasks
from bridge.system.log_file import read_tail as log_tail
from bridge.system.masking import MASK
from bridge.system.process.own_command import console_command, windowed_command
from bridge.system.public_suffix import registrable
from bridge.system.secret_names import is_secret_name
from bridge.transports.control_client import ask_running, stream_from_running

if TYPE_CHECKING:  # loaded with the engine, after the tray icon is up
    from bridge.accounts.service import AccountService
    from bridge.approvals import ApprovalService
    from bridge.engine import Engine
    from bridge.hosts.service import HostService
    from bridge.sampling.service import SamplingService
    from bridge.servers.service import ServerService
    from bridge.services import HistoryService, QuestionService, SettingsService

DESKTOP = "desktop"


class AppName(NamedTuple):
    """An AI application as people know it. `id`: of its Recipe; "" if it has none."""

    id: str
    name: str


_STOP_LIMIT = 4.0
_PAUSE = 0.05
Arguments = tuple[tuple[object, ...], dict[str, object]]
Call = Callable[[str, str, Arguments], None]


class Services:
    """The services of the engine: `services.servers.restart("github")`, from any thread.

    A call returns at once, without a result: Status shows what came of it. Arguments are frozen values.
    `call` receives the names of service and method, and the arguments.
    """

    servers: ServerService
    hosts: HostService
    accounts: AccountService
    questions: QuestionService
    approvals: ApprovalService
    history: HistoryService
    settings: SettingsService
    models: SamplingService
    engine: Engine

    def __init__(self, call: Call) -> None:
        for service in Services.__annotations__:
            setattr(self, service, _ServiceProxy(partial(call, service)))


class _ServiceProxy:
    """Stands for a service in another thread: each attribute is a function that passes the call on."""

    def __init__(self, call: Callable[[str, Arguments], None]) -> None:
        self._call = call

    def __getattr__(self, method: str) -> Callable[..., None]:
        def pass_on(*positional: object, **named: object) -> None:
            self._call(method, (positional, named))

        return pass_on


class Bridge(Services):
    """The engine in a thread of its own, and its services.

    In that thread it calls `on_status` after every change, and `on_busy` about once a second while calls are
    under way.
    """

    def __init__(
        self,
        home: Home,
        *,
        on_status: Callable[[Status], None] = lambda status: None,
        on_busy: Callable[[], None] = lambda: None,
        presenter: str = DESKTOP,
    ) -> None:
        super().__init__(self.call)
        made = None if presenter == DESKTOP else presenters.make(presenter)
        from bridge.app import Deskbell, Options  # half of the start: the tray icon does not wait for it

        options = Options(presenter=made, presenter_name=presenter, on_status=on_status, on_busy=on_busy)
        self._deskbell = Deskbell(home, options)
        self._ready: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._thread = threading.Thread(target=self._run, name="deskbell-engine", daemon=True)
        self._on_end: Callable[[], None] = lambda: None

    def when_ended(self, act: Callable[[], None]) -> None:
        """Call `act` in the engine's thread when that ends, also because a command asked it to (`yield`)."""
        self._on_end = act

    def start(self) -> None:
        """Start the engine's thread; return when it listens. Raises DeskbellError."""
        self._thread.start()
        self._ready.result()

    def stop(self) -> None:
        """End every call and connection; return when the engine's thread has ended."""
        if self._thread.is_alive():
            self._deskbell.submit(self._deskbell.stop)
            self._thread.join(_STOP_LIMIT)

    def call(self, service: str, method: str, arguments: Arguments) -> None:
        """Call a method of one of the services in the engine's loop; for any thread."""
        positional, named = arguments
        deskbell = self._deskbell
        deskbell.submit(lambda: getattr(getattr(deskbell, service), method)(*positional, **named))

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
        finally:
            self._on_end()


OnReady = Callable[[str, str], None]  # address, and why it is not the wanted one


def serve(home: Home, *, presenter: str, port: int | None, linger: float, on_ready: OnReady) -> None:
    """Run the engine in this thread, without windows, until SIGINT or SIGTERM."""
    try:
        _serve(home, presenter, port, linger, on_ready)
    except AlreadyRunning:
        if linger or not ask_running_to_yield(home, force=False, lingering=True):
            raise
        _serve_once_free(home, presenter, port, on_ready)


def _serve_once_free(home: Home, presenter: str, port: int | None, on_ready: OnReady) -> None:
    """Retry until the lingering bridge, which has agreed to end, is gone."""
    end = time.monotonic() + _STOP_LIMIT
    while True:
        try:
            return _serve(home, presenter, port, 0.0, on_ready)
        except AlreadyRunning:
            if time.monotonic() > end:
                raise
        time.sleep(_PAUSE)


def _serve(home: Home, presenter: str, port: int | None, linger: float, on_ready: OnReady) -> None:
    from bridge.app import Deskbell, Options

    options = Options(
        presenter=presenters.make(presenter),
        presenter_name=presenter,
        port=port,
        linger=linger,
    )
    deskbell = Deskbell(home, options)

    async def main() -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # Windows: KeyboardInterrupt ends the Runner
                loop.add_signal_handler(number, deskbell.stop)
        await deskbell.run(lambda: on_ready(deskbell.address, deskbell.port_problem))

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main())


def new_loop() -> asyncio.AbstractEventLoop:
    """Return a uvloop where it is installed, which halves the cost of a call."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def language_of(home: Home) -> str:
    """Return the configured language of windows; "": the system's. Status reports a broken file later."""
    try:
        return load(home.config).language
    except SettingsError:
        return ""


@lru_cache(maxsize=1_000)  # bounded: hosts choose their names
def app_of(host: str) -> AppName:
    """Return the AI application that calls itself so: `cursor-vscode` is Cursor.

    An application without a Recipe has its own name and no id; `unknown (cursor-vscode)`, which cannot prove
    that it is Cursor, has none either.
    """
    from bridge.hosts.recipes import recipe_called  # loaded with the first name

    recipe = recipe_called(host)
    return AppName(recipe.id, recipe.name) if recipe else AppName("", host)


def check_url(url: str) -> url_safety.CheckedUrl:
    """Return the risks of `url`, to be shown before it is opened."""
    return url_safety.check_url(url, registrable)


def diagnose(home: Home, status: Status) -> str:
    """Return a text for a bug report, without secrets. Blocks: call it in a thread."""
    from bridge import diagnostics  # loaded when it is needed

    return diagnostics.report(home, status)


def save_bundle(path: Path, icon: bytes) -> None:
    """Save the bundle that Claude Desktop installs. Raises DeskbellError. Blocks: call it in a thread."""
    from bridge.hosts import mcpb_bundle  # loaded when it is needed

    mcpb_bundle.save(path, icon)


def ask_running_to_yield(home: Home, force: bool, lingering: bool = False) -> bool:
    """Ask the running Deskbell to end, so that another may run; True if it does, or none runs.

    `lingering`: only one that a host started and that waits for the next, not one that a person started.
    """
    reply = ask_running(home, "yield", force=force, lingering=lingering)
    return reply is None or bool(reply.get("yielded"))
