"""The picture of a server, AI app or person: an icon, a logo, a file, or a monogram on its own colour."""

from __future__ import annotations

import zlib

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QLabel

from desktop.theme.colours import current
from desktop.theme.metrics import scaled_font
from desktop.theme.symbols import logo_pixmap
from desktop.widgets.server_icons import server_icons

SIZE = 32
_LARGEST = 64  # megabytes of memory for decoding
_CACHED = 128  # pictures
_CORNER = 0.24  # share of the size
_INSET = 0.2  # around a logo
_drawn: dict[tuple[object, ...], QPixmap] = {}
# Grounds of monograms: white text on each has a contrast of at least 4.5.
GROUNDS = tuple(
    QColor(one)
    for one in (
        "#1f4b7d", "#7a4a00", "#8a2b4d", "#2c6240", "#5b3f92", "#9a3412",
        "#0f5f6b", "#6b4423", "#3d5a1f", "#7b2d83", "#34507a", "#8c3b3b",
    )
)  # fmt: skip


class Avatar(QLabel):
    """`name`: whose picture it is. `server`: the name of a server, for the icon it declares. `app`: the id of
    an AI app, for its logo. `path`: file of a picture. `round_`: a person's. `key`: what picks the colour of
    the monogram, if not the name."""

    def __init__(
        self,
        name: str,
        *,
        size: int = SIZE,
        server: str = "",
        app: str = "",
        path: str = "",
        round_: bool = False,
        key: str = "",
    ) -> None:
        super().__init__()
        self.setFixedSize(size, size)
        self.setAccessibleName(self.tr("Picture of {name}").format(name=name))
        self._look = (name, size, app, path, round_, key or name, self.devicePixelRatioF())
        self._server = server
        if server:
            server_icons().changed.connect(self._icon_changed)
        self._show()

    def _icon_changed(self, server: str) -> None:
        if server == self._server:
            self._show()

    def _show(self) -> None:
        icon = server_icons().image(self._server) if self._server else QImage()
        look = (*self._look, icon.cacheKey(), current().surface.rgba())
        if look not in _drawn:
            if len(_drawn) >= _CACHED:
                _drawn.clear()
            _drawn[look] = _draw(*self._look, icon)
        self.setPixmap(_drawn[look])


def _draw(
    name: str, size: int, app: str, path: str, round_: bool, key: str, ratio: float, icon: QImage
) -> QPixmap:
    pixmap = QPixmap(QSize(size, size) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    outline = QPainterPath()
    corner = size / 2 if round_ else size * _CORNER
    outline.addRoundedRect(QRectF(0, 0, size, size), corner, corner)
    painter.setClipPath(outline)
    image = _picture(path, round(size * ratio))
    if not icon.isNull():
        _paint_icon(painter, icon, size)
    elif not image.isNull():
        painter.drawImage(QRectF(0, 0, size, size), image)
    elif not _paint_logo(painter, app, size, ratio):
        _paint_monogram(painter, name, key, size)
    painter.end()
    return pixmap


def _paint_logo(painter: QPainter, app: str, size: int, ratio: float) -> bool:
    """Paint an app's logo on a white tile; False if it has none."""
    inner = round(size * (1 - 2 * _INSET))
    logo = logo_pixmap(app, inner, ratio=ratio) if app else None
    if logo is None:
        return False
    painter.fillRect(0, 0, size, size, Qt.GlobalColor.white)
    painter.drawPixmap((size - inner) // 2, (size - inner) // 2, logo)
    _paint_edge(painter, size)
    return True


def _paint_icon(painter: QPainter, icon: QImage, size: int) -> None:
    """Paint all of a server's icon on a white tile; one with transparent parts keeps a distance."""
    inset = size * _INSET / 2 if icon.hasAlphaChannel() else 0.0
    room = QRectF(inset, inset, size - 2 * inset, size - 2 * inset)
    fitted = icon.size().scaled(room.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
    place = QRectF(QPointF(0, 0), QSizeF(fitted))
    place.moveCenter(room.center())
    painter.fillRect(0, 0, size, size, Qt.GlobalColor.white)
    painter.drawImage(place, icon)
    _paint_edge(painter, size)


def _paint_edge(painter: QPainter, size: int) -> None:
    painter.setClipping(False)
    painter.setPen(current().line)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(0.5, 0.5, size - 1, size - 1), size * _CORNER, size * _CORNER)


def monogram(name: str) -> str:
    """Return one or two letters for a name: "github" G, "Claude Code" CC, "@ada.test" A."""
    words = [
        word for word in name.lstrip("@").replace("-", " ").replace("_", " ").split() if word[0].isalnum()
    ]
    letters = [word[0].upper() for word in words if "." not in word or len(words) == 1]
    return "".join(letters[:2]) or "?"


def _paint_monogram(painter: QPainter, name: str, key: str, size: int) -> None:
    painter.fillRect(0, 0, size, size, GROUNDS[zlib.crc32(key.encode()) % len(GROUNDS)])
    text = monogram(name)
    font = scaled_font(bold=True)
    font.setPixelSize(round(size * (0.5 if len(text) == 1 else 0.4)))
    painter.setFont(font)
    painter.setPen(Qt.GlobalColor.white)
    painter.drawText(QRectF(0, 0, size, size), Qt.AlignmentFlag.AlignCenter, text)


def _picture(path: str, size: int) -> QImage:
    """Read the central square of a picture, scaled to `size`; a null image if there is none."""
    if not path:
        return QImage()
    QImageReader.setAllocationLimit(_LARGEST)
    reader = QImageReader(path)
    reader.setDecideFormatFromContent(True)
    whole = reader.size()
    if whole.isValid():
        side = min(whole.width(), whole.height())
        is_vector = bytes(reader.format().data()).startswith(b"svg")
        reader.setScaledSize(whole * (size / side) if side > size or is_vector else whole)
    image = reader.read()
    side = min(image.width(), image.height())
    return image.copy((image.width() - side) // 2, (image.height() - side) // 2, side, side)
