"""Filters of the history: words, kind, AI app, server, outcome, time. Together they are a HistoryFilter."""

from __future__ import annotations

import time

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QLineEdit, QSizePolicy, QWidget

from bridge.api import HistoryFilter, HistoryNames, app_of
from desktop.theme.metrics import GRID
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import add_hidden_label, make_button, make_choice, make_search, make_tool_button
from desktop.widgets.layouts import column, row, widget_with
from desktop.widgets.text.safe_text import one_line

TYPING = 150  # milliseconds after the last key until the search starts
_HOUR, _DAY = 3600.0, 86_400.0
_BAD = ("error", "interrupted", "expired", "nobody", "ended", "too many")
_REFUSED = ("denied", "declined", "decline", "muted")
_CALLED_OFF = ("cancelled", "cancel", "withdrawn")


class HistoryFilters(QWidget):
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._since = 0.0
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self.changed)
        self._words = self._search()
        self._kind = self._choice("activityKind", self.tr("Kind"), self._kinds())
        self._host = self._choice("activityHost", self.tr("AI app"), [(self.tr("Every AI app"), "")])
        self._server = self._choice("activityServer", self.tr("Server"), [(self.tr("Every server"), "")])
        self._outcome = self._choice("activityOutcome", self.tr("Outcome"), self._outcomes())
        self._when = self._choice("activityWhen", self.tr("Time"), self._times())
        self._when.currentIndexChanged.connect(self._date)
        self._clear = make_button("clearFilter", self.tr("C&lear"), self.clear, kind=ButtonKind.QUIET)
        self._clear.setEnabled(False)
        self._more = make_tool_button("moreFilters", "", self.tr("More filters"), lambda: None, icon="filter")
        self._more.setCheckable(True)
        narrow = (self._host, self._server, self._outcome, self._when)
        self._rest = widget_with(row(*((box, 1) for box in narrow), self._clear, spacing=GRID))
        self._rest.hide()
        self._more.toggled.connect(self._rest.setVisible)
        first = row((self._words, 3), (self._kind, 1), self._more, spacing=GRID)
        self.setLayout(column(first, self._rest, spacing=GRID))
        for box in self._boxes:
            add_hidden_label(box)
            box.currentIndexChanged.connect(lambda: self._tell(0))

    @property
    def _boxes(self) -> tuple[QComboBox, ...]:
        return self._kind, self._host, self._server, self._outcome, self._when

    @property
    def is_narrow(self) -> bool:
        return bool(self._words.text().strip()) or any(box.currentIndex() for box in self._boxes)

    @property
    def kind(self) -> str:
        return str(self._kind.currentData())

    def wanted(self) -> HistoryFilter:
        return HistoryFilter(
            self._words.text().strip(),
            self.kind,
            str(self._host.currentData()),
            str(self._server.currentData()),
            tuple(self._outcome.currentData()),
            self._since,
        )

    def offer_names(self, names: HistoryNames) -> None:
        """Offer these hosts and servers; the current choice stays."""
        for box, known in ((self._host, names.hosts), (self._server, names.servers)):
            if [box.itemData(row) for row in range(1, box.count())] == list(known):
                continue
            chosen = box.currentData()
            with QSignalBlocker(box):
                while box.count() > 1:
                    box.removeItem(1)
                for name in dict.fromkeys((*known, *filter(None, (chosen,)))):
                    text = app_of(name).name if box is self._host else name
                    box.addItem(one_line(text, 40), name)
                box.setCurrentIndex(max(box.findData(chosen), 0))

    def clear(self) -> None:
        with QSignalBlocker(self._words):
            self._words.clear()
        for box in self._boxes:
            with QSignalBlocker(box):
                box.setCurrentIndex(0)
        self._date()
        self._tell(0)

    def choose_kind(self, kind: str) -> None:
        """Filter by this kind only."""
        self.clear()
        self._kind.setCurrentIndex(max(self._kind.findData(kind), 0))

    def stop(self) -> None:
        self._soon.stop()

    def _tell(self, delay: int) -> None:
        """Emit `changed` after `delay` milliseconds without another change."""
        self._clear.setEnabled(self.is_narrow)
        self._soon.start(delay)

    def _date(self) -> None:
        """Fix the start time when it is chosen, so that later pages use the same filter."""
        back = float(self._when.currentData())
        midnight = time.mktime((*time.localtime()[:3], 0, 0, 0, 0, 0, -1))
        self._since = 0.0 if not back else midnight if back == _DAY else time.time() - back

    # building

    def _search(self) -> QLineEdit:
        clear = "clearSearch", self.tr("Clear the search")
        words = make_search("searchActivity", self.tr("Search activity"), lambda _: self._tell(TYPING), clear)
        words.setAccessibleName(self.tr("Search"))
        words.setAccessibleDescription(self.tr("Finds entries that contain every word"))
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, words.setFocus)
        return words

    def _choice(self, name: str, title: str, items: list[tuple[str, object]]) -> QComboBox:
        box = make_choice(name, title, items)
        box.setToolTip(title)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(5)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return box

    def _kinds(self) -> list[tuple[str, object]]:
        return [
            (self.tr("Everything"), ""),
            (self.tr("Tools used"), "call"),
            (self.tr("Questions"), "question"),
            (self.tr("Servers"), "server"),
            (self.tr("Notices"), "notice"),
        ]

    def _outcomes(self) -> list[tuple[str, object]]:
        return [
            (self.tr("Any outcome"), ()),
            (self.tr("Completed, answered"), ("ok", "accept", "answered")),
            (self.tr("Failed"), _BAD),
            (self.tr("Not allowed, declined"), _REFUSED),
            (self.tr("Cancelled"), _CALLED_OFF),
        ]

    def _times(self) -> list[tuple[str, object]]:
        return [
            (self.tr("Any time"), 0.0),
            (self.tr("Last hour"), _HOUR),
            (self.tr("Today"), _DAY),
            (self.tr("Last 7 days"), 7 * _DAY),
            (self.tr("Last 30 days"), 30 * _DAY),
        ]
