"""What a field may hold is told before anything is entered."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.forms.fields import Field, Kind, Option

_OPTIONS = tuple(Option(number, str(number)) for number in range(5))


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ({}, ""),
        ({"minimum": 1, "maximum": 100.0}, "1–100"),
        ({"minimum": 0}, "0 or more."),
        ({"maximum": 5}, "5 or less."),
        (
            {"exclusive_minimum": 0, "exclusive_maximum": 1, "multiple_of": 0.5},
            "More than 0. Less than 1. A multiple of 0.5.",
        ),
        ({"multiple_of": 1}, ""),
        ({"min_length": 1, "max_length": 50_000}, ""),
        ({"min_length": 2, "max_length": 8}, "2 to 8 characters."),
        ({"min_length": 4, "max_length": 4}, "Exactly 4 characters."),
        ({"min_length": 2}, "At least 2 characters."),
        ({"max_length": 8}, "At most 8 characters."),
        ({"min_items": 2, "max_items": 3}, "2 to 3 lines"),
        ({"min_items": 2, "max_items": 2}, "2 lines"),
        ({"min_items": 2}, "At least 2 lines"),
        ({"min_items": 1, "max_items": 3}, "Up to 3 lines"),
        ({"min_items": 2, "max_items": 3, "options": _OPTIONS}, "Choose 2 to 3"),
        ({"min_items": 2, "max_items": 2, "options": _OPTIONS}, "Choose 2"),
        ({"min_items": 2, "options": _OPTIONS}, "Choose at least 2"),
        ({"min_items": 1, "max_items": 3, "options": _OPTIONS}, "Choose up to 3"),
    ],
)
def test_limits_are_told_in_a_few_words(known: dict[str, Any], told: str):
    assert Field("f", Kind.TEXT, **known).limits == told
