"""Names in windows that run from right to left: they read as they are written, and are copied so, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QGuiApplication, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QStyleOptionViewItem,
    QTableView,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bridge.api import JournalRow, Words
from bridge.i18n import say
from desktop.language import label_text
from desktop.pages.activity.history_texts import sentence
from desktop.widgets.labels import Label
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.text.bidi import isolate, isolate_all, strip_isolates
from tests.desktop import scenes

MARKS = "\u2066\u2067\u2068\u2069"
HEBREW = "הכלל {tool}, של {server}."
LISTS: dict[str, dict[str, tuple[int, ...]]] = {  # scene → lists in it, and their columns of names
    "servers": {"toolList": (0, 2)},
    "approvals-rules": {"ruleList": (0, 1, 3), "toolList": (0, 1)},
}
TELLING = [name for name in scenes.SCENES if name not in ("huge", "lengthy", "export", "long")]


@pytest.fixture
def right_to_left(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def looks(text: str) -> str:
    """The letters of a text as they stand from the left, where lines begin at the right."""
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.RightToLeft)
    layout = QTextLayout(text)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(10_000)
    layout.endLayout()
    letters = [(place, letter) for place, letter in enumerate(text) if letter not in MARKS]
    return "".join(letter for place, letter in sorted(letters, key=lambda one: _left(line, one[0])))


def _left(line: object, place: int) -> float:
    runs = line.glyphRuns(place, 1)  # type: ignore[attr-defined]
    return min(point.x() for run in runs for point in run.positions())


def cells(view: QAbstractItemView, columns: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    """What is told of each cell, and what is painted."""
    for row in range(view.model().rowCount()):
        for column in columns:
            told = view.model().index(row, column).data()
            cell = view.itemDelegateForIndex(view.model().index(row, column))
            yield told, cell.displayText(told, QLocale())  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["github_*", "/etc/_x_", "--all", "$HOME/", "https://a.b/", "cut_off…", "*"])
def test_a_name_reads_as_it_is_written(right_to_left: None, name: str) -> None:
    assert looks(isolate(name)) == name
    assert name in looks(f"הכלל {isolate(name)}, {isolate(name)}.")
    assert strip_isolates(f"a {isolate(name)} b") == f"a {name} b"


def test_without_it_the_rule_for_a_server_would_read_as_another() -> None:
    assert looks("github_*") == "*_github"


def test_names_of_a_list_follow_each_other_from_right_to_left(right_to_left: None) -> None:
    assert looks(f"א {isolate_all(['_a', 'b_'])}") == "b_ ,_a א"


def test_from_left_to_right_nothing_is_marked(qapp: QApplication) -> None:
    assert (isolate("github_*"), isolate_all(["a", "b"])) == ("github_*", "a, b")


def test_a_label_shows_names_apart_and_tells_them_plainly(right_to_left: None, qtbot: QtBot) -> None:
    label = Label(HEBREW.format(tool=isolate("files_*"), server=isolate("_files")))
    qtbot.addWidget(label)
    assert "files_*" in looks(label.text())
    assert "_files" in looks(label.text())
    assert label.accessibleName() == HEBREW.format(tool="files_*", server="_files")


def test_what_can_be_copied_from_a_label_has_no_marks(right_to_left: None, qtbot: QtBot) -> None:
    label = Label(HEBREW.format(tool=isolate("files_*"), server=isolate("_files")), selectable=True)
    qtbot.addWidget(label)
    assert label.text() == label.accessibleName() == HEBREW.format(tool="files_*", server="_files")


def test_a_bar_tells_its_sentence_without_marks(right_to_left: None, qtbot: QtBot) -> None:
    bar = MessageBar("bar", f"הכלל {isolate('a_*')}", (("undo", "Undo", lambda: None),))
    qtbot.addWidget(bar)
    assert bar.accessibleName() == "הכלל a_*"
    assert bar.findChildren(QPushButton)[0].accessibleDescription() == "הכלל a_*"
    assert looks(bar.findChildren(QLabel)[0].text()) == "a_* ללכה"


def test_names_in_the_bridges_sentences_are_set_apart_and_others_marks_are_none(right_to_left: None) -> None:
    words = say("{title}: {message}", title=say("{server} is gone", server="_x"), message="a\u2069\u202eb")
    assert isinstance(words, Words)
    assert (
        label_text(words)
        == "\u2068_x\u2069 is gone: \u2068a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b\u2069"
    )
    assert label_text("/etc") == "/etc"  # all of a label: it begins where its letters do


@pytest.mark.parametrize("scene", LISTS)
def test_names_in_tables_read_as_they_are_written(right_to_left: None, scene: str) -> None:
    window = scenes.SCENES[scene]()
    for name, columns in LISTS[scene].items():
        view = scenes.part(window, QAbstractItemView, name)
        scenes.wait(view.model().rowCount)
        read = [(told, looks(painted)) for told, painted in cells(view, columns) if told]
        assert read
        assert [told for told, _ in read] == [seen for _, seen in read]
    scenes.put_away()


def test_tables_from_left_to_right_are_painted_by_qt_alone(qapp: QApplication) -> None:
    window = scenes.SCENES["approvals-rules"]()
    view = scenes.part(window, QTableView, "ruleList")
    assert [view.itemDelegateForColumn(column) for column in range(5)] == [None] * 5
    scenes.put_away()


def test_names_in_a_line_of_history_are_set_apart(right_to_left: None) -> None:
    row = JournalRow("call", "Zed", "_x", "rm*", "ok")
    assert sentence((row,)).text == "\u2068Zed\u2069 used \u2068Rm*\u2069 (\u2068_x\u2069)"


def test_names_in_a_running_call_are_set_apart_where_they_are_painted(right_to_left: None) -> None:
    window = scenes.SCENES["activity"]()
    view = scenes.part(window, QTableView, "runningList")
    index = view.model().index(0, 0)
    option = QStyleOptionViewItem()
    delegate: Any = view.itemDelegateForIndex(index)
    delegate.initStyleOption(option, index)
    painted: Any = option
    assert painted.text == "\u2068Claude Desktop\u2069 is using \u2068Search code\u2069 (\u2068github\u2069)"
    scenes.put_away()


def test_a_line_of_history_is_copied_without_marks(right_to_left: None) -> None:
    window = scenes.SCENES["activity"]()
    scenes.press(window, "copyActivity")
    copied = QGuiApplication.clipboard().text()
    scenes.put_away()
    assert "create_issue" in copied
    assert not set(copied) & set(MARKS)


def told(window: QWidget) -> Iterator[str]:
    """All that is read aloud, or can be copied."""
    for one in (window, *window.findChildren(QWidget)):
        yield one.windowTitle()
        yield one.accessibleDescription()
        yield one.accessibleName() or (one.text() if isinstance(one, QLabel | QAbstractButton) else "")
        if isinstance(one, QLineEdit):
            yield one.text()
        elif isinstance(one, QPlainTextEdit | QTextEdit):
            yield one.toPlainText()
        elif (
            isinstance(one, QLabel)
            and one.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
        ):
            yield one.text()
        elif isinstance(one, QAbstractItemView) and one.model() is not None:
            yield from cells_of(one)


def cells_of(view: QAbstractItemView) -> Iterator[str]:
    for row in range(min(view.model().rowCount(), 20)):
        column = 0
        while (index := view.model().index(row, column)).isValid():
            yield from (str(index.data(role) or "") for role in Qt.ItemDataRole if role < 15)
            column += 1


@pytest.mark.parametrize("scene", TELLING)
def test_nothing_that_is_read_aloud_or_copied_has_marks(right_to_left: None, scene: str) -> None:
    window = scenes.SCENES[scene]()
    marked = [text for text in told(window) if set(text) & set(MARKS)]
    scenes.put_away()
    assert marked == []
