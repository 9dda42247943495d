"""Nobody needs eyes or a mouse: in every window, whatever can be used has a name, and Tab comes to it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.questions.refuse_button import SpokenButton
from desktop.widgets import labels
from desktop.widgets.focus_ring import FocusRing
from desktop.widgets.labels import Label, Tone
from desktop.widgets.text.markdown_view import MarkdownView
from tests.desktop import scenes

USED = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
)
ASIDE = (QScrollBar, QHeaderView, QTabBar)  # what belongs to something that has a name
OURS = tuple(name for name in scenes.SCENES if name not in ("huge", "lengthy", "export"))


def used(window: QWidget) -> list[QWidget]:
    """All that a person can use, without the parts of a whole that has a name itself."""
    found = [one for one in window.findChildren(QWidget) if isinstance(one, USED) and one.isVisible()]
    return [
        one
        for one in found
        if not isinstance(one, ASIDE)
        and not isinstance(one.parentWidget(), QComboBox | QAbstractSpinBox)
        and one.window() is window
        and not one.objectName().startswith("qt_")
    ]


def place_of(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()!r} in {type(widget.parent()).__name__}"


def seen(widget: QWidget) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(widget)


def name_of(widget: QWidget) -> str:
    """As a screen reader on Linux has it: a combo box is called what is chosen, its label tells the rest."""
    found = seen(widget)
    if not isinstance(widget, QComboBox):
        return found.text(QAccessible.Text.Name).strip()
    labels = [other for other, kind in found.relations() if kind is QAccessible.RelationFlag.Label]
    return " ".join(label.text(QAccessible.Text.Name) for label in labels).strip()


@pytest.mark.parametrize("scene", OURS)
def test_whatever_can_be_used_has_a_name_and_tab_comes_to_it(scene: str) -> None:
    window = scenes.SCENES[scene]()
    found = used(window)
    nameless = [place_of(one) for one in found if not name_of(one)]
    passed_by = [
        place_of(one)
        for one in found
        if not one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and scene not in scenes.CARDS  # never has the keyboard; its window has all that is on it
        and not isinstance(one.parentWidget(), QLineEdit)  # what clears it, which the keyboard does anyway
        and not isinstance(one, SpokenButton)  # the menu beside it does the same
        and not one.objectName().startswith("slider:")  # the line beside it takes its keys
    ]
    title = window.windowTitle()
    scenes.put_away()
    assert found
    assert (title != "", nameless, passed_by) == (True, [], [])


def test_what_has_the_keyboard_has_a_ring(qapp: QApplication, qtbot: QtBot) -> None:
    ring = FocusRing(qapp)
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    text, line, message = QListWidget(), QLineEdit(), MarkdownView("Sure?", name="message")
    text.addItem("one")
    for one in (text, line, message):
        column.addWidget(one)
    with qtbot.waitActive(window):
        window.show()
    text.setFocus()
    qtbot.waitUntil(lambda: bool(text.findChildren(QWidget, "focusRing")))
    text.resize(text.width(), text.height() - 10)
    assert text.findChildren(QWidget, "focusRing")[0].size() == text.size()
    line.setFocus()
    qtbot.waitUntil(lambda: not text.findChildren(QWidget, "focusRing"))
    message.setFocus()
    qtbot.waitUntil(lambda: bool(message.findChildren(QWidget, "focusRing")))
    qapp.focusChanged.disconnect(ring._move)


def test_news_are_said_aloud_once_and_errors_always(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(labels, "announce", lambda _, text: said.append(text))
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    news, error, plain = Label(announced=True), Label(tone=Tone.ERROR), Label()
    for label in (news, error, plain):
        column.addWidget(label)
    window.show()
    for label, words in ((news, "Copied."), (error, "No."), (plain, "So."), (news, "Copied."), (news, "")):
        label.show_text(words)
    assert said == ["Copied.", "No."]


@pytest.mark.parametrize(
    ("scene", "order"),
    [
        (
            "servers",
            ["addServer", "card:github", "restart", "qt_tabwidget_tabbar", "searchTools", "toolList"],
        ),
        ("approvals", ["undo", "preset:github", "advanced"]),
        ("approvals-rules", ["undo", "advanced", "ruleList", "addRule", "searchTools", "toolList"]),
    ],
)
def test_tab_goes_from_top_to_bottom(scene: str, order: list[str]) -> None:
    window = scenes.SCENES[scene]()
    for name in order[:-1]:
        scenes.part(window, QWidget, name)
    start = window.findChildren(QWidget, "pages")[0]
    passed: list[str] = []
    one = start.nextInFocusChain()
    while one is not None and one is not start:
        if one.isVisible() and one.focusPolicy() & Qt.FocusPolicy.TabFocus:
            passed.append(one.objectName())
        one = one.nextInFocusChain()
    scenes.put_away()
    assert [name for name in dict.fromkeys(passed) if name in order] == order
