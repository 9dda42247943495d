"""The Activity page: the history in words, with search, details and export; running calls above it.

It cannot show a secret: none was recorded.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from PySide6.QtCore import QStandardPaths, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QMenu, QSplitter, QToolButton, QWidget

from bridge.api import (
    DeskbellError,
    History,
    HistoryFilter,
    Services,
    Status,
    export,
    failure_text,
)
from desktop.language import translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.pages.activity.details_pane import DetailsPane
from desktop.pages.activity.filters import HistoryFilters
from desktop.pages.activity.held_calls import HeldCallsPanel
from desktop.pages.activity.history_model import HistoryLine, HistoryModel
from desktop.pages.activity.history_view import HistoryView
from desktop.pages.activity.running_calls import RunningCallsPanel
from desktop.pages.base_page import StatusPage
from desktop.system.gui_thread import submit
from desktop.theme.metrics import row_height
from desktop.widgets.controls import make_button, make_tool_button
from desktop.widgets.dialogs import confirm, save_dialog
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import PAGE, column, vertical_splitter
from desktop.widgets.page_head import PageHead

_MUCH = 10_000  # pixels; more than there is
SETTLING = 300  # milliseconds until a new entry is on disk
COUNTING = 2_000  # milliseconds between two counts for the filters


class ActivityPage(StatusPage):
    approvals_wanted = Signal()

    def __init__(self, past: History, services: Services, *, in_slices: bool = False) -> None:
        """`in_slices`: the page is usable when `building` is done."""
        super().__init__("activity")
        self._service = services.history
        self._past = past
        self._days = 30.0
        self._model = HistoryModel(past, self)
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._look)
        self._counting = QTimer(self, singleShot=True)
        self._counting.timeout.connect(self._count)
        self._exporting: ThreadPoolExecutor | None = None
        self._stopping = threading.Event()
        self.building = SlicedTask(self, self._build(), at_once=not in_slices)

    def draw(self, status: Status) -> None:
        """Show running calls, and search again soon: the history may have a new entry."""
        self._days = status.history_days
        self._running.draw(status.running)
        self._held.draw(status.held)
        if self.isVisible() and not self._soon.isActive():
            self._soon.start(SETTLING)

    def narrow(self, kind: str) -> None:
        """Show all entries of this kind."""
        self._filters.choose_kind(kind)

    def close_history(self) -> None:
        """Stop timers and threads: Deskbell ends."""
        self.building.finish()
        self._soon.stop()
        self._counting.stop()
        self._filters.stop()
        self._stopping.set()
        if self._exporting is not None:
            self._exporting.shutdown()
        self._model.close()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._service.watch_calls(True)

    def _redraw(self) -> None:
        self._look()
        self._count()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._service.watch_calls(False)
        self._soon.stop()
        self._counting.stop()

    # building

    def _build(self) -> Steps:
        about = self.tr("Save what is shown to a file")
        self._export = make_button("exportActivity", self.tr("E&xport…"), self._ask_where, about=about)
        subtitle = self.tr("What your AI apps did, and what you answered.")
        self._head = PageHead(self.tr("Activity"), subtitle, self._export, self._make_menu())
        yield None
        self._filters = HistoryFilters()
        self._filters.changed.connect(self._look)
        yield None
        self._running = RunningCallsPanel()
        self._running.cancel_wanted.connect(self._service.cancel_call)
        self._held = HeldCallsPanel()
        self._held.delete_wanted.connect(self._service.delete_held)
        self._everything = make_button("showEverything", self.tr("&Show everything"), self._filters.clear)
        self._empty = EmptyState("nothingFound", "history", "", "", self._everything)
        self._empty.hide()
        yield None
        parts = self._make_parts()
        self._told = Label("", name="exportTold", tone=Tone.MUTED, selectable=True, announced=True)
        yield None
        above = (self._head, self._filters, self._told, self._running, self._held, self._empty)
        self.setLayout(column(*above, (parts, 1), margins=PAGE, spacing=12))
        self._model.looked.connect(self._looked)
        self._model.contents_read.connect(self._pane.show_contents)
        self._model.named.connect(self._filters.offer_names)
        yield None

    def _make_menu(self) -> QWidget:
        more = make_tool_button("moreActivity", "", self.tr("More"), lambda: None, icon="ellipsis")
        menu = QMenu(more)
        self._technical = menu.addAction(self.tr("Show &technical entries"))
        self._technical.setCheckable(True)
        self._technical.toggled.connect(self._model.show_technical)
        menu.addSeparator()
        self._delete_all_action = menu.addAction(self.tr("Delete &all…"), self._ask_to_delete_all)
        self._delete_all_action.setObjectName("deleteAllActivity")
        more.setMenu(menu)
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return more

    def _make_parts(self) -> QSplitter:
        self._view = HistoryView("activityList", self.tr("What happened"), self._model)
        self._view.setAccessibleDescription(self.tr("The newest is first"))
        self._view.setMinimumHeight(row_height(self.fontMetrics()) * 3)
        self._view.selectionModel().selectionChanged.connect(lambda *_: self._draw_detail())
        self._pane = DetailsPane()
        self._pane.raw_wanted.connect(self._model.ask_contents)
        self._pane.delete_wanted.connect(self._delete)
        self._pane.approvals_wanted.connect(self.approvals_wanted)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self._view, self._pane.copy)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self._view, self._delete)
        parts = vertical_splitter("activityParts", self._view, self._pane)
        parts.setStretchFactor(0, 1)
        parts.setSizes([_MUCH, self.fontMetrics().lineSpacing() * 14])
        return parts

    # searching

    def _look(self) -> None:
        self._model.look(self._filters.wanted())
        if self.isVisible() and not self._counting.isActive():
            self._counting.start(COUNTING)

    def _count(self) -> None:
        self._model.ask_names()

    def _looked(self) -> None:
        nothing = not self._model.rowCount()
        if nothing and not self._days:
            self._empty.show_words(
                self.tr("History is off"), self.tr("Choose in Settings how long it is kept.")
            )
        elif nothing and self._filters.is_narrow:
            self._empty.show_words(self.tr("No matches"))
        elif nothing:
            text = self.tr("When an AI app uses a tool or asks you something, it appears here.")
            self._empty.show_words(self.tr("Nothing has happened yet"), text)
        self._everything.setVisible(bool(self._days) and self._filters.is_narrow)
        self._empty.setVisible(nothing)
        self._view.setVisible(not nothing)

    # actions

    def _chosen(self) -> tuple[HistoryLine, ...]:
        return tuple(self._model.row(index) for index in self._view.selectionModel().selectedRows())

    def _draw_detail(self) -> None:
        self._pane.show_lines(self._chosen())

    def _delete(self) -> None:
        lines = self._chosen()
        rows = tuple(row.id for line in lines for row in line.rows)
        if rows:
            self._view.setFocus()
            self._model.drop(set(rows))
            self._service.delete(rows)

    def _ask_to_delete_all(self) -> None:
        title, text = self.tr("Delete the whole history?"), self.tr("This can't be undone.")
        confirm(self, title, text, self.tr("Delete &all"), self._delete_all, name="deleteAllBox")

    def _delete_all(self) -> None:
        self._model.clear()
        self._service.delete(None)
        self._looked()

    # export

    def _ask_where(self) -> None:
        if self._exporting is not None:
            self._stopping.set()
            return
        box = save_dialog(
            self,
            "exportBox",
            self.tr("Export history"),
            QStandardPaths.StandardLocation.DocumentsLocation,
            [
                self.tr("Table (*.csv)"),
                self.tr("JSON lines (*.jsonl)"),
                self.tr("Conversations (*.md)"),
                self.tr("Conversations as JSON (*.json)"),
            ],
            f"deskbell-history-{time.strftime('%Y-%m-%d')}.csv",
        )
        box.filterSelected.connect(lambda name: box.setDefaultSuffix(name.rpartition(".")[2].rstrip(")")))
        box.fileSelected.connect(self.export_to)
        box.open()

    def export_to(self, path: str) -> None:
        """Export all rows of the filter, not only the fetched ones, in a thread."""
        self._stopping.clear()
        self._exporting = ThreadPoolExecutor(1, "deskbell-export")
        self._export.setText(self.tr("Stop e&xport"))
        self._told.show_text(self.tr("Exporting…"))
        work = partial(_export, self._past, self._model.wanted, Path(path), self._stopping.is_set)
        submit(self._exporting, self, work, self._show_export)

    def _show_export(self, written: tuple[int, str, str]) -> None:
        count, path, problem = written
        if self._exporting is not None:
            self._exporting.shutdown()
            self._exporting = None
        self._export.setText(self.tr("E&xport…"))
        done = self.tr("Saved {count} lines to {path}.").format(count=count, path=path)
        self._told.show_text(problem or done)


def _export(
    past: History, wanted: HistoryFilter, path: Path, stopped: Callable[[], bool]
) -> tuple[int, str, str]:
    """Return how many lines were written, where, and what went wrong."""
    try:
        return export(past, wanted, path, stopped), str(path), ""
    except DeskbellError as error:
        return 0, str(path), translated(failure_text(error))
