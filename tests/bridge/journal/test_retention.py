"""A clock that goes wrong deletes no history: what is too old goes an hour after it did."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bridge.journal import Journal, JournalEntry, database, retention
from bridge.journal.retention import DAY, HOUR, Retention
from tests.fixtures.patience import WITHIN

ENTRY = JournalEntry("call", "Claude", "quiz", "count", "ok")


class Clock:
    """Both clocks of the `time` module, moved by hand."""

    def __init__(self) -> None:
        self.wall, self.running = 1_000 * DAY, 50.0

    def time(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.running

    def runs(self, seconds: float) -> None:
        self.wall += seconds
        self.running += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(retention, "time", clock)
    return clock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    store = database.open_store(tmp_path / "journal.db")
    yield store
    store.close()


def add(store: sqlite3.Connection, at: float) -> None:
    store.execute(
        "INSERT INTO entries (at, kind, host, server, tool, outcome, ms, size, detail) "
        "VALUES (?, 'call', '', '', '', 'ok', 0, 0, '{}')",
        (at,),
    )


def left(store: sqlite3.Connection) -> int:
    (count,) = store.execute("SELECT count(*) FROM entries").fetchone()
    return int(count)


def test_a_clock_that_goes_forward_by_a_year_deletes_nothing_for_an_hour(
    clock: Clock, store: sqlite3.Connection
):
    kept = Retention(30, 1, 1000)
    add(store, clock.wall)
    kept.opened(store)
    clock.wall += 365 * DAY
    kept.delete_old(store)
    clock.runs(HOUR - 1)
    kept.delete_old(store)
    assert left(store) == 1
    clock.runs(2)
    kept.delete_old(store)
    assert left(store) == 0


def test_a_start_soon_after_the_clock_went_forward_deletes_nothing_for_an_hour(
    clock: Clock, store: sqlite3.Connection
):
    add(store, clock.wall)
    clock.wall += 365 * DAY
    add(store, clock.wall)  # by the run that saw it
    clock.runs(60)
    kept = Retention(30, 1, 1000)
    kept.opened(store)
    kept.delete_old(store)
    assert left(store) == 2
    clock.runs(HOUR)
    kept.delete_old(store)
    assert left(store) == 1


def test_a_clock_that_is_set_right_within_the_hour_has_deleted_nothing(
    clock: Clock, store: sqlite3.Connection
):
    kept = Retention(30, 1, 1000)
    add(store, clock.wall)
    kept.opened(store)
    clock.wall += 365 * DAY
    kept.delete_old(store)
    clock.wall -= 365 * DAY
    for _ in range(3):
        clock.runs(HOUR)
        kept.delete_old(store)
    assert left(store) == 1


def test_a_start_with_a_clock_far_ahead_of_the_newest_entry_deletes_nothing_at_once(
    clock: Clock, store: sqlite3.Connection
):
    kept = Retention(30, 1, 1000)
    add(store, clock.wall - 90 * DAY)
    kept.opened(store)
    add(store, clock.wall)
    kept.delete_old(store)
    assert left(store) == 2
    clock.runs(HOUR)
    kept.delete_old(store)
    assert left(store) == 1


def test_a_person_who_wants_less_kept_is_obeyed_whatever_the_clock_does(
    clock: Clock, store: sqlite3.Connection
):
    kept = Retention(30, 1, 1000)
    add(store, clock.wall - 90 * DAY)
    kept.opened(store)
    kept.delete_old(store, at_once=True)
    assert left(store) == 0


def test_what_is_too_much_goes_even_while_the_clock_is_doubted(clock: Clock, store: sqlite3.Connection):
    kept = Retention(30, 1, 2)
    for number in range(5):
        add(store, clock.wall - 90 * DAY + number)
    kept.opened(store)
    kept.delete_old(store)
    assert left(store) == 2


def test_a_journal_of_last_month_is_whole_right_after_its_start(tmp_path: Path):
    path = tmp_path / "journal.db"
    before = Journal(path, keep_days=60)
    before.record(replace(ENTRY, at=time.time() - 40 * DAY))
    before.close()
    after = Journal(path, keep_days=30)
    after.record(replace(ENTRY, at=time.time()))
    assert after.flush(WITHIN)
    assert len(after.search()) == 2
    after.close()
