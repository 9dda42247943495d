"""Base class of pages: drawn from Status, by default only while visible."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from bridge.api import Status
from desktop.lazy.time_slices import SlicedTask


class StatusPage(QWidget):
    shown = Signal()  # the user turned to it
    grew = Signal()  # its tab stops have changed

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._status = Status()
        self.building = SlicedTask(self)  # a page that is built in slices is usable when it is done

    def draw(self, status: Status) -> None:
        self._status = status
        if self.isVisible():
            self._redraw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._redraw()
        if not event.spontaneous():
            self.shown.emit()

    def _redraw(self) -> None:
        raise NotImplementedError
