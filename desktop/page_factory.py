"""Make the pages of the main window: give each the services it calls, and connect it with other windows.

Pages are loaded and made when they are first shown. No decisions here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, Signal

from bridge.api import History
from desktop.bridge_signals import BridgeSignals
from desktop.local_actions import LocalActions
from desktop.questions.presenter import QuestionPresenter
from desktop.system.shortcuts.global_shortcut import GlobalShortcut
from desktop.tray.tray import Tray

if TYPE_CHECKING:  # imported when a page is first opened
    from desktop.main_window import MainWindow
    from desktop.pages.base_page import StatusPage
    from desktop.pages.welcome.window import WelcomeWindow

translate = QCoreApplication.translate


class PageEntry(NamedTuple):
    """A page in the sidebar. `module` is imported when the page is first shown; `begins` begins a group."""

    name: str
    module: str
    title: str
    symbol: str
    begins: bool = False


def page_entries() -> tuple[PageEntry, ...]:
    """Return the pages in their order; what people do, what they set up, what they use only if they want."""
    return (
        PageEntry("home", "desktop.pages.home", translate("app", "Home"), "house"),
        PageEntry("questions", "desktop.pages.questions", translate("app", "Questions"), "inbox"),
        PageEntry("activity", "desktop.pages.activity.page", translate("app", "Activity"), "history"),
        PageEntry(
            "hosts", "desktop.pages.hosts.page", translate("app", "AI apps"), "app-window", begins=True
        ),
        PageEntry("servers", "desktop.pages.servers.page", translate("app", "Servers"), "server"),
        PageEntry("approvals", "desktop.pages.approvals.page", translate("app", "Approvals"), "shield-check"),
        PageEntry("models", "desktop.pages.models.page", translate("app", "Models"), "sparkles"),
        PageEntry("accounts", "desktop.pages.accounts", translate("app", "Bluesky"), "at-sign", begins=True),
        PageEntry(
            "preferences", "desktop.pages.settings", translate("app", "Settings"), "settings", begins=True
        ),
    )


class PageFactory(QObject):
    page_wanted = Signal(str)
    past_questions_wanted = Signal()
    welcome_wanted = Signal()

    def __init__(
        self,
        signals: BridgeSignals,
        questions: QuestionPresenter,
        local: LocalActions,
        tray: Tray,
        shortcut: GlobalShortcut,
        journal: Path,
    ) -> None:
        super().__init__()
        self._signals = signals
        self._services = signals.services
        self._questions = questions
        self._local = local
        self._tray = tray
        self._shortcut = shortcut
        self._journal = journal
        self._at_end: list[Callable[[], None]] = []

    def add_to(self, home: MainWindow) -> None:
        """Add every page; a new one needs a line here, in `page_entries` and in `module_loading.NEEDS`."""
        home.question_wanted.connect(self._questions.open)
        makers: dict[str, Callable[[], StatusPage]] = {
            "home": self._home,
            "questions": self._inbox,
            "activity": self._activity,
            "hosts": self._hosts,
            "servers": self._servers,
            "approvals": self._approvals,
            "models": self._models,
            "accounts": self._accounts,
            "preferences": self._preferences,
        }
        for entry in page_entries():
            make = makers[entry.name]
            home.add(entry.name, entry.title, make, entry.module, symbol=entry.symbol, begins=entry.begins)

    def close(self) -> None:
        for end in self._at_end:
            end()

    def _home(self) -> StatusPage:
        from desktop.pages.home import HomePage

        page = HomePage(History(self._journal), self._services, in_slices=True)
        self._at_end.append(page.close_history)
        page.page_wanted.connect(self.page_wanted)
        page.welcome_wanted.connect(self.welcome_wanted)
        page.settings_wanted.connect(self._local.open_settings)
        page.question_wanted.connect(self._questions.open)
        page.answered.connect(self._questions.end)
        page.show_tray(self._tray.there)
        self._tray.found.connect(lambda: page.show_tray(True))
        return page

    def _inbox(self) -> StatusPage:
        from desktop.pages.questions import QuestionsPage

        page, questions = QuestionsPage(History(self._journal), self._services), self._questions
        self._at_end.append(page.close_history)
        page.past_wanted.connect(self.past_questions_wanted)
        page.open_wanted.connect(questions.open)
        page.answered.connect(questions.end)
        return page

    def _servers(self) -> StatusPage:
        from desktop.pages.servers.page import ServersPage

        page = ServersPage(self._services)
        self._at_end.append(page.close_windows)
        page.settings_wanted.connect(self._local.open_settings)
        page.question_wanted.connect(self._questions.open)
        page.accounts_wanted.connect(lambda: self.page_wanted.emit("accounts"))
        return page

    def _hosts(self) -> StatusPage:
        from desktop.pages.hosts.page import HostsPage

        page = HostsPage(self._services)
        page.bundle_wanted.connect(self._local.save_bundle)
        self._local.bundle.connect(page.show_bundle_result)
        return page

    def _activity(self) -> StatusPage:
        from desktop.pages.activity.page import ActivityPage

        page = ActivityPage(History(self._journal), self._services, in_slices=True)
        self._at_end.append(page.close_history)
        page.approvals_wanted.connect(lambda: self.page_wanted.emit("approvals"))
        return page

    def _approvals(self) -> StatusPage:
        from desktop.pages.approvals.page import ApprovalsPage

        return ApprovalsPage(self._services)

    def _models(self) -> StatusPage:
        from desktop.pages.models.page import ModelsPage

        return ModelsPage(self._services)

    def _accounts(self) -> StatusPage:
        from desktop.pages.accounts import AccountsPage

        return AccountsPage(self._services)

    def _preferences(self) -> StatusPage:
        from desktop.pages.settings import SettingsPage

        page, local = SettingsPage(self._services), self._local
        page.shown.connect(local.read_autostart)
        page.autostart_wanted.connect(local.switch_autostart)
        local.autostart.connect(page.show_autostart)
        page.shown.connect(lambda: page.show_shortcut(self._shortcut.state))
        self._shortcut.changed.connect(page.show_shortcut)
        page.token_wanted.connect(local.copy_token)
        page.window_wanted.connect(local.show)
        return page

    def welcome(self) -> WelcomeWindow:
        from desktop.pages.welcome.window import WelcomeWindow

        window = WelcomeWindow(self._services)
        window.open_wanted.connect(self._questions.open)
        window.accepted.connect(lambda: self.page_wanted.emit("home"))
        self._signals.status.connect(window.draw)
        window.draw(self._signals.latest)
        return window
