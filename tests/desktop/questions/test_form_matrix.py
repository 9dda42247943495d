"""Every kind of field, optional and required, with and without a default: what keys make of it.

Each row says how a person enters something good and something bad, and what is sent or told. Nothing here
reaches into a widget: keys and clicks only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from tests.desktop import samples
from tests.desktop.questions.form_user import Asked

Key = Qt.Key
MANY = [f"option {number}" for number in range(30)]
ALSO = {"also": {"type": "string"}}  # left blank: one field alone may be answered by a press
NOTHING = object()  # the field is left out
Act = Callable[[Asked], None]


def keys(text: str, part: str = "field:it") -> Act:
    return lambda asked: asked.keys(part, text)


def press(*parts: str) -> Act:
    def act(asked: Asked) -> None:
        for part in parts:
            asked.press(part)

    return act


def pick(*search: str) -> Act:
    """Look for each and take the first that is found."""

    def act(asked: Asked) -> None:
        for words in search:
            asked.keys("search:it", words)
            asked.key("search:it", Key.Key_Return)

    return act


def down(times: int) -> Act:
    def act(asked: Asked) -> None:
        asked.part(QListView, "field:it").setFocus()
        for _ in range(times):
            asked.key("field:it", Key.Key_Down)

    return act


def moment(day: str, time: str, zone: str) -> Act:
    def act(asked: Asked) -> None:
        asked.keys("field:it", day)
        asked.keys("time:it", time)
        asked.keys("zone:it", zone)

    return act


@dataclass(frozen=True)
class Row:
    name: str
    node: dict[str, Any]
    good: Act
    sent: object
    default: object
    bad: Act | None = None
    told: str = ""
    blank: object = NOTHING  # what a required field that was left blank sends


EMAIL = {"type": "string", "format": "email"}
DATE = {"type": "string", "format": "date"}
MOMENT = {"type": "string", "format": "date-time"}
ROWS = [
    Row("text", {"type": "string"}, keys("Ada "), "Ada ", "old"),
    Row(
        "short", {"type": "string", "maxLength": 5}, keys("Ada"), "Ada", "old", keys("too long"), "at most 5"
    ),
    Row(
        "long",
        {"type": "string", "maxLength": 900, "minLength": 3},
        keys("Ada"),
        "Ada",
        "old",
        keys("A"),
        "at least 3",
    ),
    Row(
        "pattern",
        {"type": "string", "pattern": "^[a-z]+$"},
        keys("ada"),
        "ada",
        "old",
        keys("A1"),
        "^[a-z]+$",
    ),
    Row(
        "email",
        EMAIL,
        keys("ada@example.org"),
        "ada@example.org",
        "a@b.example",
        keys("ada"),
        "email address",
    ),
    Row(
        "uri",
        {"type": "string", "format": "uri"},
        keys("urn:a:b"),
        "urn:a:b",
        "urn:x:y",
        keys("b c"),
        "full address",
    ),
    Row("date", DATE, keys("2026-03-31"), "2026-03-31", "2026-01-01", keys("2026-02-30"), "YYYY-MM-DD"),
    Row(
        "date-time",
        MOMENT,
        moment("2026-07-01", "9:30", "Europe/Berlin"),
        "2026-07-01T09:30:00+02:00",
        "2026-01-01T00:00:00.5-03:30",
        moment("2026-03-29", "02:30", "Europe/Berlin"),
        "no such moment",
    ),
    Row(
        "integer",
        {"type": "integer", "maximum": 9**20},
        keys("9007199254740993"),
        9007199254740993,
        4,
        keys("1.5"),
        "whole number",
    ),
    Row("number", {"type": "number", "minimum": -1}, keys("-0.25"), -0.25, 2.5, keys("-2"), "-1 or more"),
    Row("boolean", {"type": "boolean"}, press("option:it:1"), False, True),
    Row("choice", {"enum": ["r", "g"], "enumNames": ["Red", "Green"]}, press("option:it:1"), "g", "r"),
    Row("many", {"enum": MANY}, pick("option 7"), "option 7", "option 3"),
    Row("many by arrows", {"enum": MANY[:7]}, down(2), "option 1", "option 3"),
    Row(
        "multi",
        {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 2},
        press("option:it:2", "option:it:0"),
        ["a", "c"],
        ["b", "c"],
        press("option:it:1"),
        "at least 2",
    ),
    Row(
        "ticks",
        {"type": "array", "items": {"enum": MANY}, "maxItems": 2},
        pick("29", "14"),
        ["option 14", "option 29"],
        ["option 3"],
        pick("29", "14", "8"),
        "at most 2",
        blank=[],
    ),
    Row(
        "list",
        {"type": "array", "items": {"type": "integer"}},
        keys("1\n2\n"),
        [1, 2],
        [7, 8],
        keys("1\nx"),
        "Item 2",
        blank=[],
    ),
    Row(
        "json",
        {"type": "object", "required": ["a"]},
        keys('{"a":[1]}'),
        {"a": [1]},
        {"a": None},
        keys("{}"),
        "Missing: a",
    ),
]
IDS = [row.name for row in ROWS]


@pytest.mark.parametrize("required", [False, True], ids=["optional", "required"])
@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_what_is_entered_is_sent(qtbot: QtBot, row: Row, required: bool) -> None:
    asked = Asked(qtbot, samples.form({"it": row.node, **ALSO}, *(["it"] if required else [])))
    row.good(asked)
    asked.press("send")
    assert asked.sent() == {"it": row.sent}


@pytest.mark.parametrize("required", [False, True], ids=["optional", "required"])
@pytest.mark.parametrize("row", [row for row in ROWS if row.bad], ids=[row.name for row in ROWS if row.bad])
def test_what_is_wrong_is_told_beside_the_field_and_not_sent(qtbot: QtBot, row: Row, required: bool) -> None:
    asked = Asked(qtbot, samples.form({"it": row.node, **ALSO}, *(["it"] if required else [])))
    assert row.bad
    row.bad(asked)
    asked.press("send")
    assert asked.answers == []
    assert row.told in asked.error("it")
    assert asked.has_focus("it")


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_what_is_left_blank_is_left_out_where_it_may_be(qtbot: QtBot, row: Row) -> None:
    asked = Asked(qtbot, samples.form({"it": row.node, **ALSO}))
    asked.press("send")
    assert asked.sent() == {}


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_what_is_required_and_blank_is_asked_for(qtbot: QtBot, row: Row) -> None:
    asked = Asked(qtbot, samples.form({"it": row.node, **ALSO}, "it"))
    asked.press("send")
    if row.blank is NOTHING and row.name != "multi":
        assert asked.error("it") in ("Please fill this in.", "Please choose one.")
    elif row.name == "multi":
        assert asked.error("it") == "Please choose at least 2."
    else:
        assert asked.sent() == {"it": row.blank}


@pytest.mark.parametrize("required", [False, True], ids=["optional", "required"])
@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_a_default_is_there_and_sent_to_the_letter(qtbot: QtBot, row: Row, required: bool) -> None:
    node = {**row.node, "default": row.default}
    asked = Asked(qtbot, samples.form({"it": node, **ALSO}, *(["it"] if required else [])))
    asked.press("send")
    assert asked.sent() == {"it": row.default}


@pytest.mark.parametrize(
    ("row", "empty"),
    [
        ("many", press("clear:it")),
        ("ticks", press("clear:it")),
        ("boolean", press("option:it:2")),
        ("choice", press("option:it:2")),
        ("email", lambda asked: asked.wipe("field:it")),
        ("text", lambda asked: asked.wipe("field:it")),
        ("date", lambda asked: asked.wipe("field:it")),
        ("date-time", lambda asked: (asked.wipe("field:it"), asked.wipe("time:it"))),
        ("json", lambda asked: asked.wipe("field:it")),
    ],
)
def test_an_optional_default_can_be_taken_away(qtbot: QtBot, row: str, empty: Act) -> None:
    node = next(one for one in ROWS if one.name == row)
    asked = Asked(qtbot, samples.form({"it": {**node.node, "default": node.default}, **ALSO}))
    empty(asked)
    asked.press("send")
    assert asked.sent() == {}
