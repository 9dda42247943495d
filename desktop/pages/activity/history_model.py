"""The history for a list: one line an event, in words, newest first, grouped by day.

A thread searches and writes the sentences, so that the GUI thread waits neither for the disk nor for dates.
Older lines are fetched as the view scrolls.
Calls that asked nothing and follow one another are one line; technical entries are left out unless wanted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QDate, QDateTime, QLocale, QObject, Qt, Signal

from bridge.api import History, HistoryFilter, JournalRow
from desktop.pages.activity.history_texts import Sentence, is_foldable, is_technical, sentence, translate
from desktop.system.gui_thread import submit
from desktop.widgets.table import NOWHERE, Column, Index, TableModel
from desktop.widgets.text.bidi import strip_isolates

T = TypeVar("T")
PAGE = 100
MOST = 5_000  # lines in memory; older ones are fetched again
_SEARCHES = 20  # pages that are read for one page of lines, if most of it is technical
DAY_ROLE, TIME_ROLE, SYMBOL_ROLE, COLOUR_ROLE, TEXT_ROLE = (
    Qt.ItemDataRole.UserRole + place for place in range(5)
)


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One line: an entry, or calls folded together, newest first."""

    rows: tuple[JournalRow, ...]
    what: Sentence
    time: str
    day: str

    @property
    def newest(self) -> int:
        return self.rows[0].id

    @property
    def oldest(self) -> int:
        return self.rows[-1].id


@dataclass(frozen=True, slots=True)
class _Page:
    """The result of a search. `last`: id of the oldest entry that was read; 0: there are no older ones."""

    rows: tuple[JournalRow, ...]
    lines: tuple[HistoryLine, ...]
    last: int


class HistoryModel(TableModel[HistoryLine]):
    """`looked`: a search has finished. `technical`: show all entries, each in a line of its own."""

    looked = Signal()
    contents_read = Signal(int, object)  # row id, contents or None
    named = Signal(object)  # HistoryNames

    def __init__(self, past: History, parent: QObject | None = None, *, most: int = MOST) -> None:
        super().__init__(parent)
        self._past = past
        self._most = most
        self.technical = False
        self._wanted = HistoryFilter()
        self._older = 0  # the id before which older entries may exist; 0: there are none
        self._seen = 0  # the newest id that was read
        self._busy = False
        self._worker: ThreadPoolExecutor | None = None
        display = Qt.ItemDataRole
        self.roles = {
            display.DisplayRole: lambda line, _: strip_isolates(line.what.text),
            display.ToolTipRole: lambda line, _: strip_isolates(line.what.text),
            display.AccessibleTextRole: lambda line, _: strip_isolates(f"{line.time} {line.what.text}"),
            display.AccessibleDescriptionRole: lambda line, _: line.day,
            TEXT_ROLE: lambda line, _: line.what.text,
            TIME_ROLE: lambda line, _: line.time,
            SYMBOL_ROLE: lambda line, _: line.what.symbol,
            COLOUR_ROLE: lambda line, _: line.what.role,
        }

    def make_columns(self) -> tuple[Column[HistoryLine], ...]:
        return (Column(self.tr("What happened"), 60, lambda line: line.what.text, stretched=True),)

    @property
    def wanted(self) -> HistoryFilter:
        return self._wanted

    def begins_day(self, place: int) -> str:
        """Return the day that begins with this line; "" inside a day."""
        day = self.rows[place].day
        return day if not place or self.rows[place - 1].day != day else ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == DAY_ROLE:
            return self.begins_day(index.row())
        return super().data(index, role)

    def look(self, wanted: HistoryFilter) -> None:
        """Search with this filter and show the newest lines."""
        if wanted != self._wanted:
            self._wanted = wanted
            self.clear()
        self._ask(None)

    def show_technical(self, on: bool) -> None:
        self.technical = on
        self.clear()
        self._ask(None)

    def ask_contents(self, row: JournalRow) -> None:
        """Read the contents of a call; `contents_read` delivers them."""
        self._later(partial(self._past.contents, row.id), partial(self.contents_read.emit, row.id))

    def ask_names(self) -> None:
        self._later(self._past.names, self.named.emit)

    def clear(self) -> None:
        self.beginResetModel()
        self.rows, self._older, self._seen = [], 0, 0
        self.endResetModel()

    def drop(self, rows: set[int]) -> None:
        """Remove lines whose entries are being deleted."""
        self.keep(lambda line: line.newest not in rows)

    def close(self) -> None:
        if self._worker is not None:
            self._worker.shutdown(cancel_futures=True)
            self._worker = None

    def canFetchMore(self, parent: Index) -> bool:
        return bool(self._older) and not self._busy and not parent.isValid() and len(self.rows) < self._most

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._ask(self._older)

    def _ask(self, before: int | None) -> None:
        self._busy = True
        work = partial(_find, self._past, self._wanted, before, self._seen, self.technical)
        self._later(work, partial(self._take, self._wanted, self.technical, before))

    def _later(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, "deskbell-history")
        submit(self._worker, self, work, then)

    def _take(self, wanted: HistoryFilter, technical: bool, before: int | None, found: _Page) -> None:
        if (wanted, technical) != (self._wanted, self.technical):
            return
        self._busy = False
        if before is None:
            self._take_newest(found)
        elif before == self._older:
            self._older = found.last
            self.append(list(found.lines))
        self.looked.emit()

    def _take_newest(self, found: _Page) -> None:
        """Insert new lines at the top; reload if they do not join the lines that are there."""
        newest = max((row.id for row in found.rows), default=self._seen)
        if not self._seen:
            self._older, self._seen = found.last, newest
            self.append(list(found.lines)[: self._most])
        elif found.last > self._seen:  # more is new than one search reads
            self.clear()
            self._older, self._seen = found.last, newest
            self.append(list(found.lines)[: self._most])
        elif newest > self._seen:
            self._insert([row for row in found.rows if row.id > self._seen])
            self._seen = newest

    def _insert(self, rows: list[JournalRow]) -> None:
        """Insert entries above; calls join the line of calls that is there."""
        fresh = [row for row in rows if self.technical or not is_technical(row)]
        if not fresh:
            return
        if self.rows and not self.technical and all(map(is_foldable, self.rows[0].rows)):
            fresh += self.rows[0].rows
            self.remove(0)
        lines = list(_lines(fresh, self.technical))
        self.beginInsertRows(NOWHERE, 0, len(lines) - 1)
        self.rows[:0] = lines
        self.endInsertRows()
        if len(self.rows) > self._most:
            self._older = self.rows[self._most - 1].oldest
            self.remove(self._most, len(self.rows) - self._most)
        elif len(lines) < len(self.rows):
            below = self.index(len(lines), 0)
            self.dataChanged.emit(below, below)  # the line below may not begin a day any more


