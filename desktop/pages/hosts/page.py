"""The AI apps page: one card for each app, with a switch, its state, and where its questions appear.

Drawn from Status; actions call HostService. The switch writes the app's settings at once, *Show changes* says
what was written, and switching off brings back the very bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QSignalBlocker, QStandardPaths, Signal
from PySide6.QtGui import QGuiApplication

from bridge.api import AppNews, HostsStatus, Services
from desktop.language import label_text
from desktop.pages.base_page import StatusPage
from desktop.pages.hosts.app_cards import AppCards, AppRow
from desktop.pages.hosts.change_sheet import ChangeSheet, WrittenChangeSheet
from desktop.pages.hosts.texts import news_text
from desktop.theme.metrics import GRID
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import Disclosure, make_button
from desktop.widgets.dialogs import save_dialog
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.labels import Label, Tone, announce
from desktop.widgets.layouts import PAGE, column, row, widget_with
from desktop.widgets.message_bar import MessageBar, MessageBarList
from desktop.widgets.page_head import PageHead
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section, key_by_name
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import readable

_BARS = 6  # text lines of bars before they scroll


class HostsPage(StatusPage):
    bundle_wanted = Signal(str)  # the file to write

    def __init__(self, services: Services) -> None:
        super().__init__("hosts")
        self._service = services.hosts
        self.shown.connect(services.hosts.look)
        self._sheet: ChangeSheet | None = None  # built when first needed
        self._open: set[str] = set()  # apps whose cards show more
        self._told: tuple[AppNews | None, str] = (None, "")
        self._failures = 0
        self._cards = AppCards(services, self._turn)
        self._found = Section("found", "", cards=True)
        self._others = Section("others", self.tr("Set up by hand"), cards=True)
        self._missing = Section("missing", "", cards=True)
        for part in (self._found, self._others, self._missing):
            part.grew.connect(self.grew)
        self._build()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow() and self.isVisible():
            self.shown.emit()  # a file may have been edited meanwhile

    def _redraw(self) -> None:
        status, at = self._status, self._status.at_hosts
        self._draw_told(at)
        calm = replace(status, hosts=tuple(replace(host, calls=0) for host in status.hosts))
        rows: dict[str, AppRow] = {
            app.id: self._cards.row_of(
                app, calm, self._conduct(app.is_called), app.id in self._open, self._failures
            )
            for app in at.apps
            if app.installed
        }
        others = [
            (host, at.asks(host.name), self._conduct(host.name.__eq__))
            for host in calm.hosts
            if not any(app.is_called(host.name) for app in at.apps)
        ]
        missing = {app.id: app for app in at.apps if not app.installed}
        self._found.draw(rows, self._cards.card)
        self._others.draw(key_by_name(others, lambda one: one[0].name), lambda one: self._cards.other(*one))
        if self._more.isChecked():
            self._missing.draw(missing, self._cards.absent)
        self._missing.setVisible(bool(missing) and self._more.isChecked())
        self._more.setVisible(bool(missing))
        self._empty.setVisible(at.looked and not rows)
        self._waiting.show_text("" if at.looked else self.tr("Looking…"))
        self._copy.setVisible(bool(at.snippet))
        self._draw_sheet()

    def _turn(self, app: str, is_open: bool) -> None:
        (self._open.add if is_open else self._open.discard)(app)
        self._redraw()

    def _draw_told(self, at: HostsStatus) -> None:
        """Show what was done last, or why it was not."""
        messages = (at.news, at.problem)
        if messages == self._told:
            return
        self._told = messages
        close = ("dismiss", self.tr("OK"), lambda: self._bars.draw([]))
        if at.problem:
            self._failures += 1
            self._bars.draw([MessageBar("problem", label_text(at.problem), (close,), Tone.ERROR)])
        elif at.news is not None:
            show = ("showChanges", self.tr("Show &changes"), self._show_changes)
            words = news_text(at.news)
            announce(self, words)
            self._bars.draw([MessageBar("news", words, (show, close), Tone.SUCCESS)])
        else:
            self._bars.draw([])

    def _show_changes(self) -> None:
        if self._told[0] is not None:
            WrittenChangeSheet(self._told[0], self).open()

    def _draw_sheet(self) -> None:
        at = self._status.at_hosts
        if at.change is not None:
            sheet = self._sheet = self._sheet or self._make_sheet()
            fresh = not sheet.isVisible()
            sheet.draw(at.change)
            if fresh:
                sheet.begin()
        elif self._sheet is not None and self._sheet.isVisible() and not at.busy:
            with QSignalBlocker(self._sheet):
                self._sheet.reject()

    def _make_sheet(self) -> ChangeSheet:
        sheet = ChangeSheet(self)
        sheet.agreed.connect(self._service.agree)
        sheet.rejected.connect(self._service.dismiss)
        return sheet

    def _conduct(self, is_called: Callable[[str], bool]) -> tuple[str, str]:
        """Return what an app did with questions, "refuses", "silent" or "", and its name in that."""
        for what, names in (("refuses", self._status.refusing), ("silent", self._status.silent)):
            for name in filter(is_called, names):
                return what, name
        return "", ""

    # --- parts -----------------------------------------------------------------------------------------

    def _build(self) -> None:
        head = PageHead(
            self.tr("AI apps"),
            self.tr(
                "When a tool of one of these apps has a question, Deskbell shows it. You can undo this "
                "any time."
            ),
        )
        self._bars = MessageBarList("told", _BARS)
        self._bars.grew.connect(self.grew)
        self._waiting = Label("", name="waiting", tone=Tone.MUTED)
        none = self.tr("No supported AI app found")
        then = self.tr("Install one, or choose yours under All supported apps.")
        self._empty = EmptyState("noApps", "app-window", none, then)
        words = self.tr("Apps that were not found on this computer")
        self._more = Disclosure(self.tr("&All supported apps"), words, name="more")
        self._more.toggled.connect(lambda: self._redraw())
        any_other = self.tr("Using another app? Copy this entry into its MCP settings.")
        copy = make_button(
            "copyEntry", self.tr("Co&py entry"), self._copy_snippet, kind=ButtonKind.QUIET, icon="copy"
        )
        self._copy = widget_with(row((Label(any_other, tone=Tone.MUTED), 1), copy))
        bundle = Label(self.tr("Claude Desktop: save an extension file instead"), tone=Tone.MUTED)
        save = make_button("saveBundle", self.tr("Save file…"), self._choose_bundle, kind=ButtonKind.QUIET)
        self._bundle_told = Label("", name="bundleTold", announced=True, selectable=True)
        self._by_hand = widget_with(
            column(self._missing, self._copy, row((bundle, 1), save), self._bundle_told, spacing=GRID)
        )
        rows = column(
            self._waiting,
            self._empty,
            self._found,
            self._others,
            self._more,
            self._by_hand,
            1,
            spacing=2 * GRID,
        )
        self._by_hand.setVisible(False)
        self._more.toggled.connect(self._by_hand.setVisible)
        # outside the scroll area: the result of a click must stay visible
        scroll = FittingScroll(widget_with(rows), name="scroll")
        self.setLayout(column(head, self._bars, (scroll, 1), margins=PAGE, spacing=2 * GRID))

    def _choose_bundle(self) -> None:
        box = save_dialog(
            self,
            "bundleBox",
            self.tr("Save the extension for Claude Desktop"),
            QStandardPaths.StandardLocation.DownloadLocation,
            [self.tr("Extension (*.mcpb)")],
            "deskbell.mcpb",
        )
        box.fileSelected.connect(self.bundle_wanted)
        box.open()

    def show_bundle_result(self, path: str, problem: str) -> None:
        """Show the result of saving the bundle, and what to do next."""
        done = self.tr(
            "{path} is saved. Open it with Claude Desktop: double click it, or in its settings choose "
            "Extensions and install it from there. Then start a new conversation."
        )
        self._bundle_told.set_tone(Tone.ERROR if problem else Tone.PLAIN)
        self._bundle_told.show_text(readable(problem) or done.format(path=isolate(readable(path))))

    def _copy_snippet(self) -> None:
        QGuiApplication.clipboard().setText(self._status.at_hosts.snippet)
