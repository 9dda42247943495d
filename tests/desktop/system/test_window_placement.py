"""Windows open where the person is, come back where they were, and are never out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.system.window_placement import WindowPlacement, center_on_pointer_screen, pointer_screen


@pytest.fixture
def places(qtbot: QtBot, tmp_path: Path) -> Iterator[WindowPlacement]:
    made = WindowPlacement(tmp_path / "windows.ini")
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    return made(qtbot)


def made(qtbot: QtBot) -> QWidget:
    window = QWidget()
    window.setObjectName("home")
    window.resize(300, 200)
    qtbot.addWidget(window)
    return window


def room() -> QRect:
    return QGuiApplication.primaryScreen().availableGeometry()


def test_a_window_opens_in_the_middle_of_the_screen_with_the_pointer(window: QWidget) -> None:
    center_on_pointer_screen(window)
    assert window.screen() is pointer_screen()
    middle = window.geometry().center() - room().center()
    assert abs(middle.x()) <= 1
    assert abs(middle.y()) <= 1


def test_a_window_that_is_too_large_is_cut_to_the_screen(window: QWidget) -> None:
    window.resize(room().size() * 2)
    center_on_pointer_screen(window)
    assert room().contains(window.geometry())


def test_a_window_comes_back_where_it_was(places: WindowPlacement, window: QWidget, qtbot: QtBot) -> None:
    window.setGeometry(40, 50, 320, 240)
    window.show()
    places.remember(window)
    later = made(qtbot)
    places.restore(later)
    assert later.geometry().size() == QSize(320, 240)
    assert later.geometry().topLeft() == QPoint(40, 50)


def test_the_first_time_it_is_where_the_person_is(places: WindowPlacement, window: QWidget) -> None:
    places.restore(window)
    assert room().contains(window.geometry())


@pytest.mark.parametrize("place", [QPoint(9000, 50), QPoint(-9000, 50), QPoint(50, 9000), QPoint(50, -900)])
def test_when_its_screen_goes_away_it_is_brought_back(
    places: WindowPlacement, window: QWidget, qtbot: QtBot, place: QPoint
) -> None:
    window.show()
    window.move(place)
    QGuiApplication.primaryScreen().availableGeometryChanged.emit(room())
    qtbot.waitUntil(lambda: room().contains(window.geometry()))
    assert window.size() == QSize(300, 200)


def test_when_its_screen_shrinks_so_does_what_does_not_fit(
    places: WindowPlacement, window: QWidget, qtbot: QtBot
) -> None:
    window.show()
    window.resize(room().size() * 2)
    QGuiApplication.primaryScreen().logicalDotsPerInchChanged.emit(192.0)
    qtbot.waitUntil(lambda: room().contains(window.geometry()))


def test_what_is_within_reach_is_left_alone(places: WindowPlacement, window: QWidget, qtbot: QtBot) -> None:
    window.show()
    window.move(room().right() - 160, 20)  # nearly half of it beyond the edge, as the person likes it
    before = window.geometry()
    places._gather()
    assert window.geometry() == before


def test_another_scale_tells_the_system_how_large_a_window_is_now(
    places: WindowPlacement, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []

    class Window(QWidget):
        def resizeEvent(self, event: QResizeEvent) -> None:
            told.append(event.size().height())

    window = Window()
    qtbot.addWidget(window)
    window.resize(300, 200)
    window.show()
    told.clear()
    screen = QGuiApplication.primaryScreen()
    screen.logicalDotsPerInchChanged.emit(96.0)
    qtbot.waitUntil(lambda: not places._soon.isActive())
    assert told == []
    monkeypatch.setattr("desktop.system.window_placement._scales", lambda: [2.0])
    screen.logicalDotsPerInchChanged.emit(192.0)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told == [201, 200]
