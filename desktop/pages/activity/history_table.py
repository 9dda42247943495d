"""Table model of the history that fetches pages as the view scrolls.

A thread searches and formats the rows, so that the GUI thread waits neither for the disk nor for the
formatting of dates.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QLocale, QObject, Signal

from bridge.api import History, HistoryFilter, JournalRow
from desktop.system.gui_thread import submit
from desktop.widgets.safe_text import one_line
from desktop.widgets.table import NOWHERE, Column, Index, TableModel
from desktop.widgets.time_text import format_duration, format_time

T = TypeVar("T")
PAGE = 100
_LETTERS = 200  # characters of a cell
MOST = 5_000  # rows in memory; older ones are fetched again
Texts = tuple[str, ...]  # of a row, by column
_TEXT = 8  # column


class HistoryModel(TableModel[JournalRow]):
    """`looked`: a search has finished."""

    looked = Signal()
    contents_read = Signal(int, object)  # row id, contents or None
    named = Signal(object)  # Names
    loaded = Signal(object)  # tuple[Load, ...]

    def __init__(self, past: History, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._past = past
        self.line_texts = self._line_texts()
        self._wanted = HistoryFilter()
        self._more = False  # older rows may exist
        self._busy = False
        self._texts: dict[int, Texts] = {}  # row id → texts
        self._worker: ThreadPoolExecutor | None = None

    @property
    def wanted(self) -> HistoryFilter:
        return self._wanted

    def look(self, wanted: HistoryFilter) -> None:
        """Search with this filter and show the newest rows."""
        if wanted != self._wanted:
            self._wanted = wanted
            self.clear()
        self._ask(None)

    def ask_contents(self, row: JournalRow) -> None:
        """Read the contents of a call; `contents_read` delivers them."""
        self._later(partial(self._past.contents, row.id), partial(self.contents_read.emit, row.id))

    def ask_names(self) -> None:
        self._later(self._past.names, self.named.emit)

    def ask_loads(self) -> None:
        self._later(partial(self._past.loads, self._wanted), self.loaded.emit)

    def clear(self) -> None:
        self.beginResetModel()
        self.rows, self._more, self._texts = [], False, {}
        self.endResetModel()

    def drop(self, rows: set[int]) -> None:
        """Remove rows that are being deleted."""
        self.keep(lambda row: row.id not in rows)

    def close(self) -> None:
        if self._worker is not None:
            self._worker.shutdown(cancel_futures=True)
            self._worker = None

    def _ask(self, before: int | None) -> None:
        self._busy = True
        self._later(
            partial(_find, self._past, self._wanted, before, self.line_texts),
            partial(self._take, self._wanted, before),
        )

    def _later(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, "deskbell-history")
        submit(self._worker, self, work, then)

    def _take(self, wanted: HistoryFilter, before: int | None, found: list[tuple[JournalRow, Texts]]) -> None:
        if wanted != self._wanted:
            return
        self._busy = False
        rows = [row for row, _ in found]
        texts = {row.id: texts for row, texts in found}
        if before is None:
            self._take_newest(rows, texts)
        elif self.rows and self.rows[-1].id == before:
            self._append(rows, texts)
        self.looked.emit()

    def _take_newest(self, rows: list[JournalRow], texts: dict[int, Texts]) -> None:
        """Insert new rows at the top; reload if they do not join the rows that are there."""
        newest = self.rows[0].id if self.rows else 0
        fresh = [row for row in rows if row.id > newest]
        if not self.rows or len(fresh) == PAGE:
            self.clear()
            self._append(rows, texts)
        elif fresh:
            self._texts |= texts
            self.beginInsertRows(NOWHERE, 0, len(fresh) - 1)
            self.rows[:0] = fresh
            self.endInsertRows()
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        if len(self.rows) > MOST:
            self.beginRemoveRows(NOWHERE, MOST, len(self.rows) - 1)
            for row in self.rows[MOST:]:
                self._texts.pop(row.id, None)
            del self.rows[MOST:]
            self._more = True
            self.endRemoveRows()

    def _append(self, rows: list[JournalRow], texts: dict[int, Texts]) -> None:
        self._more = len(rows) == PAGE
        self._texts |= texts
        self.append(rows)

    # overrides of QAbstractTableModel

    def canFetchMore(self, parent: Index) -> bool:
        return self._more and not self._busy and not parent.isValid()

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._ask(self.rows[-1].id)

    def make_columns(self) -> tuple[Column[JournalRow], ...]:
        def text_of(place: int) -> Callable[[JournalRow], str]:
            return lambda row: self._texts[row.id][place]

        columns = (
            (self.tr("When"), 20, False),
            (self.tr("What"), 10, False),
            (self.tr("Server"), 12, True),
            (self.tr("AI app"), 14, True),
            (self.tr("Tool"), 16, True),
            (self.tr("Outcome"), 11, False),
            (self.tr("Took"), 8, False),
            (self.tr("Size"), 9, False),
            (self.tr("Details"), 24, True),
        )
        return tuple(
            Column(title, width, text_of(place), isolated, place == _TEXT)
            for place, (title, width, isolated) in enumerate(columns)
        )

    def texts(self, row: JournalRow) -> Texts:
        """Return the texts of a row's columns."""
        return self._texts[row.id]

    def _line_texts(self) -> LineTexts:
        return LineTexts(
            {
                "question": self.tr("Question"),
                "call": self.tr("Call"),
                "server": self.tr("Server"),
                "notice": self.tr("Notice"),
            },
            {
                "accept": self.tr("sent"),
                "decline": self.tr("declined"),
                "cancel": self.tr("cancelled"),
                "expired": self.tr("expired"),
                "nobody": self.tr("no one available"),
                "withdrawn": self.tr("withdrawn"),
                "answered": self.tr("answered"),
                "muted": self.tr("muted"),
                "too many": self.tr("too many"),
                "too quick": self.tr("too quick"),
                "auto-decline": self.tr("refused unseen"),
                "ok": self.tr("done"),
                "error": self.tr("failed"),
                "denied": self.tr("not allowed"),
                "declined": self.tr("declined"),
                "cancelled": self.tr("cancelled"),
                "interrupted": self.tr("interrupted"),
                "ended": self.tr("ended"),
                "silent": self.tr("silent"),
                "flood": self.tr("flood"),
                "malformed": self.tr("malformed"),
                "stray": self.tr("stray"),
                "duplicate": self.tr("duplicate"),
                "snoozed": self.tr("snoozed"),
                "resumed": self.tr("resumed"),
                "unmuted": self.tr("unmuted"),
                "spared": self.tr("spared"),
                "slept": self.tr("slept"),
                "clock changed": self.tr("clock changed"),
            },
            {
                "always": self.tr("allowed always"),
                "accept": self.tr("allowed"),
                "decline": self.tr("denied"),
            },
        )


