"""The widget style: Fusion with our grounds, edges, focus ring, marks and sizes.

A QProxyStyle and not a style sheet: with a sheet of ten rules a form takes half as long again to build, this
costs 8 microseconds for each part that is painted. `pixelMetric` and `styleHint` are left to Fusion on
purpose: Qt calls them thousands of times for a window, and each call into Python would count.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QFrame,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QProxyStyle,
    QStyle,
    QStyleOption,
    QTextEdit,
    QToolButton,
    QWidget,
)

from desktop.theme import painting
from desktop.theme.colours import current
from desktop.theme.metrics import (
    BUTTON_PADDING,
    GRID,
    INDICATOR,
    PADDING,
    RADIUS,
    control_height,
    row_height,
)
from desktop.theme.painting import AUTO_RAISE, ENABLED, FOCUS, HOVER, SELECTED, SUNKEN, Kind, kind_of
from desktop.theme.symbols import symbol

_PE, _CE, _CC = QStyle.PrimitiveElement, QStyle.ControlElement, QStyle.ComplexControl
_CT, _SE, _SC = QStyle.ContentsType, QStyle.SubElement, QStyle.SubControl
_PLAIN_FRAMES = (QFrame.Shape.StyledPanel,)
_TAB_LINE = 3


class DeskbellStyle(QProxyStyle):
    def __init__(self) -> None:
        super().__init__("Fusion")
        self.setObjectName("deskbell")

    # sizes

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: Any = None
    ) -> QSize:
        wanted = super().sizeFromContents(kind, option, size, widget)
        grow = _SIZES.get(kind)
        if grow is None:
            return wanted
        return grow(wanted, option, size, widget)

    def subElementRect(self, element: QStyle.SubElement, option: QStyleOption, widget: Any = None) -> QRect:
        place = _PLACES.get(element)
        found = place(option) if place is not None else None
        if found is None:
            return super().subElementRect(element, option, widget)
        return QStyle.visualRect(option.direction, option.rect, found)

    def subControlRect(
        self,
        control: QStyle.ComplexControl,
        option: Any,
        part: QStyle.SubControl,
        widget: Any = None,
    ) -> QRect:
        if control == _CC.CC_ScrollBar:
            return _scroll_part(option, part)
        found = super().subControlRect(control, option, part, widget)
        if part == _SC.SC_ComboBoxEditField:
            found.adjust(HALF_PADDING, 0, 0, 0) if option.direction == _LTR else found.adjust(
                0, 0, -HALF_PADDING, 0
            )
        return found

    # painting

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: Any = None,
    ) -> None:
        paint = _PRIMITIVES.get(element)
        if paint is None or not paint(option, painter, widget):
            super().drawPrimitive(element, option, painter, widget)

    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        widget: Any = None,
    ) -> None:
        paint = _CONTROLS.get(element)
        if paint is None or not paint(self, option, painter, widget):
            super().drawControl(element, option, painter, widget)

    def drawComplexControl(
        self, control: QStyle.ComplexControl, option: Any, painter: QPainter, widget: Any = None
    ) -> None:
        paint = _COMPLEX.get(control)
        if paint is None or not paint(self, option, painter, widget):
            super().drawComplexControl(control, option, painter, widget)

    def standardIcon(self, pixmap: QStyle.StandardPixmap, option: Any = None, widget: Any = None) -> QIcon:
        """Return our symbol for the clear button of a line; Qt would search the system's theme for it."""
        if pixmap == QStyle.StandardPixmap.SP_LineEditClearButton:
            return symbol("x", "muted")
        return super().standardIcon(pixmap, option, widget)

    def polish(self, what: Any) -> Any:
        """Give framed text boxes and lists a rounded ground, and text boxes the padding of a line."""
        if isinstance(what, QAbstractScrollArea) and what.frameShape() in _PLAIN_FRAMES:
            if isinstance(what, QPlainTextEdit | QTextEdit):
                what.document().setDocumentMargin(PADDING - 3)
            if isinstance(what, QPlainTextEdit | QTextEdit | QAbstractItemView):
                what.viewport().setAutoFillBackground(False)
        if isinstance(what, QLineEdit):
            what.setAttribute(Qt.WidgetAttribute.WA_Hover)
        return super().polish(what)


HALF_PADDING = PADDING // 2
_LTR = Qt.LayoutDirection.LeftToRight


# --- sizes -------------------------------------------------------------------------------------------------


