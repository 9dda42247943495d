"""Who asks, in words: a server through an app, or the app itself by our own tools."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from bridge.api import Mode, Question
from desktop.questions.asker import asker_line


@pytest.mark.parametrize(
    ("server", "ours", "host", "line"),
    [
        ("github", False, "cursor-vscode", "github · via Cursor"),
        ("github", False, "", "github"),
        ("desk", True, "cursor-vscode", "Cursor"),
        ("desk", False, "cursor-vscode", "desk · via Cursor"),  # a wrapped server of this name
        ("bluesky", True, "cursor-vscode", "Bluesky · via Cursor"),
        ("Deskbell", False, "Deskbell", "Deskbell"),
    ],
)
def test_the_app_itself_asks_by_the_tools_made_for_it(
    qtbot: QtBot, server: str, ours: bool, host: str, line: str
) -> None:
    assert asker_line(Question("q1", Mode.FORM, server, host, wants_reason=ours)) == line
