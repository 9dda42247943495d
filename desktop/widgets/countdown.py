"""How long a Question will still wait, counted down while somebody can see it."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from desktop.widgets.labels import Label, Tone

_SOON = 30  # seconds


class Countdown(Label):
    """`deadline` in seconds since the epoch."""

    def __init__(self, deadline: float, parent: QWidget | None = None) -> None:
        super().__init__("…", parent, name="countdown", tone=Tone.MUTED)
        self._deadline = deadline
        self._timer = QTimer(self)
        self._timer.setInterval(1000)
        self._timer.timeout.connect(self._draw)
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _draw(self) -> None:
        left = max(0, round(self._deadline - time.time()))
        hours, rest = divmod(left, 3600)
        clock = f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
        self.set_tone(Tone.WARNING if left <= _SOON else Tone.MUTED)
        self.say(self.tr("Time left: {clock}").format(clock=clock))
