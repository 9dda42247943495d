"""The Activity page: running calls, and the history with search, details and export.

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
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSplitter

from bridge.api import (
    Contents,
    DeskbellError,
    History,
    HistoryFilter,
    JournalRow,
    Services,
    Status,
    export,
    failure_text,
)
from desktop.language import translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.pages.activity.chart import LoadChart
from desktop.pages.activity.details import EntryDetails
from desktop.pages.activity.filters import HistoryFilters
from desktop.pages.activity.held_calls import HeldCallsPanel
from desktop.pages.activity.history_table import HistoryModel
from desktop.pages.activity.running_calls import RunningCallsPanel
from desktop.pages.base_page import StatusPage
from desktop.system.gui_thread import submit
from desktop.widgets.controls import Disclosure, make_button
from desktop.widgets.dialogs import confirm, save_dialog
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import PAGE, column, row, vertical_splitter
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.table import fit_columns, make_table
from desktop.widgets.text_box import TextBox

_MUCH = 10_000  # pixels; more than there is
SETTLING = 300  # milliseconds until a new entry is on disk
COUNTING = 2_000  # milliseconds between two counts for filters and chart
_MOST_LETTERS = 30  # greatest width of a column
_A_FEW = 20  # rows
_KIND, _DETAILS = 1, 8  # columns hidden while one kind, or only calls, are shown


class ActivityPage(StatusPage):
    approvals_wanted = Signal()

    def __init__(self, past: History, services: Services, *, in_slices: bool = False) -> None:
        """`in_slices`: the page is usable when `building` is done."""
        super().__init__("activity")
        self._service = services.history
        self._past = past
        self._days = 30.0
        self._fitted: object = None  # filter and row count the columns were fitted to
        self._shown: JournalRow | None = None
        self._model = HistoryModel(past, self)
        self._entry_details = EntryDetails(self._model)
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
        self._filters = HistoryFilters()
        self._filters.changed.connect(self._look)
        yield None
        self._chart = LoadChart()
        self._chart_area = FittingScroll(self._chart, name="charted")  # a small screen has no room for all
        self._chart_area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._chart_area.hide()
        yield None
        self._running = RunningCallsPanel()
        self._running.cancel_wanted.connect(self._service.cancel_call)
        self._held = HeldCallsPanel()
        self._held.delete_wanted.connect(self._service.delete_held)
        self._empty = Label("", name="nothingFound", tone=Tone.MUTED)
        yield None
        parts = self._make_parts()
        self._told = Label("", name="exportTold", tone=Tone.MUTED, selectable=True, announced=True)
        yield None
        above = (self._filters, self._chart_area, self._running, self._held, self._empty)
        below = (self._told, self._make_buttons())
        self.setLayout(column(*above, (parts, 1), *below, margins=PAGE, spacing=10))
        self._enable()
        self._model.looked.connect(self._looked)
        self._model.contents_read.connect(self._show_contents)
        self._model.named.connect(self._filters.offer_names)
        self._model.loaded.connect(self._chart.draw)
        self._model.loaded.connect(lambda _: self._chart_area.updateGeometry())
        yield None

    def _make_parts(self) -> QSplitter:
        view = self._view = make_table("activityList", self.tr("What happened"), self._model)
        view.setAccessibleDescription(self.tr("The newest is first"))
        view.setMinimumHeight(view.verticalHeader().defaultSectionSize() * 3)
        view.selectionModel().selectionChanged.connect(lambda *_: self._draw_detail())
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), view, self._copy)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), view, self._delete)
        self._detail = TextBox("", name="activityDetail", lines=14, least=3)
        self._detail.setAccessibleName(self.tr("All that is known of it"))
        parts = vertical_splitter("activityParts", view, self._detail)
        parts.setStretchFactor(0, 1)
        parts.setSizes([_MUCH, self.fontMetrics().lineSpacing() * 11])
        return parts

    def _make_buttons(self) -> QHBoxLayout:
        about = self.tr("Copy the selected lines")
        self._copying = make_button("copyActivity", self.tr("&Copy"), self._copy, about=about)
        about = self.tr("Delete the selected lines for good")
        self._deleting = make_button("deleteActivity", self.tr("&Delete"), self._delete, about=about)
        about = self.tr("Show the rule this created, and undo it")
        text, show = self.tr("A&pprovals…"), self.approvals_wanted.emit
        self._rules = make_button("openApprovals", text, show, about=about)
        about = self.tr("Write what is shown to a file")
        self._export = make_button("exportActivity", self.tr("E&xport…"), self._ask_where, about=about)
        about = self.tr("Delete the whole history for good")
        text, ask = self.tr("Delete &all…"), self._ask_to_delete_all
        everything = make_button("deleteAllActivity", text, ask, about=about)
        words = self.tr("Calls and how long they took, by server")
        chart = Disclosure(self.tr("C&hart"), words, name="showChart")
        chart.toggled.connect(self._toggle_chart)
        return row(self._copying, self._deleting, self._rules, 1, chart, self._export, everything)

    # searching

    def _look(self) -> None:
        self._model.look(self._filters.wanted())
        kind = self._filters.kind
        self._view.setColumnHidden(_KIND, bool(kind))
        self._view.setColumnHidden(_DETAILS, kind == "call")
        if self.isVisible() and not self._counting.isActive():
            self._counting.start(COUNTING)

    def _count(self) -> None:
        self._model.ask_names()
        if self._chart.isVisible():
            self._model.ask_loads()

    def _toggle_chart(self, on: bool) -> None:
        self._chart_area.setVisible(on)
        self._count()

    def _looked(self) -> None:
        nothing = not self._model.rowCount()
        if nothing and not self._days:
            self._empty.show_text(self.tr("History is off: see Settings."))
        elif nothing:
            narrow = self._filters.is_narrow
            self._empty.show_text(self.tr("No matches") if narrow else self.tr("Nothing happened yet."))
        else:
            self._empty.show_text("")
            self._fit()
        self._detail.setPlaceholderText("" if nothing else self.tr("Select an entry for details."))
        self._enable()

    def _fit(self) -> None:
        """Fit the columns once for each filter, and again while there are few rows: they must not jump while
        the user reads."""
        fitted = self._model.wanted, min(len(self._model.rows), _A_FEW)
        if self._fitted != fitted:
            self._fitted = fitted
            rows = self._model.rows[:100]
            texts = list(zip(*(self._model.texts(row)[:_DETAILS] for row in rows), strict=True))
            fit_columns(self._view, texts, _MOST_LETTERS)

    def _enable(self) -> None:
        rows = self._chosen()
        self._copying.setEnabled(bool(rows))
        self._deleting.setEnabled(bool(rows))
        self._rules.setVisible(len(rows) == 1 and rows[0].detail.get("mode") == "confirm")

    # actions

    def _chosen(self) -> list[JournalRow]:
        return [self._model.row(index) for index in self._view.selectionModel().selectedRows()]

    def _draw_detail(self) -> None:
        self._enable()
        rows = self._chosen()
        row = rows[0] if len(rows) == 1 else None
        if row is not None and row == self._shown:
            return  # new rows above only moved it
        self._shown = row
        self._detail.show_text(self._entry_details.describe(row) if row else "")
        if row is not None and row.kind == "call":
            self._model.ask_contents(row)

    def _show_contents(self, row: int, found: Contents | None) -> None:
        if self._shown is not None and self._shown.id == row:
            words, contents = self._entry_details.describe(self._shown), self._entry_details.contents(found)
            self._detail.show_text(f"{contents}\n\n{words}" if found else f"{words}\n\n{contents}")

    def _copy(self) -> None:
        rows = self._chosen()
        text = "\n\n".join(self._entry_details.describe(row) for row in rows)
        QGuiApplication.clipboard().setText(self._detail.toPlainText() if len(rows) == 1 else text)

    def _delete(self) -> None:
        rows = tuple(row.id for row in self._chosen())
        if rows:
            self._model.drop(set(rows))
            self._service.delete(rows)

    def _ask_to_delete_all(self) -> None:
        title, text = self.tr("Delete the whole history?"), self.tr("This cannot be undone.")
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
            [self.tr("Table (*.csv)"), self.tr("JSON lines (*.jsonl)")],
            f"deskbell-history-{time.strftime('%Y-%m-%d')}.csv",
        )
        box.filterSelected.connect(lambda name: box.setDefaultSuffix("jsonl" if "jsonl" in name else "csv"))
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
        done = self.tr("{count} lines were written to {path}.").format(count=count, path=path)
        self._told.show_text(problem or done)


def _export(
    past: History, wanted: HistoryFilter, path: Path, stopped: Callable[[], bool]
) -> tuple[int, str, str]:
    """Return how many lines were written, where, and what went wrong."""
    try:
        return export(past, wanted, path, stopped), str(path), ""
    except DeskbellError as error:
        return 0, str(path), translated(failure_text(error))
