"""A small round picture of an account; without one, the first letter of its name on a colour of its own."""

from __future__ import annotations

import zlib

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QImage, QImageReader, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QLabel

SIZE = 44
_LARGEST = 64  # megabytes of memory for decoding


class Avatar(QLabel):
    def __init__(self, path: str, name: str, key: str) -> None:
        super().__init__()
        self.setFixedSize(SIZE, SIZE)
        self.setAccessibleName(self.tr("Picture of {name}").format(name=name))
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(QSize(SIZE, SIZE) * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        round_ = QPainterPath()
        round_.addEllipse(0, 0, SIZE, SIZE)
        painter.setClipPath(round_)
        image = _read(path, round(SIZE * ratio)) if path else QImage()
        if image.isNull():
            self._paint_letter(painter, name, key)
        else:
            painter.drawImage(QRectF(0, 0, SIZE, SIZE), image)
        painter.end()
        self.setPixmap(pixmap)

    def _paint_letter(self, painter: QPainter, name: str, key: str) -> None:
        painter.fillRect(0, 0, SIZE, SIZE, QColor.fromHsv(zlib.crc32(key.encode()) % 360, 140, 130))
        font = QFont(self.font())
        font.setBold(True)
        font.setPixelSize(SIZE // 2)
        painter.setFont(font)
        painter.setPen(Qt.GlobalColor.white)
        letter = name.lstrip("@")[:1].upper() or "?"
        painter.drawText(QRectF(0, 0, SIZE, SIZE), Qt.AlignmentFlag.AlignCenter, letter)


def _read(path: str, size: int) -> QImage:
    """Read the central square of an image, scaled to `size`; a null image if it cannot be read."""
    QImageReader.setAllocationLimit(_LARGEST)
    reader = QImageReader(path)
    reader.setDecideFormatFromContent(True)
    whole = reader.size()
    if whole.isValid():
        side = min(whole.width(), whole.height())
        reader.setScaledSize(whole * (size / side) if side > size else whole)
    image = reader.read()
    side = min(image.width(), image.height())
    return image.copy((image.width() - side) // 2, (image.height() - side) // 2, side, side)
