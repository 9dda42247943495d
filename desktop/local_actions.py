"""Actions of windows that need no bridge: autostart, token, bundle, log, diagnostics, About.

Files are read and written in a thread, so that windows stay responsive.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from bridge.api import (
    BackgroundTasks,
    DeskbellError,
    Home,
    Status,
    diagnose,
    failure_text,
    log_tail,
    save_bundle,
)
from desktop.language import translated
from desktop.lazy.module_loading import when_loaded
from desktop.qt_loop import in_thread
from desktop.system import autostart
from desktop.widgets.icons import app_icon
from desktop.widgets.text.bidi import isolate

if TYPE_CHECKING:  # imported when a window is first opened
    from desktop.text_windows import AboutWindow, TextWindow

_ICON = 256  # pixels
_READING = "desktop.text_windows"


class LocalActions(QObject):
    autostart = Signal(bool, str)  # whether it is on, and what went wrong
    bundle = Signal(str, str)  # the file that was written, or what went wrong

    def __init__(self, home: Home) -> None:
        super().__init__()
        self._home = home
        self._entry = autostart.entry()
        self._status = Status()
        self._tasks = BackgroundTasks()
        self._windows: dict[str, TextWindow | AboutWindow] = {}

    def draw(self, status: Status) -> None:
        self._status = status

    async def close(self) -> None:
        for window in self._windows.values():
            window.close()
            window.deleteLater()
        self._windows.clear()
        await self._tasks.wait()

    def when_loaded(self, module: str, act: Callable[[], None]) -> None:
        """Import a module in a thread, then call `act`; for windows, see lazy/module_loading."""
        self._tasks.start(self._load(module, act))

    async def _load(self, module: str, act: Callable[[], None]) -> None:
        def load() -> bool:
            try:
                importlib.import_module(module)
            except ImportError:  # only some platforms need it
                return False
            return True

        if await in_thread(load):
            act()

    # autostart

    def repair_autostart(self) -> None:
        self._tasks.start(in_thread(partial(autostart.repair, self._entry)))

    def read_autostart(self) -> None:
        self._tasks.start(self._look_at_autostart())

    def switch_autostart(self, on: bool) -> None:
        self._tasks.start(self._switch_autostart(on))

    async def _look_at_autostart(self, problem: str = "") -> None:
        self.autostart.emit(await in_thread(partial(autostart.is_on, self._entry)), problem)

    async def _switch_autostart(self, on: bool) -> None:
        problem = ""
        try:
            await in_thread(partial(autostart.switch, self._entry, on))
        except OSError as error:
            problem = self.tr("That could not be changed: {why}").format(why=error)
        await self._look_at_autostart(problem)

    # windows

    def copy_token(self) -> None:
        self._tasks.start(self._copy_token())

    async def _copy_token(self) -> None:
        try:
            token = await in_thread(self._home.read_token)
        except DeskbellError as error:
            token = str(error)
        QGuiApplication.clipboard().setText(token)

    def open_settings(self) -> None:
        """Open config.toml in the system's text editor, or its folder if there is none."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._home.config))):
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._home.root)))

    def save_bundle(self, path: str) -> None:
        """Save the bundle for Claude Desktop."""
        self._tasks.start(self._save_bundle(path, _picture()))

    async def _save_bundle(self, path: str, icon: bytes) -> None:
        try:
            await in_thread(partial(save_bundle, Path(path), icon))
        except DeskbellError as error:
            self.bundle.emit("", translated(failure_text(error)))
        else:
            self.bundle.emit(path, "")

    def show(self, name: str) -> None:
        """Show the window log, diagnostics, licences or about."""
        when_loaded(self, _READING, lambda: self._show(name))

    def _show(self, name: str) -> None:
        window = self._windows.get(name)
        if window is None:
            window = self._windows[name] = self._make(name)
        window.show()
        window.raise_()
        window.activateWindow()

    def _make(self, name: str) -> TextWindow | AboutWindow:
        from desktop.text_windows import AboutWindow, TextWindow

        if name == "about":
            about = AboutWindow(self._status.version)
            about.licences_wanted.connect(lambda: self.show("licences"))
            return about
        if name == "licences":
            note = self.tr("Licences of Deskbell and of everything it is made with.")
            window = TextWindow(name, self.tr("Licences"), note)
        elif name == "log":
            note = self.tr("The end of {file}. It contains no keys or passwords.")
            note = note.format(file=isolate(str(self._home.log)))
            window = TextWindow(name, self.tr("Deskbell log"), note, str(self._home.root))
        else:
            note = self.tr("Share this with support. It contains no secrets or answers.")
            window = TextWindow(name, self.tr("Deskbell diagnostics"), note)
        window.refresh_wanted.connect(lambda: self._tasks.start(self._read(window, name)))
        return window

    async def _read(self, window: TextWindow, name: str) -> None:
        readers: dict[str, Callable[[], str]] = {
            "log": partial(log_tail, self._home.log),
            "diagnostics": partial(diagnose, self._home, self._status),
            "licences": _licences,
        }
        text = await in_thread(readers[name])
        if name in self._windows:
            window.show_text(text)


def _licences() -> str:
    from desktop.licences import all_licences  # here: rarely read

    return all_licences()


def _picture() -> bytes:
    """Return the application's icon as PNG."""
    png = QBuffer()
    png.open(QBuffer.OpenModeFlag.WriteOnly)
    app_icon().pixmap(_ICON, _ICON).toImage().save(png, "PNG")  # type: ignore[call-overload]
    return bytes(png.data().data())
