"""Days and moments: typed or picked, in any zone, with the offset that holds there and then."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QCalendarWidget, QFrame
from pytestqt.qtbot import QtBot

from desktop.widgets.labels import Label
from tests.desktop import samples
from tests.desktop.questions.form_user import Asked

Key = Qt.Key


def ask(qtbot: QtBot, kind: str, **more: Any) -> Asked:
    return Asked(qtbot, samples.form({"it": {"type": "string", "format": kind, **more}}))


def enter(asked: Asked, day: str, time: str, zone: str) -> str:
    """A moment; what is told below it."""
    for part, text in (("field:it", day), ("time:it", time), ("zone:it", zone)):
        asked.keys(part, text)
    told: str = asked.part(Label, "moment:it").accessibleName()
    return told


@pytest.mark.parametrize(
    ("key", "day"),
    [
        (Key.Key_Up, "2026-03-01"),
        (Key.Key_Down, "2026-02-27"),
        (Key.Key_PageUp, "2026-03-28"),
        (Key.Key_PageDown, "2026-01-28"),
    ],
)
def test_keys_lead_from_day_to_day(qtbot: QtBot, key: Qt.Key, day: str) -> None:
    asked = ask(qtbot, "date", default="2026-02-28")
    asked.key("field:it", key)
    asked.press("send")
    assert asked.sent() == {"it": day}


def test_keys_begin_with_today(qtbot: QtBot) -> None:
    asked = ask(qtbot, "date")
    asked.key("field:it", Key.Key_Up)
    asked.press("send")
    assert asked.sent() == {"it": QDate.currentDate().toString("yyyy-MM-dd")}


def test_a_day_is_picked_from_the_calendar(qtbot: QtBot) -> None:
    asked = ask(qtbot, "date", default="2026-02-28")
    asked.press("calendar:it")
    (popup,) = asked.window.findChildren(QFrame, "calendarPopup")
    calendar = popup.findChildren(QCalendarWidget)[0]
    assert calendar.selectedDate() == QDate(2026, 2, 28)
    calendar.clicked.emit(QDate(2026, 2, 14))
    asked.press("send")
    assert asked.sent() == {"it": "2026-02-14"}


@pytest.mark.parametrize(
    ("day", "time", "zone", "sent"),
    [
        ("2026-01-15", "14:30", "Europe/Berlin", "2026-01-15T14:30:00+01:00"),
        ("2026-07-15", "14:30", "europe/berlin", "2026-07-15T14:30:00+02:00"),
        ("2026-07-15", "14:30:05.25", "America/St_Johns", "2026-07-15T14:30:05.25-02:30"),
        ("2026-07-15", "4:05", "UTC", "2026-07-15T04:05:00Z"),
        ("2026-07-15", "00:00", "+05:45", "2026-07-15T00:00:00+05:45"),
        ("2016-12-31", "23:59:60", "utc", "2016-12-31T23:59:60Z"),
        ("2026-10-25", "02:30", "Europe/Berlin", "2026-10-25T02:30:00+02:00"),
    ],
)
def test_the_offset_is_the_one_that_holds_there_and_then(
    qtbot: QtBot, day: str, time: str, zone: str, sent: str
) -> None:
    asked = ask(qtbot, "date-time")
    assert sent in enter(asked, day, time, zone)
    asked.press("send")
    assert asked.sent() == {"it": sent}


@pytest.mark.parametrize(
    ("day", "time", "zone", "told", "wrong"),
    [
        ("2026-03-29", "02:30", "Europe/Berlin", "skip this time", "There is no such moment"),
        ("2026-07-15", "14:30", "Europe/Nowhere", "no time zone", "There is no such moment"),
        ("2026-07-15", "25:30", "Europe/Berlin", "", "There is no time 25:30."),
        ("2026-02-30", "14:30", "Europe/Berlin", "", "There is no day 2026-02-30."),
        ("2026-02-03", "", "Europe/Berlin", "", "The time is missing."),
        ("", "14:30", "Europe/Berlin", "", "The day is missing."),
    ],
)
def test_a_moment_that_does_not_exist_is_told_and_not_sent(
    qtbot: QtBot, day: str, time: str, zone: str, told: str, wrong: str
) -> None:
    asked = ask(qtbot, "date-time")
    assert told in enter(asked, day, time, zone)
    asked.press("send")
    assert asked.error("it").startswith(wrong)


def test_a_time_that_comes_twice_is_told(qtbot: QtBot) -> None:
    told = enter(ask(qtbot, "date-time"), "2026-10-25", "02:30", "Europe/Berlin")
    assert "twice" in told
    assert "+01:00" in told


def test_a_date_alone_is_no_moment(qtbot: QtBot) -> None:
    asked = ask(qtbot, "date-time")
    asked.keys("field:it", "2026-07-15")
    asked.press("send")
    assert asked.error("it")
