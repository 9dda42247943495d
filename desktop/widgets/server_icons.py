"""The icons that servers declare, decoded in another thread: their bytes are not to be trusted.

Avatar asks `server_icons()` for a picture by the server's name, and draws a monogram if there is none.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader

from bridge.api import Status
from desktop.system.gui_thread import submit

_LARGEST = 2048 * 2048  # pixels; a larger picture is not decoded
_SIDE = 128  # pixels that are kept
_FORMATS = ("png", "jpeg")


class ServerIcons(QObject):
    changed = Signal(str)  # name of a server

    def __init__(self) -> None:
        super().__init__()
        self._paths: dict[str, str] = {}  # server → file
        self._images: dict[str, QImage] = {}  # server → picture

    def image(self, server: str) -> QImage:
        """Return the picture of a server; a null image if there is none."""
        return self._images.get(server, QImage())

    def draw(self, status: Status) -> None:
        """Decode the icons that are new in Status; forget those that are gone."""
        paths = {server.name: server.icon for server in status.servers if server.icon}
        before, self._paths = self._paths, paths
        for name in before.keys() - paths.keys():
            if self._images.pop(name, None) is not None:
                self.changed.emit(name)
        fresh = [(name, path) for name, path in paths.items() if before.get(name) != path]
        if not fresh:
            return
        with_thread = ThreadPoolExecutor(1, "deskbell-icons")
        for name, path in fresh:
            submit(with_thread, self, partial(_decode, path), partial(self._keep, name, path))
        with_thread.shutdown(wait=False)  # the thread ends with its last picture

    def _keep(self, name: str, path: str, image: QImage) -> None:
        if self._paths.get(name) == path and not image.isNull():
            self._images[name] = image
            self.changed.emit(name)


@cache
def server_icons() -> ServerIcons:
    return ServerIcons()


def _decode(path: str) -> QImage:
    """Return the picture in a file, scaled to fit _SIDE; a null image if it is too large or no picture.

    Runs in another thread. Every Qt class that it uses is created by this module's imports: two threads that
    create PySide's classes crash (lazy/module_loading.py).
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return QImage()
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    size = reader.size()
    if reader.format().toStdString() not in _FORMATS or not 0 < size.width() * size.height() <= _LARGEST:
        return QImage()
    if max(size.width(), size.height()) > _SIDE:
        reader.setScaledSize(size.scaled(QSize(_SIDE, _SIDE), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()
