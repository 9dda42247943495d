"""Paint the parts of controls: grounds, edges, focus ring, marks. What is painted where is in style.py."""

from __future__ import annotations

from enum import StrEnum
from math import ceil

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyle, QWidget

from desktop.theme.colours import Colours
from desktop.theme.metrics import RADIUS, RING

State = QStyle.StateFlag
ENABLED, FOCUS, HOVER = State.State_Enabled.value, State.State_HasFocus.value, State.State_MouseOver.value
SUNKEN, ON, SELECTED = State.State_Sunken.value, State.State_On.value, State.State_Selected.value
NO_CHANGE, READ_ONLY = State.State_NoChange.value, State.State_ReadOnly.value
AUTO_RAISE = State.State_AutoRaise.value
_NO_PEN = QPen(Qt.PenStyle.NoPen)
_NO_BRUSH = QBrush(Qt.BrushStyle.NoBrush)


class ButtonKind(StrEnum):
    """Importance of a button. A window has at most one PRIMARY button."""

    PLAIN = ""
    PRIMARY = "primary"  # filled: what most people do next
    QUIET = "quiet"  # without an edge, like a link: ways out, more, details
    DANGER = "danger"  # cannot be undone


def set_kind(button: QWidget, kind: ButtonKind) -> None:
    """Give a button the look of its kind."""
    button.setProperty("kind", str(kind))
    button.update()


def kind_of(widget: QWidget | None) -> str:
    return (widget.property("kind") or "") if widget is not None else ""


def rounded(
    painter: QPainter,
    rect: QRectF,
    radius: float,
    fill: QColor | None,
    edge: QColor | None,
    width: float = 1.0,
) -> None:
    """Paint a rounded rectangle whose edge lies inside `rect`, sharp at any scale."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inset = width / 2 if edge is not None else 0.0
    painter.setPen(QPen(edge, width) if edge is not None else _NO_PEN)
    painter.setBrush(fill if fill is not None else _NO_BRUSH)
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius - inset, radius - inset)
    painter.restore()


def focus_ring(painter: QPainter, rect: QRect, use: Colours) -> None:
    """Paint the ring along the inside of `rect`."""
    rounded(painter, QRectF(rect), RADIUS, None, use.focus, RING)


def _grounds(kind: str, use: Colours) -> tuple[QColor | None, QColor | None, QColor | None, QColor | None]:
    """Return ground, ground under the pointer, pressed ground and edge of a kind of button."""
    if kind == ButtonKind.PRIMARY:
        return use.accent, use.accent_hover, use.accent, None
    if kind == ButtonKind.QUIET:
        return None, use.hover, use.pressed, None
    if kind == ButtonKind.DANGER:
        return use.surface, use.error_ground, use.error_ground, use.error
    return use.surface, use.hover, use.pressed, use.border


def button(painter: QPainter, rect: QRect, state: int, kind: str, use: Colours) -> None:
    ground, hover, pressed, edge = _grounds(kind, use)
    fill = pressed if state & (SUNKEN | ON) else hover if state & HOVER else ground
    if not state & ENABLED:
        fill = None if kind == ButtonKind.QUIET else use.hover
        edge = None if kind == ButtonKind.QUIET else use.line
    place = QRectF(rect)
    if state & FOCUS:
        rounded(painter, place, RADIUS, None, use.focus, RING)
        place.adjust(RING + 1, RING + 1, -RING - 1, -RING - 1)  # the gap distinguishes focused from filled
        rounded(painter, place, RADIUS - RING - 1, fill, None)
    else:
        rounded(painter, place, RADIUS, fill, edge)


def button_ink(state: int, kind: str, use: Colours) -> QColor:
    """Return the colour of a button's text."""
    if not state & ENABLED:
        return use.disabled
    inks: dict[str, QColor] = {
        ButtonKind.PRIMARY: use.on_accent,
        ButtonKind.QUIET: use.link,
        ButtonKind.DANGER: use.error,
    }
    return inks.get(kind, use.text)


