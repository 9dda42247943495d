"""Sizes of controls in the widget style, and the places of their parts."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QStyle, QWidget

from desktop.theme.metrics import (
    BUTTON_PADDING,
    GRID,
    HALF,
    ICON,
    INDICATOR,
    PADDING,
    control_height,
    row_height,
)
from desktop.theme.painting import AUTO_RAISE, ButtonKind, kind_of

_CT, _SE, _SC = QStyle.ContentsType, QStyle.SubElement, QStyle.SubControl
HALF_PADDING = PADDING // 2
ICON_GAP, _FUSION_GAP = 8, 4  # between the icon and the text of a button


def _button_size(wanted: QSize, option: Any, contents: QSize, widget: QWidget | None) -> QSize:
    if kind_of(widget) == ButtonKind.QUIET:  # its text stands near the edges of what is above it
        return QSize(contents.width() + 2 * GRID, control_height(option.fontMetrics))
    gap = 0 if option.icon.isNull() else ICON_GAP - _FUSION_GAP
    width = max(contents.width() + gap + 2 * BUTTON_PADDING, wanted.width() if option.text else 0)
    if not option.text:
        width = contents.width() + 2 * GRID
    return QSize(width, max(control_height(option.fontMetrics), wanted.height()))


def _control_size(wanted: QSize, option: Any, contents: QSize, widget: QWidget | None) -> QSize:
    return QSize(wanted.width() + PADDING, max(control_height(option.fontMetrics), wanted.height()))


def _line_size(wanted: QSize, option: Any, contents: QSize, widget: QWidget | None) -> QSize:
    if not getattr(option, "lineWidth", 1):  # inside a spin box
        return wanted
    return QSize(wanted.width() + 2 * HALF_PADDING, max(control_height(option.fontMetrics), wanted.height()))


def _check_size(wanted: QSize, option: Any, contents: QSize, widget: QWidget | None) -> QSize:
    width = contents.width() + INDICATOR + GRID + 2 * _RING_ROOM
    return QSize(width, max(INDICATOR + 6, contents.height() + 4, wanted.height()))


def _row_size(wanted: QSize, option: Any, contents: QSize, widget: QWidget | None) -> QSize:
    return QSize(wanted.width(), max(row_height(option.fontMetrics), wanted.height()))


def _menu_size(wanted: QSize, option: Any, contents: QSize, widget: QWidget | None) -> QSize:
    is_line = option.menuItemType == type(option).MenuItemType.Separator
    return (
        wanted
        if is_line
        else QSize(wanted.width() + GRID, max(row_height(option.fontMetrics), wanted.height()))
    )


def _tab_size(wanted: QSize, option: Any, contents: QSize, widget: QWidget | None) -> QSize:
    return QSize(wanted.width() + GRID, max(control_height(option.fontMetrics), wanted.height()))


def has_arrow_and_text(option: Any) -> bool:
    """Return whether a tool button has an arrow of its own beside its text."""
    beside = option.toolButtonStyle == Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    return beside and bool(option.text) and type(option).ToolButtonFeature.Arrow in option.features


def _tool_size(wanted: QSize, option: Any, contents: QSize, widget: QWidget | None) -> QSize:
    """Give a symbol with an edge the size of a control, and an arrow with a text no more than both need."""
    if has_arrow_and_text(option):
        text = option.fontMetrics.size(int(Qt.TextFlag.TextShowMnemonic), option.text)
        return QSize(HALF + ICON + HALF + text.width() + GRID, wanted.height())
    if option.text or option.state.value & AUTO_RAISE:
        return wanted
    side = control_height(option.fontMetrics)
    return QSize(max(side, wanted.width()), side)


_RING_ROOM = 4  # beside a check box, for the focus ring
SIZES = {
    _CT.CT_PushButton: _button_size,
    _CT.CT_ComboBox: _control_size,
    _CT.CT_SpinBox: _control_size,
    _CT.CT_LineEdit: _line_size,
    _CT.CT_CheckBox: _check_size,
    _CT.CT_RadioButton: _check_size,
    _CT.CT_ItemViewItem: _row_size,
    _CT.CT_MenuItem: _menu_size,
    _CT.CT_TabBarTab: _tab_size,
    _CT.CT_ToolButton: _tool_size,
}


def _line_contents(option: Any) -> QRect | None:
    if not getattr(option, "lineWidth", 0):
        return None
    return QRect(option.rect.adjusted(HALF_PADDING + 2, 1, -HALF_PADDING - 2, -1))


def _indicator_place(option: Any) -> QRect:
    rect = option.rect
    return QRect(rect.x() + _RING_ROOM, rect.y() + (rect.height() - INDICATOR) // 2, INDICATOR, INDICATOR)


def _check_text(option: Any) -> QRect:
    return QRect(option.rect.adjusted(_RING_ROOM + INDICATOR + GRID, 0, -_RING_ROOM, 0))


def _whole(option: Any) -> QRect:
    return QRect(option.rect)


PLACES = {
    _SE.SE_LineEditContents: _line_contents,
    _SE.SE_CheckBoxIndicator: _indicator_place,
    _SE.SE_RadioButtonIndicator: _indicator_place,
    _SE.SE_CheckBoxContents: _check_text,
    _SE.SE_RadioButtonContents: _check_text,
    _SE.SE_CheckBoxFocusRect: _whole,
    _SE.SE_RadioButtonFocusRect: _whole,
    _SE.SE_CheckBoxClickRect: _whole,
    _SE.SE_RadioButtonClickRect: _whole,
    _SE.SE_PushButtonFocusRect: _whole,
}


def scroll_bar_part(option: Any, part: QStyle.SubControl) -> QRect:
    """Return a part of a scroll bar without arrows."""
    rect = option.rect
    upright = option.orientation == Qt.Orientation.Vertical
    length = rect.height() if upright else rect.width()
    span = option.maximum - option.minimum
    handle = length if span <= 0 else max(24, length * option.pageStep // (span + option.pageStep))
    start = QStyle.sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, length - handle, option.upsideDown
    )
    begin, size = {
        _SC.SC_ScrollBarSlider: (start, handle),
        _SC.SC_ScrollBarGroove: (0, length),
        _SC.SC_ScrollBarSubPage: (0, start),
        _SC.SC_ScrollBarAddPage: (start + handle, length - start - handle),
    }.get(part, (0, 0))
    found = QRect(0, begin, rect.width(), size) if upright else QRect(begin, 0, size, rect.height())
    return QStyle.visualRect(option.direction, rect, found.translated(rect.topLeft()))
