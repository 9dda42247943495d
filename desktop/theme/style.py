"""The widget style: Fusion with our grounds, edges, focus ring, marks and sizes.

A QProxyStyle and not a style sheet: with a sheet of ten rules a form takes half as long again to build, this
costs 8 microseconds for each part that is painted. `pixelMetric` and `styleHint` are left to Fusion on
purpose: Qt calls them thousands of times for a window, and each call into Python would count. Sizes are in
style_sizes.py, what is painted in style_primitives.py and style_controls.py.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QIcon, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QProxyStyle,
    QStyle,
    QStyleOption,
    QTableView,
    QTextEdit,
    QTreeView,
)

from desktop.theme.metrics import CELL_PADDING, PADDING
from desktop.theme.style_controls import COMPLEX_CONTROLS, CONTROLS, LEFT_TO_RIGHT
from desktop.theme.style_primitives import PRIMITIVES
from desktop.theme.style_sizes import HALF_PADDING, PLACES, SIZES, scroll_bar_part
from desktop.theme.symbols import symbol

_TABLES = (QTableView, QTreeView)
_CELL_TEXT = QStyle.SubElement.SE_ItemViewItemText
_EDIT_FIELDS = {
    QStyle.ComplexControl.CC_ComboBox: (QStyle.SubControl.SC_ComboBoxEditField,),
    QStyle.ComplexControl.CC_SpinBox: (QStyle.SubControl.SC_SpinBoxEditField,),
}
_PLAIN_FRAMES = (QFrame.Shape.StyledPanel,)


class DeskbellStyle(QProxyStyle):
    def __init__(self) -> None:
        super().__init__("Fusion")
        self.setObjectName("deskbell")

    # sizes

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: Any = None
    ) -> QSize:
        wanted = super().sizeFromContents(kind, option, size, widget)
        grow = SIZES.get(kind)
        if grow is None:
            return wanted
        return grow(wanted, option, size, widget)

    def subElementRect(self, element: QStyle.SubElement, option: QStyleOption, widget: Any = None) -> QRect:
        if element == _CELL_TEXT and isinstance(widget, _TABLES):
            text = super().subElementRect(element, option, widget)
            before = CELL_PADDING if option.direction == LEFT_TO_RIGHT else 0
            return text.adjusted(before, 0, before - CELL_PADDING, 0)
        place = PLACES.get(element)
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
        if control == QStyle.ComplexControl.CC_ScrollBar:
            return scroll_bar_part(option, part)
        found = super().subControlRect(control, option, part, widget)
        if part in _EDIT_FIELDS.get(control, ()):
            before = HALF_PADDING if option.direction == LEFT_TO_RIGHT else 0
            found.adjust(before, 0, before - HALF_PADDING, 0)
        return found

    # painting

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: Any = None,
    ) -> None:
        paint = PRIMITIVES.get(element)
        if paint is None or not paint(option, painter, widget):
            super().drawPrimitive(element, option, painter, widget)

    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        widget: Any = None,
    ) -> None:
        paint = CONTROLS.get(element)
        if paint is None or not paint(self, option, painter, widget):
            super().drawControl(element, option, painter, widget)

    def drawComplexControl(
        self, control: QStyle.ComplexControl, option: Any, painter: QPainter, widget: Any = None
    ) -> None:
        paint = COMPLEX_CONTROLS.get(control)
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
