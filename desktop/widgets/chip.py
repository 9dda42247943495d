"""A chip: a state in one or two words, on a coloured ground or after a coloured dot."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.theme import painting
from desktop.theme.colours import current
from desktop.theme.metrics import SMALL, scaled_font
from desktop.widgets.labels import Tone

_PAD, _DOT, _GAP = 8, 8, 6
_HIGH = 22
_MANY = 99


def tone_colours(tone: Tone) -> tuple[QColor, QColor]:
    """Return text and ground of a tone."""
    use = current()
    return {
        Tone.WARNING: (use.warning, use.warning_ground),
        Tone.ERROR: (use.error, use.error_ground),
        Tone.SUCCESS: (use.success, use.success_ground),
        Tone.INFO: (use.info, use.info_ground),
        Tone.MUTED: (use.muted, use.hover),
    }.get(tone, (use.text, use.hover))


class Chip(QWidget):
    """A state in one or two words. `dot`: a filled circle before them, and no ground."""

    def __init__(self, text: str, tone: Tone = Tone.MUTED, *, name: str = "", dot: bool = False) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setFont(scaled_font(SMALL, bold=not dot))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._dot = dot
        self.show_state(text, tone)

    @property
    def text(self) -> str:
        return self._text

    def show_state(self, text: str, tone: Tone = Tone.MUTED) -> None:
        self._text, self._tone = text, tone
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(self._text)
        beside = _DOT + _GAP if self._dot else 2 * _PAD
        return QSize(words + beside + 1, max(_HIGH, metrics.height() + 4))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ink, ground = tone_colours(self._tone)
        place = QRectF(self.rect())
        if self._dot:
            dot = QRectF(0, place.center().y() - _DOT / 2, _DOT, _DOT)
            words = place.adjusted(_DOT + _GAP, 0, 0, 0)
            if self.isRightToLeft():
                dot.moveRight(place.right())
                words = place.adjusted(0, 0, -_DOT - _GAP, 0)
            painting.rounded(painter, dot, _DOT / 2, ink, None)
            painter.setPen(current().muted if self._tone is Tone.SUCCESS else ink)
            painter.drawText(words, Qt.AlignmentFlag.AlignCenter, self._text)
        else:
            painting.rounded(painter, place, place.height() / 2, ground, None)
            painter.setPen(ink)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self._text)


def count_text(count: int) -> str:
    return str(count) if count <= _MANY else f"{_MANY}+"
