"""The Servers page: a card for each server with its state and a switch, and beside them the details of one.

Drawn from Status; actions call ServerService. Selecting a server does not start it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QPushButton, QSplitter, QTabWidget, QWidget

from bridge.api import ConfigStatus, ServerStatus, ServerTool, Services, Status
from desktop.language import label_text
from desktop.pages.base_page import StatusPage
from desktop.pages.servers.add_dialog import AddDialog, ImportDialog
from desktop.pages.servers.cards import BLUESKY, ServerCards, ServerRow, users_of
from desktop.pages.servers.details import ServerDetailsTab
from desktop.pages.servers.edit_dialog import EditDialog
from desktop.pages.servers.secrets_dialog import SecretsDialog
from desktop.pages.servers.tools import ServerTools
from desktop.pages.servers.try_tool import TryWindow
from desktop.theme.metrics import GRID, HEADING
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button, make_check
from desktop.widgets.dialogs import confirm
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.labels import Label, Tone, announce
from desktop.widgets.layouts import PAGE, column, row, widget_with
from desktop.widgets.message_bar import MessageBar, MessageBarList
from desktop.widgets.page_head import PageHead
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line

_BARS = 6  # text lines of bars before they scroll
_LIST, _PANE = 38, 40  # characters, at least
Act = tuple[str, str, Callable[[], None]]  # object name, label, callback


class ServersPage(StatusPage):
    question_wanted = Signal(str)  # Question id
    settings_wanted = Signal()  # open config.toml
    accounts_wanted = Signal()  # sign in to Bluesky

    def __init__(self, services: Services) -> None:
        super().__init__("servers")
        self._services, self._service = services, services.servers
        self.shown.connect(lambda: services.servers.look_for_secrets(missing_only=True))
        self._looked = ""
        self._shown_action = -1  # number of the last action that is shown; -1: this page is not drawn yet
        self._failures = 0
        self._broken_drawn = ConfigStatus()
        self._wanted = False  # select the server whose details arrive next
        self._edits = ""  # server to edit when its details arrive
        self._dialog: AddDialog | ImportDialog | EditDialog | None = None
        self._secrets: SecretsDialog | None = None
        self._trials: list[TryWindow] = []
        self._cards = ServerCards(self)
        self._build()

    def draw(self, status: Status) -> None:
        at = status.at_servers
        if self._dialog is not None:
            self._dialog.draw(at)
        if self._secrets is not None:
            self._secrets.draw(at, status.vault)
        for window in self._trials:
            window.draw(at.trial, status.waiting)
        super().draw(status)

    def _redraw(self) -> None:
        status = self._status
        self._choose()
        self._draw_broken(status.config)
        self._draw_last_action()
        self._draw_lists(status)
        if self._dialog is None:  # else its result is selected next
            self._look_at_chosen()
        self._draw_chosen()
        look = status.at_servers.look
        if self._edits and look is not None and look.plan.name == self._edits:
            self._edits = ""
            self.open_edit()

    def _draw_lists(self, status: Status) -> None:
        mine, wrapped, built_in = self._parts(status)
        for section, servers in ((self._mine, mine), (self._wrapped, wrapped), (self._built_in, built_in)):
            rows = {one.name: self._row(one, status) for one in servers}
            section.draw(rows, self._cards.card)
            section.select(self._looked)
        empty = not mine and not wrapped and bool(status.version) and not status.config.problem
        self._empty.setVisible(empty)
        self._mine.setVisible(bool(mine))

    def _row(self, server: ServerStatus, status: Status) -> ServerRow:
        bluesky = status.bluesky
        sets_up = server.name == BLUESKY and bluesky.enabled and not (bluesky.accounts or bluesky.chosen)
        return ServerRow(server, users_of(server, status), sets_up, self._failures)

    def _parts(self, status: Status) -> tuple[list[ServerStatus], list[ServerStatus], list[ServerStatus]]:
        """Return the person's own servers, those of AI apps, and the built-in ones."""
        built_in = [one for one in status.servers if one.kind == "built-in"]
        if status.version and not status.bluesky.enabled:
            built_in.append(ServerStatus(BLUESKY, "built-in", "disabled", configured=False))
        others = [one for one in status.servers if one.kind != "built-in"]
        mine = [one for one in others if one.configured]
        return mine, [one for one in others if not one.configured], built_in

    def _draw_broken(self, config: ConfigStatus) -> None:
        """Show that config.toml cannot be read: until it is repaired, nothing can be changed."""
        if config == self._broken_drawn:
            return
        self._broken_drawn = config
        if not config.problem:
            self._broken.draw([])
            return
        words = self.tr("Your servers are not known: the settings file cannot be read. {problem}")
        if config.in_force == "last good":
            words = self.tr(
                "These are the servers of the last valid settings: the settings file cannot be read, and "
                "nothing can be changed here until it is corrected. {problem}"
            )
        open_it = ("openSettings", self.tr("Open the fi&le"), self.settings_wanted.emit)
        text = words.format(problem=isolate(label_text(config.problem)))
        self._broken.draw([MessageBar("brokenSettings", text, (open_it,), Tone.ERROR)])

    def _draw_last_action(self) -> None:
        """Show the result of the last action, unless it is older than this page."""
        action = self._status.at_servers.last_action
        if self._shown_action < 0:
            self._shown_action = action.number
        if action.number == self._shown_action:
            return
        self._shown_action = action.number
        if action.problem:
            self._failures += 1
            if self._dialog is None and self._secrets is None:
                self._bars.draw([self._bar("problem", label_text(action.problem), Tone.ERROR)])
            return
        undo = (("undo", self.tr("&Undo"), self._undo),) if action.undo else ()
        self._bars.draw([self._bar("done", label_text(action.done), Tone.PLAIN, undo)])

    def _bar(self, name: str, words: str, tone: Tone, buttons: tuple[Act, ...] = ()) -> MessageBar:
        announce(self, words)
        close = ("dismiss", self.tr("OK"), lambda: self._bars.draw([]))
        return MessageBar(name, words, (*buttons, close), tone)

    def _undo(self) -> None:
        self._bars.draw([])
        self._service.undo()

    # --- the chosen one ----------------------------------------------------------------------------------

    def _choose(self) -> None:
        """Select the added server, else the selected one, else its neighbour."""
        look = self._status.at_servers.look
        names = [one.name for part in self._parts(self._status) for one in part]
        if self._wanted and look is not None:
            self._wanted, self._looked = False, look.plan.name
        if self._looked in names:
            self._place = names.index(self._looked)
        elif names and not (self._dialog is not None and self._looked):  # renaming removes and inserts one
            self._next = names[min(self._place, len(names) - 1)]

    def _server(self) -> ServerStatus | None:
        return next((one for one in self._status.servers if one.name == self._looked), None)

    def choose(self, name: str) -> None:
        """Show the details of this server."""
        if name != self._looked:
            self._looked = name
            self._service.look_at(name)
            for section in (self._mine, self._wrapped, self._built_in):
                section.select(name)
            self._draw_chosen()

    def _look_at_chosen(self) -> None:
        if self._server() is None and self._next:
            name, self._next = self._next, ""
            self.choose(name)

    def _draw_chosen(self) -> None:
        server = self._server()
        self._pane.setVisible(server is not None)
        if server is None:
            return
        look = self._status.at_servers.look
        look = look if look is not None and look.plan.name == server.name else None
        self._title.show_text(self._cards.title(server))
        if self._details.isVisible():
            self._details.draw(server, look, self._status)
        self._tools.setEnabled(look is not None)
        if look is not None:
            self._tools.draw(look if look.problem or look.listed else replace(look, problem=server.problem))
        elif not server.configured and server.kind != "built-in":
            self._tools.setEnabled(True)
            self._tools.explain_wrapped(server.name, self._tools_in_use(server.name))
        count = server.tools if server.tools >= 0 else len(self._tools_in_use(server.name))
        counted = self.tr("T&ools ({count})").format(count=count)
        self._tabs.setTabText(0, counted if count or server.tools == 0 else self.tr("T&ools"))
        ours = server.configured and server.kind != "built-in"
        self._restart.setVisible(server.kind != "built-in" and server.state != "disabled")
        self._edit.setVisible(ours)
        self._edit.setEnabled(look is not None)
        self._remove.setVisible(ours)
        self._sign_out.setVisible(look is not None and look.signed_in and not server.sign_in)
        for button in self._buttons:
            button.setAccessibleName(f"{button.text().replace('&', '')} {one_line(server.name, 60)}")

    def _tools_in_use(self, server: str) -> tuple[ServerTool, ...]:
        """Return the tools that this server has listed to an AI app; they have no description here."""
        tools = (tool for tool in self._status.tools if tool.server == server)
        return tuple(ServerTool(tool.name, tool.public, tool.title, hints=tool.hints) for tool in tools)

    # --- parts -------------------------------------------------------------------------------------------

    def _build(self) -> None:
        head = PageHead(
            self.tr("Servers"),
            self.tr("Servers give your AI apps tools."),
            make_button("secrets", self.tr("&Keys…"), self.open_secrets, icon="key-round"),
            make_button("importServers", self.tr("&Import…"), self.open_import, icon="download"),
            make_button("addServer", self.tr("&Add…"), self.open_add, kind=ButtonKind.PRIMARY, icon="plus"),
        )
        self._broken = MessageBarList("broken", _BARS)
        self._bars = MessageBarList("told", _BARS)
        self._bars.grew.connect(self.grew)
        self._place, self._next = 0, ""
        self._connect_cards()
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setObjectName("parts")
        self._splitter.setChildrenCollapsible(False)
        halves = (self._make_list(), self._make_pane())
        for half in halves:
            self._splitter.addWidget(half)
        for half in reversed(halves):  # the tab order follows the stacking order, which a splitter reverses
            half.lower()
        bars = (self._broken, self._bars)
        self.setLayout(column(head, *bars, (self._splitter, 1), margins=PAGE, spacing=2 * GRID))

    def _connect_cards(self) -> None:
        cards, service = self._cards, self._service
        cards.restart_wanted.connect(service.restart)
        cards.sign_in_wanted.connect(service.sign_in)
        cards.switched.connect(service.enable)
        cards.secret_wanted.connect(self.open_secrets)
        cards.edit_wanted.connect(self._want_edit)
        cards.bluesky_switched.connect(self._switch_bluesky)
        cards.accounts_wanted.connect(self._set_up_bluesky)

    def _switch_bluesky(self, on: bool) -> None:
        self._services.settings.change("bluesky", "enabled", on)

    def _set_up_bluesky(self) -> None:
        self._switch_bluesky(True)  # from now on it has a page
        self.accounts_wanted.emit()

    def _make_list(self) -> QWidget:
        self._mine = Section("mine", "", cards=True, selectable=True)
        self._wrapped = Section("wrapped", self.tr("From your AI apps"), cards=True, selectable=True)
        self._built_in = Section("builtIn", self.tr("Built in"), cards=True, selectable=True)
        for section in (self._mine, self._wrapped, self._built_in):
            section.chosen.connect(self.choose)
            section.grew.connect(self.grew)
        add = make_button("addFirst", self.tr("Add a server…"), self.open_add)
        words = self.tr("Add one by its command or address, or import those your AI apps already have.")
        self._empty = EmptyState("noServers", "server", self.tr("No servers yet"), words, add)
        rows = column(self._empty, self._mine, self._wrapped, self._built_in, 1, spacing=2 * GRID)
        listed = widget_with(rows)
        listed.setMinimumWidth(self.fontMetrics().averageCharWidth() * _LIST)
        return FittingScroll(listed, name="serverList")

    def _make_pane(self) -> QWidget:
        self._tools, self._details = ServerTools(), ServerDetailsTab()
        self._tools.try_wanted.connect(self.open_trial)
        self._tools.list_wanted.connect(lambda name: self._service.look_at(name, ask=True))
        self._details.secret_wanted.connect(self.open_secrets)
        self._tabs = QTabWidget()
        self._tabs.setObjectName("serverTabs")
        self._tabs.addTab(self._tools, self.tr("T&ools"))
        self._tabs.addTab(self._details, self.tr("&Details"))
        self._tabs.currentChanged.connect(lambda: self._draw_chosen())
        self._title = Label("", name="chosenTitle", bold=True, scale=HEADING)
        self._pane = widget_with(
            column(self._title, self._make_actions(), (self._tabs, 1), margins=(GRID, 0, 0, 0), spacing=GRID)
        )
        self._pane.setMinimumWidth(self.fontMetrics().averageCharWidth() * _PANE)
        return widget_with(column(self._pane))

    def _make_actions(self) -> QWidget:
        self._restart = self._act("restart", self.tr("&Restart"), self._service.restart)
        self._edit = make_button("edit", self.tr("&Edit…"), self.open_edit)
        self._sign_out = self._act("signOut", self.tr("Sign o&ut"), self._service.sign_out)
        self._remove = make_button("remove", self.tr("Re&move…"), self._ask_to_remove, kind=ButtonKind.DANGER)
        self._buttons = (self._restart, self._edit, self._sign_out, self._remove)
        return widget_with(row(*self._buttons, 1, spacing=GRID))

    def _act(self, name: str, text: str, wish: Callable[[str], object]) -> QPushButton:
        def act() -> None:
            server = self._server()
            if server is not None:
                wish(server.name)

        return make_button(name, text, act)

    # --- what the person wants ---------------------------------------------------------------------------

    def open_add(self, link: str = "") -> None:
        """Open the dialog that adds a server; with what a `deskbell:` link proposes."""
        if link and self._dialog is not None:
            self._dialog.reject()
        dialog = AddDialog(self._services, self)
        self._open(dialog)
        if link:
            dialog.propose(link)

    def open_import(self) -> None:
        dialog = ImportDialog(self._services, self)
        self._open(dialog)
        dialog.begin(self._status.at_servers)

    def _want_edit(self, name: str) -> None:
        look = self._status.at_servers.look
        if look is not None and look.plan.name == name:
            self.open_edit()
        else:
            self._edits = name
            self.choose(name)

    def open_edit(self) -> None:
        look = self._status.at_servers.look
        if look is not None:
            self._open(EditDialog(self._services, look.plan, self))

    def _open(self, dialog: AddDialog | ImportDialog | EditDialog) -> None:
        dialog.finished.connect(self._closed)
        self._dialog = dialog
        dialog.draw(self._status.at_servers)
        dialog.open()

    def _closed(self, result: int) -> None:
        self._dialog = None
        self._wanted = result == QDialog.DialogCode.Accepted
        if not self._wanted:  # else the Status with its result is drawn next
            self._redraw()

    def open_secrets(self, name: str = "") -> None:
        if self._secrets is None:
            self._secrets = SecretsDialog(self._services, self)
            self._secrets.finished.connect(self._secrets_closed)
            self._secrets.draw(self._status.at_servers, self._status.vault)
            self._secrets.open()
            self._service.look_for_secrets()
        self._secrets.begin(name)

    def _secrets_closed(self) -> None:
        self._secrets = None
        self._shown_action = self._status.at_servers.last_action.number

    def open_trial(self, server: str, tool: ServerTool) -> None:
        window = TryWindow(self._services, server, tool)
        window.draw(self._status.at_servers.trial)
        window.open_wanted.connect(self.question_wanted)
        window.finished.connect(lambda: self._trials.remove(window))
        self._trials.append(window)
        window.building.when_done(window.show)

    def close_windows(self) -> None:
        """Close the trial windows: the application ends."""
        for window in list(self._trials):
            window.close()

    def _ask_to_remove(self) -> None:
        server = self._server()
        if server is None:
            return
        title = self.tr("Remove {server} from Deskbell?").format(server=one_line(server.name, 60))
        text = self.tr(
            "Your AI apps lose access to it. Its keys and its sign-in stay stored. You can undo this."
        )
        too = self.tr("&Delete its sign-in and its own keys, too: this cannot be undone")
        clean = make_check("clean", too)

        def remove() -> None:
            self._service.remove(server.name, clean.isChecked())

        confirm(self, title, text, self.tr("&Remove"), remove, check=clean)
