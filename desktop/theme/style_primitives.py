"""Painting of grounds, edges and marks in the widget style; functions return False for what Fusion paints."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QPlainTextEdit,
    QStyle,
    QTextEdit,
    QToolButton,
    QWidget,
)

from desktop.theme import painting
from desktop.theme.colours import current
from desktop.theme.metrics import RADIUS
from desktop.theme.painting import ENABLED, FOCUS, ButtonKind, kind_of

_PE = QStyle.PrimitiveElement


def _push_button(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    painting.button(painter, option.rect, option.state.value, kind_of(widget), current())
    return True


def _tool_button(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    state = option.state.value
    is_flat = isinstance(widget, QToolButton) and widget.autoRaise()
    kind = kind_of(widget) or (ButtonKind.QUIET if is_flat else ButtonKind.PLAIN)
    painting.button(painter, option.rect, state & ~FOCUS, kind, current())
    return True


def _nothing(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    return True


def _line_panel(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    if not getattr(option, "lineWidth", 0):  # the line inside a spin box or an editable combo box
        return True
    wrong = bool(widget is not None and widget.property("wrong"))
    painting.field(painter, option.rect, option.state.value, current(), wrong=wrong)
    return True


def _frame(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        state = option.state.value
        if not widget.hasFocus():
            state &= ~FOCUS
        read_only = widget.isReadOnly()
        wrong = bool(widget.property("wrong"))
        painting.field(
            painter, option.rect, state | (painting.READ_ONLY if read_only else 0), current(), wrong=wrong
        )
        return True
    use = current()
    ground = use.surface if isinstance(widget, QAbstractItemView) else None
    painting.rounded(painter, QRectF(option.rect), RADIUS, ground, use.line)
    return True


def _check_box(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    painting.check_box(painter, option.rect, option.state.value, current())
    return True


def _radio_button(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    painting.radio_button(painter, option.rect, option.state.value, current())
    return True


def _focus(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    if isinstance(widget, QAbstractItemView) and not isinstance(widget, QListView):
        return True  # the row is selected, and the whole table has the ring
    if kind_of(widget) != "" or type(widget).__name__ == "QPushButton":
        return True  # painted with the button
    rect = option.rect
    if isinstance(widget, QToolButton):
        rect = widget.rect()
    painting.focus_ring(painter, rect, current())
    return True


def _tab_frame(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    painter.setPen(QPen(current().line, 1))
    painter.drawLine(option.rect.topLeft(), option.rect.topRight())
    return True


def _arrow(way: str) -> Any:
    def paint(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
        use = current()
        ink = use.text if option.state.value & ENABLED else use.disabled
        painting.chevron(painter, option.rect, way, ink)
        return True

    return paint


PRIMITIVES = {
    _PE.PE_PanelButtonCommand: _push_button,
    _PE.PE_PanelButtonTool: _tool_button,
    _PE.PE_FrameDefaultButton: _nothing,
    _PE.PE_FrameFocusRect: _focus,
    _PE.PE_PanelLineEdit: _line_panel,
    _PE.PE_FrameLineEdit: _nothing,
    _PE.PE_Frame: _frame,
    _PE.PE_IndicatorCheckBox: _check_box,
    _PE.PE_IndicatorItemViewItemCheck: _check_box,
    _PE.PE_IndicatorRadioButton: _radio_button,
    _PE.PE_FrameTabWidget: _tab_frame,
    _PE.PE_FrameTabBarBase: _nothing,
    _PE.PE_IndicatorArrowDown: _arrow("down"),
    _PE.PE_IndicatorArrowUp: _arrow("up"),
    _PE.PE_IndicatorArrowLeft: _arrow("left"),
    _PE.PE_IndicatorArrowRight: _arrow("right"),
    _PE.PE_PanelScrollAreaCorner: _nothing,
}
