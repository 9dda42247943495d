"""Times as people say them."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QLocale

from desktop.widgets.text.time_text import format_time


def test_what_is_but_hours_away_needs_no_date() -> None:
    tonight, next_week = format_time(time.time() + 8 * 3600), format_time(time.time() + 7 * 86_400)
    assert len(tonight) < len(next_week)
    assert tonight.count(":") == 1


@pytest.mark.parametrize(("language", "said"), [("C", "2023-11-1"), ("de_DE", "1"), ("ja_JP", "2023/11/1")])
def test_a_date_is_written_as_people_write_it_and_where_nobody_does_from_year_to_day(
    language: str, said: str
) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(language))
    try:
        assert format_time(1_700_000_000).startswith(said)
    finally:
        QLocale.setDefault(before)
