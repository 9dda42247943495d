"""Foreign text on its way to the screen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from pytestqt.qtbot import QtBot

from desktop.widgets.text.safe_text import (
    allow_breaks,
    escape_mnemonic,
    format_json,
    one_line,
    readable,
    strip_markdown,
)
from desktop.widgets.text.text_box import TextBox


def test_control_characters_and_reversed_text_become_visible() -> None:
    assert readable("a\x00b\x1b[31mc\u202ed") == "a\ufffdb\ufffd[31mc\ufffdd"


def test_lines_and_tabs_stay() -> None:
    assert readable("a\r\nb\rc\td") == "a\nb\nc\td"


@pytest.mark.parametrize(
    ("name", "shown"),
    [("git\nhub", "git hub"), ("  git \t hub ", "git hub"), ("gi\u200bthub", "github"), ("x" * 9, "xxxx…")],
)
def test_a_name_is_one_short_line(name: str, shown: str) -> None:
    assert one_line(name, 5 if name.startswith("xxx") else 80) == shown


def test_a_run_without_spaces_may_break() -> None:
    assert allow_breaks("x" * 50).replace("\u200b", "") == "x" * 50
    assert max(map(len, allow_breaks("x" * 50).split("\u200b"))) <= 24
    assert allow_breaks("short words stay") == "short words stay"


def test_an_ampersand_is_no_mnemonic() -> None:
    assert escape_mnemonic("R&D") == "R&&D"


def test_json_is_laid_out_and_every_token_stays_as_it_was_sent() -> None:
    assert format_json(b'{"a":1.10,"a":1e400}') == '{\n  "a": 1.10,\n  "a": 1e400\n}'


def test_escaped_letters_are_read_as_letters_and_tricks_stay_visible() -> None:
    assert format_json(rb'"\u00e9 \ud83d\ude00"') == '"é 😀"'
    assert format_json(rb'"\u202e \\u0041 \u0022"') == r'"\u202e \\u0041 \u0022"'


def test_what_is_no_json_is_shown_as_it_came() -> None:
    assert format_json(b"{nope") == "{nope"
    assert format_json(b"[" * 5_000) == "[" * 5_000


def test_a_passage_never_moves_sideways_in_a_right_to_left_layout(qtbot: QtBot) -> None:
    passage = TextBox("some words and so on " * 20, name="message")
    passage.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qtbot.addWidget(passage)
    passage.show()
    for width in range(200, 260):
        passage.resize(width, 80)
        QCoreApplication.processEvents()
        assert passage.contentOffset().x() == 0, width


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Delete? **This cannot be undone.**", "Delete? This cannot be undone."),
        ("Run `rm -r` __now__", "Run rm -r now"),
        ("2 ** 3 ** 4 and snake__case", "2 ** 3 ** 4 and snake__case"),
        ("Edit:\n```diff\n-a\n+b\n```\nNow?", "Edit:\n-a\n+b\nNow?"),
        ("````\n```sh\nls\n```\n````", "```sh\nls\n```"),  # what a longer fence encloses is all shown
        ("Run\n```\nls", "Run\nls"),
        ("## Ready\n\n*Dark mode* and _light_", "Ready\n\nDark mode and light"),
        ("| a | b |\n|---|:---:|\n| 1 | 2 |", "| a | b |\n| 1 | 2 |"),
        ("Delete (*.py,*.md) and 2 * 3 * 4, #481", "Delete (*.py,*.md) and 2 * 3 * 4, #481"),
    ],
)
def test_marks_of_markdown_are_left_out_where_it_is_not_rendered(text: str, words: str) -> None:
    assert strip_markdown(text) == words
