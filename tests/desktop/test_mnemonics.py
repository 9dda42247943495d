"""Alt and a letter does one thing: no two controls that are seen together share it, in any language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from desktop.language import LANGUAGES
from desktop.pages.activity.page import ActivityPage
from desktop.pages.home import HomePage
from desktop.pages.questions import QuestionsPage
from desktop.theme.resources import resource
from tests.desktop import samples, scenes

ALIKE = (  # to another, as far as keys go; export is the system's
    *("small", "rich", "huge", "long", "lengthy", "broken", "empty", "odd", "punycode", "refused", "errors"),
    *("quiet", "details", "settings-end", "import", "secret-delete", "rule-change", "diagnostics", "export"),
)
WINDOWS = tuple(name for name in scenes.SCENES if name not in ALIKE)


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    words = QTranslator()
    if request.param != "en":
        assert words.load(resource(f"translations/deskbell_{request.param}.qm"))
        QCoreApplication.installTranslator(words)
    yield request.param
    QCoreApplication.removeTranslator(words)


def keys_of(window: QWidget) -> Counter[str]:
    buttons = [one.text() for one in window.findChildren(QAbstractButton) if one.isVisible()]
    labels = [
        one.text() for one in window.findChildren(QLabel) if one.isVisible() and one.buddy() is not None
    ]
    bars = [one for one in window.findChildren(QTabBar) if one.isVisible()]
    tabs = [bar.tabText(place) for bar in bars for place in range(bar.count())]
    found = (QKeySequence.mnemonic(text).toString() for text in (*buttons, *labels, *tabs))
    return Counter(key for key in found if key)


@pytest.mark.parametrize("scene", WINDOWS)
def test_no_two_controls_of_a_window_share_a_key(language: str, scene: str) -> None:
    window = scenes.SCENES[scene]()
    shared = [key for key, count in keys_of(window).items() if count > 1]
    scenes.put_away()
    assert shared == []


@pytest.mark.parametrize("page", scenes.PAGES)
def test_no_two_controls_of_a_page_share_a_key(language: str, page: str, qtbot: QtBot) -> None:
    for status in (samples.QUIET, samples.BESET):
        window = scenes.home_with(status, page)
        qtbot.addWidget(window)
        window.show()
        shared = [key for key, count in keys_of(window).items() if count > 1]
        for activity in window.findChildren(ActivityPage):
            activity.close_history()
        for questions in window.findChildren(QuestionsPage):
            questions.close_history()
        for first in window.findChildren(HomePage):
            first.close_history()
        assert shared == []
