"""The windows' part of `deskbell self-test`: a question's window, the tray icon, translations, resources."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Generator
from pathlib import Path

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

import desktop
from bridge.api import DeskbellError, Mode, Question, Status
from desktop.language import LANGUAGES, install_translators
from desktop.licences import all_licences
from desktop.questions.window_kinds import WINDOWS
from desktop.theme.appearance import Theme, install
from desktop.theme.resources import resource
from desktop.widgets.icons import TrayState, app_icon, draw_tray_icon, tray_variant

_SCHEMA = b'{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}'
_QUESTION = Question(
    "", Mode.FORM, "server", "host", "Who is there?", "tool", schema=_SCHEMA, arguments=b"{}"
)


def checks() -> list[tuple[str, Callable[[], str]]]:
    """Return what is checked, in order; each returns words or raises. All of it needs the application."""
    app = QApplication(["deskbell"])
    install(app)
    theme = Theme()  # colours and fonts, as long as it lives

    def window() -> str:
        made = WINDOWS[Mode.FORM](_QUESTION)
        made.show()
        theme.draw(Status())
        app.processEvents()
        picture = made.grab()
        made.over = True
        made.close()
        if picture.isNull() or not made.windowTitle():
            raise DeskbellError("The window shows nothing")
        size = f"{picture.width()} × {picture.height()}"
        return f"“{made.windowTitle()}”, {size}, style {app.style().objectName()}"

    def tray() -> str:
        drawing = draw_tray_icon(TrayState.WAITING, 1, tray_variant())
        if _finished(drawing).isNull():
            raise DeskbellError("The tray icon cannot be drawn")
        available = QSystemTrayIcon.isSystemTrayAvailable()
        return f"the icon is drawn; {'a tray is here' if available else 'no tray here, a window instead'}"

    def translations() -> str:
        lacking = [one for one in LANGUAGES if install_translators(app, one) != one]
        if lacking:
            raise DeskbellError(f"No translation into {', '.join(lacking)}")
        install_translators(app, "en")
        return ", ".join(LANGUAGES.values())

    return [
        ("Modules of windows", _modules),
        ("Window", window),
        ("Tray", tray),
        ("Translations", translations),
        ("Resources", _resources),
        ("Licences", _licences),
    ]


def _modules() -> str:
    names = [one.name for one in pkgutil.walk_packages(desktop.__path__, "desktop.")]
    for name in names:
        importlib.import_module(name)
    return str(len(names))


def _resources() -> str:
    pictures = sorted(Path(resource("icons")).glob("*.svg"))
    empty = [path.name for path in pictures if QIcon(str(path)).pixmap(32, 32).isNull()]
    if app_icon().isNull() or not pictures or empty:
        raise DeskbellError(f"Pictures cannot be drawn: {', '.join(empty) or 'none is there'}")
    if not Path(resource("sounds/bell.wav")).is_file():
        raise DeskbellError("The sound is missing")
    return f"{len(pictures)} pictures, a sound"


def _licences() -> str:
    names, *texts = all_licences().split("=" * 80 + "\n\n")
    if "PySide6" not in names or not texts:
        raise DeskbellError("The licences of what Deskbell is made of are missing")
    return f"{len(texts)} texts"


def _finished(drawing: Generator[None, None, QIcon]) -> QIcon:
    while True:
        try:
            next(drawing)
        except StopIteration as end:
            icon: QIcon = end.value
            return icon
