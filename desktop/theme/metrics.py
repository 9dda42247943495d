"""Sizes: an 8-pixel grid, and fonts relative to the system's. Pixels are device-independent."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication

GRID = 8
HALF = 4
CONTROL = 32  # height of buttons, fields and combo boxes
ROW = 28  # height of a row in lists, tables and menus
ICON = 16  # beside text
SIDEBAR_ICON = 18
INDICATOR = 18  # check boxes and radio buttons
RADIUS = 6.0  # corners of controls
CARD_RADIUS = 10.0
RING = 2  # thickness of the focus ring
PADDING = 10  # from the edge of a field to its text
BUTTON_PADDING = 16
CELL_PADDING = 6  # before the text of a table's cell, beside the 3 pixels of Fusion
_AIR = 12  # above and below the text of a control, together

TITLE, HEADING, BODY, SMALL = 1.5, 1.15, 1.0, 0.92  # scales of the system's font size


def control_height(metrics: QFontMetrics) -> int:
    """Return the height of a control: 32 pixels, more with a large font."""
    return max(CONTROL, metrics.height() + _AIR)


def row_height(metrics: QFontMetrics) -> int:
    return max(ROW, metrics.height() + GRID)


def scaled_font(scale: float = BODY, *, bold: bool = False, base: QFont | None = None) -> QFont:
    """Return the system's font in another size; `base`: another font."""
    font = QFont(base or QGuiApplication.font())
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * scale)
    else:
        font.setPixelSize(round(font.pixelSize() * scale))
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font
