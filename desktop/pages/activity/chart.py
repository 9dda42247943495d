"""A chart of calls and their durations for each server.

Painted in the palette's colours; failed calls are hatched, so that nobody needs to distinguish colours. The
accessible description has the same figures.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLocale, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from bridge.api import ServerLoad
from desktop.widgets.labels import Tone, is_dark
from desktop.widgets.safe_text import one_line

_NAME, _CALLS, _TIME = 0.22, 0.39, 0.39  # shares of the width
_GAP = 10


def time_of(ms: float) -> str:
    """Format milliseconds with three significant digits."""
    number, unit = (ms, "ms") if ms < 999.5 else (ms / 1000, "s")
    return f"{QLocale().toString(number, 'g', 3)} {unit}"


class LoadChart(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("loadChart")
        self.setAccessibleName(self.tr("Calls and how long they took, by server"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._loads: tuple[ServerLoad, ...] = ()
        self.draw(())

    def draw(self, loads: tuple[ServerLoad, ...]) -> None:
        self._loads = loads
        words = "\n".join(self._words(load) for load in loads) or self.tr("There were no calls.")
        self.setAccessibleDescription(words)
        self.setToolTip(words)
        self.updateGeometry()
        self.update()

    def _words(self, load: ServerLoad) -> str:
        text = self.tr("{server}: {calls} calls, {failed} not done; median {median}, 95 in 100 within {slow}")
        return text.format(
            server=one_line(load.server, 40),
            calls=load.calls,
            failed=load.failed,
            median=time_of(load.median),
            slow=time_of(load.slow),
        )

    # overrides of QWidget

    def sizeHint(self) -> QSize:
        return QSize(400, self._row * (max(len(self._loads), 1) + 1))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self.updateGeometry()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._head(painter)
        most = max((load.calls for load in self._loads), default=1)
        slowest = max((load.slow for load in self._loads), default=1.0) or 1.0
        for number, load in enumerate(self._loads, 1):
            self._line(painter, number, load, most, slowest)

    # painting

    @property
    def _row(self) -> int:
        return round(self.fontMetrics().lineSpacing() * 1.35)

    def _place(self, number: int, start: float, share: float) -> QRect:
        """Return a part of a row, mirrored in right-to-left windows."""
        width = self.width()
        rect = QRect(round(width * start), number * self._row, round(width * share) - _GAP, self._row)
        return QStyle.visualRect(self.layoutDirection(), self.rect(), rect)

    def _head(self, painter: QPainter) -> None:
        painter.setPen(QColor(Tone.MUTED.value[is_dark(self.palette())]))
        if not self._loads:
            self._write(painter, self.rect(), self.tr("There were no calls."))
            return
        self._write(painter, self._place(0, _NAME, _CALLS), self.tr("Calls (hatched: failed)"))
        self._write(painter, self._place(0, _NAME + _CALLS, _TIME), self.tr("Typical / slowest 5 %"))

    def _line(self, painter: QPainter, number: int, load: ServerLoad, most: int, slowest: float) -> None:
        plain = self.palette().color(QPalette.ColorRole.WindowText)
        painter.setPen(plain)
        self._write(painter, self._place(number, 0, _NAME), one_line(load.server, 60))
        calls = self._place(number, _NAME, _CALLS)
        self._bar(painter, calls, load.calls / most, load.failed / load.calls, QLocale().toString(load.calls))
        times = self._place(number, _NAME + _CALLS, _TIME)
        text = f"{time_of(load.median)} · {time_of(load.slow)}"
        self._span(painter, times, load.median / slowest, load.slow / slowest, text)

    def _bar(self, painter: QPainter, place: QRect, share: float, failed: float, text: str) -> None:
        bar = self._thick(place, share, text)
        painter.fillRect(self._mirrored(place, bar), self.palette().color(QPalette.ColorRole.Accent))
        if failed:
            width = max(2, round(bar.width() * failed))
            part = self._mirrored(place, QRect(bar.right() - width + 1, bar.top(), width, bar.height()))
            painter.fillRect(part, self.palette().color(QPalette.ColorRole.Base))
            ink = self.palette().color(QPalette.ColorRole.Text)
            painter.fillRect(part, QBrush(ink, Qt.BrushStyle.BDiagPattern))
            painter.drawRect(QRectF(part).adjusted(0.5, 0.5, -0.5, -0.5))
        self._after(painter, place, bar, text)

    def _span(self, painter: QPainter, place: QRect, median: float, slow: float, text: str) -> None:
        thick, thin = self._thick(place, median, text), self._thick(place, slow, text)
        thin = QRect(place.left(), place.center().y() - 1, thin.width(), 2)
        painter.fillRect(self._mirrored(place, thin), self.palette().color(QPalette.ColorRole.WindowText))
        painter.fillRect(self._mirrored(place, thick), self.palette().color(QPalette.ColorRole.Accent))
        self._after(painter, place, thin if thin.width() > thick.width() else thick, text)

    def _thick(self, place: QRect, share: float, text: str) -> QRect:
        """Return a bar that leaves room for the text behind it."""
        width = max(2, round((place.width() - self._text_room(text)) * share))
        return QRect(place.left(), place.top() + self._row // 5, width, self._row * 3 // 5)

    def _text_room(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + _GAP

    def _mirrored(self, place: QRect, rect: QRect) -> QRect:
        return QStyle.visualRect(self.layoutDirection(), place, rect)

    def _after(self, painter: QPainter, place: QRect, bar: QRect, text: str) -> None:
        room = QRect(bar.right() + 6, place.top(), self._text_room(text), place.height())
        self._write(painter, self._mirrored(place, room), text)

    def _write(self, painter: QPainter, rect: QRect, text: str) -> None:
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # figures and names are written so
        fitting = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        side = Qt.AlignmentFlag.AlignRight if self.isRightToLeft() else Qt.AlignmentFlag.AlignLeft
        painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, fitting)
