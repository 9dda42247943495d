"""Rows of a table go and stay; who looks at it hears of as little as there is to hear."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.widgets.table import Column, TableModel


class Letters(TableModel[str]):
    def make_columns(self) -> tuple[Column[str], ...]:
        return (Column("Letter", 5, str),)


@pytest.mark.parametrize(
    ("kept", "removals"),
    [
        ("abcdefgh", []),
        ("", [(0, 7)]),
        ("abc", [(3, 7)]),
        ("fgh", [(0, 4)]),
        ("adh", [(4, 6), (1, 2)]),
        ("bcefg", [(7, 7), (3, 3), (0, 0)]),
    ],
)
def test_neighbours_that_go_go_together(qtbot: QtBot, kept: str, removals: list[tuple[int, int]]) -> None:
    model = Letters()
    model.append(list("abcdefgh"))
    heard: list[tuple[int, int]] = []
    model.rowsRemoved.connect(lambda _, first, last: heard.append((first, last)))
    model.keep(lambda letter: letter in kept)
    assert "".join(model.rows) == kept
    assert heard == removals
    assert model.rowCount() == len(kept)
