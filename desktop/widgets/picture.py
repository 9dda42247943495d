"""Pictures of other people's making: decoded within bounds, scaled down. Fetches nothing."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QSize, Qt
from PySide6.QtGui import QImageReader, QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from desktop.widgets.labels import Label, Tone
from desktop.widgets.text.safe_text import one_line

_LARGEST = 50_000_000  # pixels
translate = QCoreApplication.translate


def make_picture(data: bytes, mime: str, *, name: str, room: int, ratio: float) -> QWidget:
    """Return a label with the picture, at most `room` device-independent pixels wide and high, or with why
    there is none. `ratio`: device pixels to each of these."""
    pixmap = _decoded(data, room, ratio)
    if pixmap is None:
        words = translate("picture", "A picture ({kind}) that cannot be shown.")
        return Label(words.format(kind=one_line(mime, 60)), name=name, tone=Tone.WARNING)
    label = QLabel()
    label.setObjectName(name)
    label.setPixmap(pixmap)
    spoken = translate("picture", "Picture, {width} × {height}")
    label.setAccessibleName(spoken.format(width=pixmap.width(), height=pixmap.height()))
    return label


def _decoded(data: bytes, room: int, ratio: float) -> QPixmap | None:
    """Decode a picture, scaled down; None for a decompression bomb or another failure."""
    bytes_ = QByteArray(data)
    buffer = QBuffer(bytes_)
    reader = QImageReader(buffer)
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > _LARGEST:
        return None
    most = QSize(round(room * ratio), round(room * ratio))
    scaled = size.width() > most.width() or size.height() > most.height()
    if scaled:
        reader.setScaledSize(size.scaled(most, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        return None
    pixmap = QPixmap.fromImage(image)
    pixmap.setDevicePixelRatio(ratio if scaled else 1.0)
    return pixmap
