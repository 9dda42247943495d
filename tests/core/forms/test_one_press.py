"""Forms that one press answers, and forms that need more."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.core.forms import full_validation
from bridge.core.forms.one_press import NO, SKIP, YES, one_press


def pressed(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> list[tuple[Any, str]]:
    schema = {"type": "object", "properties": properties, "required": list(required), **more}
    answers = one_press(full_validation.parse(json.dumps(schema).encode()))
    return [(json.loads(one.content), one.word or one.title) for one in answers]


ENV = {"env": {"type": "string", "oneOf": [{"const": "dev", "title": "Development"}, {"const": "prod"}]}}


def test_nothing_to_fill_in_is_one_yes():
    assert pressed({}) == [({}, YES)]


def test_yes_or_no_are_two_buttons_and_what_may_be_left_out_has_a_third():
    ok = {"ok": {"type": "boolean"}}
    assert pressed(ok, ("ok",)) == [({"ok": True}, YES), ({"ok": False}, NO)]
    assert pressed(ok)[-1] == ({}, SKIP)


def test_each_of_a_few_options_is_a_button_by_its_title():
    assert pressed(ENV, ("env",)) == [({"env": "dev"}, "Development"), ({"env": "prod"}, "prod")]


def test_the_default_is_known():
    schema = {"type": "object", "properties": {"size": {"enum": ["S", "M"], "default": "M"}}}
    answers = one_press(full_validation.parse(json.dumps(schema).encode()))
    assert [one.is_default for one in answers] == [False, True, False]


@pytest.mark.parametrize(
    "properties",
    [
        {"a": {"type": "boolean"}, "b": {"type": "boolean"}},
        {"a": {"type": "string"}},
        {"a": {"enum": list("abcdef")}},
    ],
)
def test_other_forms_need_more_than_a_press(properties: dict[str, Any]):
    assert pressed(properties) == []


def test_a_form_with_rules_on_the_whole_is_filled_in():
    assert pressed({"a": {"type": "boolean"}}, minProperties=1) == []


def test_an_option_that_would_be_refused_is_no_button():
    assert pressed({"a": {"enum": [1, 2], "not": {"const": 2}}}, ("a",)) == []
