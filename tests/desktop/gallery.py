"""Show one window with sample content, to be looked at: `python -m tests.desktop.gallery form --rtl`.

The rig's shots.sh takes pictures of it in light, dark, right-to-left and 200 %.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QTableView, QWidget

from bridge.api import Question, Status
from desktop.questions.inbox import InboxPage
from desktop.questions.presenter import WINDOWS, QuestionPresenter
from desktop.theme import Theme
from desktop.tray import Tray
from desktop.windows.accounts import AccountsPage
from desktop.windows.activity import ActivityPage
from desktop.windows.approvals import ApprovalsPage
from desktop.windows.home import HomeWindow
from desktop.windows.hosts import HostsPage
from desktop.windows.overview import OverviewPage
from desktop.windows.preferences import PreferencesPage
from desktop.windows.servers import ServersPage
from tests.desktop import samples

PAGES = ("overview", "questions", "servers", "hosts", "activity", "approvals", "accounts", "preferences")
_ODD = "http://user@203.0.113.7:8080/a/very/long/path/" + "x" * 120 + "?state=abcdefghijklmnopqrstuvwxyz"
QUESTIONS: dict[str, Question] = {
    "form": samples.every_kind(deadline=time.time() + 272),
    "small": samples.form({"name": {"type": "string", "title": "Your name"}}, "name"),
    "rich": samples.form(
        {
            "when": {
                "type": "string",
                "format": "date-time",
                "title": "When to publish",
                "default": "2026-11-20T09:30:00+01:00",
            },
            "day": {"type": "string", "format": "date", "title": "Announce on"},
            "country": {
                "type": "string",
                "title": "Country",
                "enum": samples.COUNTRIES,
                "default": "Iceland",
            },
            "topics": {
                "type": "array",
                "title": "Topics",
                "items": {"enum": [f"Topic {n}" for n in range(10_000)]},
            },
            "tags": {
                "type": "array",
                "title": "Tags",
                "items": {"type": "string"},
                "default": ["release", "qt"],
            },
        },
        "when",
        message=samples.MARKDOWN,
        first=True,
        arguments=b'{"version":"1.4.0","channel":"stable"}',
    ),
    "review": samples.every_kind(),
    "secret": samples.form(
        {
            "user": {"type": "string", "title": "User name", "maxLength": 60, "default": "ada"},
            "password": {"type": "string", "title": "Password", "description": "Of your mail account"},
        },
        "password",
        message="To read your mail I need to sign in.",
        server="mailbox",
        first=True,
    ),
    "punycode": samples.link(
        "https://login.xn--80ak6aa92e.com/account?next=%2Fhome", server="apple", first=True
    ),
    "visiting": samples.link("https://github.com/login/oauth/authorize?client_id=deskbell"),
    "huge": samples.form({f"f{n}": list(samples.EVERY_KIND.values())[n % 12] for n in range(200)}),
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
    "confirm": samples.approval(hints=("!readOnly", "destructive", "openWorld")),
    "changed": samples.approval(change=samples.CHANGE, hints=("readOnly",)),
    "lengthy": samples.approval(arguments=json.dumps({"text": "word " * 60_000}).encode(), scope="Zed"),
}


_PRESSED = {"review": ("review",), "rich": ("details",), "visiting": ("open",)}


class Browser(QObject):
    """Opens nothing."""

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        print(url.toString())


def _home(status: Status, page: str) -> QWidget:
    home, overview, inbox = HomeWindow(), OverviewPage(), InboxPage()
    for name, made in (
        ("overview", overview),
        ("questions", inbox),
        ("servers", ServersPage()),
        ("hosts", HostsPage()),
        ("activity", ActivityPage(samples.Past())),
        ("approvals", ApprovalsPage()),
        ("accounts", AccountsPage()),
        ("preferences", PreferencesPage()),
    ):
        home.add(name, name.title(), made)
    home.draw(status)
    inbox.draw_drafts(samples.DRAFTS)
    overview.tell_tray(status is not samples.QUIET)
    home.turn_to(page)
    return home


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "what", choices=[*QUESTIONS, *PAGES, "change", "quiet", "tray", "errors", "withdrawn"]
    )
    parser.add_argument("--rtl", action="store_true")
    parser.add_argument("--scheme", default="")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    app = QApplication(["gallery"])
    app.setCursorFlashTime(0)
    browser = Browser()
    QDesktopServices.setUrlHandler("https", browser, "open")  # type: ignore[arg-type]
    if given.rtl:
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    shown: list[object] = [Theme()]
    if given.scheme:
        app.styleHints().setColorScheme(Qt.ColorScheme[given.scheme])
    if given.what in (*PAGES, "quiet", "change"):
        status = {
            "quiet": samples.QUIET,
            "questions": samples.BESET,
            "accounts": samples.ACCOUNTS,
            "hosts": samples.APPS,
            "change": samples.change(),
            "activity": replace(samples.busy(), running=samples.RUNNING),
            "approvals": samples.APPROVALS,
        }.get(given.what, samples.busy())
        window = _home(status, {"quiet": "overview", "change": "hosts"}.get(given.what, given.what))
        window.show()
        if given.what == "activity":
            QTimer.singleShot(300, window.findChildren(QAbstractButton, "showChart")[0].click)
            QTimer.singleShot(600, lambda: window.findChildren(QTableView, "activityList")[0].selectRow(1))
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
        for name in _PRESSED.get(given.what, ()):
            QTimer.singleShot(300, window.findChildren(QAbstractButton, name)[0].click)
        if given.what == "secret":
            window.findChildren(QLineEdit, "field:password")[0].setText("correct horse battery staple")
            window.findChildren(QAbstractButton, "send")[0].click()
        if given.what == "withdrawn":
            window.findChildren(QPlainTextEdit, "field:name")[0].insertPlainText("Ada")
            window.withdraw()
        shown.append(window)
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
