"""Colour roles: what a colour is for, and its value in light, dark and high-contrast windows.

Text roles have a contrast of at least 4.5 on every ground they are meant for, borders and marks of controls 3
(WCAG 2.2, 1.4.3 and 1.4.11); `tests/desktop/theme/test_colours.py` holds them to it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from PySide6.QtGui import QColor, QGuiApplication, QPalette

READABLE = 4.5  # contrast of text, WCAG 2.2 AA
VISIBLE = 3.0  # contrast of borders and marks
_DARK_BELOW = 128  # lightness of 255


@dataclass(frozen=True, slots=True)
class Colours:
    """One set of colours. A `…_ground` is what lies under text; `on_…` is the text on a filled control."""

    window: QColor  # behind everything
    sidebar: QColor
    surface: QColor  # cards, fields, lists
    hover: QColor  # a surface under the pointer
    pressed: QColor
    selected: QColor  # the chosen row or card
    text: QColor
    muted: QColor  # secondary text
    disabled: QColor  # text and marks that cannot be used; exempt from contrast
    link: QColor
    border: QColor  # edges of controls
    line: QColor  # separators and edges of cards: decoration
    accent: QColor  # fill of the primary button, check marks, the bar beside the chosen page
    accent_hover: QColor
    on_accent: QColor
    focus: QColor  # the ring; never the colour of `accent`
    badge: QColor  # fill of counts
    on_badge: QColor
    error: QColor
    error_ground: QColor
    warning: QColor
    warning_ground: QColor
    success: QColor
    success_ground: QColor
    info: QColor
    info_ground: QColor


def _set(**values: str) -> Colours:
    return Colours(**{name: QColor(value) for name, value in values.items()})


LIGHT = _set(
    window="#f6f7f9",
    sidebar="#ebeef3",
    surface="#ffffff",
    hover="#eef2f7",
    pressed="#e2e8f0",
    selected="#dbe6f3",
    text="#16202c",
    muted="#536070",
    disabled="#8d97a4",
    link="#1b5799",
    border="#7d8895",
    line="#dce1e8",
    accent="#1f4b7d",
    accent_hover="#2a5f9a",
    on_accent="#ffffff",
    focus="#b0660a",
    badge="#f3ac3c",
    on_badge="#14243a",
    error="#ad1a23",
    error_ground="#fdecec",
    warning="#854800",
    warning_ground="#fff3de",
    success="#1a673a",
    success_ground="#e5f4ea",
    info="#1b4f8a",
    info_ground="#e7f0fa",
)
DARK = _set(
    window="#171b22",
    sidebar="#11151b",
    surface="#20262f",
    hover="#29313d",
    pressed="#323c4a",
    selected="#2b3a4f",
    text="#edf1f6",
    muted="#aab5c3",
    disabled="#6f7a88",
    link="#8dbcf2",
    border="#778394",
    line="#333c49",
    accent="#f3b14b",
    accent_hover="#f8c373",
    on_accent="#15202e",
    focus="#82b7f6",
    badge="#f3b14b",
    on_badge="#15202e",
    error="#ff9d97",
    error_ground="#3b2227",
    warning="#ffc671",
    warning_ground="#382e1c",
    success="#82d8a0",
    success_ground="#1c3326",
    info="#9cc6f7",
    info_ground="#1d2c40",
)
_MORE_LIGHT = {
    "muted": "#000000",
    "text": "#000000",
    "border": "#000000",
    "line": "#000000",
    "focus": "#8a3c00",
}
_MORE_DARK = {
    "muted": "#ffffff",
    "text": "#ffffff",
    "border": "#ffffff",
    "line": "#ffffff",
    "focus": "#ffffff",
}


def _changed(base: Colours, changes: dict[str, str]) -> Colours:
    values = {one.name: getattr(base, one.name) for one in fields(base)}
    return Colours(**values | {name: QColor(value) for name, value in changes.items()})


HIGH_CONTRAST = {False: _changed(LIGHT, _MORE_LIGHT), True: _changed(DARK, _MORE_DARK)}
_in_use: tuple[int, Colours] = (-1, LIGHT)  # the palette's key, its colours


def is_dark(palette: QPalette) -> bool:
    return palette.color(QPalette.ColorRole.Window).lightness() < _DARK_BELOW


def current() -> Colours:
    """Return the colours in use, as the application's palette has them. Cheap: painting asks often."""
    global _in_use
    palette = QGuiApplication.palette()
    key = palette.cacheKey()
    if key != _in_use[0]:
        dark = is_dark(palette)
        more = palette.color(QPalette.ColorRole.Mid) == HIGH_CONTRAST[dark].border
        _in_use = key, HIGH_CONTRAST[dark] if more else (LIGHT, DARK)[dark]
    return _in_use[1]


def make_palette(dark: bool, *, more_contrast: bool = False) -> QPalette:
    """Return the palette of the application, from which `current` knows the colours again."""
    use = HIGH_CONTRAST[dark] if more_contrast else (LIGHT, DARK)[dark]
    role = QPalette.ColorRole
    palette = QPalette(use.surface, use.window)
    texts = (role.WindowText, role.Text, role.ButtonText, role.ToolTipText)
    for part in texts:
        palette.setColor(part, use.text)
        palette.setColor(QPalette.ColorGroup.Disabled, part, use.disabled)
    for part, colour in {
        role.Base: use.surface,
        role.AlternateBase: use.hover,
        role.Button: use.surface,
        role.ToolTipBase: use.surface,
        role.PlaceholderText: use.muted,
        role.Link: use.link,
        role.LinkVisited: use.link,
        role.Accent: use.accent,
        role.Highlight: _SELECTION[dark][0],
        role.HighlightedText: _SELECTION[dark][1],
        role.Mid: use.border,
        role.Midlight: use.line,
        role.Dark: use.border,
        role.Light: use.surface,
    }.items():
        palette.setColor(part, colour)
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, use.disabled)
    return palette


_SELECTION = {False: (QColor("#1f4b7d"), QColor("#ffffff")), True: (QColor("#2f5d8f"), QColor("#ffffff"))}


def list_palette(dark: bool) -> QPalette:
    """Return what lists and tables have of their own: a pale selection under plain text."""
    use = (LIGHT, DARK)[dark]
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Highlight, use.selected)
    palette.setColor(QPalette.ColorRole.HighlightedText, use.text)
    return palette


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of WCAG 2.2."""
    dark, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