def _button_size(wanted: QSize, option: Any, contents: QSize, widget: QWidget | None) -> QSize:
    if kind_of(widget) == Kind.QUIET:  # its text stands near the edges of what is above it
        return QSize(contents.width() + 2 * GRID, control_height(option.fontMetrics))
    width = max(contents.width() + 2 * BUTTON_PADDING, wanted.width() if option.text else 0)
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


def _tool_size(wanted: QSize, option: Any, contents: QSize, widget: QWidget | None) -> QSize:
    """Give a symbol with an edge the size of a control, and leave out the blanks that Qt adds to text."""
    if option.toolButtonStyle == Qt.ToolButtonStyle.ToolButtonTextBesideIcon:
        return QSize(wanted.width() - 2 * option.fontMetrics.horizontalAdvance(" "), wanted.height())
    if option.text or option.state.value & AUTO_RAISE:
        return wanted
    side = control_height(option.fontMetrics)
    return QSize(max(side, wanted.width()), side)


_RING_ROOM = 4  # beside a check box, for the focus ring
_SIZES = {
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


_PLACES = {
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


def _scroll_part(option: Any, part: QStyle.SubControl) -> QRect:
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


# --- primitives: each returns False for what Fusion should paint -------------------------------------------


def _push_button(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    painting.button(painter, option.rect, option.state.value, kind_of(widget), current())
    return True


def _tool_button(option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    state = option.state.value
    is_flat = isinstance(widget, QToolButton) and widget.autoRaise()
    kind = kind_of(widget) or (Kind.QUIET if is_flat else Kind.PLAIN)
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


_PRIMITIVES = {
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


# --- controls ----------------------------------------------------------------------------------------------


def _button_label(style: QStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    """Give the text its colour, and let Fusion paint it."""
    ink = painting.button_ink(option.state.value, kind_of(widget), current())
    _recolour(option, QPalette.ColorRole.ButtonText, ink)
    return False


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
    if option.direction != _LTR:
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


_CONTROLS = {
    _CE.CE_PushButtonLabel: _button_label,
    _CE.CE_TabBarTabShape: _tab_shape,
    _CE.CE_HeaderSection: _header,
    _CE.CE_HeaderEmptyArea: _header,
    _CE.CE_Splitter: _splitter,
    _CE.CE_ProgressBar: _progress,
    _CE.CE_MenuItem: _menu_item,
}


# --- complex controls --------------------------------------------------------------------------------------


def _combo_box(style: DeskbellStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    use, state = current(), option.state.value
    wrong = bool(widget is not None and widget.property("wrong"))
    painting.field(painter, option.rect, state, use, wrong=wrong)
    arrow = style.subControlRect(_CC.CC_ComboBox, option, _SC.SC_ComboBoxArrow, widget)
    painting.chevron(painter, arrow, "down", use.text if state & ENABLED else use.disabled)
    return True


def _spin_box(style: DeskbellStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
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


def _scroll_bar(style: DeskbellStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    if option.maximum > option.minimum:
        handle = _scroll_part(option, _SC.SC_ScrollBarSlider)
        held = bool(option.state.value & SUNKEN)
        painting.scroll_handle(painter, handle, option.state.value, held, current())
    return True


def _slider(style: DeskbellStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    if option.orientation != Qt.Orientation.Horizontal:
        return False
    use, state = current(), option.state.value
    handle = QRectF(style.subControlRect(_CC.CC_Slider, option, _SC.SC_SliderHandle, widget))
    groove = QRectF(option.rect).adjusted(4, 0, -4, 0)
    track = QRectF(groove.x(), handle.center().y() - 2, groove.width(), 4)
    painting.rounded(painter, track, 2, use.border, None)
    filled = QRectF(track)
    if option.upsideDown != (option.direction != _LTR):
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


def _tool_button_parts(style: DeskbellStyle, option: Any, painter: QPainter, widget: QWidget | None) -> bool:
    """Leave the arrow out of a button that is but a symbol: it opens its menu at once."""
    if option.toolButtonStyle == Qt.ToolButtonStyle.ToolButtonIconOnly:
        option.features = type(option).ToolButtonFeature(0)
    return False


_COMPLEX = {
    _CC.CC_ToolButton: _tool_button_parts,
    _CC.CC_ComboBox: _combo_box,
    _CC.CC_SpinBox: _spin_box,
    _CC.CC_ScrollBar: _scroll_bar,
    _CC.CC_Slider: _slider,
}