def _find(past: History, wanted: HistoryFilter, before: int | None, seen: int, technical: bool) -> _Page:
    """Read until there is a page of lines, or what was `seen`."""
    rows: list[JournalRow] = []
    shown: list[JournalRow] = []
    for _ in range(_SEARCHES):
        found = list(past.find(wanted, PAGE, before))
        rows += found
        shown += [row for row in found if technical or not is_technical(row)]
        if len(found) < PAGE:
            return _Page(tuple(rows), tuple(_lines(shown, technical)), 0)
        before = found[-1].id
        if len(shown) >= PAGE or before <= seen:
            break
    return _Page(tuple(rows), tuple(_lines(shown, technical)), before or 0)


def _lines(rows: Iterable[JournalRow], technical: bool) -> Iterable[HistoryLine]:
    """Fold calls that follow one another on one day, of one app and one server."""
    group: list[JournalRow] = []
    for row in rows:
        if group and (technical or _kin(group[-1]) != _kin(row) or not is_foldable(row)):
            yield _line(tuple(group))
            group = []
        group.append(row)
    if group:
        yield _line(tuple(group))


def _kin(row: JournalRow) -> tuple[object, ...]:
    return is_foldable(row), row.host, row.server, time.localtime(row.at)[:3]


def _line(rows: tuple[JournalRow, ...]) -> HistoryLine:
    when = QDateTime.fromSecsSinceEpoch(round(rows[0].at))
    clock = QLocale().toString(when.time(), QLocale.FormatType.ShortFormat)
    return HistoryLine(rows, sentence(rows), clock, day_text(when.date()))


def day_text(day: QDate) -> str:
    """Return "Today", "Yesterday", or the date with its weekday."""
    ago = day.daysTo(QDate.currentDate())
    if ago in (0, 1):
        return translate("history", "Yesterday") if ago else translate("history", "Today")
    return QLocale().toString(day, QLocale.FormatType.LongFormat)
