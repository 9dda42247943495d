"""The Activity page: what happened, found again by any word of it, with all that is known of one line.

Nothing here can show a secret: none was recorded.
"""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMessageBox,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from bridge.api import Row, Status
from desktop.widgets.bar import make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.passage import Passage
from desktop.widgets.table import set_widths
from desktop.widgets.text import readable
from desktop.windows.past import HistoryModel, Search, Wanted

TYPING = 150  # milliseconds until what is being typed is searched for
_MUCH = 10_000  # pixels: all that the other part leaves
SETTLING = 300  # until what has just happened is on disk


class ActivityPage(QWidget):
    forget_wanted = Signal(object)  # tuple of row ids; None: everything

    def __init__(self, search: Search, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("activity")
        self._days = 30.0
        self._model = HistoryModel(search, self)
        self._model.looked.connect(self._looked)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._look)
        self._box: QMessageBox | None = None
        self._build()

    def draw(self, status: Status) -> None:
        """Something happened; perhaps it is in the history now."""
        self._days = status.history_days
        if self.isVisible():
            self._soon.start(SETTLING)

    def close_history(self) -> None:
        """Deskbell ends."""
        self._soon.stop()
        self._model.close()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._soon.stop()

    # parts

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 8)
        column.setSpacing(10)
        column.addLayout(self._top())
        self._empty = Label("", name="nothingFound", tone=Tone.MUTED)
        column.addWidget(self._empty)
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setObjectName("activityParts")
        parts.setChildrenCollapsible(False)
        self._view = self._make_view()
        parts.addWidget(self._view)
        self._detail = Passage("", name="activityDetail", lines=12, least=5, fixed=True)
        self._detail.setAccessibleName(self.tr("All that is known of it"))
        parts.addWidget(self._detail)
        parts.setStretchFactor(0, 1)
        parts.setSizes([_MUCH, self.fontMetrics().lineSpacing() * 11])
        column.addWidget(parts, 1)
        column.addLayout(self._buttons())
        self._enable()

    def _top(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self._words = QLineEdit()
        self._words.setObjectName("searchActivity")
        self._words.setAccessibleName(self.tr("Search"))
        self._words.setAccessibleDescription(self.tr("Every word must occur, in any place"))
        self._words.setPlaceholderText(self.tr("Search who asked, what, and what was sent"))
        self._words.setClearButtonEnabled(True)
        self._words.textChanged.connect(lambda: self._soon.start(TYPING))
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._words.setFocus)
        row.addWidget(self._words, 1)
        self._kind = QComboBox()
        self._kind.setObjectName("activityKind")
        self._kind.setAccessibleName(self.tr("Show"))
        self._kind.setAccessibleDescription(self.tr("What kind of thing to show"))
        for words, kind in (
            (self.tr("Questions"), "question"),
            (self.tr("Calls"), "call"),
            (self.tr("What servers say"), "server"),
            (self.tr("Everything"), ""),
        ):
            self._kind.addItem(words, kind)
        self._kind.currentIndexChanged.connect(lambda: self._look())
        row.addWidget(self._kind)
        return row

    def _make_view(self) -> QTableView:
        view = QTableView()  # not a QTreeView: that would fetch all there is, page by page
        view.setObjectName("activityList")
        view.setAccessibleName(self.tr("What happened"))
        view.setAccessibleDescription(self.tr("The newest is first"))
        view.setModel(self._model)
        view.setShowGrid(False)
        view.setTabKeyNavigation(False)
        view.setWordWrap(False)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setDefaultSectionSize(round(view.fontMetrics().lineSpacing() * 1.35))
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        head = view.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        set_widths(view, head, self._model)
        view.selectionModel().selectionChanged.connect(lambda *_: self._draw_detail())
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), view, self._copy)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), view, self._delete)
        return view

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self._copying = make_button("copyActivity", self.tr("&Copy"), self._copy)
        self._copying.setAccessibleDescription(self.tr("Copy the selected lines"))
        self._deleting = make_button("deleteActivity", self.tr("&Delete"), self._delete)
        self._deleting.setAccessibleDescription(self.tr("Delete the selected lines for good"))
        self._all = make_button("deleteAllActivity", self.tr("Delete &all…"), self._ask_to_delete_all)
        self._all.setAccessibleDescription(self.tr("Delete the whole history for good"))
        for button in (self._copying, self._deleting):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self._all)
        return row

    # what the person does

    def _look(self) -> None:
        self._model.look(Wanted(self._words.text().strip(), str(self._kind.currentData())))

    def _looked(self) -> None:
        nothing = not self._model.rowCount()
        if nothing and not self._days:
            self._empty.say(self.tr("History is off: see Settings."))
        elif nothing:
            searched = bool(self._words.text().strip())
            self._empty.say(
                self.tr("Nothing like that happened.") if searched else self.tr("Nothing happened yet.")
            )
        else:
            self._empty.say("")
        self._enable()

    def _enable(self) -> None:
        chosen = self._view.selectionModel().hasSelection()
        self._copying.setEnabled(chosen)
        self._deleting.setEnabled(chosen)

    def _chosen(self) -> list[Row]:
        return [self._model.row(index) for index in self._view.selectionModel().selectedRows()]

    def _draw_detail(self) -> None:
        self._enable()
        rows = self._chosen()
        self._detail.show_text(self._in_words(rows[0]) if len(rows) == 1 else "")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n\n".join(self._in_words(row) for row in self._chosen()))

    def _delete(self) -> None:
        rows = tuple(row.id for row in self._chosen())
        if rows:
            self._model.drop(set(rows))
            self.forget_wanted.emit(rows)

    def _ask_to_delete_all(self) -> None:
        yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.Cancel
        words = self.tr("Delete the whole history?")
        box = QMessageBox(QMessageBox.Icon.Warning, "Deskbell", words, yes | no, self)
        box.setObjectName("deleteAllBox")
        box.setInformativeText(self.tr("This cannot be undone."))
        box.button(yes).setText(self.tr("Delete &all"))
        box.setDefaultButton(no)
        box.finished.connect(lambda code: self._delete_all() if code == yes else None)
        box.finished.connect(lambda _: box.deleteLater())
        box.open()

    def _delete_all(self) -> None:
        self._model.clear()
        self.forget_wanted.emit(None)
        self._looked()

    def _in_words(self, row: Row) -> str:
        """All that is known of a line, for reading and copying."""
        when = QDateTime.fromMSecsSinceEpoch(round(row.at * 1000))
        lines = [
            (self.tr("When"), QLocale().toString(when, QLocale.FormatType.LongFormat)),
            (self.tr("What"), self._model.kind(row.kind)),
            (self.tr("Server"), row.server),
            (self.tr("AI app"), row.host),
            (self.tr("Tool"), row.tool),
            (self.tr("Outcome"), self._model.outcome(row.outcome)),
            (self.tr("Took"), self.tr("{count} s").format(count=f"{row.ms / 1000:.3g}") if row.ms else ""),
        ]
        known = "\n".join(f"{title}: {readable(text)}" for title, text in lines if text)
        return "\n".join(filter(None, (known, *self._details(row))))

    def _details(self, row: Row) -> list[str]:
        titles = {
            "message": self.tr("Asked"),
            "page": self.tr("Page"),
            "sent": self.tr("Sent"),
            "text": self.tr("Note"),
            "line": self.tr("Said"),
            "asked by": self.tr("Asked by"),
        }
        found = []
        for key, value in row.detail.items():
            if key == "sent" and isinstance(value, dict):
                value = "".join(f"\n    {name}: {said}" for name, said in value.items())
            if key in titles:
                found.append(f"{titles[key]}: {readable(str(value))}")
        return found
