"""Times as people say them."""

from __future__ import annotations

import time

from desktop.widgets.clock import at


def test_what_is_but_hours_away_needs_no_date() -> None:
    tonight, next_week = at(time.time() + 8 * 3600), at(time.time() + 7 * 86_400)
    assert len(tonight) < len(next_week)
    assert tonight.count(":") == 1