class LineTexts:
    """Texts of history rows in the windows' language. Holds no Qt object: it is used by a thread."""

    def __init__(self, kinds: dict[str, str], outcomes: dict[str, str], approvals: dict[str, str]) -> None:
        self._kinds = kinds
        self._outcomes = outcomes
        self._approvals = approvals

    def columns(self, row: JournalRow) -> Texts:
        """Return the text of each column of HistoryModel."""
        return (
            format_time(row.at),
            self.kind(row.kind),
            *(one_line(name, _LETTERS) for name in (row.server, row.host, row.tool)),
            self.outcome(row),
            took(row.ms),
            size(row.size),
            one_line(summary(row), _LETTERS),
        )

    def kind(self, kind: str) -> str:
        return self._kinds.get(kind, one_line(kind, 20))

    def outcome(self, row: JournalRow) -> str:
        if row.detail.get("always"):
            return self._approvals["always"]
        if row.detail.get("mode") == "confirm" and row.outcome in self._approvals:
            return self._approvals[row.outcome]
        return self._outcomes.get(row.outcome, one_line(row.outcome, 30))


def _find(
    past: History, wanted: HistoryFilter, before: int | None, lines: LineTexts
) -> list[tuple[JournalRow, Texts]]:
    return [(row, lines.columns(row)) for row in past.find(wanted, PAGE, before)]


def summary(row: JournalRow) -> str:
    """Return the message, note or page of a row, whichever it has."""
    return next(
        (str(row.detail[key]) for key in ("message", "text", "line", "page") if key in row.detail), ""
    )


def took(ms: float) -> str:
    if not ms:
        return ""
    if ms < 995:
        return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"
    return format_duration(ms / 1000) if ms >= 10_000 else f"{ms / 1000:.1f} s"


def size(count: int) -> str:
    formats = QLocale.DataSizeFormat.DataSizeTraditionalFormat
    return QLocale().formattedDataSize(count, 1 if count >= 1024 else 0, formats) if count else ""
