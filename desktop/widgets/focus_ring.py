"""A ring around the list, table or text box with keyboard focus; other controls draw their own."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QWidget
from shiboken6 import isValid

_THICK = 2  # pixels
_POPUP = Qt.WindowType.Popup  # the list of a combo box needs no ring


class _Ring(QWidget):
    """An overlay masked to the ring itself, so that scrolling does not repaint it."""

    def __init__(self, around: QWidget) -> None:
        super().__init__(around)
        self.setObjectName("focusRing")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        around.installEventFilter(self)
        self._fit(around)
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and isinstance(watched, QWidget):
            self._fit(watched)
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), _THICK))
        half = _THICK // 2
        painter.drawRect(self.rect().adjusted(half, half, -half, -half))

    def _fit(self, around: QWidget) -> None:
        whole = around.rect()
        self.setGeometry(whole)
        inside = whole.adjusted(_THICK, _THICK, -_THICK, -_THICK)
        self.setMask(QRegion(whole).subtracted(QRegion(inside)))


class FocusRing(QObject):
    """Moves the one ring with the focus. Owned by the application."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._ring: _Ring | None = None
        app.focusChanged.connect(self._move)

    def _move(self, _before: QWidget | None, now: QWidget | None) -> None:
        if self._ring is not None and isValid(self._ring):
            self._ring.deleteLater()
        self._ring = _Ring(now) if now is not None and _wants(now) else None


def _wants(widget: QWidget) -> bool:
    """True for framed scroll areas; the frameless list of pages shows focus by its selection."""
    framed = isinstance(widget, QAbstractScrollArea) and widget.frameShape() is not QFrame.Shape.NoFrame
    return framed and widget.window().windowType() is not _POPUP
