"""Show one window with sample content, to be looked at: `python -m tests.desktop.gallery form --rtl`.

`all --into FOLDER` shows one after the other and leaves pictures there, with places.json and cut.json.
The rig's shots.sh takes pictures of one in light, dark, right-to-left and 200 %.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget

from desktop.language import install_translators
from desktop.questions.popup_card import PopupCard
from desktop.questions.presenter import QuestionPresenter
from desktop.theme.appearance import Theme, install
from desktop.tray.tray import Tray
from desktop.widgets.focus_ring import FocusRing
from desktop.widgets.scroll import FittingScroll
from tests.desktop import samples, scenes, showcase

SETTLE = 0.35  # seconds until a window manager has put a window up and nothing moves
SCENES = {**scenes.SCENES, **showcase.SCENES}


class Browser(QObject):
    """Opens nothing."""

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        print(url.toString())


def _settle(seconds: float = SETTLE) -> None:
    scenes.settle()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.01)


def _place(window: QWidget) -> tuple[int, ...]:
    """Left, top, width and height of the window with its frame, in pixels of the screen."""
    frame, ratio = window.windowHandle().frameGeometry(), window.devicePixelRatioF()  # the widget's may lag
    return tuple(round(one * ratio) for one in (frame.x(), frame.y(), frame.width(), frame.height()))


def _cut_off(window: QWidget) -> list[str]:
    """What scrolls up and down only, and is wider than there is room."""
    areas = [area for area in window.findChildren(FittingScroll) if area.isVisible()]
    wide = [(area, area.widget().width()) for area in areas]  # type: ignore[union-attr]
    return [type(area.parent()).__name__ for area, wanted in wide if wanted > area.viewport().width()]


def tour(folder: Path, names: list[str], settle: float = SETTLE) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    places, cut = {}, {}
    for name in names:
        window = SCENES[name]()
        if not isinstance(window, PopupCard):
            window.activateWindow()
        _settle(settle)
        places[name], cut[name] = _place(window), _cut_off(window)
        subprocess.run(["import", "-window", "root", str(folder / f"{name}.png")], check=True, timeout=30)
        scenes.put_away()
        _settle()
    (folder / "places.json").write_text(json.dumps(places))
    (folder / "cut.json").write_text(json.dumps({name: what for name, what in cut.items() if what}))


def _tray() -> list[object]:
    tray, presenter = Tray(), QuestionPresenter()
    for part in (tray, presenter):
        part.draw(samples.busy())
    tray.look()
    return [tray, presenter]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", nargs="+", choices=[*SCENES, "tray", "all"])
    parser.add_argument("--into", type=Path)
    parser.add_argument("--rtl", action="store_true")
    parser.add_argument("--scheme", choices=("Light", "Dark"), default="")
    parser.add_argument("--settle", type=float, default=SETTLE, help="seconds before each picture")
    parser.add_argument("--language", default="en")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    app = QApplication(["gallery"])
    app.setQuitOnLastWindowClosed(given.into is None)
    app.setCursorFlashTime(0)
    browser = Browser()
    QDesktopServices.setUrlHandler("https", browser, "open")  # type: ignore[arg-type]
    install_translators(app, given.language)
    if given.rtl:
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    install(app)
    theme = Theme()
    shown: list[object] = [theme, FocusRing(app)]
    if given.scheme:
        theme.draw(replace(samples.QUIET, theme=given.scheme.lower()))
    if given.into is not None:
        _settle()
        tour(given.into, list(scenes.SCENES) if "all" in given.what else given.what, given.settle)
        return 0
    shown += _tray() if "tray" in given.what else [SCENES[name]() for name in given.what]
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
