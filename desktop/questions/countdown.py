"""A countdown to a Question's deadline; it ticks while it is visible."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent

from desktop.widgets.labels import Label, Tone
from desktop.widgets.time_text import format_duration

_SOON = 30  # seconds


class Countdown(Label):
    """`deadline`: Unix time; 0: none, and the label is hidden."""

    def __init__(self, deadline: float) -> None:
        super().__init__("…" if deadline else "", name="countdown", tone=Tone.MUTED)
        self._deadline = deadline
        self._timer = QTimer(self, interval=1000)
        self._timer.timeout.connect(self._draw)
        self._draw()

    def set_deadline(self, deadline: float) -> None:
        """Count down to `deadline`; 0: the clock is stopped."""
        self._deadline = deadline
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _draw(self) -> None:
        if not self._deadline:
            self.show_text("")
            return
        left = self._deadline - time.time()
        self.set_tone(Tone.WARNING if left <= _SOON else Tone.MUTED)
        self.show_text(self.tr("Time left: {clock}").format(clock=format_duration(left)))
