"""The form window: what is typed, key by key, is what is sent; what is wrong is said beside its field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QRadioButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, DECLINE, Answer
from bridge.system.masking import MASK
from desktop.questions.form import FormWindow
from desktop.system.window_placement import center_on_pointer_screen
from desktop.widgets.inputs.file import FileInput
from desktop.widgets.labels import Label
from desktop.widgets.scroll import FittingScroll
from tests.desktop import samples
from tests.desktop.questions.form_user import Asked

Key = Qt.Key
ONE = {"type": "string", "title": "Name", "maxLength": 60}
COLOURS = ["red", "green", "blue"]
MANY = [f"option {number}" for number in range(30)]


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_a_number_keeps_every_digit_that_was_typed(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "number"}}))
    asked.keys("field:it", "0.1000000000000000055511151231257827")
    asked.press("send")
    assert asked.answers[0].content == b'{"it":0.1000000000000000055511151231257827}'


def test_a_form_that_nobody_touched_sends_nothing_optional(qtbot: QtBot) -> None:
    fields = {name: field for name, field in samples.EVERY_KIND.items() if "default" not in field}
    asked = Asked(qtbot, samples.form(fields))
    asked.press("send")
    assert asked.sent() == {}


def test_defaults_of_every_kind_are_prefilled_and_sent(qtbot: QtBot) -> None:
    fields: dict[str, dict[str, Any]] = {
        "text": {"type": "string", "default": "hello"},
        "lines": {"type": "string", "default": "one\ntwo"},
        "whole": {"type": "integer", "default": 5},
        "part": {"type": "number", "default": 2.5},
        "yes": {"type": "boolean", "default": True},
        "no": {"type": "boolean", "default": False},
        "colour": {"type": "string", "enum": COLOURS, "default": "blue"},
        "option": {"type": "string", "enum": MANY, "default": "option 20"},
        "some": {"type": "array", "items": {"enum": COLOURS}, "default": ["red", "blue"]},
        "lots": {"type": "array", "items": {"enum": MANY}, "default": ["option 3", "option 29"]},
        "thing": {"type": "object", "default": {"a": [1, None]}},
    }
    asked = Asked(qtbot, samples.form(fields))
    asked.press("send")
    assert asked.sent() == {name: field["default"] for name, field in fields.items()}


@pytest.mark.parametrize(("place", "sent"), [(0, {"it": True}), (1, {"it": False}), (2, {})])
def test_an_optional_boolean_has_three_states(qtbot: QtBot, place: int, sent: object) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "boolean"}, "also": ONE}))
    assert asked.part(QRadioButton, "option:it:2").isChecked()
    asked.press(f"option:it:{place}")
    asked.press("send")
    assert asked.sent() == sent


def test_a_required_boolean_without_default_wants_a_choice(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "boolean"}, "also": ONE}, "it"))
    assert not asked.window.findChildren(QRadioButton, "option:it:2")
    asked.press("send")
    assert asked.error("it")
    asked.press("option:it:1")
    assert not asked.error("it")
    asked.press("send")
    assert asked.sent() == {"it": False}


def test_few_options_are_radio_buttons_with_titles_and_their_values_are_sent(qtbot: QtBot) -> None:
    arms = [{"const": "r", "title": "Deep & red"}, {"const": "g", "title": "Green"}]
    asked = Asked(qtbot, samples.form({"it": {"type": "string", "oneOf": arms}, "also": ONE}, "it"))
    assert asked.part(QRadioButton, "option:it:0").text() == "Deep && red"
    asked.press("option:it:0")
    asked.press("send")
    assert asked.sent() == {"it": "r"}


def test_anything_else_is_typed_as_json_and_checked(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "object"}}, "it"))
    box: QPlainTextEdit = asked.part(QPlainTextEdit, "field:it")
    qtbot.keyClicks(box, '{"a": ')
    asked.press("send")
    assert asked.error("it")
    qtbot.keyClicks(box, "1}")
    assert not asked.error("it")
    qtbot.keyClick(box, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert asked.sent() == {"it": {"a": 1}}


def test_all_errors_come_at_once_and_the_first_wrong_field_has_the_focus(qtbot: QtBot) -> None:
    fields = {"ok": ONE, "number": {"type": "integer"}, "mail": {"type": "string", "format": "email"}}
    asked = Asked(qtbot, samples.form(fields, "number"))
    asked.keys("field:number", "x")
    asked.keys("field:mail", "x")
    asked.press("send")
    assert not asked.error("ok")
    assert asked.error("number")
    assert asked.error("mail")
    assert QApplication.focusWidget() is asked.part(QLineEdit, "field:number")


def test_an_error_goes_when_the_field_is_changed_and_is_read_out_while_it_is_there(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {**ONE, "description": "Your own."}}, "it"))
    asked.press("send")
    line: QLineEdit = asked.part(QLineEdit, "field:it")
    assert asked.error("it") in line.accessibleDescription()
    below = asked.part(QLabel, "help:it")
    place = below.y()
    asked.keys("field:it", "A")
    assert asked.error("it") == ""
    QApplication.processEvents()
    assert below.y() < place  # no gap is left where the error was
    assert line.accessibleDescription() == "Required\nYour own.\nAt most 60 characters."


def test_an_empty_schema_asks_for_a_plain_yes(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({}))
    qtbot.keyClick(asked.window, Key.Key_Return)
    assert asked.sent() == {}


def test_a_form_that_cannot_be_shown_says_why_and_offers_no_send(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"x": {"$ref": "https://example.org/schema"}}))
    assert "never fetched" in asked.part(Label, "problem").accessibleName()
    assert not asked.window.findChildren(QAbstractButton, "send")
    qtbot.keyClick(asked.window, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert asked.answers == []
    asked.press("decline")
    assert asked.answers == [DECLINE]


def test_escape_is_cancel(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": ONE}))
    qtbot.keyClick(asked.window, Key.Key_Escape)
    assert asked.answers == [CANCEL]
    assert not asked.window.isVisible()


def test_closing_the_window_is_cancel(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": ONE}))
    asked.window.close()
    assert asked.answers == [CANCEL]


@pytest.mark.parametrize(("button", "answer"), [("decline", DECLINE), ("cancel", CANCEL)])
def test_each_refusal_has_its_own_button(qtbot: QtBot, button: str, answer: Answer) -> None:
    asked = Asked(qtbot, samples.form({"it": ONE}, "it"))
    asked.press(button)
    assert asked.answers == [answer]


def test_return_on_a_refusal_presses_that_and_not_send(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": ONE}))
    decline = asked.part(QAbstractButton, "refuse")
    decline.setFocus()
    qtbot.keyClick(decline, Key.Key_Return)
    assert asked.answers == [DECLINE]


@pytest.mark.parametrize("field", [ONE, {"type": "string", "enum": MANY}])
def test_return_in_a_field_sends(qtbot: QtBot, field: dict[str, Any]) -> None:
    asked = Asked(qtbot, samples.form({"it": field}))
    qtbot.keyClick(focused(), Key.Key_Return)
    assert asked.sent() == {}


def test_return_on_a_check_box_sends_and_does_not_tick_it(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "array", "items": {"enum": COLOURS}}}))
    qtbot.keyClick(asked.part(QCheckBox, "option:it:0"), Key.Key_Return)
    assert asked.sent() == {}


def test_what_is_typed_as_json_may_start_from_an_example(qtbot: QtBot) -> None:
    person = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    asked = Asked(qtbot, samples.form({"it": {"type": "array", "items": person}}))
    box = asked.part(QPlainTextEdit, "field:it")
    example = asked.part(QAbstractButton, "example:it")
    example.click()
    assert box.hasFocus()
    assert json.loads(box.toPlainText()) == [{"name": ""}]
    assert not example.isEnabled()  # it never writes over what is there
    box.clear()
    assert example.isEnabled()


def test_a_second_send_is_impossible(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": ONE}))
    for act in (asked.window.submit, asked.window.submit, asked.window.close, asked.window.reject):
        act()
    assert len(asked.answers) == 1


def test_a_field_that_looks_like_a_secret_is_masked_and_warned_about_and_can_be_reviewed(
    qtbot: QtBot,
) -> None:
    asked = Asked(qtbot, samples.form({"key": {"type": "string", "title": "API key"}}))
    line: QLineEdit = asked.part(QLineEdit, "field:key")
    assert line.echoMode() is QLineEdit.EchoMode.Password
    assert asked.part(Label, "secret:key").isVisible()
    asked.press("show:key")
    assert line.echoMode() is QLineEdit.EchoMode.Normal


def test_assistive_technology_sees_title_message_fields_and_buttons(qtbot: QtBot) -> None:
    asked = Asked(
        qtbot, samples.form({"a": ONE, "plain": {"type": "boolean"}}, message="Why?", server="github")
    )
    assert asked.window.windowTitle() == "Question from github"
    assert asked.window.accessibleDescription() == "Why?"
    assert asked.part(QLineEdit, "field:a").accessibleName() == "Name"
    assert asked.part(QWidget, "input:plain").accessibleName() == "plain"
    names = [
        asked.part(QAbstractButton, name).text().replace("&", "") for name in ("send", "decline", "cancel")
    ]
    assert names == ["Send", "Decline", "Cancel"]


RARE: dict[str, Any] = {
    "when": {"type": "string", "format": "date-time", "default": "2026-01-01T00:00:00Z"},
    "many": {"enum": MANY, "default": MANY[9]},
    "ticks": {"type": "array", "items": {"enum": MANY}, "default": MANY[3:5]},
    "password": ONE,
    "list": {"type": "array", "items": {"type": "string"}},
    "json": {"type": "array"},
}


@pytest.mark.parametrize("fields", [samples.EVERY_KIND, RARE])
def test_every_control_has_a_name_for_tests_and_for_assistive_technology(
    qtbot: QtBot, fields: dict[str, Any]
) -> None:
    asked = Asked(qtbot, samples.form(fields, arguments=b'{"a":1}'))
    kinds = (QAbstractButton, QLineEdit, QComboBox, QListView, QPlainTextEdit)
    parts: list[QWidget] = [c for kind in kinds for c in asked.window.findChildren(kind) if c.isVisible()]
    controls = [part for part in parts if part.isEnabled()]
    assert len(controls) > 12
    assert [c for c in controls if not c.objectName()] == []
    spoken = [(c.text() if isinstance(c, QAbstractButton) else "") or c.accessibleName() for c in controls]
    assert all(spoken)
    asked.window.close()


def test_the_whole_form_is_walked_by_tab_in_reading_order(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"a": ONE, "b": {"type": "boolean"}, "c": ONE}, "a"))
    assert asked.window.isVisible()
    seen = []
    for _ in range(8):
        seen.append(focused().objectName())
        qtbot.keyClick(focused(), Key.Key_Tab)
    assert seen == ["field:a", "option:b:2", "field:c", "send", "refuse", "refuseMenu", "later", "review"]


def test_rows_that_come_late_are_walked_before_the_buttons_too(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({f"f{number}": ONE for number in range(60)}))
    lines = asked.window.findChildren
    qtbot.waitUntil(lambda: sum(line.isVisible() for line in lines(QLineEdit)) == 60)
    seen = []
    for _ in range(61):
        seen.append(focused().objectName())
        qtbot.keyClick(focused(), Key.Key_Tab)
    assert seen == [*(f"field:f{number}" for number in range(60)), "send"]


def test_a_long_form_is_sent_whole_even_at_once(qtbot: QtBot) -> None:
    fields = {f"f{number}": {"type": "integer", "default": number} for number in range(200)}
    asked = Asked(qtbot, samples.form(fields))
    asked.window.submit()
    assert asked.sent() == {f"f{number}": number for number in range(200)}


def test_the_message_is_never_markup(qtbot: QtBot) -> None:
    asked = Asked(
        qtbot, samples.form({}, message="<b>bold</b> <a href='x'>link</a>\u202e", server="<i>x</i>")
    )
    assert asked.window.message.toPlainText() == "<b>bold</b> <a href='x'>link</a>\ufffd"
    assert asked.part(Label, "who").textFormat() is Qt.TextFormat.PlainText


def test_a_long_message_and_a_long_form_stay_on_the_screen(qtbot: QtBot) -> None:
    fields = {f"f{number}": ONE for number in range(60)}
    asked = Asked(qtbot, samples.form(fields, message="word " * 5000, server="s" * 500))
    screen = asked.window.screen().availableGeometry()
    assert asked.window.height() <= screen.height()
    assert asked.window.width() <= screen.width()
    assert asked.part(QAbstractButton, "send").isVisible()


def test_details_show_what_the_tool_was_called_with(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({}, arguments=b'{"repo":"engine","n":1.10}'))
    assert not asked.window.findChildren(QWidget, "arguments")
    asked.press("details")
    words = [label.text() for label in asked.part(QWidget, "arguments").findChildren(Label)]
    assert words == ["Tool", "Create issue (create_issue)", "Repo", "engine", "N", "1.1"]
    asked.press("raw")
    raw: QPlainTextEdit = asked.part(QPlainTextEdit, "rawData")
    assert raw.toPlainText() == '{\n  "repo": "engine",\n  "n": 1.10\n}'


def test_a_field_called_proto_and_ten_thousand_options_survive(qtbot: QtBot) -> None:
    options = [f"o{number}" for number in range(10_000)]
    fields = {"__proto__": ONE, "constructor": {"type": "string", "enum": options, "default": "o9999"}}
    asked = Asked(qtbot, samples.form(fields))
    asked.keys("field:__proto__", "x")
    asked.press("send")
    assert asked.sent() == {"__proto__": "x", "constructor": "o9999"}


def test_a_long_form_of_wide_rows_is_never_cut_off_at_its_side(qtbot: QtBot) -> None:
    wide = {"type": "string", "enum": ["Cats", "Dogs", "Birds", "Fish", "Snakes and such"]}
    window = FormWindow(samples.form({f"field {i}": wide for i in range(12)}))
    qtbot.addWidget(window)
    window.resize(window.minimumSizeHint())
    window.show()
    (scroll,) = window.findChildren(FittingScroll, "scroll")
    assert scroll.verticalScrollBar().isVisible()
    content = scroll.widget()
    assert content is not None
    assert content.width() <= scroll.viewport().width()
    window.close()


def test_a_wide_row_that_comes_late_widens_the_window(qtbot: QtBot) -> None:
    rows: dict[str, Any] = {f"field {i}": {"type": "string"} for i in range(60)}
    rows["pet"] = {"type": "string", "enum": ["Whales and their calves " * 2, "x" * 58, "y"]}
    window = Asked(qtbot, samples.form(rows)).window
    (scroll,) = window.findChildren(FittingScroll, "scroll")
    qtbot.waitUntil(lambda: len(window.findChildren(QRadioButton)) > 0)
    content = scroll.widget()
    assert content is not None
    assert content.minimumSizeHint().width() > 300
    qtbot.waitUntil(lambda: content.minimumSizeHint().width() <= scroll.viewport().width())


@pytest.mark.parametrize(
    ("options", "is_row"),
    [
        (["Cats", "Dogs"], True),
        (["Cats", "Dogs", "Birds", "Fish", "Reptiles"], False),
        (["x" * 40, "y" * 40], False),
    ],
)
def test_options_stand_side_by_side_only_where_they_all_fit(
    qtbot: QtBot, options: list[str], is_row: bool
) -> None:
    window = Asked(qtbot, samples.form({"pet": {"type": "string", "enum": options}, "also": ONE})).window
    buttons = window.findChildren(QRadioButton)
    assert len(buttons) == len(options) + 1
    assert (len({button.y() for button in buttons}) == 1) is is_row


# Review


def test_what_will_be_sent_is_one_click_away_and_follows_what_is_typed(qtbot: QtBot) -> None:
    asked = Asked(
        qtbot, samples.form({"name": ONE, "key": {"type": "string", "title": "API key"}, "c": ONE}, "name")
    )
    assert not asked.window.findChildren(QPlainTextEdit, "answer")
    asked.press("review")
    answer: QPlainTextEdit = asked.part(QPlainTextEdit, "answer")
    assert asked.part(QToolButton, "review").nextInFocusChain() is answer
    assert answer.toPlainText() == "Not complete yet: Name"
    asked.keys("field:name", "Ada")
    asked.keys("field:key", "hush-hush")
    assert answer.toPlainText() == f"Name: Ada\nAPI key: {MASK}"
    asked.press("review")
    assert not answer.isVisible()


def test_a_rule_on_the_whole_answer_is_told_below_the_fields(qtbot: QtBot) -> None:
    rules = {"type": "object", "properties": {"a": ONE, "b": ONE}, "minProperties": 1}
    asked = Asked(qtbot, samples.form({}, schema=json.dumps(rules).encode()))
    asked.press("send")
    assert "minProperties" in asked.part(Label, "error").accessibleName()
    asked.keys("field:a", "x")
    asked.press("send")
    assert asked.sent() == {"a": "x"}


# Secrets

KEY = {"key": {"type": "string", "title": "API key"}, "name": ONE}


def test_a_secret_is_sent_only_by_a_second_deliberate_click(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form(KEY))
    asked.keys("field:key", "hush-hush")
    asked.key("field:key", Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert asked.answers == []
    assert "github" in asked.part(Label, "secretWarning").accessibleName()
    shown = asked.part(QPlainTextEdit, "secretAnswer").toPlainText()
    assert shown.endswith(f": {MASK}")
    qtbot.keyClick(asked.window, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert asked.answers == []
    assert asked.part(QAbstractButton, "send").text().replace("&", "") == "Send anyway"
    asked.press("send")
    assert asked.sent() == {"key": "hush-hush"}


def test_return_after_a_secret_goes_back_and_what_was_typed_is_there(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form(KEY))
    asked.keys("field:key", "hush-hush")
    asked.press("send")
    qtbot.keyClick(focused(), Key.Key_Return)
    assert asked.answers == []
    assert asked.part(QLineEdit, "field:key").isVisible()
    assert asked.part(QAbstractButton, "send").text().replace("&", "") == "Send"
    assert asked.part(QLineEdit, "field:key").text() == "hush-hush"


def test_a_secret_that_is_left_blank_needs_no_second_click(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form(KEY))
    asked.keys("field:name", "Ada")
    asked.press("send")
    assert asked.sent() == {"name": "Ada"}


def test_a_secret_is_not_kept_when_its_question_is_withdrawn(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form(KEY))
    asked.keys("field:key", "hush-hush")
    assert asked.window.typed() == ""
    asked.keys("field:name", "Ada")
    asked.press("send")
    asked.window.withdraw()
    assert asked.window.typed() == "Name: Ada"
    asked.window.close()


@pytest.mark.parametrize("node", [{"type": "array", "items": {"type": "string"}}, {"type": "object"}])
def test_a_secret_of_any_shape_is_masked(qtbot: QtBot, node: dict[str, Any]) -> None:
    asked = Asked(qtbot, samples.form({"passwords": node}))
    assert asked.part(QLineEdit, "field:passwords").echoMode() is QLineEdit.EchoMode.Password
    asked.press("send")
    assert asked.sent() == {}


# Text as it is typed


def test_return_sends_a_short_text_and_shift_return_begins_a_line(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "string"}}))
    asked.keys("field:it", "one")
    asked.key("field:it", Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    asked.keys("field:it", "two\u00a0")
    asked.key("field:it", Key.Key_Return)
    assert asked.sent() == {"it": "one\ntwo\u00a0"}


def test_a_box_grows_with_its_text_up_to_a_point(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "string"}}))
    box: QPlainTextEdit = asked.part(QPlainTextEdit, "field:it")
    heights = []
    for _ in range(20):
        heights.append(box.height())
        asked.key("field:it", Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert heights == sorted(heights)
    assert heights[0] < heights[4] < heights[12] == heights[-1]
    asked.window.close()


@pytest.mark.parametrize("default", ["a\r\nb", "a\u2029b", "a\u00a0b\n", "tab\there"])
def test_a_default_that_nobody_touched_keeps_every_character(qtbot: QtBot, default: str) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "string", "default": default}}))
    asked.press("send")
    assert asked.sent() == {"it": default}


def test_a_list_whose_items_do_not_fit_a_line_is_json(qtbot: QtBot) -> None:
    node = {"type": "array", "items": {"type": "string"}, "default": ["a\nb", ""]}
    asked = Asked(qtbot, samples.form({"it": node}))
    asked.press("send")
    assert asked.sent() == {"it": ["a\nb", ""]}


# Many options

COUNTRIES = [
    "Austria",
    "Brazil",
    "Chad",
    "Denmark",
    "Egypt",
    "Fiji",
    "Ghana",
    "Haiti",
    "India",
    "New Zealand",
]


def test_every_word_that_is_sought_must_occur_and_what_is_chosen_stays_chosen(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"enum": COUNTRIES, "default": "Chad"}}))
    rows: QListView = asked.part(QListView, "field:it")
    asked.keys("search:it", "land NEW")
    assert [rows.model().index(row, 0).data() for row in range(rows.model().rowCount())] == ["New Zealand"]
    assert "Chad" in asked.part(Label, "chosen:it").accessibleName()
    asked.press("send")
    assert asked.sent() == {"it": "Chad"}


def test_escape_ends_a_search_before_it_ends_the_question(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"enum": COUNTRIES}}))
    asked.keys("search:it", "x")
    asked.key("search:it", Key.Key_Escape)
    assert asked.answers == []
    assert asked.part(QLineEdit, "search:it").text() == ""
    asked.key("search:it", Key.Key_Escape)
    assert asked.answers == [CANCEL]


def test_down_leads_from_the_search_to_the_list_and_the_highlighted_row_is_chosen(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"enum": COUNTRIES}}))
    asked.keys("search:it", "a")
    asked.key("search:it", Key.Key_Down)
    qtbot.keyClick(focused(), Key.Key_Down)
    qtbot.keyClick(focused(), Key.Key_Return)
    assert asked.sent() == {"it": "Brazil"}


def test_a_click_anywhere_on_a_row_ticks_it_once(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "array", "items": {"enum": COUNTRIES}}}))
    rows: QListView = asked.part(QListView, "field:it")
    for row, side in ((1, "left"), (2, "center")):
        box = rows.visualRect(rows.model().index(row, 0))
        point = box.center() if side == "center" else QPoint(box.left() + 10, box.center().y())
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=point)
    asked.press("send")
    assert asked.sent() == {"it": ["Brazil", "Chad"]}


def test_ticks_survive_a_search_and_are_counted(qtbot: QtBot) -> None:
    node = {"type": "array", "items": {"enum": COUNTRIES}, "default": ["Fiji"]}
    asked = Asked(qtbot, samples.form({"it": node}))
    asked.keys("search:it", "gh")
    asked.key("search:it", Key.Key_Down)
    qtbot.keyClick(focused(), Key.Key_Space)
    assert asked.part(Label, "chosen:it").accessibleName() == "2 chosen: Fiji, Ghana"
    asked.press("send")
    assert asked.sent() == {"it": ["Fiji", "Ghana"]}


def test_a_server_that_was_never_answered_is_marked(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({}, first=True))
    assert asked.part(QWidget, "first").accessibleName() == "First time this server asks you"
    asked.window.close()
    assert not Asked(qtbot, samples.form({})).window.findChildren(QWidget, "first")


def test_return_presses_the_default_of_a_yes_or_no(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"sure": {"type": "boolean", "default": False}}, "sure"))
    assert focused().objectName() == "option:1"
    qtbot.keyClick(focused(), Key.Key_Return)
    assert asked.sent() == {"sure": False}


def test_one_choice_of_a_few_is_seen_in_its_list_and_not_repeated_below(qtbot: QtBot) -> None:
    node = {"type": "string", "enum": COUNTRIES[:6], "default": COUNTRIES[2]}
    asked = Asked(qtbot, samples.form({"it": node, "also": {"type": "string"}}, "it"))
    assert not asked.part(Label, "chosen:it").isVisible()
    assert not asked.part(QAbstractButton, "clear:it").isVisible()
    asked.window.close()
    optional = Asked(qtbot, samples.form({"it": node, "also": {"type": "string"}}))
    assert optional.part(QAbstractButton, "clear:it").isVisible()


def test_typed_text_is_not_selected_when_the_window_is_shown_again(qtbot: QtBot) -> None:
    name = {"type": "string", "title": "Name", "maxLength": 60}
    asked = Asked(qtbot, samples.form({"name": name}))
    asked.keys("field:name", "Ada")
    asked.window.hide()
    line = asked.part(QLineEdit, "field:name")  # QDialog sends it this when it is shown
    QApplication.sendEvent(line, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    assert line.selectedText() == "Ada"
    qtbot.waitUntil(lambda: line.selectedText() == "")
    assert line.cursorPosition() == 3


def test_what_is_typed_into_a_field_replaces_its_default(qtbot: QtBot) -> None:
    guests = {"type": "integer", "title": "Guests", "default": 2, "minimum": 1, "maximum": 12}
    asked = Asked(qtbot, samples.form({"name": {"type": "string", "maxLength": 60}, "guests": guests}))
    with qtbot.waitActive(asked.window):
        asked.window.activateWindow()
    asked.part(QLineEdit, "field:name").setFocus()
    qtbot.keyClick(asked.part(QLineEdit, "field:name"), Qt.Key.Key_Tab)
    line = asked.part(QLineEdit, "field:guests")
    qtbot.waitUntil(line.hasFocus)
    qtbot.keyClicks(line, "4")
    assert line.text() == "4"


def test_the_window_grows_with_the_picture_of_a_chosen_file(tmp_path: Path, qtbot: QtBot) -> None:
    picture = {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"}
    asked = Asked(qtbot, samples.form({"shot": picture}))
    image = QImage(96, 96, QImage.Format.Format_RGB32)
    image.save(str(tmp_path / "shot.png"))
    before = asked.window.height()
    asked.part(FileInput, "input:shot").read(tmp_path / "shot.png")
    assert asked.window.height() >= before + 96
    QApplication.processEvents()
    assert not asked.part(FittingScroll, "scroll").verticalScrollBar().isVisible()


def test_the_buttons_stay_on_the_screen_when_the_details_are_opened(qtbot: QtBot) -> None:
    arguments = json.dumps({f"key{n}": "word " * 6 for n in range(40)}).encode()
    asked = Asked(qtbot, samples.form({"name": {"type": "string"}}, arguments=arguments))
    center_on_pointer_screen(asked.window)
    before = asked.window.height()
    asked.press("details")
    assert asked.window.height() > before
    room = asked.window.screen().availableGeometry()
    assert room.top() <= asked.window.frameGeometry().top()
    assert asked.window.frameGeometry().bottom() <= room.bottom()
