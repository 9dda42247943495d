"""The pages of the window, and the first steps: each is connected with what it wants of the Bridge.

Connects, decides nothing. Pages are loaded and made when they are first wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QWidget

from bridge.api import History
from desktop.bridge_signals import BridgeSignals
from desktop.questions.presenter import QuestionPresenter
from desktop.support import HelpDesk
from desktop.tray.tray import Tray

if TYPE_CHECKING:  # on most days nobody opens them
    from desktop.main_window import HomeWindow
    from desktop.pages.hosts.page import HostsPage
    from desktop.pages.servers.page import ServersPage
    from desktop.pages.welcome.window import WelcomeWindow

translate = QCoreApplication.translate


class Pages(QObject):
    page_wanted = Signal(str)
    past_questions_wanted = Signal()
    welcome_wanted = Signal()

    def __init__(
        self, signals: BridgeSignals, questions: QuestionPresenter, desk: HelpDesk, tray: Tray, journal: Path
    ) -> None:
        super().__init__()
        self._signals = signals
        self._questions = questions
        self._desk = desk
        self._tray = tray
        self._journal = journal
        self._at_end: list[Callable[[], None]] = []

    def add_to(self, home: HomeWindow) -> None:
        """A new page is a line here."""
        add, pages = home.add, "desktop.pages"
        add("overview", translate("app", "Overview"), self._overview, f"{pages}.overview")
        add("questions", translate("app", "Questions"), self._inbox, "desktop.questions.inbox")
        add("servers", translate("app", "Servers"), self._servers, f"{pages}.servers.page")
        add("hosts", translate("app", "AI apps"), self.hosts, f"{pages}.hosts.page")
        add("activity", translate("app", "Activity"), self._activity, f"{pages}.activity.page")
        add("approvals", translate("app", "Approvals"), self._approvals, f"{pages}.approvals.page")
        add("accounts", translate("app", "Accounts"), self._accounts, f"{pages}.accounts")
        add("preferences", translate("app", "Settings"), self._preferences, f"{pages}.settings")

    def close(self) -> None:
        for end in self._at_end:
            end()

    def _overview(self) -> QWidget:
        from desktop.pages.overview import OverviewPage

        page, ask = OverviewPage(in_slices=True), self._signals.ask
        page.welcome_wanted.connect(self.welcome_wanted)
        page.hosts_wanted.connect(lambda: self.page_wanted.emit("hosts"))
        page.questions_wanted.connect(lambda: self.page_wanted.emit("questions"))
        page.settings_wanted.connect(self._desk.open_settings)
        page.sign_in_wanted.connect(lambda server: ask(lambda bridge: bridge.sign_in_to(server)))
        page.shown.connect(lambda: ask(lambda bridge: bridge.look_for_secrets(missing_only=True)))
        page.tell_tray(self._tray.there)
        self._tray.found.connect(lambda: page.tell_tray(True))
        return page

    def _inbox(self) -> QWidget:
        from desktop.questions.inbox import InboxPage

        page = InboxPage(History(self._journal))
        questions, ask = self._questions, self._signals.ask
        self._at_end.append(page.close_history)
        page.past_wanted.connect(self.past_questions_wanted)
        page.open_wanted.connect(questions.open)
        page.answered.connect(questions.end)
        page.discard_wanted.connect(questions.discard)
        page.spare_wanted.connect(lambda server: ask(lambda bridge: bridge.spare(server)))
        page.mute_wanted.connect(lambda server, for_: ask(lambda bridge: bridge.mute(server, for_)))
        page.unmute_wanted.connect(lambda server: ask(lambda bridge: bridge.unmute(server)))
        page.resume_wanted.connect(lambda: ask(lambda bridge: bridge.resume()))
        questions.drafts_changed.connect(page.draw_drafts)
        page.draw_drafts(questions.drafts)
        return page

    def _servers(self) -> QWidget:
        from desktop.pages.servers.page import ServersPage

        page, ask = ServersPage(), self._signals.ask
        self._at_end.append(page.close_windows)
        page.settings_wanted.connect(self._desk.open_settings)
        page.shown.connect(lambda: ask(lambda bridge: bridge.look_for_secrets()))
        page.look_wanted.connect(lambda name, start: ask(lambda bridge: bridge.look_at(name, start)))
        page.restart_wanted.connect(lambda name: ask(lambda bridge: bridge.restart(name)))
        self._connect_adding_and_trying(page)
        page.edit_wanted.connect(lambda plan, name: ask(lambda bridge: bridge.edit_server(plan, name)))
        page.enable_wanted.connect(lambda name, on: ask(lambda bridge: bridge.enable_server(name, on)))
        page.remove_wanted.connect(lambda name, clean: ask(lambda bridge: bridge.remove_server(name, clean)))
        page.undo_wanted.connect(lambda: ask(lambda bridge: bridge.undo_servers()))
        page.sign_in_wanted.connect(lambda name: ask(lambda bridge: bridge.sign_in_to(name)))
        page.sign_out_wanted.connect(lambda name: ask(lambda bridge: bridge.sign_out_of(name)))
        page.question_wanted.connect(self._questions.open)
        page.secret_set_wanted.connect(lambda name, value: ask(lambda bridge: bridge.set_secret(name, value)))
        page.secret_delete_wanted.connect(lambda name: ask(lambda bridge: bridge.delete_secret(name)))
        return page

    def _connect_adding_and_trying(self, part: ServersPage | WelcomeWindow) -> None:
        ask = self._signals.ask
        part.find_wanted.connect(lambda: ask(lambda bridge: bridge.find_servers()))
        part.draft_wanted.connect(lambda text: ask(lambda bridge: bridge.draft_servers(text)))
        part.add_wanted.connect(lambda choices: ask(lambda bridge: bridge.add_servers(choices)))
        part.try_wanted.connect(
            lambda server, tool, given: ask(lambda bridge: bridge.try_tool(server, tool, bytes(given)))
        )
        part.cancel_wanted.connect(lambda: ask(lambda bridge: bridge.cancel_trial()))

    def hosts(self, inset: int = 20) -> HostsPage:
        from desktop.pages.hosts.page import HostsPage

        page = HostsPage(inset=inset)
        self._connect_hosts(page)
        return page

    def _connect_hosts(self, page: HostsPage) -> None:
        ask = self._signals.ask
        page.shown.connect(lambda: ask(lambda bridge: bridge.look_at_apps()))
        page.bundle_wanted.connect(self._desk.save_bundle)
        self._desk.bundle.connect(page.tell_bundle)
        page.change_wanted.connect(
            lambda app, what, move, http: ask(lambda bridge: bridge.propose_change(app, what, move, http))
        )
        page.agreed.connect(lambda number: ask(lambda bridge: bridge.agree_to_change(number)))
        page.dismissed.connect(lambda: ask(lambda bridge: bridge.dismiss_change()))
        page.questions_wanted.connect(lambda host, asks: ask(lambda bridge: bridge.ask_by(host, asks)))

    def _activity(self) -> QWidget:
        from desktop.pages.activity.page import ActivityPage

        past, ask = History(self._journal), self._signals.ask
        page = ActivityPage(past, in_slices=True)
        self._at_end.append(page.close_history)
        page.forget_wanted.connect(lambda rows: ask(lambda bridge: bridge.forget(rows)))
        page.look_wanted.connect(lambda on: ask(lambda bridge: bridge.look_at_calls(on)))
        page.cancel_wanted.connect(lambda call: ask(lambda bridge: bridge.cancel_call(call)))
        page.approvals_wanted.connect(lambda: self.page_wanted.emit("approvals"))
        return page

    def _approvals(self) -> QWidget:
        from desktop.pages.approvals.page import ApprovalsPage

        page, ask = ApprovalsPage(), self._signals.ask
        page.rules_wanted.connect(
            lambda host, rules, before: ask(lambda bridge: bridge.set_rules(host, rules, before))
        )
        page.undo_wanted.connect(lambda number: ask(lambda bridge: bridge.undo_allowed(number)))
        return page

    def _accounts(self) -> QWidget:
        from desktop.pages.accounts import AccountsPage

        page, ask = AccountsPage(), self._signals.ask
        page.sign_in_wanted.connect(lambda who, word: ask(lambda bridge: bridge.sign_in(who, password=word)))
        page.cancel_wanted.connect(lambda: ask(lambda bridge: bridge.cancel_sign_in()))
        page.default_wanted.connect(lambda did: ask(lambda bridge: bridge.make_default(did)))
        page.delete_wanted.connect(lambda did: ask(lambda bridge: bridge.delete_account(did)))
        page.autoreply_wanted.connect(lambda: ask(lambda bridge: bridge.read_autoreply()))
        page.shown.connect(lambda: ask(lambda bridge: bridge.look_for_pictures()))
        return page

    def _preferences(self) -> QWidget:
        from desktop.pages.settings import SettingsPage

        page, ask, desk = SettingsPage(), self._signals.ask, self._desk
        page.snooze_wanted.connect(lambda for_: ask(lambda bridge: bridge.snooze(for_ or None)))
        page.resume_wanted.connect(lambda: ask(lambda bridge: bridge.resume()))
        page.prefer_wanted.connect(
            lambda table, key, value: ask(lambda bridge: bridge.prefer(table, key, value))
        )
        page.vault_wanted.connect(lambda store: ask(lambda bridge: bridge.choose_vault(store)))
        page.renew_token_wanted.connect(lambda: ask(lambda bridge: bridge.renew_token()))
        page.update_check_wanted.connect(lambda: ask(lambda bridge: bridge.ask_for_updates()))
        page.shown.connect(desk.look_at_autostart)
        page.autostart_wanted.connect(desk.switch_autostart)
        desk.autostart.connect(page.tell_autostart)
        page.token_wanted.connect(desk.copy_token)
        page.log_wanted.connect(desk.show_log)
        page.diagnostics_wanted.connect(desk.show_diagnostics)
        page.about_wanted.connect(desk.show_about)
        return page

    def welcome(self, apps: HostsPage) -> WelcomeWindow:
        from desktop.pages.welcome.window import WelcomeWindow

        window = WelcomeWindow(apps)
        self._connect_adding_and_trying(window)
        window.open_wanted.connect(self._questions.open)
        window.accepted.connect(lambda: self.page_wanted.emit("overview"))  # where all of it goes on
        self._signals.status.connect(window.draw)
        window.draw(self._signals.latest)
        return window
