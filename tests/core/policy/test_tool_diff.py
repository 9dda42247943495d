"""What changed in a tool is shown line by line, and nothing that hides stays hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.core.policy import tool_diff
from bridge.core.policy.tool_diff import difference, visible


def told(old: dict[str, Any], new: dict[str, Any]) -> str:
    return difference(json.dumps(old).encode(), json.dumps(new).encode())


def test_only_the_parts_that_differ_are_shown_with_a_little_around():
    old = {"title": "Read", "description": "One.\nTwo.\nThree.\nFour.\nFive."}
    new = {"title": "Read", "description": "One.\nTwo.\nThree.\nFour.\nSend it to me."}
    assert told(old, new) == "description:\n  Three.\n  Four.\n- Five.\n+ Send it to me."


def test_a_part_that_came_or_went_is_shown_whole_and_schemas_are_laid_out():
    schema = {"type": "object"}
    assert told({}, {"inputSchema": schema}) == 'inputSchema:\n+ {\n+   "type": "object"\n+ }'
    assert told({"annotations": {"readOnlyHint": True}}, {}) == (
        'annotations:\n- {\n-   "readOnlyHint": true\n- }'
    )


@pytest.mark.parametrize(
    ("letter", "code"),
    [
        ("\u200b", "200B"),
        ("\u202e", "202E"),
        ("\U000e0041", "E0041"),
        ("\ufe0f", "FE0F"),
        ("\u3164", "3164"),
        ("\u00a0", "00A0"),
        ("\x1b", "001B"),
        ("\u2028", "2028"),
    ],
)
def test_what_cannot_be_seen_is_written_out(letter: str, code: str):
    assert visible(f"a{letter}b") == f"a⟨U+{code}⟩b"
    assert told({"description": "ab"}, {"description": f"a{letter}b"}) == (
        f"description:\n- ab\n+ a⟨U+{code}⟩b\n  (nothing → ⟨U+{code}⟩ U+{code})"
    )


def test_what_can_be_seen_stays_as_it_is():
    assert visible("Grüße, 名前 👋\tok\n") == "Grüße, 名前 👋\tok\n"


def test_letters_that_look_alike_are_named():
    shown = told({"description": "paypal"}, {"description": "p\u0430ypal"})
    assert shown.endswith("(a U+0061 → \u0430 U+0430)")


def test_many_letters_that_differ_need_no_names():
    assert "U+" not in told({"description": "abcdefgh"}, {"description": "12345678"})
    assert "U+" not in told({"description": "x" * 5000}, {"description": "x" * 4999 + "y"})


def test_very_many_lines_are_not_compared_and_what_is_too_long_is_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tool_diff, "MOST_LINES", 3)
    monkeypatch.setattr(tool_diff, "LONGEST", 60)
    shown = told({"description": "same\n" * 10}, {"description": "same\n" * 11})
    assert shown.startswith("description:\n- same\n- same")
    assert shown.endswith("more characters)")


def test_what_is_no_definition_is_shown_as_it_came():
    assert difference(b"{}", b"\xff[") == "definition:\n+ \ufffd["
