"""Build the running Deskbell from its parts, start it, and stop it.

`_open` makes the parts in the order of their dependence; an exit stack closes them in reverse. Calls are the
engine's work, decisions the core's. Everything runs in one asyncio loop, on the thread that awaits `run`;
other threads may call `submit` only.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bridge import __version__, presenters
from bridge.accounts.registry import AccountRegistry
from bridge.accounts.service import AccountService
from bridge.answer_drafts import AnswerDrafts
from bridge.approvals import ApprovalService
from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.policy.rules import Policy
from bridge.core.ports import Connection, Presenter, ServerPort, ServerSpec
from bridge.core.routing.connections.connection_limits import MOST_IN_ALL
from bridge.core.status import AccountsStatus, Status
from bridge.core.status.hosts import HostsStatus
from bridge.core.status.servers import ServersStatus
from bridge.engine import Engine
from bridge.functions.tool_caller import ToolCaller
from bridge.held_results import HeldResults
from bridge.hosts.last_seen import LastSeen
from bridge.hosts.service import HostService
from bridge.journal import Journal, redact
from bridge.journal.recorder import Recorder
from bridge.own_questions import OwnQuestions
from bridge.sampling.client import ModelClient
from bridge.sampling.model_proxy import ModelProxy
from bridge.sampling.service import SamplingService
from bridge.saved_state import SavedState
from bridge.servers.service import ServerService
from bridge.services import HistoryService, QuestionService, SettingsService
from bridge.settings import Home, Settings, SettingsFile
from bridge.settings.host_tokens import HostTokens
from bridge.settings.settings_in_force import STILL
from bridge.snapshot import StatusPublisher, status_of
from bridge.system import browser, log_file
from bridge.system.atomic_file import remove_abandoned
from bridge.system.background_tasks import BackgroundTasks
from bridge.system.fast import process_tuning
from bridge.system.file_lock import InstanceLock
from bridge.system.file_watch import watch
from bridge.system.idle_timer import IdleTimer
from bridge.system.open_folder import OpenFolder
from bridge.system.process import descriptors
from bridge.system.process.reaper import Reaper
from bridge.tools import bluesky, discovery
from bridge.tools.elicit_tools import DESK
from bridge.tools.permission import with_permission
from bridge.transports.control import ControlVerbs, serve_functions
from bridge.transports.host_socket import HostSocket
from bridge.transports.http.endpoint import HttpEndpoint
from bridge.transports.http.lazy_server import LazyHttpServer
from bridge.updates.check import UpdateCheck
from bridge.upstreams.factory import ConnectionFactory
from bridge.upstreams.oauth.revoke import revoke
from bridge.upstreams.oauth.sign_in import SignIns
from bridge.upstreams.process.launch import look_ahead
from bridge.upstreams.process.login_path import LoginPath
from bridge.vault.service import VaultService

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from bridge.transports.http.server import HttpServer

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a Deskbell is started. `presenter` None: windows read Questions from Status, and answer them."""

    presenter: Presenter | None = None
    presenter_name: str
    on_status: Callable[[Status], None] = lambda status: None
    on_busy: Callable[[], None] = lambda: None  # called about once a second while requests are open
    port: int | None = None  # in place of the configured one
    linger: float = 0.0  # seconds to run on after the last host has left; 0: for ever


