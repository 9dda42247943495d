"""Answers made by programs, unknown schemas, secrets and references."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.core.forms import schema
from bridge.core.forms.fields import Validator
from bridge.core.forms.schema import Kind
from bridge.system.masking import MASK
from tests.core.forms.json_forms import form, only

PERSON = form(
    {
        "name": {"type": "string", "maxLength": 5},
        "age": {"type": "integer"},
        "height": {"type": "number"},
        "member": {"type": "boolean"},
        "colour": {"enum": ["red", "blue"]},
        "days": {"type": "array", "items": {"enum": ["mon", "tue"]}, "uniqueItems": True},
        "nick": {"type": ["string", "null"]},
    },
    "name",
)


def test_a_good_answer_is_kept_as_it_is_on_one_line() -> None:
    given_ = (
        b'{"name": "Ann",\n "age": 9007199254740993, "height": 1.50, "member": true, "nick": null, "more": 1}'
    )
    filled = PERSON.check(given_)
    assert filled.errors == {}
    assert filled.content == given_.replace(b"\n", b"").replace(b": ", b":").replace(b", ", b",")


def test_a_bad_answer_tells_all_that_is_wrong() -> None:
    bad = {
        "name": 1,
        "age": 1.5,
        "height": "1",
        "member": "yes",
        "colour": "green",
        "days": ["mon", "mon"],
        "nick": 1,
    }
    assert list(PERSON.check(json.dumps(bad).encode()).errors) == list(bad)
    assert PERSON.check(b"{}").errors == {"name": "This is missing."}
    assert PERSON.check(b'{"name":"Ann","days":"mon"}').errors == {"days": "Please choose from the options."}


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"name":"Ann","x":1e309}'])
def test_an_answer_that_is_no_object_is_refused(content: bytes) -> None:
    filled = PERSON.check(content)
    assert filled.content is None
    assert list(filled.errors) == [""]


def test_a_form_that_allows_no_other_fields_has_none() -> None:
    assert form({"a": {}}, additionalProperties=False).check(b'{"a":1,"b":2}').errors == {
        "b": "The form has no such field."
    }
    assert form({"a": {}}, additionalProperties=False).check(b'{"a":1}').content == b'{"a":1}'


# What this module does not know


def strict(root: dict[str, Any], node: object) -> Validator:
    """Likes nothing; says what it was shown."""
    return lambda value: "" if value == {"ok": 1} else f"{node is root} {value}"


def test_a_json_field_is_judged_by_whoever_knows_more() -> None:
    text = b'{"properties":{"it":{"type":"object"},"name":{"type":"string"}}}'
    asked = schema.parse(text, strict)
    assert asked.fill({"it": "{}", "name": "x"}).errors == {"it": "False {}"}
    assert asked.fill({"it": "[]"}).errors == {"it": "This must be JSON of type object."}
    assert asked.fill({"it": '{"ok":1}', "name": "x"}).content == b'{"it":{"ok":1},"name":"x"}'


def test_rules_on_the_answer_as_a_whole_are_judged_when_every_field_is_right() -> None:
    asked = schema.parse(b'{"properties":{"ok":{"type":"integer"}},"minProperties":1}', strict)
    assert asked.fill({"ok": "x"}).errors == {"ok": "Please enter a whole number, such as 3."}
    assert asked.fill({"ok": "2"}).errors == {"": "True {'ok': 2}"}
    assert asked.fill({"ok": "1"}).content == b'{"ok":1}'
    assert asked.check(b'{"ok":2}').errors == {"": "True {'ok': 2}"}
    assert asked.check(b'{"ok":1}').content == b'{"ok":1}'


@pytest.mark.parametrize(
    ("node", "sketch"),
    [
        ({"type": "object"}, None),
        ({"type": ["object", "string"], "default": 7}, 7),
        (
            {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "age": {"type": "integer"},
                    "size": {"enum": ["S", "M"]},
                    "on": {"type": "boolean"},
                    "kind": {"const": "x"},
                    "when": {"examples": ["now"]},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "all": {"type": "array"},
                    "lost": {"$ref": "#/nowhere"},
                    "in": {"type": "object", "properties": {"a": {"properties": {"b": {"properties": {}}}}}},
                },
            },
            {
                "name": "",
                "age": 0,
                "size": "S",
                "on": False,
                "kind": "x",
                "when": "now",
                "tags": [""],
                "all": [],
                "lost": None,
                "in": {"a": {"b": None}},
            },
        ),
    ],
)
def test_a_json_field_is_sketched_for_whoever_has_to_write_it(node: Any, sketch: object) -> None:
    assert only(node).sketch == ("" if sketch is None else schema.shown(sketch))


# Secrets


@pytest.mark.parametrize(
    "node",
    [
        {"type": "string", "format": "password"},
        *(
            {"type": "string", "title": words}
            for words in ["Password", "API key", "Seed phrase", "Card number", "CVV", "PIN"]
        ),
        *(
            {"type": "string", "description": words}
            for words in ["Your access token", "The one-time code", "Ihr Passwort"]
        ),
    ],
)
def test_a_field_that_asks_for_a_secret_looks_secret(node: Any) -> None:
    assert schema.looks_secret(only(node))


@pytest.mark.parametrize(
    "name", ["apiKey", "api_key", "db-password", "userPIN", "card_pin", "GITHUB_TOKEN", "privateKey"]
)
def test_a_secret_is_seen_in_the_name_of_a_field(name: str) -> None:
    (field,) = form({name: {"type": "string"}}).fields
    assert schema.looks_secret(field)


@pytest.mark.parametrize(
    "name", ["name", "max_tokens", "tokenizer", "pinned", "keyboard", "secretary", "spin", "passport"]
)
def test_ordinary_names_do_not_look_secret(name: str) -> None:
    (field,) = form({name: {"type": "string", "description": "Where to pin the note"}}).fields
    assert not schema.looks_secret(field)


def test_an_answer_is_shown_with_its_secrets_covered() -> None:
    asked = form({"name": {"type": "string"}, "api_key": {"type": "string"}, "pin_code": {"type": "string"}})
    shown = asked.masked(b'{"name":"Ada","api_key":"hush"}')
    assert json.loads(shown) == {"name": "Ada", "api_key": MASK}


def test_what_is_only_picked_cannot_be_a_secret() -> None:
    assert not schema.looks_secret(only({"type": "boolean", "title": "Remember the password?"}))


def test_a_programs_answer_gets_the_servers_defaults_for_what_it_left_out() -> None:
    asked = schema.parse(
        json.dumps(
            {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "default": "Ann"},
                    "age": {"type": "integer", "default": 7},
                    "nick": {"type": "string"},
                },
            }
        ).encode()
    )
    assert json.loads(asked.completed(b'{"age": 8}')) == {"age": 8, "name": "Ann"}
    assert asked.completed(b"[]") == b"[]"


# What references would unfold to


def test_a_choice_that_many_fields_refer_to_is_shown_until_there_are_too_many_options() -> None:
    choice = {"type": "string", "enum": [str(number) for number in range(5000)]}
    many = form({f"f{number}": {"$ref": "#/$defs/x"} for number in range(20)}, **{"$defs": {"x": choice}})
    assert sum(len(field.options) for field in many.fields) == schema.MOST_OPTIONS
    assert [field.kind for field in many.fields] == [Kind.CHOICE] * 10 + [Kind.JSON] * 10


def test_an_example_stays_small_however_often_forms_refer_to_forms() -> None:
    defs: dict[str, Any] = {"d0": {"type": "string"}}
    for level in range(3):
        inner = {f"k{number}": {"$ref": f"#/$defs/d{level}"} for number in range(50)}
        defs[f"d{level + 1}"] = {"type": "object", "properties": inner}
    sketch = only({"$ref": "#/$defs/d3"}, defs=defs).sketch
    assert len(json.loads(sketch)["k0"]) == 50
    assert sketch.count('""') < schema.MOST_SKETCHED