def field(painter: QPainter, rect: QRect, state: int, use: Colours, *, wrong: bool = False) -> None:
    """Paint the ground of a text field, combo box or spin box."""
    ground = use.surface if state & ENABLED and not state & READ_ONLY else use.window
    if state & FOCUS:
        rounded(painter, QRectF(rect), RADIUS, ground, use.focus, RING)
        return
    edge = use.error if wrong else use.border if state & ENABLED else use.line
    if state & HOVER and state & ENABLED and not wrong:
        edge = use.text
    rounded(painter, QRectF(rect), RADIUS, ground, edge)


def check_box(painter: QPainter, rect: QRect, state: int, use: Colours) -> None:
    _indicator(painter, rect, state, use, 4.0)
    place = QRectF(rect)
    if state & NO_CHANGE:
        _stroke(painter, use, state, [(0.28, 0.5), (0.72, 0.5)], place)
    elif state & ON:
        _stroke(painter, use, state, [(0.24, 0.53), (0.43, 0.71), (0.77, 0.32)], place)


def radio_button(painter: QPainter, rect: QRect, state: int, use: Colours) -> None:
    _indicator(painter, rect, state, use, rect.width() / 2)
    if state & ON:
        dot = QRectF(rect).adjusted(*(rect.width() * one for one in (0.32, 0.32, -0.32, -0.32)))
        rounded(painter, dot, dot.width() / 2, use.on_accent if state & ENABLED else use.surface, None)


def _indicator(painter: QPainter, rect: QRect, state: int, use: Colours, radius: float) -> None:
    chosen = state & (ON | NO_CHANGE)
    if not state & ENABLED:
        fill, edge = (use.disabled if chosen else use.window), use.disabled
    elif chosen:
        fill = edge = use.accent_hover if state & HOVER else use.accent
    else:
        fill, edge = (use.hover if state & HOVER else use.surface), use.border
    rounded(painter, QRectF(rect), radius, fill, edge, 1.5)


def _stroke(
    painter: QPainter, use: Colours, state: int, points: list[tuple[float, float]], place: QRectF
) -> None:
    ink = use.on_accent if state & ENABLED else use.surface
    polyline(painter, ink, points, place, 2.0)


def polyline(
    painter: QPainter, ink: QColor, points: list[tuple[float, float]], place: QRectF, width: float
) -> None:
    """Draw lines between points given as shares of `place`."""
    path = QPainterPath()
    for number, (x, y) in enumerate(points):
        point = QPointF(place.x() + x * place.width(), place.y() + y * place.height())
        (path.lineTo if number else path.moveTo)(point)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(_NO_BRUSH)
    pen = QPen(ink, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawPath(path)
    painter.restore()


_CHEVRONS = {
    "down": [(0.2, 0.36), (0.5, 0.66), (0.8, 0.36)],
    "up": [(0.2, 0.64), (0.5, 0.34), (0.8, 0.64)],
    "right": [(0.36, 0.2), (0.66, 0.5), (0.36, 0.8)],
    "left": [(0.64, 0.2), (0.34, 0.5), (0.64, 0.8)],
}


def chevron(painter: QPainter, rect: QRect, way: str, ink: QColor, size: int = 12) -> None:
    """Draw a chevron in the middle of `rect`."""
    side = min(size, rect.width(), rect.height())
    place = QRectF(0, 0, side, side)
    place.moveCenter(QRectF(rect).center())
    polyline(painter, ink, _CHEVRONS[way], place, 1.6)


def scroll_handle(painter: QPainter, rect: QRect, state: int, active: bool, use: Colours) -> None:
    """Draw the handle of a scroll bar: slim, wider under the pointer."""
    lies = rect.width() > rect.height()
    thick = 8 if active or state & HOVER else 6
    place = QRectF(rect)
    if lies:
        place = QRectF(place.x() + 2, place.center().y() - thick / 2, place.width() - 4, thick)
    else:
        place = QRectF(place.center().x() - thick / 2, place.y() + 2, thick, place.height() - 4)
    rounded(painter, place, thick / 2, use.muted if active else use.border, None)


def count_badge(painter: QPainter, rect: QRect, text: str, use: Colours) -> None:
    """Paint a count on a filled pill; the painter has its font."""
    rounded(painter, QRectF(rect), ceil(rect.height() / 2), use.badge, None)
    painter.setPen(use.on_badge)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
