"""Place windows: the main window where it was, a question on the screen with the pointer.

When a screen is removed, resized or rescaled, windows are moved back into reach.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QPoint, QRect, QSettings, Qt, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication, QWidget

_GEOMETRY = "geometry"
_TITLE = 48  # pixels; height of a title bar
_SEEN = 200  # pixels of a title bar (or half of it) that must be on a screen
_WITH_TITLE = (Qt.WindowType.Window, Qt.WindowType.Dialog)
_SETTLE = 300  # milliseconds; screens change in several steps


class WindowPlacement(QObject):
    """Saves geometry in `file`; keeps every window of the application within reach."""

    def __init__(self, file: Path) -> None:
        super().__init__()
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
        """Restore the saved geometry; without one, centre the window on the screen with the pointer."""
        saved = QSettings(str(self._file), QSettings.Format.IniFormat).value(
            f"{window.objectName()}/{_GEOMETRY}"
        )
        if not isinstance(saved, QByteArray) or not window.restoreGeometry(saved):
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
    """Centre a window, not yet shown, on the screen with the pointer."""
    screen = pointer_screen()
    window.setScreen(screen)
    room = screen.availableGeometry()
    size = window.size().boundedTo(room.size())
    place = QRect(QPoint(), size)
    place.moveCenter(room.center())
    window.setGeometry(place)


def keep_above_lower_edge(window: QWidget) -> None:
    """Move up a window that has grown beyond the lower edge of its screen: its buttons are there."""
    if window.isMaximized() or window.isFullScreen() or window.isMinimized():
        return
    room, frame = window.screen().availableGeometry(), window.frameGeometry()
    top = max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height()))
    if top != frame.top():
        window.move(frame.left(), top)


def _bring_within_reach(window: QWidget) -> None:
    """Move a window whose title bar is off screen, and shrink one larger than its screen."""
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
    """Force a new layout: after a scale change X keeps the old pixel size, and half the window is empty."""
    if not window.isMaximized() and not window.isFullScreen():
        size = window.size()
        window.resize(size.width(), size.height() + 1)
        window.resize(size)


def _enough(seen: QRect, top: QRect) -> bool:
    return seen.width() >= min(_SEEN, top.width() // 2) and seen.height() >= _TITLE // 2
