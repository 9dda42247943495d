"""A ring around the list, table or frameless text that has the keyboard; the style paints that of others."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import isValid

from desktop.theme.colours import current
from desktop.theme.painting import focus_ring

_CORNER = 4  # pixels that the rounded corner of the ring needs
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
        focus_ring(QPainter(self), self.rect(), current())

    def _fit(self, around: QWidget) -> None:
        whole = around.rect()
        self.setGeometry(whole)
        inside = whole.adjusted(_CORNER, _CORNER, -_CORNER, -_CORNER)
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
    """True for framed lists, as the frameless list of pages shows the focus on its chosen entry; and for
    frameless texts, as the style paints the ring into the edge of the others."""
    framed = isinstance(widget, QFrame) and widget.frameShape() is not QFrame.Shape.NoFrame
    if isinstance(widget, QTextEdit | QPlainTextEdit):
        return not framed
    return framed and isinstance(widget, QAbstractItemView) and widget.window().windowType() is not _POPUP
