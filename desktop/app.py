"""Build the desktop application from its parts and connect them. `deskbell` runs `main`."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox

from bridge.api import (
    AlreadyRunning,
    Bridge,
    DeskbellError,
    History,
    Home,
    Status,
    language_of,
)
from desktop import qt_application, qt_loop
from desktop.alerts.alerts import Alerts
from desktop.alerts.notifications import DEFAULT, Notifier
from desktop.alerts.user_activity import UserActivity
from desktop.bridge_signals import BridgeSignals
from desktop.language import install_translators
from desktop.lazy.module_loading import load, when_loaded
from desktop.lazy.time_slices import END_SLICE, SlicedTask, Steps
from desktop.local_actions import LocalActions
from desktop.page_factory import PageFactory
from desktop.questions.presenter import QuestionPresenter
from desktop.startup_dialogs import quitting, try_again
from desktop.system.dbus import DBus
from desktop.system.garbage_collection import GarbageCollection, collect_if_due
from desktop.system.power import PowerEvents
from desktop.system.shortcuts.global_shortcut import GlobalShortcut
from desktop.system.shutdown import Application, LogoutWatcher, ProcessSignals, watch_logout
from desktop.system.single_instance import SingleInstance
from desktop.system.window_placement import WindowPlacement
from desktop.theme.appearance import Theme
from desktop.tray.tray import Tray
from desktop.widgets.server_icons import server_icons

if TYPE_CHECKING:  # imported when a window is first opened
    from desktop.main_window import MainWindow
    from desktop.pages.welcome.window import WelcomeWindow

_YIELDING = 5.0  # seconds for another Deskbell to end
_RETRY = 0.1
_UNDO = 5.0  # seconds in which a refusal can be undone
_TEST_AFTER = 1_000  # ms after the start, when windows and the first AI app have been served
_WARM_AFTER = 200  # ms after an AI app connected, whose first requests come first
_PANEL_MAY_TAKE = 20_000  # ms after log-in within which the system tray may appear


def main(home: Home, *, for_host: bool = False, at_login: bool = False, link: str = "") -> int:
    """Run the tray application; return its exit code.

    `for_host`: an AI host started it, nobody is looking. `at_login`: the desktop did, itself still starting.
    `link`: a web page's `deskbell:` link, which the person clicked.
    """
    home.ensure()
    app = qt_application.make_application()
    install_translators(app, language_of(home))
    interrupts = ProcessSignals()
    single = SingleInstance(home.root)
    try:
        if not single.claim():
            return _second(single, for_host or at_login, link)
        desk = Desktop(app, home, single, interrupts, for_host=for_host, at_login=at_login)
        desk.open_link(link)
        return qt_loop.run(app, desk.run_until_quit())
    finally:
        interrupts.close()
        single.release()


def _second(single: SingleInstance, unseen: bool, link: str) -> int:
    if unseen:
        return 0
    if single.raise_first(link):
        print("deskbell: it is already running; its window is in front now.", file=sys.stderr)
        return 0
    print("deskbell: it is already running, but does not answer. End it, then start again.", file=sys.stderr)
    return AlreadyRunning.exit_code


class Desktop:
    """The tray icon, alerts, questions and windows, connected with the Bridge."""

    def __init__(
        self,
        app: Application,
        home: Home,
        single: SingleInstance,
        interrupts: ProcessSignals,
        *,
        for_host: bool,
        at_login: bool,
    ) -> None:
        self._home_folder = home
        self._for_host = for_host
        self._at_login = at_login
        self._end = asyncio.Event()
        self._leaving: QMessageBox | None = None
        self._home: MainWindow | None = None
        self._welcome: WelcomeWindow | None = None
        self._expecting = False  # an AI app has connected: Questions may come
        self._link = ""  # to be opened when the bridge runs
        self._runs = False
        self._garbage = GarbageCollection(app)
        self._opening = SlicedTask(app)
        self._welcoming = SlicedTask(app)
        self._is_new = not (home.config.exists() or home.welcomed.exists())
        self._signals = BridgeSignals(
            lambda report, busy: Bridge(home, on_status=report, on_busy=busy, presenter="desktop")
        )
        self._theme = Theme()
        self._places = WindowPlacement(home.root / "windows.ini")
        self._tray = Tray()
        self._questions = QuestionPresenter(History(home.journal))
        self._bus = DBus()
        self._local = LocalActions(home)
        self._shortcut = GlobalShortcut(self._bus)
        self._pages = PageFactory(
            self._signals, self._questions, self._local, self._tray, self._shortcut, home.journal
        )
        self._notifier = Notifier(self._bus, self._tray.balloon)
        self._system_bus = DBus(system=True)
        self._power = PowerEvents(self._bus, self._system_bus)
        self._alerts = Alerts(self._questions, UserActivity(self._bus, self._system_bus), self._notifier)
        for part in (server_icons(), self._theme, self._tray, self._alerts, self._local, self._shortcut):
            self._signals.status.connect(part.draw)
        self._shortcut.pressed.connect(self._answer_next)
        self._signals.status.connect(self._expect_questions)
        self._signals.busy.connect(collect_if_due)
        self._connect_questions()
        app.palette_changed.connect(self._tray.draw_icon)
        self._tray.next_wanted.connect(self._questions.next)
        self._tray.window_wanted.connect(partial(self._show_page, ""))
        for pages in (self._tray, self._pages):
            pages.page_wanted.connect(self._show_page)
        self._pages.past_questions_wanted.connect(self._show_past_questions)
        self._pages.welcome_wanted.connect(self._show_welcome)
        self._power.woke.connect(self._signals.services.engine.read_clock)
        self._power.unlocked.connect(self._alerts.look_again)
        single.raised.connect(partial(self._show_page, ""))
        for opening in (single.link_opened, app.link_opened):
            opening.connect(self.open_link)
        interrupts.heard.connect(self._end.set)
        self._signals.ended.connect(self._end.set)  # by `deskbell uninstall`, for one
        app.aboutToQuit.connect(self._end.set)  # also when the display server ends
        watch_logout(app, self._may_log_out)
        self._log_out = LogoutWatcher(self._bus, self._may_log_out)
        self._log_out.ends.connect(self._end.set)
        for asked in (app.end_asked, self._tray.quit_wanted):
            asked.connect(self._ask_to_end)

    def _main_window(self) -> MainWindow:
        """Return the main window; it is made when first opened, and so is each page."""
        if self._home is None:
            from desktop.main_window import MainWindow

            home = self._home = MainWindow()
            home.quit_wanted.connect(self._ask_to_end)
            home.help_wanted.connect(self._show_welcome)
            self._pages.add_to(home)
            self._signals.status.connect(home.draw)
            home.draw(self._signals.latest)
            self._places.restore(home)
        return self._home

    def _connect_questions(self) -> None:
        """Connect the tray, notifications and question windows with the question service."""
        questions, service = self._questions, self._signals.services.questions
        questions.answered.connect(service.answer)
        questions.refused.connect(lambda question, answer: service.answer(question, answer, _UNDO))
        questions.undo_wanted.connect(service.undo)
        questions.draft_kept.connect(service.keep_draft)
        questions.time_wanted.connect(service.add_time)
        questions.working.connect(service.working_on)
        questions.missed_wanted.connect(self._show_past_questions)
        questions.missed_wanted.connect(service.missed_seen)
        for seen in (questions.missed_seen, self._alerts.missed_seen):
            seen.connect(service.missed_seen)
        self._alerts.missed_wanted.connect(questions.missed_wanted)
        self._alerts.presence_changed.connect(service.set_presence)
        questions.ask_anyway_wanted.connect(service.ask_anyway)
        for muting in (self._alerts.mute_wanted, questions.mute_wanted):
            muting.connect(service.mute)
        for snoozing in (self._tray.snooze_wanted, self._alerts.snooze_wanted):
            snoozing.connect(service.snooze)
        self._tray.resume_wanted.connect(service.resume)
        self._notifier.chosen.connect(self._alerts.choose)
        self._tray.balloon_clicked.connect(lambda: self._alerts.choose(DEFAULT))

    def _expect_questions(self, status: Status) -> None:
        """Preload the question windows when the first AI app connects: the first question must not wait."""
        if status.hosts and not self._expecting:
            self._expecting = True
            ready = partial(when_loaded, self._signals, "desktop.questions.window_kinds", self._get_ready)
            QTimer.singleShot(_WARM_AFTER, self._signals, ready)

    def _get_ready(self) -> None:
        from desktop.questions.window_kinds import preload_question_windows

        preload_question_windows(self._signals)

    def _answer_next(self) -> None:
        """Open the oldest question, wherever the keyboard is; without one, the window."""
        if self._signals.latest.waiting:
            self._questions.next()
        else:
            self._show_page("questions")

    def _show_past_questions(self) -> None:
        self._opening.start(self._open_past_questions())

    def _open_past_questions(self) -> Steps:
        home = self._main_window()
        yield from home.make("activity")
        from desktop.pages.activity.page import ActivityPage

        page = home.page("activity")
        if isinstance(page, ActivityPage):
            page.narrow("question")
        yield from self._open("activity")

    def open_link(self, link: str) -> None:
        """Show what a `deskbell:` link wants to add. Nothing is added but by the person's own click."""
        self._link = link
        if self._runs and link:
            self._opening.start(self._open_link(link))

    def _open_link(self, link: str) -> Steps:
        home = self._main_window()
        yield from home.make("servers")
        yield from self._open("servers")
        from desktop.pages.servers.page import ServersPage

        page = home.page("servers")
        if isinstance(page, ServersPage):
            page.open_add(link)

    def _show_welcome(self) -> None:
        self._welcoming.start(self._open_welcome())

    def _open_welcome(self) -> Steps:
        """Open the welcome window; make it when it is first opened."""
        yield from load("desktop.pages.welcome.window")
        if self._welcome is None:
            self._welcome = self._pages.welcome()
            yield END_SLICE
        self._welcome.show()
        self._welcome.raise_()
        self._welcome.activateWindow()

    async def run_until_quit(self) -> int:
        """Start, run until the person quits, and close every part; return the exit code."""
        try:
            code = await self._until_end(self._start())
            if code is None:
                await self._end.wait()
            return code or 0
        finally:
            self._tray.hide()
            self._places.close()
            if self._home is not None:
                self._places.remember(self._home)
                self._home.close()
            if self._welcome is not None:
                self._welcome.close()
            self._alerts.close()
            self._shortcut.close()
            self._questions.close()
            self._pages.close()
            await self._local.close()
            self._bus.close()
            self._system_bus.close()
            await self._signals.stop()
            self._garbage.close()

    async def _start(self) -> int | None:
        """Start the bridge; return None, or the exit code if it cannot be started."""
        patience = 0.0  # monotonic time until which another Deskbell may take to end
        self._tray.look()  # shows that the program starts
        while True:
            try:
                await self._signals.start()
            except DeskbellError as error:
                if isinstance(error, AlreadyRunning) and time.monotonic() < patience:
                    await asyncio.sleep(_RETRY)
                elif self._for_host or not await try_again(error, self._home_folder):
                    return 0 if isinstance(error, AlreadyRunning) else error.exit_code
                else:
                    patience = time.monotonic() + _YIELDING
            else:
                self._appear()
                return None

    def _appear(self) -> None:
        self._runs = True
        self._local.when_loaded("jeepney.io.blocking", self._listen)
        self._local.repair_autostart()
        QTimer.singleShot(_TEST_AFTER, self._signals, self._signals.services.servers.test)
        tray = self._tray.look()
        if self._for_host:
            return
        if self._at_login:
            QTimer.singleShot(_PANEL_MAY_TAKE, self._signals, self._show_at_login)
            return
        where = "as the bell in your system tray" if tray else "in its window, for want of a system tray"
        print(f"deskbell: running {where}. Ctrl+C ends it.", file=sys.stderr, flush=True)
        self._opening.start(self._open_link(self._link) if self._link else self._open_at_start(tray))

    def _open_at_start(self, tray: bool) -> Steps:
        """Open the window if there is no tray, and the welcome window at the first start."""
        if not tray:
            yield from self._open()
        if self._is_new:
            with contextlib.suppress(OSError):  # then the welcome window is shown again next time
                self._home_folder.welcomed.touch()
            self._show_welcome()
        yield None

    def _listen(self) -> None:
        self._power.listen()
        self._log_out.register()

    def _show_at_login(self) -> None:
        """Without a tray, show the window minimized: there is no other way to open it."""
        if not self._tray.there and not self._main_window().isVisible():
            self._main_window().showMinimized()

    def _show_page(self, name: str) -> None:
        self._opening.start(self._open(name))

    def _open(self, page: str = "") -> Steps:
        """Open the main window, at this page if one is given."""
        if self._home is None:
            yield from load("desktop.main_window")
        home = self._main_window()
        yield None
        if page:
            home.turn_to(page)
        yield from home.build()
        if home.isMinimized():
            home.showNormal()
        home.show()
        home.raise_()
        home.activateWindow()

    def _may_log_out(self) -> bool:
        if self._questions.typed:
            self._ask_to_end()
        return not self._questions.typed

    def _ask_to_end(self) -> None:
        """Quit; ask first if a question waits or typed text would be lost."""
        if self._end.is_set() or self._leaving is not None:
            return
        waiting = len(self._signals.latest.waiting)
        if not (waiting or self._questions.typed):
            self._end.set()
            return
        box, leave = quitting(waiting, typed=self._questions.typed)

        def left() -> None:
            self._leaving = None
            box.deleteLater()
            if box.clickedButton() is leave:
                self._end.set()

        self._leaving = box
        box.finished.connect(left)
        box.open()

    async def _until_end(self, start: Coroutine[Any, Any, int | None]) -> int | None:
        """Return the result of `start`; 0 if the person quits before it is done."""
        starting, ending = asyncio.ensure_future(start), asyncio.ensure_future(self._end.wait())
        await asyncio.wait((starting, ending), return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if not starting.done():
            starting.cancel()
            await asyncio.wait((starting,))
            return 0
        return starting.result()
