"""The last entries of one kind in words, for pages about something else; hidden while there are none."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QLayout, QWidget

from bridge.api import History, HistoryFilter
from desktop.pages.activity.history_model import HistoryLine, HistoryModel
from desktop.theme.colours import current
from desktop.theme.metrics import GRID, ICON, SMALL
from desktop.theme.painting import ButtonKind
from desktop.theme.symbols import symbol_pixmap
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.section import Section
from desktop.widgets.text.time_text import format_time

_SETTLING = 300  # milliseconds until a new entry is on disk
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class LastEntries(QWidget):
    all_wanted = Signal()
    grew = Signal()  # its tab stops have changed

    def __init__(self, name: str, title: str, past: History, wanted: HistoryFilter, most: int) -> None:
        super().__init__()
        self.setObjectName(name)
        self._wanted = wanted
        self._most = most
        self._model = HistoryModel(past, self, most=most)
        self._model.looked.connect(self._draw)
        self._soon = QTimer(self, singleShot=True, interval=_SETTLING)
        self._soon.timeout.connect(self._look)
        self._section = Section(f"{name}List", title)
        self._section.grew.connect(self.grew)
        self._all = make_button(
            f"{name}All", self.tr("Show in Activit&y"), self.all_wanted.emit, kind=ButtonKind.QUIET
        )
        self.setLayout(column(self._section, row(self._all, 1), spacing=4))
        self._draw()

    def look_soon(self) -> None:
        """Search again when what has just happened is recorded."""
        if self.isVisible():
            self._soon.start()

    def close_history(self) -> None:
        """Stop searching: Deskbell ends."""
        self._soon.stop()
        self._model.close()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._soon.stop()

    def _look(self) -> None:
        self._model.look(self._wanted)

    def _draw(self) -> None:
        lines = self._model.rows[: self._most]
        self._section.draw({str(line.newest): line for line in lines}, self._entry)
        self._all.setVisible(bool(lines))

    def _entry(self, line: HistoryLine) -> QLayout:
        mark = QLabel()
        ink, ratio = getattr(current(), line.what.role), self.devicePixelRatioF()
        mark.setPixmap(symbol_pixmap(line.what.symbol, ink, ICON, ratio))
        text = Label(line.what.text, name="entry")
        when = Label(format_time(line.rows[0].at), tone=Tone.MUTED, scale=SMALL)
        when.setWordWrap(False)
        return row((mark, 0, _MIDDLE), (text, 1), (when, 0, _MIDDLE), spacing=GRID)
