"""A Question that leads to a web page: shown whole, opened only by a click, and only if it is a web page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QFont, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, DECLINE, Answer, accept
from desktop.questions.link import LinkWindow
from desktop.widgets.labels import Label
from tests.desktop import samples

LONG = "https://example.org/" + "segment/" * 60 + "?state=end"


class Browser(QObject):
    """Stands where the person's browser does."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))


@pytest.fixture
def browser() -> Iterator[Browser]:
    here = Browser()
    for scheme in ("https", "http", "javascript"):
        QDesktopServices.setUrlHandler(scheme, here, "open")  # type: ignore[arg-type]
    yield here
    for scheme in ("https", "http", "javascript"):
        QDesktopServices.unsetUrlHandler(scheme)


def show(qtbot: QtBot, url: str) -> tuple[LinkWindow, list[Answer]]:
    answers: list[Answer] = []
    window = LinkWindow(samples.link(url))
    window.answered.connect(lambda _, answer: answers.append(answer))
    qtbot.addWidget(window)
    window.fit()
    window.show()
    return window, answers


def press(qtbot: QtBot, window: LinkWindow, name: str) -> None:
    qtbot.mouseClick(window.findChildren(QAbstractButton, name)[0], Qt.MouseButton.LeftButton)


def test_the_page_opens_only_after_the_click_and_then_the_answer_is_accept(
    qtbot: QtBot, browser: Browser
) -> None:
    window, answers = show(qtbot, "https://example.org/a?b=c%20d")
    assert (browser.opened, answers) == ([], [])
    press(qtbot, window, "open")
    assert browser.opened == ["https://example.org/a?b=c%20d"]
    assert answers == [accept()]


def test_return_alone_opens_nothing(qtbot: QtBot, browser: Browser) -> None:
    window, answers = show(qtbot, "https://example.org/")
    qtbot.keyClick(window, Qt.Key.Key_Return)
    assert browser.opened == []
    assert answers == [CANCEL]


def test_the_whole_address_is_shown_and_its_site_is_bold(qtbot: QtBot) -> None:
    window, _ = show(qtbot, LONG)
    url = window.findChildren(QPlainTextEdit, "url")[0]
    assert url.toPlainText() == LONG
    cursor = QTextCursor(url.document())
    bold = ""
    for place in range(len(LONG)):
        cursor.setPosition(place + 1)
        bold += LONG[place] if cursor.charFormat().fontWeight() == QFont.Weight.Bold else ""
    assert bold == "example.org"
    window.close()


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "https:/x", "http://example.org/"],
)
def test_what_must_not_be_opened_has_no_open_button_and_says_why(
    qtbot: QtBot, browser: Browser, url: str
) -> None:
    window, answers = show(qtbot, url)
    assert not window.findChildren(QAbstractButton, "open")
    assert window.findChildren(Label, "refusal")[0].isVisible()
    press(qtbot, window, "decline")
    assert answers == [DECLINE]
    assert browser.opened == []


def test_every_doubt_is_a_sentence_beside_the_address(qtbot: QtBot) -> None:
    window, _ = show(qtbot, "https://user@203.0.113.7:8080/")
    for name in ("userinfo", "bare_address", "odd_port"):
        assert window.findChildren(Label, name)[0].isVisible()
    assert not window.findChildren(Label, "lookalike")
    window.close()


def test_an_international_site_is_the_same_to_qt_and_to_us(qtbot: QtBot, browser: Browser) -> None:
    window, answers = show(qtbot, "https://bücher.example/")
    assert window.findChildren(Label, "international")[0].isVisible()
    press(qtbot, window, "open")
    assert browser.opened == ["https://xn--bcher-kva.example/"]
    assert answers == [accept()]


def test_escape_is_cancel(qtbot: QtBot) -> None:
    window, answers = show(qtbot, "https://example.org/")
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert answers == [CANCEL]


def test_assistive_technology_finds_the_buttons_by_their_words(qtbot: QtBot) -> None:
    window, _ = show(qtbot, "https://example.org/")
    words = {button.text().replace("&", "") for button in window.findChildren(QAbstractButton)}
    assert {"Open in browser", "Decline", "Cancel"} <= words
    assert window.windowTitle() == "Question from linear"
    window.close()
