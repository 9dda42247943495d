"""A list of rows is redrawn only where it has changed, and built a little at a time."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from desktop.lazy.time_slices import SlicedTask
from desktop.main_window import MainWindow
from desktop.pages.hosts.page import HostsPage
from desktop.widgets.section import Section, SectionRow, key_by_name
from tests.desktop.samples import APPS, CODE, CURSOR, SERVICES


@pytest.fixture
def section(qtbot: QtBot) -> Section:
    made = Section("fruit", "Fruit", "No fruit.")
    qtbot.addWidget(made)
    made.show()
    return made


def lay_out(text: str) -> QLayout:
    row = QHBoxLayout()
    for name in (text, f"{text} too"):
        button = QPushButton(name)
        button.setObjectName(name)
        row.addWidget(button)
    return row


def rows(section: Section) -> list[SectionRow]:
    """As they are seen, from the top."""
    return sorted(
        (row for row in section.findChildren(SectionRow) if row.isVisible()), key=lambda row: row.y()
    )


def texts(section: Section) -> list[object]:
    return [row.shows for row in rows(section)]


def draw(section: Section, **items: str) -> None:
    section.draw(items, lay_out)


def test_only_the_row_that_changed_is_made_anew(section: Section, qtbot: QtBot) -> None:
    draw(section, a="apple", b="banana", c="cherry")
    qtbot.waitUntil(lambda: texts(section) == ["apple", "banana", "cherry"])
    apple, banana, cherry = rows(section)
    draw(section, a="apple", b="blackberry", c="cherry")
    qtbot.waitUntil(lambda: texts(section) == ["apple", "blackberry", "cherry"])
    first, second, third = rows(section)
    assert (first, third) == (apple, cherry)
    assert second is not banana


def test_rows_come_go_and_change_places_and_stay_the_same(section: Section, qtbot: QtBot) -> None:
    draw(section, a="apple", b="banana", c="cherry")
    qtbot.waitUntil(lambda: texts(section) == ["apple", "banana", "cherry"])
    apple, _, cherry = rows(section)
    draw(section, c="cherry", d="date", a="apple")
    qtbot.waitUntil(lambda: texts(section) == ["cherry", "date", "apple"])
    assert [rows(section)[place] for place in (0, 2)] == [cherry, apple]
    draw(section)
    qtbot.waitUntil(lambda: not rows(section))
    assert section.findChildren(QLabel, "fruitEmpty")[0].isVisible()


def test_who_is_at_a_row_stays_there_when_it_changes(section: Section, qtbot: QtBot) -> None:
    draw(section, a="apple", b="banana")
    section.findChildren(QPushButton, "banana too")[0].setFocus()
    draw(section, a="apple", b="blackberry")  # that button is gone; its row is not
    qtbot.waitUntil(lambda: focused(section) == "blackberry")
    draw(section, a="apricot", b="blackberry")
    qtbot.waitUntil(lambda: texts(section) == ["apricot", "blackberry"])
    assert focused(section) == "blackberry"


def focused(part: QWidget) -> str:
    held: QWidget | None = part.window().focusWidget()
    return held.objectName() if held is not None else ""


def test_rows_that_share_a_name_are_all_shown() -> None:
    assert list(key_by_name(["Zed", "zed", "Zed"], str.lower).values()) == ["Zed", "zed", "Zed"]


def test_many_rows_come_a_few_at_a_time_and_the_last_word_counts(
    section: Section, qtbot: QtBot, slowly: None
) -> None:
    draw(section, **{f"n{number}": str(number) for number in range(20)})
    assert 0 < len(section.findChildren(SectionRow)) < 20
    draw(section, **{f"n{number}": str(number) for number in range(5, 30)})
    with qtbot.waitSignal(section.grew):
        pass
    qtbot.waitUntil(lambda: texts(section) == [str(number) for number in range(5, 30)])


def test_by_tab_a_row_made_anew_comes_where_it_is_seen(qtbot: QtBot, slowly: None) -> None:
    home, page = MainWindow(), HostsPage(SERVICES)
    qtbot.addWidget(home)
    home.add("hosts", "AI apps", lambda: page)
    home.show()
    home.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, apps=(CURSOR, CODE))))
    wanted = ["pages", "switch:cursor", "switch:vscode", "more:vscode", "questions:my-agent"]
    qtbot.waitUntil(lambda: [name for name in stops(home) if name in wanted] == wanted)
    on = replace(CURSOR, connected="stdio")
    home.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, apps=(on, CODE))))
    wanted[2:2] = ["questions:cursor", "more:cursor"]
    qtbot.waitUntil(lambda: [name for name in stops(home) if name in wanted] == wanted)


def stops(window: QWidget) -> list[str]:
    """What Tab reaches, in order, from the list of pages on."""
    start = window.findChildren(QWidget, "pages")[0]
    names, at = ["pages"], start.nextInFocusChain()
    while at is not None and at is not start:
        if at.isVisible():
            names.append(at.objectName())
        at = at.nextInFocusChain()
    return names


def test_work_in_slices_is_done_in_the_end_or_at_once(qtbot: QtBot, slowly: None) -> None:
    done: list[int] = []

    def steps(first: int) -> Iterator[None]:
        for number in range(first, first + 3):
            done.append(number)
            yield

    owner = QObject()
    slices = SlicedTask(owner)
    with qtbot.waitSignal(slices.done):
        slices.start(steps(0))
        assert slices.running
    assert done == [0, 1, 2]
    slices.start(steps(10))
    slices.finish()
    assert not slices.running
    assert done == [0, 1, 2, 10, 11, 12]


def test_what_comes_from_a_thread_after_the_window_has_gone_is_nobodys_business(
    qapp: QObject, caplog: pytest.LogCaptureFixture
) -> None:
    slices = SlicedTask(qapp)
    awaited: Future[None] = Future()
    slices.start(iter([awaited]))
    delete(slices)
    awaited.set_result(None)
    assert caplog.text == ""
