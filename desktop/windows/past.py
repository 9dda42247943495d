"""History as a table that fetches itself in pages: a hundred thousand lines cost what is looked at.

A thread of its own searches; the windows never wait for the disk.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal

from bridge.api import Row
from desktop.widgets.clock import at, span
from desktop.widgets.table import NOWHERE, Index, TableModel
from desktop.widgets.text import one_line

PAGE = 100
Search = Callable[[str, int, int | None, str], list[Row]]
_AT, _KIND, _SERVER, _HOST, _TOOL, _OUTCOME, _TOOK, _TEXT = range(8)


class Wanted(NamedTuple):
    text: str = ""
    kind: str = ""


class HistoryModel(TableModel[Row]):
    """`looked`: an answer has come; nothing is being searched for."""

    looked = Signal()
    _found = Signal(object, object, object)  # Wanted, id before which, rows

    widths = (18, 10, 11, 15, 13, 10, 7, 24)  # in average letters
    stretched = _TEXT

    def __init__(self, search: Search, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._search = search
        self._wanted = Wanted()
        self._more = False  # there may be older ones
        self._busy = False
        self._worker: ThreadPoolExecutor | None = None
        self._found.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def look(self, wanted: Wanted) -> None:
        """Show what is wanted, from the newest on."""
        if wanted != self._wanted:
            self._wanted = wanted
            self.clear()
        self._ask(None)

    def clear(self) -> None:
        self.beginResetModel()
        self.rows, self._more = [], False
        self.endResetModel()

    def drop(self, rows: set[int]) -> None:
        """These lines are being forgotten."""
        for place in reversed(range(len(self.rows))):
            if self.rows[place].id in rows:
                self.remove(place)

    def close(self) -> None:
        if self._worker is not None:
            self._worker.shutdown(cancel_futures=True)
            self._worker = None

    def _ask(self, before: int | None) -> None:
        self._busy = True
        wanted = self._wanted
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, "deskbell-history")
        self._worker.submit(
            lambda: self._found.emit(wanted, before, self._search(wanted.text, PAGE, before, wanted.kind))
        )

    def _take(self, wanted: Wanted, before: int | None, rows: list[Row]) -> None:
        if wanted != self._wanted:
            return
        self._busy = False
        if before is None:
            self._take_newest(rows)
        elif self.rows and self.rows[-1].id == before:
            self._append(rows)
        self.looked.emit()

    def _take_newest(self, rows: list[Row]) -> None:
        """What is new comes at the top; where that does not join what is there, all is drawn again."""
        newest = self.rows[0].id if self.rows else 0
        fresh = [row for row in rows if row.id > newest]
        if not self.rows or len(fresh) == PAGE:
            self.clear()
            self._append(rows)
        elif fresh:
            self.beginInsertRows(NOWHERE, 0, len(fresh) - 1)
            self.rows[:0] = fresh
            self.endInsertRows()

    def _append(self, rows: list[Row]) -> None:
        self._more = len(rows) == PAGE
        self.append(rows)

    # Qt's

    def canFetchMore(self, parent: Index) -> bool:
        return self._more and not self._busy and not parent.isValid()

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._ask(self.rows[-1].id)

    def titles(self) -> tuple[str, ...]:
        return (
            self.tr("When"),
            self.tr("What"),
            self.tr("Server"),
            self.tr("AI app"),
            self.tr("Tool"),
            self.tr("Outcome"),
            self.tr("Took"),
            self.tr("Details"),
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role != Qt.ItemDataRole.DisplayRole:
            return None
        row, column = self.row(index), index.column()
        if column == _AT:
            return at(row.at)
        if column == _KIND:
            return self.kind(row.kind)
        if column == _OUTCOME:
            return self.outcome(row.outcome)
        if column == _TOOK:
            return _took(row.ms)
        if column == _TEXT:
            return one_line(summary(row), 200)
        return one_line({_SERVER: row.server, _HOST: row.host, _TOOL: row.tool}[column], 60)

    def kind(self, kind: str) -> str:
        return {
            "question": self.tr("Question"),
            "call": self.tr("Call"),
            "server": self.tr("Server"),
            "notice": self.tr("Notice"),
        }.get(kind, one_line(kind, 20))

    def outcome(self, outcome: str) -> str:
        return {
            "accept": self.tr("sent"),
            "decline": self.tr("declined"),
            "cancel": self.tr("cancelled"),
            "expired": self.tr("time was up"),
            "withdrawn": self.tr("withdrawn"),
            "answered": self.tr("answered"),
            "muted": self.tr("muted"),
            "too many": self.tr("too many"),
            "ok": self.tr("done"),
            "error": self.tr("failed"),
            "denied": self.tr("not allowed"),
            "declined": self.tr("declined"),
            "cancelled": self.tr("cancelled"),
        }.get(outcome, one_line(outcome, 30))


def summary(row: Row) -> str:
    """The first words there are about it."""
    return next(
        (str(row.detail[key]) for key in ("message", "text", "line", "page") if key in row.detail), ""
    )


def _took(ms: float) -> str:
    if not ms:
        return ""
    return span(ms / 1000) if ms >= 10_000 else f"{ms / 1000:.1f} s"
