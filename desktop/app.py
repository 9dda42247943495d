"""The composition root of the desktop: builds and connects, decides nothing. `deskbell` runs `main`."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QMessageBox

from bridge.api import AlreadyRunning, Bridge, DeskbellError, History, Home, ask_running_to_yield, language_of
from desktop import loop
from desktop.bell import Bell
from desktop.bus import Bus
from desktop.ending import Application, Interrupts, hear_of_log_out
from desktop.helpdesk import HelpDesk
from desktop.language import speak
from desktop.logout import LogOut
from desktop.machine import Machine
from desktop.notify import DEFAULT, Notifier
from desktop.placing import Places
from desktop.questions.inbox import InboxPage
from desktop.questions.presenter import QuestionPresenter
from desktop.questions.warm import warm
from desktop.signals import BridgeSignals
from desktop.single import SingleInstance
from desktop.surroundings import Surroundings
from desktop.theme import Theme
from desktop.tray import Tray
from desktop.widgets.icons import app_icon
from desktop.windows.accounts import AccountsPage
from desktop.windows.activity import ActivityPage
from desktop.windows.approvals import ApprovalsPage
from desktop.windows.home import HomeWindow
from desktop.windows.hosts import HostsPage
from desktop.windows.overview import OverviewPage
from desktop.windows.preferences import PreferencesPage
from desktop.windows.servers import ServersPage
from desktop.windows.welcome import WelcomeWindow

_YIELDING = 5.0  # seconds for another Deskbell to end everything it runs
_RETRY = 0.1
_WARM_AFTER = 200  # ms after the start, which it must not slow down
_PANEL_MAY_TAKE = 20_000  # ms after a log-in until its tray is there
translate = QCoreApplication.translate
_SWITCH = 0.0005  # seconds; the engine's thread gets its turn while Python works for the GUI


def main(home: Home, *, for_host: bool = False, at_login: bool = False) -> int:
    """Run the tray application; its exit code.

    `for_host`: an AI host started it, nobody is looking. `at_login`: the desktop did, itself still starting.
    """
    sys.setswitchinterval(_SWITCH)
    home.ensure()
    app = _application()
    speak(app, language_of(home))
    interrupts = Interrupts()
    single = SingleInstance(home.root)
    try:
        if not single.claim():
            return _second(single, for_host or at_login)
        desk = Desktop(app, home, single, interrupts, for_host=for_host, at_login=at_login)
        return loop.run(app, desk.life())
    finally:
        interrupts.close()
        single.release()


def _application() -> Application:
    Application.setOrganizationName("Deskbell")
    Application.setApplicationName("Deskbell")
    Application.setDesktopFileName("deskbell")
    app = Application(["deskbell"])
    app.setQuitOnLastWindowClosed(False)
    app.setWindowIcon(app_icon())
    return app


def _second(single: SingleInstance, unseen: bool) -> int:
    if unseen:
        return 0
    if single.raise_first():
        print("deskbell: it is already running; its window is in front now.", file=sys.stderr)
        return 0
    print("deskbell: it is already running, but does not answer. End it, then start again.", file=sys.stderr)
    return AlreadyRunning.exit_code


class Desktop:
    """Everything on the screen, wired together."""

    def __init__(
        self,
        app: Application,
        home: Home,
        single: SingleInstance,
        interrupts: Interrupts,
        *,
        for_host: bool,
        at_login: bool,
    ) -> None:
        self._home_folder = home
        self._for_host = for_host
        self._at_login = at_login
        self._end = asyncio.Event()
        self._leaving: QMessageBox | None = None
        self._welcome: WelcomeWindow | None = None
        self._is_new = not (home.config.exists() or home.welcomed.exists())
        self._signals = BridgeSignals(lambda report: Bridge(home, on_status=report, presenter="desktop"))
        self._theme = Theme()
        self._places = Places(home.root / "windows.ini")
        self._placed = False  # the main window knows where it belongs
        self._tray = Tray()
        self._questions = QuestionPresenter()
        self._home = HomeWindow()
        self._bus = Bus()
        self._desk = HelpDesk(home)
        self._notifier = Notifier(self._bus, self._tray.balloon)
        self._system_bus = Bus(system=True)
        self._machine = Machine(self._bus, self._system_bus)
        self._bell = Bell(self._questions, Surroundings(self._bus, self._system_bus), self._notifier)
        self._add_pages(History(home.journal))
        for part in (self._theme, self._tray, self._bell, self._home):
            self._signals.status.connect(part.draw)
        self._connect_questions()
        self._connect_hosts(self._hosts)
        self._connect_accounts()
        self._connect_preferences()
        self._connect_servers()
        self._connect_activity()
        app.palette_changed.connect(self._tray.draw_icon)
        self._tray.next_wanted.connect(self._questions.next)
        self._tray.window_wanted.connect(self._show_home)
        self._tray.found.connect(lambda: self._overview.tell_tray(True))
        self._tray.page_wanted.connect(self._show_page)
        self._machine.woke.connect(lambda: self._signals.ask(lambda bridge: bridge.woke()))
        self._machine.unlocked.connect(self._bell.look_again)
        single.raised.connect(self._show_home)
        interrupts.heard.connect(self._end.set)
        hear_of_log_out(app, self._may_log_out)
        self._log_out = LogOut(self._bus, self._may_log_out)
        self._log_out.ends.connect(self._end.set)
        for asked in (app.end_asked, self._tray.quit_wanted, self._home.quit_wanted):
            asked.connect(self._ask_to_end)

    def _add_pages(self, history: History) -> None:
        """A new page is a line here."""
        self._overview = OverviewPage()
        self._inbox = InboxPage()
        self._servers = ServersPage()
        self._hosts = HostsPage()
        self._activity = ActivityPage(history)
        self._approvals = ApprovalsPage()
        self._accounts = AccountsPage()
        self._preferences = PreferencesPage()
        self._home.add("overview", translate("app", "Overview"), self._overview)
        self._home.add("questions", translate("app", "Questions"), self._inbox)
        self._home.add("servers", translate("app", "Servers"), self._servers)
        self._home.add("hosts", translate("app", "AI apps"), self._hosts)
        self._home.add("activity", translate("app", "Activity"), self._activity)
        self._home.add("approvals", translate("app", "Approvals"), self._approvals)
        self._home.add("accounts", translate("app", "Accounts"), self._accounts)
        self._home.add("preferences", translate("app", "Settings"), self._preferences)
        self._tray.tell_pages(self._home.pages)

    def _connect_questions(self) -> None:
        """What the person wants of the questions, wherever they say it."""
        questions, inbox, ask = self._questions, self._inbox, self._signals.ask
        questions.answered.connect(self._signals.answer)
        questions.drafts_changed.connect(inbox.draw_drafts)
        self._overview.welcome_wanted.connect(self._show_welcome)
        self._overview.hosts_wanted.connect(lambda: self._show_page("hosts"))
        self._overview.questions_wanted.connect(lambda: self._show_page("questions"))
        self._overview.sign_in_wanted.connect(lambda server: ask(lambda bridge: bridge.sign_in_to(server)))
        inbox.open_wanted.connect(questions.open)
        inbox.answered.connect(questions.end)
        inbox.discard_wanted.connect(questions.discard)
        inbox.unmute_wanted.connect(lambda server: ask(lambda bridge: bridge.unmute(server)))
        for sparing in (inbox.spare_wanted, questions.spare_wanted):
            sparing.connect(lambda server: ask(lambda bridge: bridge.spare(server)))
        for muting in (inbox.mute_wanted, self._bell.mute_wanted, questions.mute_wanted):
            muting.connect(lambda server, for_: ask(lambda bridge: bridge.mute(server, for_)))
        for snoozing in (self._tray.snooze_wanted, self._bell.snooze_wanted, self._preferences.snooze_wanted):
            snoozing.connect(lambda for_: ask(lambda bridge: bridge.snooze(for_ or None)))
        for resuming in (self._tray.resume_wanted, inbox.resume_wanted, self._preferences.resume_wanted):
            resuming.connect(lambda: ask(lambda bridge: bridge.resume()))
        self._notifier.chosen.connect(self._bell.choose)
        self._tray.balloon_clicked.connect(lambda: self._bell.choose(DEFAULT))

    def _connect_hosts(self, page: HostsPage) -> None:
        ask = self._signals.ask
        page.shown.connect(lambda: ask(lambda bridge: bridge.look_at_apps()))
        page.change_wanted.connect(
            lambda app, what, move, http: ask(lambda bridge: bridge.propose_change(app, what, move, http))
        )
        page.agreed.connect(lambda number: ask(lambda bridge: bridge.agree_to_change(number)))
        page.dismissed.connect(lambda: ask(lambda bridge: bridge.dismiss_change()))
        page.questions_wanted.connect(lambda host, asks: ask(lambda bridge: bridge.ask_by(host, asks)))

    def _connect_accounts(self) -> None:
        page, ask = self._accounts, self._signals.ask
        page.sign_in_wanted.connect(lambda who, word: ask(lambda bridge: bridge.sign_in(who, password=word)))
        page.cancel_wanted.connect(lambda: ask(lambda bridge: bridge.cancel_sign_in()))
        page.default_wanted.connect(lambda did: ask(lambda bridge: bridge.make_default(did)))
        page.delete_wanted.connect(lambda did: ask(lambda bridge: bridge.delete_account(did)))
        page.autoreply_wanted.connect(lambda: ask(lambda bridge: bridge.read_autoreply()))
        page.shown.connect(lambda: ask(lambda bridge: bridge.look_for_pictures()))

    def _connect_preferences(self) -> None:
        page, ask, desk = self._preferences, self._signals.ask, self._desk
        page.prefer_wanted.connect(
            lambda table, key, value: ask(lambda bridge: bridge.prefer(table, key, value))
        )
        page.renew_token_wanted.connect(lambda: ask(lambda bridge: bridge.renew_token()))
        page.update_check_wanted.connect(lambda: ask(lambda bridge: bridge.ask_for_updates()))
        page.shown.connect(desk.look_at_autostart)
        page.autostart_wanted.connect(desk.switch_autostart)
        desk.autostart.connect(page.tell_autostart)
        page.token_wanted.connect(desk.copy_token)
        page.log_wanted.connect(desk.show_log)
        page.diagnostics_wanted.connect(desk.show_diagnostics)
        page.about_wanted.connect(desk.show_about)
        self._signals.status.connect(desk.draw)

    def _connect_activity(self) -> None:
        page, ask = self._activity, self._signals.ask
        page.forget_wanted.connect(lambda rows: ask(lambda bridge: bridge.forget(rows)))
        page.look_wanted.connect(lambda on: ask(lambda bridge: bridge.look_at_calls(on)))
        page.cancel_wanted.connect(lambda call: ask(lambda bridge: bridge.cancel_call(call)))
        page.approvals_wanted.connect(lambda: self._show_page("approvals"))
        self._approvals.rules_wanted.connect(
            lambda host, rules, before: ask(lambda bridge: bridge.set_rules(host, rules, before))
        )
        self._approvals.undo_wanted.connect(lambda number: ask(lambda bridge: bridge.undo_allowed(number)))

    def _connect_servers(self) -> None:
        page, ask = self._servers, self._signals.ask
        page.shown.connect(lambda: ask(lambda bridge: bridge.look_for_secrets()))
        page.look_wanted.connect(lambda name, start: ask(lambda bridge: bridge.look_at(name, start)))
        page.restart_wanted.connect(lambda name: ask(lambda bridge: bridge.restart(name)))
        page.draft_wanted.connect(lambda text: ask(lambda bridge: bridge.draft_servers(text)))
        page.find_wanted.connect(lambda: ask(lambda bridge: bridge.find_servers()))
        page.add_wanted.connect(lambda choices: ask(lambda bridge: bridge.add_servers(choices)))
        page.edit_wanted.connect(lambda plan: ask(lambda bridge: bridge.edit_server(plan)))
        page.enable_wanted.connect(lambda name, on: ask(lambda bridge: bridge.enable_server(name, on)))
        page.remove_wanted.connect(lambda name: ask(lambda bridge: bridge.remove_server(name)))
        page.undo_wanted.connect(lambda: ask(lambda bridge: bridge.undo_servers()))
        page.sign_in_wanted.connect(lambda name: ask(lambda bridge: bridge.sign_in_to(name)))
        page.sign_out_wanted.connect(lambda name: ask(lambda bridge: bridge.sign_out_of(name)))
        page.try_wanted.connect(
            lambda server, tool, given: ask(lambda bridge: bridge.try_tool(server, tool, bytes(given)))
        )
        page.cancel_wanted.connect(lambda: ask(lambda bridge: bridge.cancel_trial()))
        page.secret_set_wanted.connect(lambda name, value: ask(lambda bridge: bridge.set_secret(name, value)))
        page.secret_delete_wanted.connect(lambda name: ask(lambda bridge: bridge.delete_secret(name)))

    def _show_welcome(self) -> None:
        """The first steps; made when they are first wanted."""
        if self._welcome is None:
            apps, ask = HostsPage(), self._signals.ask
            self._connect_hosts(apps)
            window = self._welcome = WelcomeWindow(apps)
            window.find_wanted.connect(lambda: ask(lambda bridge: bridge.find_servers()))
            window.draft_wanted.connect(lambda text: ask(lambda bridge: bridge.draft_servers(text)))
            window.add_wanted.connect(lambda choices: ask(lambda bridge: bridge.add_servers(choices)))
            window.try_wanted.connect(
                lambda server, tool, given: ask(lambda bridge: bridge.try_tool(server, tool, bytes(given)))
            )
            window.cancel_wanted.connect(lambda: ask(lambda bridge: bridge.cancel_trial()))
            window.open_wanted.connect(self._questions.open)
            self._signals.status.connect(window.draw)
            window.draw(self._signals.latest)
        self._welcome.show()
        self._welcome.raise_()
        self._welcome.activateWindow()

    async def life(self) -> int:
        """From start to nothing left running; the exit code."""
        try:
            code = await self._until_end(self._start())
            if code is None:
                await self._end.wait()
            return code or 0
        finally:
            self._tray.hide()
            self._places.close()
            if self._placed:
                self._places.remember(self._home)
            self._home.close()
            if self._welcome is not None:
                self._welcome.close()
            self._bell.close()
            self._questions.close()
            self._servers.close_windows()
            self._activity.close_history()
            await self._desk.close()
            self._bus.close()
            self._system_bus.close()
            await self._signals.stop()

    async def _start(self) -> int | None:
        """The bridge is up (None), or the exit code of a start that came to nothing."""
        patience = 0.0  # until when another Deskbell that yields may take to end
        self._tray.look()  # who starts a program wants to see that it starts
        while True:
            try:
                await self._signals.start()
            except DeskbellError as error:
                if isinstance(error, AlreadyRunning) and time.monotonic() < patience:
                    await asyncio.sleep(_RETRY)
                elif not await self._try_again(error):
                    return 0 if isinstance(error, AlreadyRunning) else error.exit_code
                else:
                    patience = time.monotonic() + _YIELDING
            else:
                self._appear()
                return None

    def _appear(self) -> None:
        QTimer.singleShot(_WARM_AFTER, warm)
        self._desk.when_loaded("jeepney.io.blocking", self._listen)
        self._desk.mend_autostart()
        tray = self._tray.look()
        self._overview.tell_tray(tray)
        if self._for_host:
            return
        if self._at_login:
            QTimer.singleShot(_PANEL_MAY_TAKE, self._home, self._show_at_login)
            return
        where = "as the bell in your system tray" if tray else "in its window, for want of a system tray"
        print(f"deskbell: running {where}. Ctrl+C ends it.", file=sys.stderr, flush=True)
        if not tray:
            self._show_home()
        if self._is_new:
            with contextlib.suppress(OSError):  # then they are shown again next time
                self._home_folder.welcomed.touch()
            self._show_welcome()

    def _listen(self) -> None:
        self._machine.listen()
        self._log_out.register()

    def _show_at_login(self) -> None:
        """Still no tray: a window, out of the way, or there would be no way to Deskbell at all."""
        if not self._tray.there and not self._home.isVisible():
            self._home.showMinimized()

    def _show_home(self) -> None:
        if not self._placed:
            self._placed = True
            self._places.restore(self._home)
        if self._home.isMinimized():
            self._home.showNormal()
        self._home.show()
        self._home.raise_()
        self._home.activateWindow()

    def _show_page(self, name: str) -> None:
        self._home.turn_to(name)
        self._show_home()

    def _may_log_out(self) -> bool:
        if self._questions.typed:
            self._ask_to_end()
        return not self._questions.typed

    def _ask_to_end(self) -> None:
        """End; but first ask, if something that was typed would be lost."""
        if self._end.is_set() or self._leaving is not None:
            return
        if not self._questions.typed:
            self._end.set()
            return
        box = self._leaving = QMessageBox(
            QMessageBox.Icon.Question, "Deskbell", translate("app", "Quit, and lose what you typed?")
        )
        box.setObjectName("quitBox")
        box.setInformativeText(
            translate("app", "A question with your words in it is open. If Deskbell quits, it is cancelled.")
        )
        leave = box.addButton(translate("app", "&Quit"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(translate("app", "&Go back"), QMessageBox.ButtonRole.RejectRole))
        box.finished.connect(lambda _: self._left(box, box.clickedButton() is leave))
        box.open()

    def _left(self, box: QMessageBox, leave: bool) -> None:
        self._leaving = None
        box.deleteLater()
        if leave:
            self._end.set()

    async def _try_again(self, error: DeskbellError) -> bool:
        """A start failed: explain it, and ask what to do."""
        if self._for_host:
            return False
        if isinstance(error, AlreadyRunning):
            return await self._take_over()
        retry, give_up = QMessageBox.StandardButton.Retry, QMessageBox.StandardButton.Close
        box = QMessageBox(QMessageBox.Icon.Critical, "Deskbell", error.title, retry | give_up)
        box.setInformativeText(error.message)
        return await loop.finished(box) == retry

    async def _take_over(self) -> bool:
        """Another Deskbell serves this home without windows: it yields by itself when nobody needs it."""
        if await loop.in_thread(lambda: ask_running_to_yield(self._home_folder, False)):
            return True
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Deskbell",
            translate("app", "Deskbell is already running without windows."),
        )
        box.setInformativeText(
            translate(
                "app",
                "AI apps are connected to it. If you take over, their connections end; restart them, "
                "and from then on their questions come here.",
            )
        )
        take = box.addButton(translate("app", "&Take over"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(translate("app", "&Quit"), QMessageBox.ButtonRole.RejectRole)
        await loop.finished(box)
        if box.clickedButton() is not take:
            return False
        await loop.in_thread(lambda: ask_running_to_yield(self._home_folder, True))
        return True

    async def _until_end(self, start: Coroutine[Any, Any, int | None]) -> int | None:
        """What the start came to; 0 when the person ended Deskbell before."""
        starting, ending = asyncio.ensure_future(start), asyncio.ensure_future(self._end.wait())
        await asyncio.wait((starting, ending), return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if not starting.done():
            starting.cancel()
            await asyncio.wait((starting,))
            return 0
        return starting.result()
