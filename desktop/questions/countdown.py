"""The countdown of the last minute before a question expires, with a button for more time."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import row
from desktop.widgets.text.time_text import format_duration

_MINUTE = 60  # seconds: then the countdown is shown
_SOON = 20  # seconds
_LONGEST = 24 * 60 * 60 * 1000  # milliseconds; QTimer counts in 32 bits, about 24 days


class Countdown(QWidget):
    """Counts down the last minute to a deadline, with a button for more time; before that it is hidden.

    `deadline`: Unix time; 0: none. `more_wanted`: the button was pressed. `resized`: it appeared or is gone.
    """

    more_wanted = Signal()
    resized = Signal()

    def __init__(self, deadline: float) -> None:
        super().__init__()
        self._deadline = deadline
        self._runs = False
        self._text = Label("", name="countdown", tone=Tone.WARNING)
        self._text.setWordWrap(False)
        more = make_button("moreTime", self.tr("&More time"), self.more_wanted.emit, kind=ButtonKind.QUIET)
        more.setAutoDefault(False)
        more.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus where the person types
        self.setLayout(row(self._text, more, 1, spacing=8))
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._draw)
        self.hide()
        self._draw()

    def set_deadline(self, deadline: float) -> None:
        """Count down to `deadline`; 0: the clock is stopped."""
        self._deadline = deadline
        self._draw()

    def run(self, on: bool) -> None:
        """Count only while somebody can see it."""
        self._runs = on
        self._draw()

    def _draw(self) -> None:
        left = self._deadline - time.time() if self._deadline else 0.0
        matters = 0 < left <= _MINUTE
        self._text.set_tone(Tone.ERROR if left <= _SOON else Tone.WARNING)
        words = self.tr("{clock} left").format(clock=format_duration(left))
        self._text.show_text(words if matters else "")
        self._timer.stop()
        if left > 0 and self._runs:
            until_matters = round(1000 * (left - _MINUTE)) + 1
            self._timer.start(1000 if matters else min(until_matters, _LONGEST))
        if matters == self.isHidden():
            self.setVisible(matters)
            self.resized.emit()
