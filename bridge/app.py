"""A running Deskbell: its parts from beginning to end, its Status, and what its person wants of it.

Builds and connects. Calls are the engine's business, decisions the core's, and each part knows its own.
Everything runs in one asyncio loop, on whichever thread `run` was started; only `submit` may be called from
another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bridge import __version__
from bridge.accounts.book import AccountBook
from bridge.accounts.service import AccountService
from bridge.approvals import ApprovalService
from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.policy.rules import Policy, Verdict
from bridge.core.ports import Back, Connection, Presenter, ServerSpec
from bridge.core.status import ServerStatus, Status
from bridge.core.status.hosts import HostsStatus
from bridge.core.status.servers import ServersStatus
from bridge.engine import Engine
from bridge.errors import NetworkError
from bridge.functions.caller import ToolCaller
from bridge.hosts.service import HostService
from bridge.journal import Journal, redact
from bridge.journal.recorder import Records
from bridge.own_questions import OwnQuestions
from bridge.saved_state.store import Shelf
from bridge.servers.service import ServerService
from bridge.services import HistoryService, QuestionService, SettingsService
from bridge.settings import Home, Settings, SettingsFile
from bridge.snapshot import status_of
from bridge.system import browser, log_file
from bridge.system.background_tasks import BackgroundTasks
from bridge.system.clock import awake
from bridge.system.fast import process_tuning
from bridge.system.fast.lazy_import import late
from bridge.system.file_watch import watch
from bridge.system.instance_lock import Instance
from bridge.system.reaper import Reaper
from bridge.tools import bluesky, discovery
from bridge.tools.toolbox import Toolbox
from bridge.transports.control import ControlVerbs, function_requests
from bridge.transports.host_socket import HostSocket
from bridge.transports.http.endpoint import HttpEndpoint
from bridge.transports.http.lazy_port import HttpPort
from bridge.updates import UpdateCheck
from bridge.upstreams.builtin import LocalConnection
from bridge.upstreams.http.connection import RemoteConnection
from bridge.upstreams.oauth.revoke import revoke
from bridge.upstreams.oauth.sign_in import SignIns
from bridge.upstreams.process.connection import ProcessConnection
from bridge.upstreams.process.launch import look_ahead
from bridge.upstreams.process.login_path import LoginPath
from bridge.upstreams.redaction import Masked
from bridge.vault.service import VaultService

if TYPE_CHECKING:
    from bridge.functions import rest
    from bridge.hosts import locations
    from bridge.transports.http import server as http_server
    from bridge.transports.http.server import HttpServer
else:
    locations = late("bridge.hosts.locations")
    http_server, rest = late("bridge.transports.http.server"), late("bridge.functions.rest")

log = logging.getLogger(__name__)
SWITCH = 0.0005  # seconds until a thread that works gives another its turn: calls wait for the journal's


class Deskbell:
    """`presenter` None: the Questions are answered through `answer`, by a window that reads Status."""

    def __init__(
        self,
        home: Home,
        *,
        presenter: Presenter | None,
        presenter_name: str,
        on_status: Callable[[Status], None] | None = None,
        on_busy: Callable[[], None] | None = None,
        port: int | None = None,
        linger: float = 0.0,
        must_listen: bool = False,
    ) -> None:
        self.home = home
        self.status = Status(version=__version__, presenter=presenter_name)
        self._presenter = presenter
        self._on_status = on_status
        self._on_busy = on_busy
        self._port = port
        self._linger = linger
        self._must_listen = must_listen
        self._own = OwnQuestions(self._feed)
        self._tasks = BackgroundTasks()
        self._hosts = 0  # connected
        self._dirty = False
        self._leave: asyncio.TimerHandle | None = None
        self._rested: asyncio.TimerHandle | None = None

    # --- life ----------------------------------------------------------------------------------------

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Serve until `stop`. Raises a DeskbellError when it cannot begin."""
        sys.setswitchinterval(SWITCH)
        process_tuning.keep_some()
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        self.home.ensure()
        with Instance(self.home.lock, self.status.presenter):
            async with contextlib.AsyncExitStack() as stack:
                await self._begin(stack)
                self._publish()  # who hears that it is ready may look at Status
                on_ready()
                self._watch_for_leaving()
                await self._stopping.wait()
                await self._end()

    async def _begin(self, stack: contextlib.AsyncExitStack) -> None:
        self._settings = SettingsFile(self.home.config)
        self._settings.reload()
        self._tools = discovery.find(self._settings.current.servers)
        self._journal = Journal(self.home.journal)
        stack.callback(self._journal.close)
        self._keeper = VaultService(
            self.home,
            self._settings,
            passphrase=self._own.passphrase,
            on_change=lambda: self.submit(self._changed),
            waits=lambda server, waits: self._feed(ev.SecretsAwaited(server, waits)),
            revoke=revoke,
            on_secret=lambda name: self.servers.secret_changed(name),
        )
        stack.callback(self._keeper.close)
        self._records = Records(self._journal, self._keeper.mask, lambda: self._book, on_change=self._changed)
        stack.callback(self._records.close)
        self._sign_ins = SignIns(
            self._keeper.vault,
            self._keeper.filled,
            self._own.sign_in,
            self._sign_in_changed,
            browser.show,
            self.home.renewals,
        )
        stack.callback(self._sign_ins.close)
        self.accounts = AccountService(
            AccountBook(self.home.accounts, self._keeper.vault, on_change=self._changed),
            self.home.pictures,
            browser.show,
            self._changed,
        )
        stack.push_async_callback(self.accounts.close)
        self.accounts.open()
        self._tools.boxes[bluesky.NAME] = bluesky.toolbox(
            self.accounts, self.home.repositories, self._rule_for
        )
        self._updates = UpdateCheck(self.home.updates, __version__, self._changed)
        stack.callback(self._updates.close)
        self._endpoint = HttpEndpoint(
            self.home, self._http, lambda text: locations.files_with(text), self._changed
        )
        stack.callback(log_file.keep(self.home.log, self._redacted))
        self._reaper = Reaper()
        stack.callback(self._reaper.close)
        self._login = LoginPath(self.home.login_path)
        self._tasks.start(self._login.remember())
        shelf = Shelf(self.home, lambda: self._settings.current.servers, self._changed)
        stack.callback(shelf.close)
        self.approvals = ApprovalService(
            self._settings, self._rules_changed, shelf.allowed, shelf.keep_allowed
        )
        router = shelf.router(secrets.token_bytes(32))
        self._pins_problem = shelf.problem
        self._router = router
        self._book = router.state
        self.engine = Engine(
            router,
            self._presenter,
            self._connection,
            self._records,
            self._keeper.mask,
            {
                do.Heard: lambda heard: self._own.heard(heard.question, heard.answer),
                do.AllowAlways: self.approvals.allow_always,
                **shelf.commands,
            },
            on_note=self._noted,
            on_change=self._changed,
            on_links=self._count,
            on_tick=self._on_busy,
        )
        self._apply()
        watcher = watch(self.home.config, self._reload, self._loop)
        stack.callback(watcher.close)
        self._tool_caller = ToolCaller(self.engine, lambda: self._book.servers)
        self.servers = ServerService(
            self._settings,
            self._keeper,
            self._tool_caller,
            self._book,
            self._feed,
            self._apply,
            self._sign_ins,
            self.approvals.renamed,
            self._changed,
        )
        stack.push_async_callback(self.servers.close)
        self.questions = QuestionService(self._feed)
        self.history = HistoryService(self._journal, self._records, self._feed)
        self.settings = SettingsService(
            self._settings, self._keeper, self._endpoint, self._updates, self._apply, self._changed
        )
        stack.push_async_callback(self.settings.close)
        self.hosts = HostService(
            self.home,
            self._settings,
            self._settings_now,
            self._keeper.keep,
            self._apply,
            self._changed,
        )
        stack.push_async_callback(self.hosts.close)
        control = ControlVerbs(
            {
                "status": lambda _: replace(self.status, at_servers=ServersStatus(), at_hosts=HostsStatus()),
                "secrets": self._keeper.serve,
                "signed-in": self._look_again,
                "rename-server": self.servers.rename,
                "yield": self._make_way,
                "accounts": self.accounts.talk,
                "rotate-token": self._renewed,
            }
        )
        self._socket = HostSocket(
            self.engine, self.home.socket, control.answer, function_requests(self._tool_caller)
        )
        await self._socket.start()
        stack.push_async_callback(self._socket.stop)
        await self._listen(stack)

    async def _listen(self, stack: contextlib.AsyncExitStack) -> None:
        """A taken port is no reason to leave stdio hosts alone, unless listening is all there is to do."""
        stack.push_async_callback(self._endpoint.close)
        try:
            await self._endpoint.open(self._wanted_port())
        except NetworkError as error:
            if self._must_listen:
                raise
            self._endpoint.retry_later(error)
        log.info("Deskbell %s runs; %s", __version__, self.address or "it does not listen for HTTP")

    def _wanted_port(self) -> int:
        return self._settings.current.port if self._port is None else self._port

    def _http(self, token: str, port: int, retired: frozenset[str]) -> HttpPort:
        def transport() -> HttpServer:
            return http_server.HttpServer(
                self.engine,
                token,
                port,
                self._server_names,
                lambda: rest.routes(self._tool_caller),  # most who come want none of them
                retired,
            )

        return HttpPort(port, transport)

    @property
    def address(self) -> str:
        return self._endpoint.address

    async def _end(self) -> None:
        await self._tasks.cancel()
        await self.engine.end()

    def stop(self) -> None:
        self._stopping.set()

    def submit(self, work: Callable[[], object]) -> None:
        """Run `work` in the loop. The one method that other threads may call."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(work)

    def _redacted(self, text: str) -> str:
        """As it may stand in the log."""
        return redact(self._endpoint.mask_token(self._keeper.mask.over(text)))

    def _log_fresh(self, problems: tuple[str, ...]) -> None:
        for problem in problems:
            if problem not in self.status.problems:
                log.info("Problem: %s", problem)  # the terminal has its own words for it

    def _feed(self, event: ev.Event) -> None:
        self.engine.feed(event)

    # --- what the engine leaves to others ------------------------------------------------------------

    def _connection(self, conn: int, spec: ServerSpec, back: Back, host: Callable[[], str]) -> Connection:
        if spec.builtin:
            return LocalConnection(conn, back, self._tools.boxes[spec.name], host)
        if self._keeper.is_given_secrets(spec):
            back = Masked(back, self._keeper.mask)
        if spec.url:
            return RemoteConnection(conn, spec, back, self._keeper.filled, self._sign_ins.of(spec))
        return ProcessConnection(conn, spec, back, self._reaper, self._keeper.filled, self._login)

    def _noted(self, server: str, line: str) -> None:
        self._records.noted(server, line)
        self.servers.lines.add(server, self._keeper.mask.over(line))

    # --- signing in to servers -----------------------------------------------------------------------

    def _sign_in_changed(self, server: str, state: str, why: str = "") -> None:
        self._feed(ev.SignInChanged(server, state, why))
        self._changed()

    # --- settings and status -------------------------------------------------------------------------

    def _server_names(self) -> Collection[str]:
        return self._book.servers.keys()

    def _reload(self) -> None:
        if self._settings.reload():
            self._apply()
        self._changed()

    def _apply(self) -> None:
        settings: Settings = self._settings.current
        self.engine.read_clock()
        built_in = {
            box.name: ServerSpec(box.name, builtin=True, timeout=box.timeout) for box in self._boxes()
        }
        servers = {**settings.servers, **{n: s for n, s in built_in.items() if n not in settings.servers}}
        self.accounts.book.places = settings.bluesky
        policy = Policy(settings.policy, settings.hosts, settings.refusal)
        self._feed(
            ev.SettingsChanged(servers, policy, settings.question_timeout, settings.questions_per_minute)
        )
        self._updates.apply(settings.updates)
        self._tasks.start(self._endpoint.change_port(self._wanted_port()))
        self._tasks.start(look_ahead(settings.servers.values(), self._login))
        self._journal.keep(settings.history_days, settings.contents_days)

    def _rules_changed(self) -> None:
        self._apply()
        self._changed()

    def _rule_for(self, tool: str, host: str) -> Verdict | None:
        return self._book.policy.spoken(tool, host=host)

    def _boxes(self) -> list[Toolbox]:
        wanted = self._settings.current.bluesky.enabled
        return [box for box in self._tools.boxes.values() if wanted or box.name != bluesky.NAME]

    def _changed(self) -> None:
        """Status is made once per turn of the loop, however much happened in it."""
        if not self._dirty:
            self._dirty = True
            self._loop.call_soon(self._publish)

    def _publish(self) -> None:
        self._dirty = False
        problems = [
            *filter(None, (self._pins_problem, self.approvals.problem)),
            *self.settings.problems,
            *filter(None, (self._endpoint.problem,)),
            *self._tools.problems,
        ]
        problems += [self._settings.problem] if self._settings.problem else []
        settings, presenter = self._settings.current, self.status.presenter
        vault = self._keeper.status()
        book, accounts = self._book, self.accounts
        status = status_of(self._router, settings, self.address, presenter, tuple(problems), vault)
        notices = (*status.notices, *accounts.notices(), *self._updates.notices())
        servers = self.servers.dressed(status.servers)
        self._log_fresh(status.problems)
        status = replace(
            status,
            notices=notices,
            bluesky=accounts.status(),
            config=self._settings.status(),
            door=self._endpoint.status(),
            updates=self._updates.status(),
            servers=servers,
            at_servers=self.servers.status(),
            at_hosts=self.hosts.status(),
        )
        self.status = self._records.told(self.approvals.told(status, book))
        self._watch_for_rest(servers)
        if self._on_status is not None:
            self._on_status(self.status)

    def _watch_for_rest(self, servers: tuple[ServerStatus, ...]) -> None:
        """That a server need not be left alone any more is news, too."""
        ends = [one.rests_until for one in servers if one.rests_until]
        if ends and self._rested is None:
            self._rested = self._loop.call_later(max(0.1, min(ends) - time.time()), self._after_rest)

    def _after_rest(self) -> None:
        self._rested = None
        self._book.now = awake()
        self._changed()

    def _count(self, hosts: int) -> None:
        self._hosts = hosts
        self._watch_for_leaving()

    def _watch_for_leaving(self) -> None:
        """A bridge that a host started ends when its hosts are gone."""
        if self._hosts and self._leave is not None:
            self._leave.cancel()
            self._leave = None
        elif self._linger and not self._hosts and self._leave is None:
            self._leave = self._loop.call_later(self._linger, self.stop)

    def _settings_now(self) -> Settings:
        """With the port that is listened on, which may not be the one that is wanted."""
        port = urlsplit(self.address).port
        return replace(self._settings.current, port=port) if port else self._settings.current

    def _make_way(self, hello: dict[str, Any]) -> dict[str, Any]:
        """Another Deskbell would like to run in this one's place."""
        wanted = bool(self._hosts) and not hello.get("force")
        stays = wanted or (bool(hello.get("lingering")) and not self._linger)
        if not stays:
            self.stop()
        return {"yielded": not stays, "hosts": self._hosts}

    def _look_again(self, hello: dict[str, Any]) -> dict[str, Any]:
        self._sign_ins.look_again(str(hello.get("server", "")))
        return {}

    async def _renewed(self, hello: dict[str, Any]) -> dict[str, Any]:
        await self.settings.replace_token()
        return {"problem": self.settings.token_problem, "outdated": self._endpoint.status().outdated}
