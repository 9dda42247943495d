"""An on/off switch: what is set takes effect at once. Assistive technology sees a check box."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy

from desktop.theme import motion, painting
from desktop.theme.colours import current
from desktop.theme.metrics import RING, control_height

_WIDE, _HIGH, _KNOB = 40, 20, 14
_ROOM = RING + 2  # around the track, for the focus ring


class Switch(QCheckBox):
    """`spoken`: accessible name. `act` gets each new state."""

    def __init__(
        self,
        name: str,
        spoken: str,
        act: Callable[[bool], object] | None = None,
        *,
        checked: bool = False,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setChecked(checked)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._place = float(checked)
        self.toggled.connect(self._slide)
        if act is not None:
            self.toggled.connect(act)

    def sizeHint(self) -> QSize:
        return QSize(_WIDE + 2 * _ROOM, max(control_height(self.fontMetrics()), _HIGH + 2 * _ROOM))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, point: object) -> bool:
        return True

    def _slide(self, on: bool) -> None:
        if self.isVisible():
            motion.animate(self, self._place, float(on), self._move)
        else:
            self._move(float(on))

    def _move(self, place: float) -> None:
        self._place = place
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        use, painter = current(), QPainter(self)
        on, works = self.isChecked(), self.isEnabled()
        track = QRectF(_ROOM, (self.height() - _HIGH) / 2, _WIDE, _HIGH)
        if self.isRightToLeft():
            track.moveRight(self.width() - _ROOM)
        if self.hasFocus():
            painting.rounded(painter, track.adjusted(-4, -4, 4, 4), _HIGH / 2 + 4, None, use.focus, RING)
        fill = (use.accent if works else use.disabled) if on else use.surface
        edge = None if on else (use.border if works else use.disabled)
        painting.rounded(painter, track, _HIGH / 2, fill, edge, 1.5)
        gap = (_HIGH - _KNOB) / 2
        share = 1 - self._place if self.isRightToLeft() else self._place
        knob = QRectF(track.x() + gap + share * (_WIDE - _HIGH), track.y() + gap, _KNOB, _KNOB)
        ink = use.on_accent if on else (use.border if works else use.disabled)
        painting.rounded(painter, knob, _KNOB / 2, ink, None)
