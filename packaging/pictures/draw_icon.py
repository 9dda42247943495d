"""The bell as PNG in any size, drawn by Qt without a display."""

from __future__ import annotations

import os
from pathlib import Path


def draw_icon(svg: Path, size: int) -> bytes:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer
    from PySide6.QtGui import QGuiApplication, QIcon

    app = QGuiApplication.instance() or QGuiApplication([])
    image = QIcon(str(svg)).pixmap(size, size).toImage()
    drawn = QBuffer()
    drawn.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(drawn, "PNG")  # type: ignore[call-overload]
    del app
    return bytes(drawn.data().data())
