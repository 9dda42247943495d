"""Show one window with sample content, to be looked at: `python -m tests.desktop.gallery form --rtl`.

The rig's shots.sh takes pictures of it in light, dark, right-to-left and 200 %.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from bridge.api import Question, Status
from desktop.questions.presenter import WINDOWS, QuestionPresenter
from desktop.theme import Theme
from desktop.tray import Tray
from desktop.windows.home import HomeWindow
from tests.desktop import samples

_ODD = "http://user@203.0.113.7:8080/a/very/long/path/" + "x" * 120 + "?state=abcdefghijklmnopqrstuvwxyz"
QUESTIONS: dict[str, Question] = {
    "form": samples.every_kind(deadline=time.time() + 272),
    "small": samples.form({"name": {"type": "string", "title": "Your name"}}, "name"),
    "empty": samples.form({}, message="Shall I go on and publish the release?"),
    "long": samples.form(
        {"name": {"type": "string", "description": "d" * 300}},
        message="A long story. " * 300,
        server="s" * 200,
    ),
    "broken": samples.form({"x": {"$ref": "https://example.org/schema"}}),
    "link": samples.link(
        "https://linear.app/oauth/authorize?client_id=deskbell&state=5f2c&scope=read%20write"
    ),
    "odd": samples.link(_ODD),
    "refused": samples.link("javascript:alert(document.cookie)"),
    "confirm": samples.approval(),
}


def _home(status: Status) -> QWidget:
    home = HomeWindow()
    home.draw(status)
    home.tell_tray(status is not samples.QUIET)
    return home


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=[*QUESTIONS, "home", "quiet", "tray", "errors", "withdrawn"])
    parser.add_argument("--rtl", action="store_true")
    parser.add_argument("--scheme", default="")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    app = QApplication(["gallery"])
    app.setCursorFlashTime(0)
    if given.rtl:
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    shown: list[object] = [Theme()]
    if given.scheme:
        app.styleHints().setColorScheme(Qt.ColorScheme[given.scheme])
    if given.what in ("home", "quiet"):
        window = _home(samples.busy() if given.what == "home" else samples.QUIET)
        window.show()
        shown.append(window)
    elif given.what == "tray":
        tray, presenter = Tray(), QuestionPresenter()
        for part in (tray, presenter):
            part.draw(samples.busy())
        tray.look()
        shown += [tray, presenter]
    else:
        question = QUESTIONS.get(given.what, QUESTIONS["form"])
        window = WINDOWS[question.mode](question)
        window.tell_waiting(2)
        window.fit()
        window.show()
        if given.what == "errors" and window.default is not None:
            window.default.click()
        if given.what == "withdrawn":
            window.findChildren(QLineEdit, "field:name")[0].setText("Ada")
            window.withdraw()
        shown.append(window)
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
