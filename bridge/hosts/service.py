"""Connect AI applications by their config files, for the AI apps page.

A call returns at once; Status shows its result. Files are read and written in another thread, one action at a
time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from bridge.core import events as ev
from bridge.core.policy.rules import QuestionPlace
from bridge.core.status.hosts import AppChange, AppNews, AppStatus, HostsStatus
from bridge.errors import DeskbellError
from bridge.hosts.last_seen import LastSeen
from bridge.i18n import explained
from bridge.settings import Home, Settings, SettingsFile
from bridge.system.background_tasks import BackgroundTasks
from bridge.system.fast.lazy_import import lazy_import

if TYPE_CHECKING:
    from bridge.hosts import backups, host_configs
    from bridge.hosts.backups import ChangeKind
    from bridge.hosts.host_configs import ChangeRequest, HostConfigs
    from bridge.hosts.plan import HostConfig, HostFilePlan
else:
    host_configs, backups = map(lazy_import, ("bridge.hosts.host_configs", "bridge.hosts.backups"))

_KEEPING = 60.0  # seconds for the vault, which may ask for its passphrase


class HostsApp(Protocol):
    def apply_settings(self) -> None: ...
    def host_tokens_changed(self) -> None: ...
    def publish(self) -> None: ...
    def feed(self, event: ev.Event) -> None: ...
    def settings_in_force(self) -> Settings: ...
    async def keep_secret(self, name: str, value: str) -> None: ...


class HostService:
    """`made`: the config files of AI applications; by default, those of this machine."""

    def __init__(
        self,
        app: HostsApp,
        home: Home,
        file: SettingsFile,
        made: HostConfigs | None = None,
        seen: LastSeen | None = None,
    ) -> None:
        self._app, self._home, self._file = app, home, file
        self.seen = seen or LastSeen({})
        self._made = made
        self._apps: tuple[AppStatus, ...] = ()
        self._looked = False
        self._snippet = ""
        self._change: AppChange | None = None
        self._pending: tuple[HostFilePlan, ChangeRequest] | None = None
        self._number = 0
        self._news: AppNews | None = None
        self._problem = ""
        self._followed = 0  # the port that entries of applications have, or are about to get
        self._tasks = BackgroundTasks()
        self._turn = asyncio.Lock()

    @cached_property
    def _book(self) -> HostConfigs:
        return self._made or host_configs.HostConfigs(self._home)

    async def close(self) -> None:
        """Return when running actions have ended: a file is never left half done."""
        await self._tasks.wait()

    def status(self) -> HostsStatus:
        hosts = self._file.current.hosts
        return HostsStatus(
            apps=self._apps,
            looked=self._looked,
            busy=bool(self._tasks),
            change=self._change,
            news=self._news,
            problem=self._problem,
            snippet=self._snippet,
            seen=self.seen.times,
            questions=tuple((name, rule.questions.value) for name, rule in hosts.items()),
        )

    # --- actions of the page -------------------------------------------------------------------------

    def look(self) -> None:
        self._start(self._look())

    def propose(self, app: str, what: str, move: bool = False, http: bool = False) -> None:
        """Show what would change in this application's file; nothing is written yet."""
        self._problem, self._news = "", None
        self._start(self._propose(app, _request(what, move, http)))

    def switch(self, app: str, on: bool, questions: str = "") -> None:
        """Connect an application, its own servers too, or take all of it back; the file is written at once.

        `questions`: who shows its questions then; "": Deskbell, if its own dialogs are known to be poor.
        """
        self._problem, self._news = "", None
        self._start(self._switch(app, on, questions))

    async def _switch(self, app: str, on: bool, questions: str) -> None:
        wish = _request("connect" if on else "disconnect")
        await self._look()
        seen = next(one for one in self._apps if one.id == app)
        self._pending = await self._plan(app, wish), wish
        await self._write()
        chosen = {name for name, _ in self.status().questions}
        if not questions and seen.has_poor_dialogs and not chosen & {seen.called, *seen.names}:
            questions = QuestionPlace.DESKTOP
        if on and questions and self._news is not None:
            self._file.set_questions(seen.called, questions)
            self._app.apply_settings()

    async def _plan(self, app: str, wish: ChangeRequest) -> HostFilePlan:
        settings, recipe = self._app.settings_in_force(), self._book.find(app)
        return await asyncio.to_thread(self._book.plan, recipe, wish, settings)

    def agree(self, number: int) -> None:
        """Write the change with this number, if it is still the one that is shown."""
        if self._change is not None and self._change.number == number:
            self._start(self._write())

    def dismiss(self) -> None:
        self._change = self._pending = None
        self._app.publish()

    def ask_by(self, host: str, asks: str) -> None:
        """Choose who shows this host's questions: auto, desktop or host. Its refusals are forgotten."""
        try:
            self._file.set_questions(host, asks)
            self._app.feed(ev.RefusalForgotten(host))
            self._problem = ""
        except DeskbellError as error:
            self._problem = explained(error)
        self._app.apply_settings()
        self._app.publish()

    def ask_again(self, host: str) -> None:
        """Ask a host again that refused questions without showing them."""
        self._app.feed(ev.RefusalForgotten(host))
        self._app.publish()

    def ask_again_by_command(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask a host again, for `deskbell hosts ask-again`."""
        self.ask_again(str(request.get("host", "")))
        return {}

    # --- running actions -----------------------------------------------------------------------------

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._tasks.start(self._guarded(work))
        task.add_done_callback(lambda _: self._app.publish())
        self._app.publish()

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        async with self._turn:
            try:
                await work
            except DeskbellError as error:
                self._problem = explained(error)

    async def _look(self) -> None:
        settings = self._app.settings_in_force()
        looks = await asyncio.to_thread(lambda: self._book.read_all(settings))
        self._apps = tuple(_app(seen, undo, settings) for seen, undo in looks)
        self._snippet = await asyncio.to_thread(self._book.snippet, settings)
        self._looked = True

    async def _propose(self, app: str, wish: ChangeRequest, again: bool = False) -> None:
        self._change = self._pending = None
        plan = await self._plan(app, wish)
        diff = await asyncio.to_thread(plan.diff)
        await self._look()
        self._number += 1
        self._pending = plan, wish
        self._change = AppChange(
            number=self._number,
            what=plan.what.value,
            app=next(one for one in self._apps if one.id == plan.recipe.id),
            file=str(plan.path),
            diff=diff,
            entries=plan.names,
            moved=tuple(one.name for one in plan.moved),
            nothing=plan.nothing,
            exact=bool(plan.back),
            creates=plan.before is None,
            again=again,
        )

    async def _write(self) -> None:
        if self._pending is None:
            return
        plan, wish = self._pending
        self._change = self._pending = None
        try:
            done = await asyncio.to_thread(self._carry_out, plan, asyncio.get_running_loop())
        except backups.FileChanged:
            await self._propose(plan.recipe.id, wish, again=True)
            return
        self._news = AppNews(
            plan.what.value,
            plan.recipe.name,
            str(plan.path),
            done.copy,
            plan.recipe.reload.value,
            plan.recipe.id,
            await asyncio.to_thread(plan.diff),
        )
        self._app.host_tokens_changed()
        self._file.begin_with_preset(plan.fresh)
        self._app.apply_settings()
        await self._look()

    def follow_port(self) -> None:
        """Put the port that is listened on into the entries of applications that use HTTP."""
        port = self._app.settings_in_force().port
        if self._followed != port:
            self._followed = port
            self._start(self._follow_port(port))

    async def _follow_port(self, port: int) -> None:
        if await asyncio.to_thread(_last_port, self._home) != port:
            await asyncio.to_thread(self._book.follow_port, replace(self._app.settings_in_force(), port=port))

    def revoke(self, app: str) -> None:
        """Refuse this application's tokens until it is connected again."""
        self._problem, self._news = "", None
        self._start(self._revoke(app))

    async def _revoke(self, app: str) -> None:
        await asyncio.to_thread(self._book.revoke, self._book.find(app))
        self._app.host_tokens_changed()
        await self._look()

    def _carry_out(self, plan: HostFilePlan, loop: asyncio.AbstractEventLoop) -> backups.WrittenChange:
        def keep(name: str, value: str) -> None:
            asyncio.run_coroutine_threadsafe(self._app.keep_secret(name, value), loop).result(_KEEPING)

        done = self._book.carry_out(plan, SettingsFile(self._home.config), keep)
        if plan.what is backups.ChangeKind.DISCONNECT:
            hook = self._book.plan_approvals(plan.recipe, self._app.settings_in_force(), wanted=False)
            if hook is not None and not hook.nothing:
                self._book.carry_out(hook, SettingsFile(self._home.config))
        return done


def _request(what: str, move: bool = False, http: bool = False) -> ChangeRequest:
    kind = backups.ChangeKind(what)
    whole = kind is backups.ChangeKind.CONNECT and not http
    return host_configs.ChangeRequest(kind, http, move, create=True, whole=whole)


def _last_port(home: Home) -> int:
    try:
        return int(home.port.read_text())
    except (OSError, ValueError):
        return 0


def _app(seen: HostConfig, undo: ChangeKind | None, settings: Settings) -> AppStatus:
    recipe = seen.spot.recipe
    return AppStatus(
        id=recipe.id,
        name=recipe.name,
        file=str(seen.spot.path),
        installed=seen.spot.installed,
        connected=seen.connected,
        current=seen.current,
        proven=seen.proven,
        servers=seen.servers,
        wrapped=seen.wrapped,
        stale=seen.stale,
        addresses=seen.addresses,
        can=recipe.can,
        names=recipe.names,
        called=host_configs.host_name(recipe, settings),
        by_address=recipe.called is not None,
        undo=undo.value if undo else "",
        problem=seen.problem,
    )
