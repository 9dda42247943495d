"""Icons: Lucide's symbols in the colour of a role, and logos of AI apps (Simple Icons), rendered on demand.

symbol("bell")                       a QIcon in the text's colour, for buttons, menus and lists
symbol_pixmap("bell", colour, 16)    one picture; `ratio`: device pixels to each pixel
logo_pixmap("cursor", 32)            None for an app without a freely licensed logo
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QBuffer, QByteArray, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QImageReader, QPainter, QPixmap

from desktop.theme.colours import current
from desktop.theme.resources import resource

_PIXMAPS = 256  # most in the cache
_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" '
_SVG = _HEAD + "{attributes}>{inner}</svg>"
_STROKE = 'fill="{fill}" stroke="{colour}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'
_cache: dict[tuple[str, int, int, float, bool], QPixmap] = {}


@cache
def _sprite(name: str) -> dict[str, tuple[str, str]]:
    """Read a file of symbols: name → (attributes, elements). Each is a line, as make_icons.py writes it."""
    found = {}
    with open(resource(f"icons/{name}.svg"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("<symbol "):
                head, _, inner = line.partition(">")
                attributes = head.partition('viewBox="0 0 24 24"')[2]
                found[head.split('"', 2)[1]] = attributes, inner.rpartition("</symbol>")[0]
    return found


def _render(svg: str, size: int, ratio: float) -> QPixmap:
    data = QByteArray(svg.encode())
    buffer = QBuffer(data)
    reader = QImageReader(buffer, QByteArray(b"svg"))
    reader.setScaledSize(QSize(size, size) * ratio)
    reader.setBackgroundColor(QColor(Qt.GlobalColor.transparent))
    pixmap = QPixmap.fromImage(reader.read())
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def symbol_pixmap(
    name: str, colour: QColor, size: int, ratio: float = 0.0, *, filled: bool = False
) -> QPixmap:
    """Return a symbol in this colour. `ratio` 0: as the sharpest screen has it."""
    ratio = ratio or QGuiApplication.instance().devicePixelRatio()  # type: ignore[union-attr]
    key = name, colour.rgba(), size, ratio, filled
    if key not in _cache:
        if len(_cache) >= _PIXMAPS:
            _cache.clear()
        inner = _sprite("symbols")[name][1]
        stroke = _STROKE.format(colour=colour.name(), fill=colour.name() if filled else "none")
        _cache[key] = _render(_SVG.format(attributes=stroke, inner=inner), size, ratio)
    return _cache[key]


def has_logo(app: str) -> bool:
    return app in _sprite("logos")


def logo_pixmap(app: str, size: int, ratio: float = 0.0) -> QPixmap | None:
    """Return the logo of an AI app or service, by its id."""
    if not has_logo(app):
        return None
    ratio = ratio or QGuiApplication.instance().devicePixelRatio()  # type: ignore[union-attr]
    key = f"logo:{app}", 0, size, ratio, False
    if key not in _cache:
        attributes, inner = _sprite("logos")[app]
        _cache[key] = _render(_SVG.format(attributes=attributes, inner=inner), size, ratio)
    return _cache[key]


class _SymbolEngine(QIconEngine):
    """Paints a symbol in the colour that the palette has when it is painted."""

    def __init__(self, name: str, role: str, filled: bool) -> None:
        super().__init__()
        self._name, self._role, self._filled = name, role, filled

    def clone(self) -> QIconEngine:
        return _SymbolEngine(self._name, self._role, self._filled)

    def _colour(self, mode: QIcon.Mode) -> QColor:
        use = current()
        return use.disabled if mode is QIcon.Mode.Disabled else getattr(use, self._role)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        size = min(rect.width(), rect.height())
        ratio = painter.device().devicePixelRatio()
        place = QRectF(0, 0, size, size)
        place.moveCenter(QPointF(rect.center()) + QPointF(0.5, 0.5))
        painter.drawPixmap(place.topLeft(), self._picture(mode, size, ratio))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self._picture(mode, min(size.width(), size.height()), 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        side = round(min(size.width(), size.height()) / scale)
        return self._picture(mode, side, scale)

    def _picture(self, mode: QIcon.Mode, size: int, ratio: float) -> QPixmap:
        return symbol_pixmap(self._name, self._colour(mode), size, ratio, filled=self._filled)


def symbol(name: str, role: str = "text", *, filled: bool = False) -> QIcon:
    """Return an icon that follows light and dark. `role`: a field of Colours."""
    if name not in _sprite("symbols"):
        raise KeyError(f"no symbol {name}: add it to packaging/pictures/make_icons.py and run that")
    return QIcon(_SymbolEngine(name, role, filled))
