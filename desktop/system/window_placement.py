"""Where windows open and stay: on the screen the person is at, and on one that is there.

The main window comes back where it was, as far as that still exists; a question opens where the pointer is. A
screen that goes away, or changes its size or its scale, leaves no window out of reach.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QPoint, QRect, QSettings, Qt, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication, QWidget

_GEOMETRY = "geometry"
_TITLE = 48  # pixels; as much of a window's top has its title in it
_SEEN = 200  # pixels of that, or half of it, that must be on a screen for it to be read and got hold of
_WITH_TITLE = (Qt.WindowType.Window, Qt.WindowType.Dialog)
_SETTLE = 300  # ms; screens come and go in several steps


class WindowPlacement(QObject):
    """Remembers in `file`; keeps every window of the application within reach while it lives."""

    def __init__(self, file: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self._scales = _scales()
        self._soon = QTimer(self, singleShot=True, interval=_SETTLE)
        self._soon.timeout.connect(self._gather)
        app: QGuiApplication = QGuiApplication.instance()  # type: ignore[assignment]
        app.screenAdded.connect(self._watch)
        app.screenRemoved.connect(lambda _: self._soon.start())
        app.primaryScreenChanged.connect(lambda _: self._soon.start())
        for screen in QGuiApplication.screens():
            self._watch(screen)

    def restore(self, window: QWidget) -> None:
        """As it was when it was last seen; else as it is, where the person is."""
        kept = QSettings(str(self._file), QSettings.Format.IniFormat).value(
            f"{window.objectName()}/{_GEOMETRY}"
        )
        if not isinstance(kept, QByteArray) or not window.restoreGeometry(kept):
            center_on_pointer_screen(window)
        elif not window.isMaximized():
            _bring_within_reach(window)

    def remember(self, window: QWidget) -> None:
        store = QSettings(str(self._file), QSettings.Format.IniFormat)
        if not window.isMinimized():
            store.setValue(f"{window.objectName()}/{_GEOMETRY}", window.saveGeometry())

    def close(self) -> None:
        self._soon.stop()

    def _watch(self, screen: QScreen) -> None:
        for changed in (
            screen.availableGeometryChanged,
            screen.geometryChanged,
            screen.logicalDotsPerInchChanged,
            screen.physicalDotsPerInchChanged,
        ):
            changed.connect(self._soon.start)
        self._soon.start()

    def _gather(self) -> None:
        before, self._scales = self._scales, _scales()
        for window in QApplication.topLevelWidgets():
            if window.isVisible() and window.windowType() in _WITH_TITLE:
                if self._scales != before:
                    _measure_again(window)
                _bring_within_reach(window)


def pointer_screen() -> QScreen:
    return QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()


def center_on_pointer_screen(window: QWidget) -> None:
    """In the middle of the screen with the pointer; a window that has not been shown yet."""
    screen = pointer_screen()
    window.setScreen(screen)
    room = screen.availableGeometry()
    size = window.size().boundedTo(room.size())
    place = QRect(QPoint(), size)
    place.moveCenter(room.center())
    window.setGeometry(place)


def _bring_within_reach(window: QWidget) -> None:
    """Left alone where it can be got hold of by its title and is no larger than its screen."""
    if window.isMaximized() or window.isFullScreen() or window.isMinimized():
        return
    frame = window.frameGeometry()
    top = QRect(frame.left(), frame.top(), frame.width(), _TITLE)
    rooms = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    seen = [room for room in rooms if _enough(room.intersected(top), top)]
    room = seen[0] if seen else pointer_screen().availableGeometry()
    size = frame.size().boundedTo(room.size())
    if seen and size == frame.size():
        return
    around = frame.size() - window.size()
    window.resize(size - around)
    fitted = QRect(frame.topLeft(), size)
    if not room.contains(fitted):
        fitted.moveCenter(room.center())
    window.move(fitted.topLeft())


def _scales() -> list[float]:
    return [screen.devicePixelRatio() for screen in QGuiApplication.screens()]


def _measure_again(window: QWidget) -> None:
    """X has it as large as before a smaller scale, until its size changes: half of it would be empty."""
    if not window.isMaximized() and not window.isFullScreen():
        size = window.size()
        window.resize(size.width(), size.height() + 1)
        window.resize(size)


def _enough(seen: QRect, top: QRect) -> bool:
    return seen.width() >= min(_SEEN, top.width() // 2) and seen.height() >= _TITLE // 2
