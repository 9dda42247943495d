"""The bound on patterns is computed from `re`'s private parse tree: these fail if CPython changes it."""

from __future__ import annotations

from re import _parser  # type: ignore[attr-defined]

import pytest

from bridge.core.forms import patterns


@pytest.mark.parametrize(
    ("source", "ops"),
    [
        ("^a", ["AT", "LITERAL"]),
        ("[^a].", ["NOT_LITERAL", "ANY"]),
        ("[ab]*c+?", ["MAX_REPEAT", "MIN_REPEAT"]),
        ("(a)\\1", ["SUBPATTERN", "GROUPREF"]),
        ("ab|cd", ["BRANCH"]),
        ("(?=a)(?!b)", ["ASSERT", "ASSERT_NOT"]),
        ("(?>a)b++", ["ATOMIC_GROUP", "POSSESSIVE_REPEAT"]),
    ],
)
def test_the_parse_tree_has_the_operations_that_are_bounded(source: str, ops: list[str]):
    assert [str(op) for op, _ in _parser.parse(source)] == ops


def test_nested_repeats_are_matched_with_short_texts_only():
    assert patterns.read("^[a-z]+$").longest_text == patterns.LONGEST_TEXT
    assert patterns.read("^(a+)+$").longest_text < 30
