"""The Servers page: the servers with their state, tools and details, and every action on them.

Drawn from Status; actions call ServerService. Selecting a server does not start it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QPushButton, QTabWidget, QWidget

from bridge.api import ConfigStatus, ServerStatus, ServerTool, Services, Status
from desktop.language import label_text
from desktop.pages.base_page import StatusPage
from desktop.pages.servers.add_dialog import AddDialog, ImportDialog
from desktop.pages.servers.details import ServerDetailsTab
from desktop.pages.servers.edit_dialog import EditDialog
from desktop.pages.servers.secrets_dialog import SecretsDialog
from desktop.pages.servers.table import PROTOCOL, ServerModel
from desktop.pages.servers.tools import ServerTools
from desktop.pages.servers.try_tool import TryWindow
from desktop.widgets.bidi import isolate
from desktop.widgets.controls import make_button, make_check
from desktop.widgets.dialogs import confirm
from desktop.widgets.labels import Label, Tone, announce
from desktop.widgets.layouts import PAGE, column, row, vertical_splitter, widget_with
from desktop.widgets.message_bar import MessageBar, MessageBarList
from desktop.widgets.safe_text import one_line
from desktop.widgets.table import make_tree

_BARS = 6  # text lines of bars before they scroll
_FEWEST, _MOST = 3, 8  # visible rows
_ROOMY = 120  # characters; a narrower page hides the protocol
Act = tuple[str, str, Callable[[], None]]  # object name, label, callback


class ServersPage(StatusPage):
    question_wanted = Signal(str)  # Question id
    settings_wanted = Signal()  # open config.toml

    def __init__(self, services: Services) -> None:
        super().__init__("servers")
        self._services, self._service = services, services.servers
        self.shown.connect(services.servers.look_for_secrets)
        self._looked = ""
        self._told = -1  # number of what was told before this page was first drawn
        self._broken_drawn = ConfigStatus()
        self._wanted = False  # select the server whose details arrive next
        self._drawing = False
        self._dialog: AddDialog | ImportDialog | EditDialog | None = None
        self._secrets: SecretsDialog | None = None
        self._trials: list[TryWindow] = []
        self._model = ServerModel(self)
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
        self._drawing = True
        self._model.draw(status.servers)
        self._choose()
        self._drawing = False
        self._make_room()
        configured = any(server.kind != "built-in" for server in status.servers)
        self._draw_broken(status.config)
        self._empty.setVisible(not configured and bool(status.version) and not status.config.problem)
        self._draw_told()
        if self._dialog is None:  # else its result is selected next
            self._look_at_chosen()
        self._draw_chosen()

    def _draw_broken(self, config: ConfigStatus) -> None:
        """Show that config.toml cannot be read: until it is repaired, nothing can be changed."""
        if config == self._broken_drawn:
            return
        self._broken_drawn = config
        if not config.problem:
            self._broken.draw([])
            return
        words = self.tr("Your servers are not known: config.toml cannot be read. {problem}")
        if config.in_force == "last good":
            words = self.tr(
                "These are the servers of before: config.toml cannot be read, and not be changed here until "
                "it can. {problem}"
            )
        open_it = ("openSettings", self.tr("Open &config.toml"), self.settings_wanted.emit)
        told = words.format(problem=isolate(label_text(config.problem)))
        self._broken.draw([MessageBar("brokenSettings", told, (open_it,), Tone.ERROR)])

    def _draw_told(self) -> None:
        """Show the result of the last action, unless it is older than this page."""
        told = self._status.at_servers.told
        if self._told < 0:
            self._told = told.number
        if told.number == self._told:
            return
        self._told = told.number
        if told.problem:
            if self._dialog is None and self._secrets is None:
                self._bars.draw([self._bar("problem", label_text(told.problem), Tone.ERROR)])
            return
        undo = (("undo", self.tr("&Undo"), self._undo),) if told.undo else ()
        self._bars.draw([self._bar("done", label_text(told.done), Tone.PLAIN, undo)])

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
        if self._wanted and look is not None:
            self._wanted, self._looked = False, look.plan.name
        place = self._model.place_of(self._looked)
        current = self._view.currentIndex()
        if place < 0 and self._model.rows:
            place = max(current.row(), 0)
        if place >= 0 and current.row() != place:
            self._view.setCurrentIndex(self._model.index(place, 0))

    def _server(self) -> ServerStatus | None:
        index = self._view.currentIndex()
        return self._model.row(index) if index.isValid() else None

    def _chosen(self) -> None:
        if not self._drawing:  # renaming removes and inserts a row; its neighbour must not be selected
            self._look_at_chosen()
            self._draw_chosen()

    def _look_at_chosen(self) -> None:
        server = self._server()
        if server is not None and server.name != self._looked:
            self._looked = server.name
            self._service.look_at(server.name)

    def _draw_chosen(self) -> None:
        server = self._server()
        self._tabs.setVisible(server is not None)
        self._acts.setVisible(server is not None)
        if server is None:
            return
        look = self._status.at_servers.look
        look = look if look is not None and look.plan.name == server.name else None
        if self._details.isVisible():
            self._details.draw(server, look, self._status)
        self._tools.setEnabled(look is not None)
        if look is not None:
            self._tools.draw(look if look.problem or look.listed else replace(look, problem=server.problem))
        elif not server.configured and server.kind != "built-in":
            self._tools.setEnabled(True)
            self._tools.explain_wrapped(server.name)
        counted = self.tr("T&ools ({count})").format(count=server.tools)
        self._tabs.setTabText(0, counted if server.tools >= 0 else self.tr("T&ools"))
        ours = server.configured and server.kind != "built-in"
        off = server.state == "disabled"
        asks = any(one.server == server.name and one.ours for one in self._status.waiting)
        self._restart.setVisible(server.kind != "built-in" and not off)
        self._edit.setVisible(ours)
        self._edit.setEnabled(look is not None)
        self._turn.setVisible(ours)
        self._turn.setText(self.tr("Switch &on") if off else self.tr("Switch o&ff"))
        self._remove.setVisible(ours)
        self._sign_in.setVisible(bool(server.sign_in) and not asks)
        self._sign_in.setText(self.tr("Si&gn in…") if server.sign_in == "needed" else self.tr("Open a&gain"))
        self._sign_out.setVisible(look is not None and look.signed_in and not server.sign_in)
        for button in self._buttons:
            button.setAccessibleName(f"{button.text().replace('&', '')} {one_line(server.name, 60)}")

    # --- parts -------------------------------------------------------------------------------------------

    def _build(self) -> None:
        head = row(
            (Label(self.tr("Servers"), name="serversTitle", bold=True), 1),
            make_button("addServer", self.tr("&Add…"), self.open_add),
            make_button("importServers", self.tr("&Import…"), self.open_import),
            make_button("secrets", self.tr("&Secrets…"), self.open_secrets),
        )
        self._broken = MessageBarList("broken", _BARS)
        self._bars = MessageBarList("told", _BARS)
        self._bars.grew.connect(self.grew)
        empty = self.tr(
            "No servers yet. Add one by its command or address, or import those your AI apps already have."
        )
        self._empty = Label(empty, name="noServers", tone=Tone.MUTED)
        self._view = make_tree("serverList", self.tr("Servers"), self._model)
        self._view.setMinimumHeight(self._view.fontMetrics().lineSpacing() * 5)
        self._view.selectionModel().currentRowChanged.connect(lambda: self._chosen())
        self._parts = vertical_splitter("parts", self._view, self._lower())
        self._parts.setSizes([2, 3])
        self._parts.splitterMoved.connect(lambda: self._note_move())
        self._moved, self._room = False, -1
        bars = (self._broken, self._bars, self._empty)
        self.setLayout(column(head, *bars, (self._parts, 1), margins=PAGE, spacing=10))

    def _make_room(self) -> None:
        """Make room for all servers, up to _MOST, unless the user has moved the splitter."""
        view, rows = self._view, len(self._model.rows)
        if self._moved or not view.isVisible() or rows == self._room:
            return
        self._room = rows
        lines = min(max(rows, _FEWEST), _MOST) * max(view.sizeHintForRow(0), view.fontMetrics().lineSpacing())
        tall = lines + view.header().sizeHint().height() + 2 * view.frameWidth()
        left = self._parts.height() - self._parts.handleWidth() - tall
        self._parts.setSizes([tall, max(left, 1)])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the protocol on a narrow page: the details have it too."""
        super().resizeEvent(event)
        self._view.setColumnHidden(PROTOCOL, self.width() < self.fontMetrics().averageCharWidth() * _ROOMY)

    def _note_move(self) -> None:
        self._moved = True

    def _lower(self) -> QWidget:
        self._tools, self._details = ServerTools(), ServerDetailsTab()
        self._tools.try_wanted.connect(self.open_trial)
        self._tools.list_wanted.connect(lambda name: self._service.look_at(name, ask=True))
        self._details.secret_wanted.connect(self.open_secrets)
        self._tabs = QTabWidget()
        self._tabs.setObjectName("serverTabs")
        self._tabs.addTab(self._tools, self.tr("T&ools"))
        self._tabs.addTab(self._details, self.tr("&Details"))
        self._tabs.currentChanged.connect(lambda: self._draw_chosen())
        self._acts = self._make_actions()
        return widget_with(column(self._acts, (self._tabs, 1), margins=(0, 4, 0, 0)))

    def _make_actions(self) -> QWidget:
        self._restart = self._act("restart", self.tr("&Restart"), self._service.restart)
        self._edit = make_button("edit", self.tr("&Edit…"), self.open_edit)
        self._turn = make_button("turn", self.tr("Switch o&ff"), self._wish_turn)
        self._sign_in = self._act("signIn", self.tr("Si&gn in…"), self._service.sign_in)
        self._sign_out = self._act("signOut", self.tr("Sign o&ut"), self._service.sign_out)
        self._remove = make_button("remove", self.tr("Re&move…"), self._ask_to_remove)
        self._buttons = (self._restart, self._edit, self._turn, self._sign_in, self._sign_out, self._remove)
        return widget_with(row(*self._buttons, 1))

    def _act(self, name: str, text: str, wish: Callable[[str], object]) -> QPushButton:
        def act() -> None:
            server = self._server()
            if server is not None:
                wish(server.name)

        return make_button(name, text, act)

    # --- what the person wants ---------------------------------------------------------------------------

    def open_add(self) -> None:
        self._open(AddDialog(self._services, self))

    def open_import(self) -> None:
        dialog = ImportDialog(self._services, self)
        self._open(dialog)
        dialog.begin(self._status.at_servers)

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
            self.shown.emit()  # loads the names of secrets
        self._secrets.begin(name)

    def _secrets_closed(self) -> None:
        self._secrets = None
        self._told = self._status.at_servers.told.number

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

    def _wish_turn(self) -> None:
        server = self._server()
        if server is not None:
            self._service.enable(server.name, server.state == "disabled")

    def _ask_to_remove(self) -> None:
        server = self._server()
        if server is None:
            return
        title = self.tr("Remove {server} from Deskbell?").format(server=one_line(server.name, 60))
        text = self.tr(
            "Your AI apps lose access to it. Its secrets and its sign-in stay in the vault. "
            "You can undo this."
        )
        too = self.tr("&Delete its sign-in and its own secrets, too: this cannot be undone")
        clean = make_check("clean", too)

        def remove() -> None:
            self._service.remove(server.name, clean.isChecked())

        confirm(self, title, text, self.tr("&Remove"), remove, check=clean)
