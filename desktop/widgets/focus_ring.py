"""A ring around the list, table or text that has the keyboard; other controls draw one themselves."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QWidget
from shiboken6 import isValid

_THICK = 2  # pixels
_POPUP = Qt.WindowType.Popup  # the list of a combo box: nothing else is seen there


class _Ring(QWidget):
    """Lies over its widget, and is nothing but the ring: what scrolls inside does not draw it again."""

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
    """Lives as long as the application. There is one ring, for there is one focus."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._ring: _Ring | None = None
        app.focusChanged.connect(self._move)

    def _move(self, _before: QWidget | None, now: QWidget | None) -> None:
        if self._ring is not None and isValid(self._ring):
            self._ring.deleteLater()
        self._ring = _Ring(now) if now is not None and _wants(now) else None


def _wants(widget: QWidget) -> bool:
    """What has no frame, as the list of pages, is known by its place."""
    framed = isinstance(widget, QAbstractScrollArea) and widget.frameShape() is not QFrame.Shape.NoFrame
    return framed and widget.window().windowType() is not _POPUP
