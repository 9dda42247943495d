"""What a person enters in one field becomes a value, nothing, or a reason why not."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from bridge.core.forms import formats, patterns, schema
from bridge.core.forms.fields import ABSENT, Invalid, Value
from tests.core.forms.json_forms import EVERY_KIND, form, only, reason

# Blank


@pytest.mark.parametrize("node", EVERY_KIND)
def test_blank_is_left_out_when_optional_and_refused_when_required(node: Any) -> None:
    for entered in (None, only(node).blank):
        assert only(node).read(entered) == ABSENT
        assert reason(only(node, required=True), entered).startswith("Please")


def test_spaces_are_blank_for_a_number_but_text_keeps_them() -> None:
    assert only({"type": "number"}).read("  ") == ABSENT
    assert only({"type": "object"}).read(" \n") == ABSENT
    assert only({"type": "string"}).read("  ") == Value("  ")
    assert only({"type": "string"}).read(" a\n") == Value(" a\n")


def test_a_required_text_may_be_empty_only_when_the_schema_says_so() -> None:
    assert reason(only({"type": "string"}, required=True), "") == "Please fill this in."
    assert only({"type": "string", "minLength": 0}, required=True).read("") == Value("")
    assert "email" in reason(only({"type": "string", "minLength": 0, "format": "email"}, required=True), "")


def test_a_required_list_may_be_empty_when_nothing_forbids_it() -> None:
    assert only({"type": "array", "items": {"enum": ["a"]}}, required=True).read(()) == Value([])


def test_a_required_nullable_left_blank_is_null() -> None:
    assert only({"type": ["integer", "null"]}, required=True).read("") == Value(None)
    assert only({"anyOf": [{"type": "object"}, {"type": "null"}]}).read("null") == Value(None)


# Text


def test_text_is_checked_for_length_in_characters() -> None:
    field = only({"type": "string", "minLength": 2, "maxLength": 3})
    assert reason(field, "🔔") == "Please enter at least 2 characters; this has 1."
    assert field.read("🔔🔔") == Value("🔔🔔")
    assert reason(field, "abcd") == "Please enter at most 3 characters; this has 4."
    assert "at most 1 character;" in reason(only({"type": "string", "maxLength": 1}), "ab")


def test_half_a_character_cannot_be_sent() -> None:
    assert reason(only({"type": "string"}), "a\udc80") == "This holds a character that cannot be sent."
    assert reason(only({}), '"\udc80"').startswith("This is not valid JSON")


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "email",
            [
                "ann@example.org",
                "a.b+c@x-y.example",
                "jörg@bücher.example",
                '"a b"@[127.0.0.1]',
                "root@localhost",
            ],
            [
                "",
                "ann",
                "ann@",
                "@example.org",
                "a b@c.d",
                "a@b@c",
                "a..b@c.d",
                f"{'a' * 65}@b.c",
                "a@-b.c",
                "a@b\n",
            ],
        ),
        (
            "uri",
            [
                "https://example.org",
                "http://[::1]:80/a?b#c",
                "mailto:a@b.c",
                "urn:x:y",
                "https://bücher.example/ü",
            ],
            [
                "",
                "example.org",
                "/path",
                "https://",
                "http:x",
                "https://a b",
                "https://a/%zz",
                "https://a:b",
                "//x",
            ],
        ),
        ("date", ["2026-03-31", "2024-02-29"], ["", "2026-02-29", "31.03.2026", "2026-3-1", "0000-01-01"]),
        (
            "date-time",
            ["2026-03-31T14:30:00Z", "2026-03-31t14:30:00.25+02:00", "2016-12-31T23:59:60Z"],
            [
                "",
                "2026-03-31",
                "2026-03-31T14:30:00",
                "2026-03-31 14:30:00Z",
                "2026-02-30T14:30:00Z",
                "2026-03-31T24:00:00Z",
            ],
        ),
    ],
)
def test_formats_are_checked(name: str, good: list[str], bad: list[str]) -> None:
    assert [text for text in good if formats.problem(name, text)] == []
    assert [text for text in bad if not formats.problem(name, text)] == []
    assert reason(only({"type": "string", "format": name}), "?!").startswith("Please enter")


def test_a_format_nobody_knows_is_no_rule() -> None:
    assert only({"type": "string", "format": "shoe-size"}).read("42½") == Value("42½")


def test_a_pattern_is_searched_for_in_the_text() -> None:
    field = only({"type": "string", "pattern": "^[A-Z]{2}[0-9]+$"})
    assert field.read("AB1") == Value("AB1")
    assert "^[A-Z]{2}[0-9]+$" in reason(field, "ab1")
    assert field.note == ""


@pytest.mark.parametrize(
    "source", ["(?<year>[0-9]{4})", r"^\p{L}+$", "(", "a" * 2_001, "(" * 950, "a{1,99999999999}"]
)
def test_a_pattern_that_cannot_be_read_is_shown_but_not_enforced(source: str) -> None:
    field = only({"type": "string", "pattern": source})
    assert field.read("anything") == Value("anything")
    assert field.note == f"The server expects this pattern: {source}"


@pytest.mark.parametrize(
    "source",
    [
        "(a+)+$",
        "(a|aa)+$",
        "(a*?)*$",
        "(.*)*x",
        "((?=a+)a)*$",
        "(?>(a|b+))*$",
        "(a)?((?(1)a+|b))*$",
        "a?" * 40,
        "(?:a?){40}b",
        "(?:(?:a?){4}){4}b",
        "(?:(?:(?:){1000}){1000}){1000}b",
    ],
)
@pytest.mark.timeout(5)
def test_a_pattern_that_could_take_for_ever_is_not_tried_on_long_texts(source: str) -> None:
    assert only({"type": "string", "pattern": source}).read("a" * 5_000 + "!") == Value("a" * 5_000 + "!")
    assert patterns.read(source).longest_text < 30


def test_ordinary_patterns_reach_ordinary_texts() -> None:
    assert patterns.read("").longest_text == 10_000
    assert patterns.read("^[a-z]+$").longest_text == 10_000
    assert patterns.read(r"^(\d{1,3}\.){3}\d{1,3}$").longest_text == 10_000
    assert patterns.read(r"^[a-z0-9._-]+@[a-z0-9.-]+\.[a-z]{2,}$").longest_text > 100


def test_a_group_said_again_and_every_line_cost_what_they_can() -> None:
    assert patterns.read(r"([a-z]*)([a-z]*)\1\2!").longest_text < 100
    assert patterns.read("(?m)^[a-z]+$").longest_text < patterns.read("^[a-z]+$").longest_text


def test_the_texts_of_one_form_share_the_time_that_patterns_may_take() -> None:
    node = {"type": "string", "pattern": "[0-9]+x"}
    alone = only(node).pattern
    many = form({str(n): node for n in range(400)}).fields[0].pattern
    options = only({**node, "enum": [f"{n}x" for n in range(400)]}).pattern
    assert alone is not None
    assert many is not None
    assert options is not None
    assert alone.longest_text > 10 * many.longest_text > 0
    assert many.longest_text == options.longest_text


# Numbers


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("3", b"3"),
        (" 3 ", b"3"),
        ("+3", b"3"),
        ("-0", b"0"),
        ("-0.0", b"0"),
        ("3.0", b"3"),
        ("3.50", b"3.5"),
        (".5", b"0.5"),
        ("5.", b"5"),
        ("1e3", b"1000"),
        ("1e300", b"1E+300"),
        ("1e-9", b"1E-9"),
        ("0.1234567890123456789012345678901234567890", b"0.123456789012345678901234567890123456789"),
        ("123456789012345678901234567890", b"123456789012345678901234567890"),
    ],
)
def test_a_number_is_sent_exactly_as_it_was_meant(typed: str, sent: bytes) -> None:
    assert form({"n": {"type": "number"}}).fill({"n": typed}).content == b'{"n":' + sent + b"}"


@pytest.mark.parametrize(
    "typed",
    [
        *("three", "3,5", "1_000", "0x10", "٣", "1e", "--1", "."),
        "NaN",
        "inf",
        "-Infinity",
        "1e309",
        "-1e309",
        "1" * 400,
        "1" * 5_000,
        "0." + "1" * 5_000,
        "1e9999999999999999999",
    ],
)
def test_what_is_no_finite_number_is_refused(typed: str) -> None:
    assert reason(only({"type": "number"}), typed)


def test_integers_stay_integers_of_any_size() -> None:
    field = only({"type": "integer"})
    assert field.read("9007199254740993") == Value(9007199254740993)
    assert field.read("-" + "9" * 400) == Value(-int("9" * 400))
    for typed in ("1.0", "1e3", "1.5", "one"):
        assert reason(field, typed) == "Please enter a whole number, such as 3."
    assert reason(field, "9" * 5_000) == "That number is too long."


@pytest.mark.parametrize(
    ("bounds", "good", "bad", "words"),
    [
        ({"minimum": 1}, "1", "0", "1 or more"),
        ({"maximum": 1.5}, "1.5", "1.51", "1.5 or less"),
        ({"maximum": 10.0}, "10", "11", "10 or less"),
        ({"exclusiveMinimum": 0}, "1e-300", "0", "more than 0"),
        ({"exclusiveMaximum": 1}, "0.999999999999999999999", "1", "less than 1"),
        ({"multipleOf": 0.1}, "0.3", "0.35", "a multiple of 0.1"),
    ],
)
def test_bounds_of_a_number_are_exact(bounds: dict[str, Any], good: str, bad: str, words: str) -> None:
    field = only({"type": "number", **bounds})
    assert isinstance(field.read(good), Value)
    assert words in reason(field, bad)


def test_a_multiple_nobody_can_compute_is_left_to_the_server() -> None:
    (field,) = schema.parse(b'{"properties":{"it":{"type":"number","multipleOf":1e-99999}}}').fields
    assert field.read("3") == Value(3)


# Choices


def test_a_choice_takes_only_an_index_it_has() -> None:
    field = only({"enum": ["a", "b"]})
    assert field.read(0) == Value("a")
    for entered in (2, -1, "a"):
        assert reason(field, entered) == "Please choose from what is offered."


def test_a_multi_choice_keeps_its_order_and_counts() -> None:
    field = only({"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 2, "maxItems": 2})
    assert field.read((2, 0, 2)) == Value(["c", "a"])
    assert reason(field, (1,)) == "Please choose at least 2."
    assert reason(field, (0, 1, 2)) == "Please choose at most 2."
    assert reason(field, (0, 3)) == "Please choose from what is offered."


def test_an_option_may_come_twice_in_a_programs_answer_unless_the_schema_forbids_it() -> None:
    twice = {"type": "array", "items": {"enum": ["a", "b"]}}
    assert only(twice).problem(["a", "a"]) == ""
    assert only({**twice, "uniqueItems": True}).problem(["a", "a"]) == "Please choose each option once."


def test_a_list_holds_what_fits_into_a_line_each() -> None:
    texts = only({"type": "array", "items": {"type": "string", "maxLength": 3}})
    assert texts.read(("a", " b ", "")) == Value(["a", " b ", ""])
    assert reason(texts, ("a", "long")) == "Item 2: Please enter at most 3 characters; this has 4."
    assert texts.problem("a") == "This must be a list."
    numbers = only({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3})
    assert numbers.read(("1", " 2 ")) == Value([1, 2])
    assert reason(numbers, ("1", "x")) == "Item 2: Please enter a whole number, such as 3."
    assert reason(numbers, ("1",)) == "Please enter at least 2 items; there are 1."
    assert reason(numbers, ("1",) * 4) == "Please enter at most 3 items; there are 4."
    assert reason(
        only({"type": "array", "items": {"type": "number"}, "uniqueItems": True}), ("1", "1.0")
    ) == ("Please enter each item once.")


def test_a_list_may_be_entered_as_json_too() -> None:
    texts = only({"type": "array", "items": {"type": "string"}})
    assert texts.read('["a\\nb"]') == Value(["a\nb"])
    assert reason(texts, "[1]") == "Item 1: This must be text."
    assert texts.read(" ") == ABSENT
    assert only({"type": "array", "items": {"type": "string"}}, required=True).read(()) == Value([])


def test_a_boolean_has_three_states() -> None:
    field = only({"type": "boolean"})
    assert [field.read(entered) for entered in (True, False, None)] == [Value(True), Value(False), ABSENT]
    assert reason(field, "yes") == "Please choose from what is offered."


# JSON


def test_a_json_field_takes_json_of_its_type() -> None:
    field = only({"type": "object"})
    assert field.read('{"a":\n[1.50, 123456789012345678901]}') == Value(
        {"a": [Decimal("1.50"), 123456789012345678901]}
    )
    assert reason(field, "[1]") == "This must be JSON of type object."
    for typed in (
        "{",
        "{'a': 1}",
        '{"a": 1e309}',
        '{"a": NaN}',
        "[" * 100_000,
        '{"a": 1e-99999999999999999999}',
    ):
        assert reason(field, typed).startswith("This is not valid JSON")


@pytest.mark.parametrize(
    ("said", "good", "bad"),
    [
        (["string", "integer"], ['"a"', "1", "1.0"], ["1.5", "true", "null"]),
        (["boolean", "array", "null"], ["true", "[]", "null"], ["1", "{}"]),
        (["number", "object"], ["1.5", "{}"], ['"a"', "[]"]),
    ],
)
def test_a_json_field_may_have_several_types(said: list[str], good: list[str], bad: list[str]) -> None:
    field = only({"type": said})
    assert [text for text in good if not isinstance(field.read(text), Value)] == []
    assert [text for text in bad if not isinstance(field.read(text), Invalid)] == []
