"""Painting of whole controls in the widget style; a function returns False for what Fusion paints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPen
from PySide6.QtWidgets import QAbstractSpinBox, QStyle, QStyleOptionButton, QWidget

from desktop.theme import painting
from desktop.theme.colours import current
from desktop.theme.metrics import CELL_PADDING, GRID, HALF, ICON, RADIUS
from desktop.theme.painting import ENABLED, FOCUS, HOVER, SELECTED, SUNKEN, kind_of
from desktop.theme.style_sizes import ICON_GAP, has_arrow_and_text, scroll_bar_part

_CE, _CC, _SC = QStyle.ControlElement, QStyle.ComplexControl, QStyle.SubControl
_SE, _PE = QStyle.SubElement, QStyle.PrimitiveElement
_TAB_LINE = 3  # pixels
LEFT_TO_RIGHT = Qt.LayoutDirection.LeftToRight


def _button_label(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    """Give the text its colour, and let Fusion paint it, unless there is an icon beside it."""
    ink = painting.button_ink(option.state.value, kind_of(widget), current())
    _recolour(option, QPalette.ColorRole.ButtonText, ink)
    if option.icon.isNull() or not option.text:
        return False
    _icon_and_text(style, option, painter)
    return True


def _icon_and_text(style: QStyle, option: Any, painter: QPainter) -> None:
    """Paint both in the middle of a button; Fusion puts the text too near to the icon."""
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextShowMnemonic
    enabled = bool(option.state.value & ENABLED)
    text = style.itemTextRect(option.fontMetrics, option.rect, int(flags), enabled, option.text)
    icon, rect = option.iconSize, option.rect
    wide = icon.width() + ICON_GAP + text.width()
    start = rect.x() + max(0, (rect.width() - wide) // 2)
    mark = QRect(start, rect.y() + (rect.height() - icon.height()) // 2, icon.width(), icon.height())
    words = QRect(mark.right() + 1 + ICON_GAP, rect.y(), text.width() + 1, rect.height())
    mode = QIcon.Mode.Normal if enabled else QIcon.Mode.Disabled
    option.icon.paint(painter, style.visualRect(option.direction, rect, mark), mode=mode)
    place = style.visualRect(option.direction, rect, words)
    ink = QPalette.ColorRole.ButtonText
    style.drawItemText(painter, place, int(flags), option.palette, enabled, option.text, ink)


def _tool_label(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    """Paint an arrow and the text after it; Fusion sets no gap between them from right to left."""
    if not has_arrow_and_text(option):
        return False
    rect = option.rect
    mark = QRect(rect.x() + HALF, rect.y() + (rect.height() - ICON) // 2, ICON, ICON)
    words = QRect(mark.right() + 1 + HALF, rect.y(), rect.width(), rect.height())
    words.setRight(rect.right())
    enabled = bool(option.state.value & ENABLED)
    way = {Qt.ArrowType.DownArrow: "down", Qt.ArrowType.LeftArrow: "left"}.get(option.arrowType, "right")
    ink = current().text if enabled else current().disabled
    painting.chevron(painter, style.visualRect(option.direction, rect, mark), way, ink)
    flags = style.visualAlignment(option.direction, Qt.AlignmentFlag.AlignLeft)
    flags |= Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic
    _recolour(option, QPalette.ColorRole.ButtonText, ink)
    place = style.visualRect(option.direction, rect, words)
    role = QPalette.ColorRole.ButtonText
    style.drawItemText(painter, place, int(flags), option.palette, enabled, option.text, role)
    return True


def _recolour(option: Any, role: QPalette.ColorRole, ink: QColor) -> None:
    palette = QPalette(option.palette)
    palette.setColor(role, ink)
    option.palette = palette


def _tab_shape(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    """Paint a tab as text with a bar under the chosen one."""
    use, state = current(), option.state.value
    rect = QRectF(option.rect)
    if state & HOVER and not state & SELECTED:
        painting.rounded(painter, rect.adjusted(2, 2, -2, -4), RADIUS, use.hover, None)
    if state & SELECTED:
        bar = QRectF(rect.x() + GRID, rect.bottom() - _TAB_LINE, rect.width() - 2 * GRID, _TAB_LINE)
        painting.rounded(painter, bar, _TAB_LINE / 2, use.accent, None)
    if state & FOCUS:
        painting.focus_ring(painter, option.rect.adjusted(1, 1, -1, -4), use)
    return True


def _header(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    use = current()
    painter.fillRect(option.rect, use.surface)
    painter.setPen(QPen(use.line, 1))
    painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
    return True


def _header_label(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    """Begin where the text of the cells below begins; Fusion paints the label."""
    before = CELL_PADDING if option.direction == LEFT_TO_RIGHT else 0
    option.rect = option.rect.adjusted(before, 0, before - CELL_PADDING, 0)
    return False


def _splitter(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    use = current()
    dots = QRectF(0, 0, 24, 3) if option.rect.width() > option.rect.height() else QRectF(0, 0, 3, 24)
    dots.moveCenter(QRectF(option.rect).center())
    painting.rounded(painter, dots, 1.5, use.muted if option.state.value & HOVER else use.line, None)
    return True


def _progress(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    """Paint a bar of known progress; Fusion animates the other."""
    span = option.maximum - option.minimum
    if span <= 0:
        return False
    use = current()
    rect = QRectF(option.rect)
    track = QRectF(rect.x(), rect.center().y() - 3, rect.width(), 6)
    painting.rounded(painter, track, 3, use.line, None)
    track.setWidth(max(6.0, track.width() * (option.progress - option.minimum) / span))
    if option.direction != LEFT_TO_RIGHT:
        track.moveRight(rect.right())
    painting.rounded(painter, track, 3, use.accent, None)
    return True


def _menu_item(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    """Give the entry under the pointer the pale ground of lists; Fusion paints the rest."""
    use = current()
    palette = QPalette(option.palette)
    palette.setColor(QPalette.ColorRole.Highlight, use.selected)
    palette.setColor(QPalette.ColorRole.HighlightedText, use.text)
    option.palette = palette
    return False


def _marked(mark: QStyle.PrimitiveElement, label: QStyle.ControlElement) -> Callable[..., bool]:
    """Return the painter of a check box or radio button: Fusion would set the ring around its text alone."""

    def paint(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
        part, whole = QStyleOptionButton(option), QRect(option.rect)
        part.rect = style.subElementRect(_SE.SE_CheckBoxIndicator, option, widget)
        style.drawPrimitive(mark, part, painter, widget)
        part.rect = style.subElementRect(_SE.SE_CheckBoxContents, option, widget)
        style.drawControl(label, part, painter, widget)
        if option.state.value & FOCUS:
            painting.focus_ring(painter, whole, current())
        return True

    return paint


CONTROLS = {
    _CE.CE_CheckBox: _marked(_PE.PE_IndicatorCheckBox, _CE.CE_CheckBoxLabel),
    _CE.CE_RadioButton: _marked(_PE.PE_IndicatorRadioButton, _CE.CE_RadioButtonLabel),
    _CE.CE_PushButtonLabel: _button_label,
    _CE.CE_ToolButtonLabel: _tool_label,
    _CE.CE_TabBarTabShape: _tab_shape,
    _CE.CE_HeaderSection: _header,
    _CE.CE_HeaderEmptyArea: _header,
    _CE.CE_HeaderLabel: _header_label,
    _CE.CE_Splitter: _splitter,
    _CE.CE_ProgressBar: _progress,
    _CE.CE_MenuItem: _menu_item,
}


def _combo_box(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    use, state = current(), option.state.value
    wrong = bool(widget is not None and widget.property("wrong"))
    painting.field(painter, option.rect, state, use, wrong=wrong)
    arrow = style.subControlRect(_CC.CC_ComboBox, option, _SC.SC_ComboBoxArrow, widget)
    painting.chevron(painter, arrow, "down", use.text if state & ENABLED else use.disabled)
    return True


def _spin_box(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    use, state = current(), option.state.value
    wrong = bool(widget is not None and widget.property("wrong"))
    painting.field(painter, option.rect, state, use, wrong=wrong)
    if option.buttonSymbols == QAbstractSpinBox.ButtonSymbols.NoButtons:
        return True
    for part, way, step in (
        (_SC.SC_SpinBoxUp, "up", QAbstractSpinBox.StepEnabledFlag.StepUpEnabled),
        (_SC.SC_SpinBoxDown, "down", QAbstractSpinBox.StepEnabledFlag.StepDownEnabled),
    ):
        place = style.subControlRect(_CC.CC_SpinBox, option, part, widget)
        works = state & ENABLED and option.stepEnabled & step
        if works and state & HOVER and option.activeSubControls.value & part.value:
            painting.rounded(painter, QRectF(place).adjusted(1, 1, -1, -1), 4, use.hover, None)
        painting.chevron(painter, place, way, use.text if works else use.disabled, 10)
    return True


def _scroll_bar(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    if option.maximum > option.minimum:
        handle = scroll_bar_part(option, _SC.SC_ScrollBarSlider)
        held = bool(option.state.value & SUNKEN)
        painting.scroll_handle(painter, handle, option.state.value, held, current())
    return True


def _slider(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    if option.orientation != Qt.Orientation.Horizontal:
        return False
    use, state = current(), option.state.value
    handle = QRectF(style.subControlRect(_CC.CC_Slider, option, _SC.SC_SliderHandle, widget))
    groove = QRectF(option.rect).adjusted(4, 0, -4, 0)
    track = QRectF(groove.x(), handle.center().y() - 2, groove.width(), 4)
    painting.rounded(painter, track, 2, use.border, None)
    filled = QRectF(track)
    if option.upsideDown != (option.direction != LEFT_TO_RIGHT):
        filled.setLeft(handle.center().x())
    else:
        filled.setRight(handle.center().x())
    painting.rounded(painter, filled, 2, use.accent if state & ENABLED else use.disabled, None)
    knob = QRectF(0, 0, 16, 16)
    knob.moveCenter(handle.center())
    if state & FOCUS:
        painting.rounded(painter, knob.adjusted(-3, -3, 3, 3), 11, use.surface, use.focus, 2)
    painting.rounded(painter, knob, 8, use.accent if state & ENABLED else use.disabled, use.surface, 2)
    return True


def _tool_button_parts(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    """Leave the arrow out of a button that is but a symbol: it opens its menu at once."""
    if option.toolButtonStyle == Qt.ToolButtonStyle.ToolButtonIconOnly:
        option.features = type(option).ToolButtonFeature(0)
    return False


COMPLEX_CONTROLS = {
    _CC.CC_ToolButton: _tool_button_parts,
    _CC.CC_ComboBox: _combo_box,
    _CC.CC_SpinBox: _spin_box,
    _CC.CC_ScrollBar: _scroll_bar,
    _CC.CC_Slider: _slider,
}
