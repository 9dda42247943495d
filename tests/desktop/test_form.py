"""The form window: what is typed, key by key, is what is sent; what is wrong is said beside its field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, DECLINE, Action, Answer, Question
from desktop.questions.form import FormWindow
from desktop.widgets.labels import Label
from desktop.widgets.scroll import FittingScroll
from tests.desktop import samples

Key = Qt.Key
ONE = {"type": "string", "title": "Name"}
COLOURS = ["red", "green", "blue"]
MANY = [f"option {number}" for number in range(30)]


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


class Asked:
    """An open form, and every Answer it gave."""

    def __init__(self, qtbot: QtBot, question: Question) -> None:
        self.bot = qtbot
        self.answers: list[Answer] = []
        self.window = FormWindow(question)
        qtbot.addWidget(self.window)
        self.window.answered.connect(lambda _, answer: self.answers.append(answer))
        self.window.fit()
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(lambda: self.window.isActiveWindow())

    def part(self, kind: type[QWidget], name: str) -> Any:
        return self.window.findChildren(kind, name)[0]

    def press(self, name: str) -> None:
        self.bot.mouseClick(self.part(QAbstractButton, name), Qt.MouseButton.LeftButton)

    def type(self, name: str, keys: str) -> None:
        self.bot.keyClicks(self.part(QLineEdit, f"field:{name}"), keys)

    def error(self, name: str) -> str:
        labels = self.window.findChildren(Label, f"error:{name}")
        return labels[0].accessibleName() if labels and labels[0].isVisible() else ""

    def sent(self) -> Any:
        """The content of the one Answer there is."""
        assert [answer.action for answer in self.answers] == [Action.ACCEPT]
        return json.loads(self.answers[0].content)


@pytest.mark.parametrize(
    ("field", "typed", "sent"),
    [
        ({"type": "string"}, "Ada", "Ada"),
        ({"type": "string"}, "  spaces stay ", "  spaces stay "),
        ({"type": "string", "format": "email"}, "ada@example.org", "ada@example.org"),
        ({"type": "integer"}, "9007199254740993", 9007199254740993),
        ({"type": "integer"}, " 7 ", 7),
        ({"type": "number"}, "2.50", 2.5),
        ({"type": "number"}, "-3", -3),
    ],
)
def test_what_is_typed_into_a_line_is_what_is_sent(
    qtbot: QtBot, field: dict[str, Any], typed: str, sent: object
) -> None:
    asked = Asked(qtbot, samples.form({"it": field}, "it"))
    asked.type("it", typed)
    asked.press("send")
    assert asked.sent() == {"it": sent}


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ({"type": "string"}, ""),
        ({"type": "string", "minLength": 3}, "ab"),
        ({"type": "string", "maxLength": 3}, "abcd"),
        ({"type": "string", "format": "email"}, "ada"),
        ({"type": "string", "format": "date"}, "2026-02-30"),
        ({"type": "integer"}, "1.5"),
        ({"type": "integer", "maximum": 10}, "11"),
        ({"type": "number"}, "NaN"),
        ({"type": "number"}, "1e309"),
    ],
)
def test_what_cannot_be_sent_is_said_beside_the_field(
    qtbot: QtBot, field: dict[str, Any], typed: str
) -> None:
    asked = Asked(qtbot, samples.form({"it": field}, "it"))
    asked.type("it", typed)
    asked.press("send")
    assert asked.answers == []
    assert asked.error("it")
    assert asked.window.isVisible()


def test_a_number_keeps_every_digit_that_was_typed(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "number"}}))
    asked.type("it", "0.1000000000000000055511151231257827")
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
    asked = Asked(qtbot, samples.form({"it": {"type": "boolean"}}))
    assert asked.part(QRadioButton, "option:it:2").isChecked()
    asked.press(f"option:it:{place}")
    asked.press("send")
    assert asked.sent() == sent


def test_a_required_boolean_without_default_wants_a_choice(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "boolean"}}, "it"))
    assert not asked.window.findChildren(QRadioButton, "option:it:2")
    asked.press("send")
    assert asked.error("it")
    asked.press("option:it:1")
    assert not asked.error("it")
    asked.press("send")
    assert asked.sent() == {"it": False}


def test_few_options_are_radio_buttons_with_titles_and_their_values_are_sent(qtbot: QtBot) -> None:
    arms = [{"const": "r", "title": "Deep & red"}, {"const": "g", "title": "Green"}]
    asked = Asked(qtbot, samples.form({"it": {"type": "string", "oneOf": arms}}, "it"))
    assert asked.part(QRadioButton, "option:it:0").text() == "Deep && red"
    asked.press("option:it:0")
    asked.press("send")
    assert asked.sent() == {"it": "r"}


def test_many_options_drop_down_and_none_is_chosen_before_the_person_does(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "string", "enum": MANY}}, "it"))
    drop: QComboBox = asked.part(QComboBox, "field:it")
    assert drop.currentIndex() == -1
    asked.press("send")
    assert asked.error("it")
    drop.setFocus()
    qtbot.keyClick(drop, Key.Key_Down)
    asked.press("send")
    assert asked.sent() == {"it": "option 0"}


def test_an_optional_drop_down_can_be_left_out_again(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "string", "enum": MANY, "default": "option 0"}}))
    qtbot.keyClick(asked.part(QComboBox, "field:it"), Key.Key_Home)
    asked.press("send")
    assert asked.sent() == {}


def test_several_options_are_ticked_in_check_boxes(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "array", "items": {"enum": COLOURS}, "minItems": 2}}))
    asked.press("option:it:2")
    asked.press("send")
    assert asked.error("it")
    asked.press("option:it:0")
    asked.press("send")
    assert asked.sent() == {"it": ["red", "blue"]}


def test_many_options_are_ticked_in_a_list_by_keyboard(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "array", "items": {"enum": MANY}}}))
    ticks: QListWidget = asked.part(QListWidget, "field:it")
    for key in (Key.Key_Down, Key.Key_Space, Key.Key_Down, Key.Key_Space):
        qtbot.keyClick(ticks, key)
    asked.press("send")
    assert len(asked.sent()["it"]) == 2


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
    asked.type("number", "x")
    asked.type("mail", "x")
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
    asked.type("it", "A")
    assert asked.error("it") == ""
    assert line.accessibleDescription() == "Required\nYour own."


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
    decline = asked.part(QAbstractButton, "decline")
    decline.setFocus()
    qtbot.keyClick(decline, Key.Key_Return)
    assert asked.answers == [DECLINE]


@pytest.mark.parametrize("field", [ONE, {"type": "boolean"}, {"type": "string", "enum": MANY}])
def test_return_in_a_field_sends(qtbot: QtBot, field: dict[str, Any]) -> None:
    asked = Asked(qtbot, samples.form({"it": field}))
    qtbot.keyClick(focused(), Key.Key_Return)
    assert asked.sent() == {}


def test_return_on_a_check_box_sends_and_does_not_tick_it(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"it": {"type": "array", "items": {"enum": COLOURS}}}))
    qtbot.keyClick(asked.part(QCheckBox, "option:it:0"), Key.Key_Return)
    assert asked.sent() == {}


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


def test_every_control_has_a_name_for_tests_and_for_assistive_technology(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.every_kind())
    kinds = (QAbstractButton, QLineEdit, QComboBox)
    controls: list[QWidget] = [c for kind in kinds for c in asked.window.findChildren(kind) if c.isVisible()]
    assert len(controls) > 15
    assert [c for c in controls if not c.objectName()] == []
    spoken = [c.text() if isinstance(c, QAbstractButton) else c.accessibleName() for c in controls]
    assert all(spoken)


def test_the_whole_form_is_walked_by_tab_in_reading_order(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({"a": ONE, "b": {"type": "boolean"}, "c": ONE}, "a"))
    assert asked.window.isVisible()
    seen = []
    for _ in range(6):
        seen.append(focused().objectName())
        qtbot.keyClick(focused(), Key.Key_Tab)
    assert seen == ["field:a", "option:b:2", "field:c", "send", "decline", "cancel"]


def test_the_message_is_never_markup(qtbot: QtBot) -> None:
    asked = Asked(
        qtbot, samples.form({}, message="<b>bold</b> <a href='x'>link</a>\u202e", server="<i>x</i>")
    )
    assert asked.window.message.toPlainText() == "<b>bold</b> <a href='x'>link</a>\ufffd"
    assert asked.part(Label, "server").textFormat() is Qt.TextFormat.PlainText


def test_a_long_message_and_a_long_form_stay_on_the_screen(qtbot: QtBot) -> None:
    fields = {f"f{number}": ONE for number in range(60)}
    asked = Asked(qtbot, samples.form(fields, message="word " * 5000, server="s" * 500))
    screen = asked.window.screen().availableGeometry()
    assert asked.window.height() <= screen.height()
    assert asked.window.width() <= screen.width()
    assert asked.part(QAbstractButton, "send").isVisible()


def test_details_show_what_the_tool_was_called_with(qtbot: QtBot) -> None:
    asked = Asked(qtbot, samples.form({}, arguments=b'{"repo":"engine","n":1.10}'))
    arguments: QPlainTextEdit = asked.part(QPlainTextEdit, "arguments")
    assert not arguments.isVisible()
    asked.press("details")
    assert arguments.isVisible()
    assert arguments.toPlainText() == '{\n  "repo": "engine",\n  "n": 1.10\n}'


def test_a_field_called_proto_and_ten_thousand_options_survive(qtbot: QtBot) -> None:
    options = [f"o{number}" for number in range(10_000)]
    fields = {"__proto__": ONE, "constructor": {"type": "string", "enum": options, "default": "o9999"}}
    asked = Asked(qtbot, samples.form(fields))
    asked.type("__proto__", "x")
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
