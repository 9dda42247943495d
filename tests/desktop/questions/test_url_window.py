"""A Question that leads to a web page: shown whole, opened only by a click, and only if it is a web page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QFont, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, DECLINE, Answer, accept
from desktop.questions.url_window import UrlWindow
from desktop.widgets.labels import Label
from desktop.widgets.scroll import FittingScroll
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


def show(qtbot: QtBot, url: str) -> tuple[UrlWindow, list[Answer]]:
    answers: list[Answer] = []
    window = UrlWindow(samples.link(url))
    window.answered.connect(lambda _, answer: answers.append(answer))
    window.refused.connect(lambda _, answer: answers.append(answer))
    qtbot.addWidget(window)
    window.fit()
    window.show()
    return window, answers


def press(qtbot: QtBot, window: UrlWindow, name: str) -> None:
    qtbot.mouseClick(window.findChildren(QAbstractButton, name)[0], Qt.MouseButton.LeftButton)


def bold_in(window: UrlWindow) -> str:
    """What is bold in the address."""
    (url,) = window.findChildren(QPlainTextEdit, "url")
    cursor, bold = QTextCursor(url.document()), ""
    for place, letter in enumerate(url.toPlainText()):
        cursor.setPosition(place + 1)
        bold += letter if cursor.charFormat().fontWeight() == QFont.Weight.Bold else ""
    return bold


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
    assert answers == [DECLINE]


def test_the_whole_address_is_shown_and_its_site_is_bold(qtbot: QtBot) -> None:
    window, _ = show(qtbot, LONG)
    url = window.findChildren(QPlainTextEdit, "url")[0]
    assert url.toPlainText() == LONG
    assert bold_in(window) == "example.org"
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


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://login.example.co.uk/example.co.uk", "example.co.uk"),
        ("https://ada.github.io/", "ada.github.io"),
        ("https://paypal.com.evil.example/", "evil.example"),
    ],
)
def test_the_part_that_somebody_registered_is_bold(qtbot: QtBot, url: str, site: str) -> None:
    window, _ = show(qtbot, url)
    assert bold_in(window) == site
    assert window.findChildren(Label, "intro")[0].accessibleName() == f"Wants to open {site}"
    window.close()


def test_one_warning_tells_the_letters_of_a_look_alike_and_which_site_it_is_not(qtbot: QtBot) -> None:
    window, _ = show(qtbot, "https://xn--80ak6aa92e.com/")
    (warning,) = window.findChildren(Label, "lookalike")
    assert "\u0430\u0440\u0440\u04cf\u0435.com (Cyrillic)" in warning.accessibleName()
    assert "It is not apple.com." in warning.accessibleName()
    assert not window.findChildren(Label, "international")
    window.close()


def test_the_address_can_be_copied_before_and_after(qtbot: QtBot, browser: Browser) -> None:
    window, _ = show(qtbot, LONG)
    for step in ("open", "done"):
        QGuiApplication.clipboard().clear()
        press(qtbot, window, "copy")
        assert QGuiApplication.clipboard().text() == LONG
        press(qtbot, window, step)


# Waiting for the page


def test_after_consent_the_same_window_waits_and_can_open_the_page_again(
    qtbot: QtBot, browser: Browser
) -> None:
    window, answers = show(qtbot, "https://example.org/")
    press(qtbot, window, "open")
    assert window.isVisible()
    words = [button.text().replace("&", "") for button in window.buttons.buttons()]
    assert {"Done", "Open again", "Cancel"} <= set(words)
    press(qtbot, window, "again")
    assert browser.opened == ["https://example.org/"] * 2
    assert answers == [accept()]
    press(qtbot, window, "done")
    assert not window.isVisible()
    assert answers == [accept(), accept()]


def test_while_waiting_cancel_calls_it_off_and_escape_only_puts_the_window_away(
    qtbot: QtBot, browser: Browser
) -> None:
    window, answers = show(qtbot, "https://example.org/")
    press(qtbot, window, "open")
    press(qtbot, window, "cancel")
    assert answers == [accept(), CANCEL]
    other, answers = show(qtbot, "https://example.org/")
    press(qtbot, other, "open")
    qtbot.keyClick(other, Qt.Key.Key_Escape)
    assert answers == [accept(), accept()]
    assert not other.isVisible()


def test_the_wait_ends_when_the_page_is_not_needed_any_more(qtbot: QtBot, browser: Browser) -> None:
    window, answers = show(qtbot, "https://example.org/")
    press(qtbot, window, "open")
    window.follow_status(samples.waiting(visits=("u1",)))
    assert window.isVisible()
    window.follow_status(samples.waiting())
    assert not window.isVisible()
    assert answers == [accept()]


def test_a_server_that_does_not_tell_is_answered_in_the_window_that_waits(
    qtbot: QtBot, browser: Browser
) -> None:
    window, answers = show(qtbot, "https://example.org/")
    press(qtbot, window, "open")
    window.take_follow_up(samples.form({}, id="q9", follows="u1"))
    window.follow_status(samples.waiting())
    assert window.isVisible()
    press(qtbot, window, "done")
    assert answers == [accept(), accept({})]


def test_without_a_browser_the_person_may_open_it_by_hand(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)
    window, answers = show(qtbot, "https://example.org/")
    press(qtbot, window, "open")
    assert "No browser" in window.findChildren(Label, "problem")[0].accessibleName()
    assert answers == []
    press(qtbot, window, "opened")
    assert answers == [accept()]
    window.close()


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


def test_the_window_grows_with_what_it_says_while_waiting(qtbot: QtBot, browser: Browser) -> None:
    window, _ = show(qtbot, LONG)
    press(qtbot, window, "open")
    (scroll,) = window.findChildren(FittingScroll)
    assert scroll.heightForWidth(scroll.width()) <= scroll.height()
    window.close()


@pytest.mark.parametrize("letters", range(20, 120, 9))
def test_an_address_is_never_cut_however_it_wraps(qtbot: QtBot, letters: int) -> None:
    window, _ = show(qtbot, "https://example.org/" + "x" * letters)
    (scroll,) = window.findChildren(FittingScroll)
    assert not scroll.verticalScrollBar().isVisible()
    window.close()