class Deskbell:
    """The services for windows are the attributes that `bridge.api.Services` names."""

    def __init__(self, home: Home, options: Options) -> None:
        self.home = home
        self._options = options
        self._tasks = BackgroundTasks()
        self._own_questions = OwnQuestions(self.feed)
        self._idle_timer = IdleTimer(options.linger, self.stop)
        self._reload_again: asyncio.TimerHandle | None = None
        self.links_changed, self.tick = self._idle_timer.count, options.on_busy  # for the engine
        self._statuses = StatusPublisher(
            self._make_status,
            Status(version=__version__, presenter=options.presenter_name),
            options.on_status,
            lambda: self.engine.read_clock(),
        )

    # --- life ----------------------------------------------------------------------------------------

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Serve until `stop`. Raises a DeskbellError when it cannot start."""
        process_tuning.tune_for_relaying()
        descriptors.raise_limit()
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        self.home.ensure()
        with InstanceLock(self.home.lock, self._options.presenter_name):
            self._tasks.start(asyncio.to_thread(remove_abandoned, self.home.root))
            async with contextlib.AsyncExitStack() as stack:
                await self._open(stack)
                self._statuses.publish()  # `on_ready` may read Status
                on_ready()
                self._idle_timer.count(self._idle_timer.users)
                await self._stopping.wait()
                await self._tasks.cancel()
                await self.engine.end()

    async def _open(self, stack: contextlib.AsyncExitStack) -> None:
        self._folder = OpenFolder(self.home.root)
        stack.callback(self._folder.close)
        self._settings = SettingsFile(self.home.config)
        self._settings.is_there = self._folder.is_there
        self._settings.reload(still=False)
        self._open_storage(stack)
        self._open_accounts_and_tools(stack)
        self._updates = UpdateCheck(self.home.updates, self.home.staged, __version__, self.publish)
        stack.callback(self._updates.close)
        self._host_tokens = HostTokens(self.home.host_tokens)
        self._endpoint = HttpEndpoint(self.home, self._http, _files_with, self._endpoint_changed)
        stack.callback(log_file.log_to_file(self.home.log, self._redacted))
        self._open_engine(stack)
        self._open_services(stack)
        self.apply_settings()
        self.feed(ev.HeldCallsRestored(await self._held.restore()))
        self._drafts.restore()
        stack.callback(watch(self.home.config, self._reload, self._loop).close)
        self._read_again_if_unsettled()
        await self._open_socket(stack)
        await self._listen(stack)

    def _open_storage(self, stack: contextlib.AsyncExitStack) -> None:
        self._saved = SavedState(self.home, lambda: self._settings.current.servers, self.publish)
        stack.callback(self._saved.close)
        self._router = self._saved.router(
            secrets.token_bytes(32),
            presenters.can_show(self._options.presenter_name),
            min(MOST_IN_ALL, descriptors.most_servers()),
        )
        self._state = self._router.state
        self._vault = VaultService(
            self.home,
            self._settings,
            passphrase=self._own_questions.passphrase,
            on_change=lambda: self.submit(self.publish),
            waits=lambda server, waits: self.feed(ev.SecretsAwaited(server, waits)),
            revoke=revoke,
            on_secret=lambda name: self.servers.secret_changed(name),
            ask_use=lambda spec, name: self._own_questions.secret_use(spec, name, self._recorder.record),
        )
        stack.callback(self._vault.close)
        self._saved.has_secret = self._vault.mask.is_in
        self._state.mask = self._vault.mask
        self.keep_secret = self._vault.keep
        self._journal = Journal(self.home.journal)
        stack.callback(self._journal.close)
        self._recorder = Recorder(self._journal, self._vault.mask, self._state, self.publish)
        stack.callback(self._recorder.close)

    def _open_accounts_and_tools(self, stack: contextlib.AsyncExitStack) -> None:
        vault, show, ask = self._vault, browser.open_url_async, self._own_questions.sign_in
        renewals = self.home.renewals
        self._sign_ins = SignIns(vault.vault, vault.filled, ask, self._sign_in_changed, show, renewals)
        stack.callback(self._sign_ins.close)
        registry = AccountRegistry(self.home.accounts, vault.vault, on_change=self.publish)
        self.accounts = AccountService(registry, self.home.pictures, show, self.publish)
        stack.push_async_callback(self.accounts.close)
        self.accounts.open()
        self.approvals = ApprovalService(
            self._settings, self._rules_changed, self._saved.allowed, self._saved.keep_allowed
        )
        self.server_renamed = self.approvals.renamed
        self._tools = discovery.find(self._settings.current.servers)
        self._tools.boxes[DESK.name] = with_permission(DESK, self.approvals)
        self._tools.boxes[bluesky.NAME] = bluesky.toolbox(
            self.accounts,
            self.home.repositories,
            lambda tool, host: self._state.policy.matching_verdict(tool, host=host),
        )

    def _open_engine(self, stack: contextlib.AsyncExitStack) -> None:
        reaper = Reaper()
        stack.callback(reaper.close)
        self._held = HeldResults(self.home.held, self._vault.vault, self._router.held.saved)
        stack.push_async_callback(self._held.close)
        self._drafts = AnswerDrafts(self.home.drafts, self._vault.vault, self.publish)
        stack.push_async_callback(self._drafts.close)
        self._login_path = LoginPath(self.home.login_path)
        self._tasks.start(self._login_path.remember())
        commands: dict[type, Callable[[Any], None]] = dict(self._saved.commands)
        commands[do.ReturnAnswer] = self._own_questions.receive_answer
        commands[do.AllowAlways] = self.approvals.allow_always
        commands[do.SaveHeldCalls] = self._held_calls_changed
        client = ModelClient(lambda key: self._vault.filled_text("models", key))
        self.models = SamplingService(self.feed, client, self._settings, self._rules_changed, self.publish)
        stack.push_async_callback(self.models.close)
        commands |= self.models.commands
        self._model_proxy = ModelProxy(
            client,
            lambda: self._state.settings.sampling,
            self._router.runner.sampling.proxy_policy,
            self._own_questions.ask,
            self.feed,
            self._recorder.record,
            self.models.allow,
        )
        self._connections = ConnectionFactory(
            self._tools.boxes,
            self._vault,
            self._sign_ins,
            reaper,
            self._login_path,
            lambda server: self._settings.current.files.get(server, ()),
            lambda server: self._model_proxy.environment(server, self.address),
        )
        presenter = self._options.presenter
        self.engine = Engine(self, self._router, presenter, self._recorder, self._vault.mask, commands)

    def _open_services(self, stack: contextlib.AsyncExitStack) -> None:
        self._tool_caller = ToolCaller(self.engine, lambda: self._state.servers, self._tools.boxes)
        self.servers = ServerService(
            self,
            self._settings,
            self._vault,
            self._sign_ins,
            self._tool_caller,
            self._state,
            self.home.icons,
        )
        self.settings = SettingsService(self, self._settings, self._vault, self._endpoint, self._updates)
        seen = LastSeen(self._saved.seen, self._saved.keep_seen)
        self.hosts = HostService(self, self.home, self._settings, seen=seen)
        for service in (self.servers, self.settings, self.hosts):
            stack.push_async_callback(service.close)
        self.questions = QuestionService(self.feed, self._statuses, self._drafts)
        self.history = HistoryService(self._journal, self._recorder, self.feed, self._statuses)

    async def _open_socket(self, stack: contextlib.AsyncExitStack) -> None:
        control = ControlVerbs(
            {
                "status": lambda _: self._status_for_commands(),
                "secrets": self._vault.serve,
                "signed-in": self._sign_ins.signed_in_by_command,
                "rename-server": self.servers.rename,
                "yield": self._make_way,
                "accounts": self.accounts.talk,
                "rotate-token": self.settings.replace_token_by_command,
                "ask-again": self.hosts.ask_again_by_command,
                "host-tokens-changed": self._read_host_tokens,
                "settings-changed": self._reload_by_command,
                "questions": self.questions.watch,
                "answer": self.questions.answer_from_command,
                "functions": partial(serve_functions, self._tool_caller),
                "delete-held": self.history.delete_held_from_command,
            }
        )
        batch, identify = self.engine.write_batch, self._host_tokens.host
        self._socket = HostSocket(self.engine, self.home.socket, control.answer, batch, identify)
        await self._socket.start()
        stack.push_async_callback(self._socket.stop)

    async def _listen(self, stack: contextlib.AsyncExitStack) -> None:
        """Listen for HTTP. If the port is taken, listen on a free one, unless a command named the port."""
        stack.push_async_callback(self._endpoint.close)
        await self._endpoint.open(self._wanted_port(), exact=self._options.port is not None)
        self._endpoint_changed()
        log.info("Deskbell %s runs; %s", __version__, self.address or "it does not listen for HTTP")

    def _endpoint_changed(self) -> None:
        if self._wanted_port():  # a port that is new at each start is in no entry
            self.hosts.follow_port()
        self.publish()

    @property
    def port_problem(self) -> str:
        """Why Deskbell does not listen on the wanted port; "" if it does."""
        return self._endpoint.problem

    def _wanted_port(self) -> int:
        return self._settings.current.port if self._options.port is None else self._options.port

    def _http(self, token: str, port: int, retired: frozenset[str]) -> LazyHttpServer:
        def server() -> HttpServer:  # imports uvicorn with the first connection
            from bridge.transports.http.server import HttpServer

            servers, identify = lambda: self._state.servers.keys(), self._host_tokens.host
            users = self._model_proxy.user_of
            return HttpServer(self.engine, token, servers, self._routes, retired, identify, users)

        return LazyHttpServer(port, server)

    def _routes(self) -> Sequence[BaseRoute]:
        from bridge.functions import rest  # loaded by the first request that needs a route
        from bridge.sampling import model_proxy_routes

        return (*rest.routes(self._tool_caller), *model_proxy_routes.routes(self._model_proxy))

    @property
    def address(self) -> str:
        return self._endpoint.address

    def stop(self) -> None:
        self._stopping.set()

    def submit(self, work: Callable[[], object]) -> None:
        """Run `work` in the loop. The one method that other threads may call."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(work)

    def _redacted(self, text: str) -> str:
        """Return a log line without tokens and secrets."""
        return redact(self._endpoint.mask_token(self._vault.mask.mask_text(text)))

    # --- for the engine (AppForEngine) --------------------------------------------------------------

    def connect(self, conn: int, spec: ServerSpec, back: ServerPort, host: Callable[[], str]) -> Connection:
        return self._connections.connect(conn, spec, back, host, self.engine.write_batch)

    def server_wrote(self, server: str, line: str) -> None:
        """Keep a line that a server wrote to stderr."""
        line = redact(self._vault.mask.mask_text(line))
        self._recorder.noted(server, line)
        self.servers.details.stderr.add(server, line)

    # --- for services --------------------------------------------------------------------------------

    def feed(self, event: ev.Event) -> None:
        self.engine.feed(event)

    def publish(self) -> None:
        """Have a new Status made and published, soon."""
        self._statuses.request()

    def apply_settings(self) -> None:
        """Put the settings that were read last in force."""
        settings = self._settings.current
        self.engine.read_clock()
        servers = dict(settings.servers)
        for name, box in self._tools.boxes.items():
            if settings.bluesky.enabled or name != bluesky.NAME:
                servers.setdefault(name, box.spec)
        self.accounts.registry.places = settings.bluesky
        policy = Policy(
            settings.policy, settings.hosts, settings.refusal, self._host_tokens.names, settings.approvals
        )
        sampling = replace(settings.sampling, models=tuple(settings.models.values()))
        limit, flood = settings.question_timeout, settings.questions_per_minute
        limits = self._host_tokens.limits
        self.feed(ev.SettingsChanged(servers, policy, limit, flood, sampling, limits))
        self.servers.checks.test_new()
        self._updates.apply(settings.updates)
        self._tasks.start(self._endpoint.change_port(self._wanted_port()))
        self._tasks.start(look_ahead(settings.servers.values(), self._login_path))
        self._journal.keep(settings.history_days, settings.contents_days)

    def settings_in_force(self) -> Settings:
        """Return the settings with the port that is listened on, which may not be the configured one."""
        port = urlsplit(self.address).port
        return replace(self._settings.current, port=port) if port else self._settings.current

    def _held_calls_changed(self, command: do.SaveHeldCalls) -> None:
        done = partial(self.submit, partial(self.feed, ev.HeldCallSaved(command.ticket)))
        self._held.save(done if command.ticket else None)
        self.publish()

    # --- what changed --------------------------------------------------------------------------------

    def _reload(self, still: bool = False) -> None:
        """Read config.toml after a write; if it may be half saved, read it again when it has not been written
        for a while."""
        if self._reload_again is not None:
            self._reload_again.cancel()
            self._reload_again = None
        if self._settings.reload(still):
            self.apply_settings()
        self._read_again_if_unsettled()
        self.publish()

    def _read_again_if_unsettled(self) -> None:
        if self._settings.is_unsettled:
            self._reload_again = self._loop.call_later(STILL, self._reload, True)

    def _reload_by_command(self, request: dict[str, Any]) -> dict[str, Any]:
        """Read config.toml for a command that has changed it: the next command finds the change."""
        self._reload()
        return {}

    def _rules_changed(self) -> None:
        self.apply_settings()
        self.publish()

    def _sign_in_changed(self, server: str, state: str, why: str = "") -> None:
        self.feed(ev.SignInChanged(server, state, why))
        self.publish()

    # --- Status --------------------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        return self._statuses.latest

    def _make_status(self) -> Status:
        problems = (
            "" if self._folder.is_there() else self.home.deleted,
            self._recorder.problem,
            self._saved.problem,
            self.approvals.problem,
            self.models.problem,
            *self.settings.problems,
            self._endpoint.problem,
            *self._tools.problems,
            self._settings.problem,
        )
        status = status_of(
            self._router,
            self._settings.current,
            self.address,
            self._options.presenter_name,
            tuple(filter(None, problems)),
            self._vault.status(),
        )
        self.hosts.seen.note((host.name for host in status.hosts), time.time())
        status = replace(
            status,
            notices=(*status.notices, *self.accounts.notices(), *self._updates.notices()),
            bluesky=self._bluesky_status(),
            config=self._settings.status(),
            endpoint=self._endpoint.status(),
            updates=self._updates.status(),
            servers=self.servers.details.complete(status.servers),
            at_servers=self.servers.status(),
            at_hosts=self.hosts.status(),
            drafts=self._drafts.drafts,
            models=self.models.status(self._state.settings.sampling, self._router.runner.sampling.budget),
        )
        return self._recorder.add_to_status(self.approvals.add_to_status(status, self._state))

    def _status_for_commands(self) -> Status:
        """Return the Status without what only windows show, and without what the person typed."""
        return replace(self.status, at_servers=ServersStatus(), at_hosts=HostsStatus(), drafts=())

    def _bluesky_status(self) -> AccountsStatus:
        settings = self._settings.current.bluesky
        return replace(self.accounts.status(), enabled=settings.enabled, chosen=settings.chosen)

    # --- for other `deskbell` commands, over the socket ----------------------------------------------

    def _make_way(self, hello: dict[str, Any]) -> dict[str, Any]:
        """Stop, if another Deskbell may run in place of this one."""
        hosts = self._idle_timer.users
        needed = bool(hosts) and not hello.get("force")
        stays = needed or (bool(hello.get("lingering")) and not self._options.linger)
        if not stays:
            self.stop()
        return {"yielded": not stays, "hosts": hosts}

    async def _read_host_tokens(self, _: dict[str, Any]) -> dict[str, Any]:
        self.host_tokens_changed()
        return {}

    def host_tokens_changed(self) -> None:
        """Apply tokens that were issued or revoked; close the connections of revoked ones."""
        self._host_tokens.reload()
        for name in self._host_tokens.revoked_names:
            self._socket.drop(name)
        self.apply_settings()


def _files_with(text: str) -> tuple[str, ...]:
    from bridge.hosts.locations import files_with  # imports all recipes

    return files_with(text)
