"""History is kept, found again, never holds a secret and never stops anything."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from bridge.journal import MASK, Journal, JournalEntry, database, reader
from bridge.journal import writer as journaling
from tests.bridge.system.test_key_shapes import SECRETS
from tests.fixtures.patience import WITHIN
from tests.journeys.app_under_test import until

NOW = time.time()


def kept(journal: Journal, *entries: JournalEntry, **search: Any) -> list[str]:
    """The tools of the rows found after these were recorded."""
    for entry in entries:
        journal.record(entry)
    assert journal.flush(WITHIN)
    return [row.tool for row in journal.search(**search)]


def test_what_was_recorded_is_found_newest_first(journal: Journal) -> None:
    before = time.time()
    first = JournalEntry("call", "Claude", "github", "one", "ok", 12.5, 400, {"n": [1, {"a": "ü"}]})
    assert kept(journal, first, JournalEntry("question", tool="two")) == ["two", "one"]
    row = journal.search()[1]
    assert (row.kind, row.host, row.server, row.outcome, row.ms, row.size) == (
        "call",
        "Claude",
        "github",
        "ok",
        12.5,
        400,
    )
    assert row.detail == {"n": [1, {"a": "ü"}]}
    assert before <= row.at <= time.time()


def test_every_word_must_occur_somewhere(journal: Journal) -> None:
    entries = [
        JournalEntry("call", "Claude", "github", "a_b", detail={"text": "100% done"}),
        JournalEntry("call", "Zed", "github", "axb"),
    ]
    assert kept(journal, *entries, text="GITHUB claude") == ["a_b"]
    assert kept(journal, text="a_b") == ["a_b"]
    assert kept(journal, text="100%") == ["a_b"]
    assert kept(journal, text="!") == []


def test_pages_are_turned_by_the_last_id(journal: Journal) -> None:
    assert kept(journal, *(JournalEntry("call", tool=str(n)) for n in range(5)), limit=2) == ["4", "3"]
    assert kept(journal, limit=2, before_id=journal.search(limit=2)[-1].id) == ["2", "1"]


def test_a_journal_that_is_only_read_makes_nothing(path: Path) -> None:
    reading = Journal(path)
    assert reading.search("x") == []
    reading.close()
    assert os.listdir(path.parent) == []


def test_the_journal_is_read_again_after_closing(path: Path) -> None:
    writing = Journal(path)
    writing.record(JournalEntry("call", tool="kept"))
    writing.close()
    assert [row.tool for row in Journal(path).search()] == ["kept"]
    assert os.listdir(path.parent) == ["journal.db"]
    writing.record(JournalEntry("call", tool="too late"))
    writing.close()
    assert [row.tool for row in Journal(path).search()] == ["kept"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
def test_only_the_owner_can_read_it(path: Path, journal: Journal) -> None:
    path.touch(0o644)
    kept(journal, JournalEntry("call"))
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}


def test_nothing_is_lost_when_many_threads_record_at_once(journal: Journal) -> None:
    def work(name: str) -> None:
        for n in range(1_000):
            journal.record(JournalEntry("call", tool=f"{name}{n}"))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = kept(journal, limit=10_000)
    assert len(set(found)) == len(found) == 4_000


def test_a_burst_is_written_whole_and_in_order(journal: Journal) -> None:
    names = [str(n) for n in range(1_234)]
    assert kept(journal, *(JournalEntry("call", tool=name) for name in names), limit=10_000) == names[::-1]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_killed_while_writing_it_loses_at_most_the_last_moment(path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from bridge.journal import *\n"
        "journal = Journal(Path(sys.argv[1]))\n"
        "for n in range(10**9):\n"
        "    journal.record(JournalEntry('call', tool=str(n)))\n"
        "    if n % 1000 == 0 and journal.flush(30): print(n, flush=True)\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    flushed = [int(writer.stdout.readline()) for _ in range(5)][-1]
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    again = Journal(path)
    found = kept(again, JournalEntry("call", tool="after"), limit=1_000_000)
    again.close()
    assert found[0] == "after"
    numbers = [int(tool) for tool in reversed(found[1:])]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) > flushed
    assert list(path.parent.glob("*broken*")) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"not a database at all" * 200),
        lambda path: sqlite3.connect(path).execute("PRAGMA user_version = 99").connection.close(),
        lambda path: _damage(path),
    ],
)
def test_a_database_that_cannot_be_used_is_moved_aside_and_told(path: Path, spoil: Any) -> None:
    spoil(path)
    journal = Journal(path)
    assert journal.search() == []
    assert kept(journal, JournalEntry("call", tool="new")) == ["new", ""]
    (notice,) = (row for row in journal.search() if row.kind == "notice")
    (aside,) = (file for file in path.parent.glob("*.broken-*") if not file.name.endswith(("-wal", "-shm")))
    assert str(aside) in notice.detail["text"]
    journal.close()


def _damage(path: Path) -> None:
    """A database whose pages were overwritten in the middle."""
    journal = Journal(path)
    kept(journal, *(JournalEntry("call", tool="x" * 500) for _ in range(200)))
    journal.close()
    with open(path, "r+b") as file:
        file.seek(100)
        file.write(os.urandom(60_000))


def test_a_disk_that_takes_nothing_is_tried_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journaling, "RETRY", 0.01)
    path.mkdir()
    journal = Journal(path)
    journal.record(JournalEntry("call", tool="patient"))
    assert not journal.flush(0.2)
    path.rmdir()
    assert kept(journal) == ["patient"]
    journal.close()


def test_closing_ends_its_thread_even_if_the_disk_takes_nothing(path: Path) -> None:
    path.mkdir()
    journal = Journal(path)
    journal.record(JournalEntry("call"))
    journal.close()
    assert "deskbell-journal" not in [thread.name for thread in threading.enumerate()]


def test_old_rows_and_too_many_rows_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journaling, "PRUNE_EVERY", 0)
    journal = Journal(path, keep_days=1, keep_rows=3)
    old = JournalEntry("call", tool="old", at=time.time() - 2 * 86_400)
    assert kept(journal, old) == []
    assert kept(journal, *(JournalEntry("call", tool=str(n)) for n in range(9))) == ["8", "7", "6"]
    journal.close()


def test_what_cannot_be_kept_does_not_stop_the_rest(journal: Journal) -> None:
    itself: dict[str, Any] = {}
    itself["it"] = itself
    odd = [
        JournalEntry("call", tool="loop", detail=itself),
        JournalEntry("call", tool="half \udc80"),
        JournalEntry("call", tool="huge", size=1 << 70),
        JournalEntry("call", tool="never", ms=float("nan")),
        JournalEntry("call", tool="object", detail={"path": Path("/x")}),
    ]
    assert kept(journal, *odd) == ["object", "huge", "half \\udc80", "loop"]


# Secrets


def test_no_secret_reaches_the_disk(path: Path) -> None:
    journal = Journal(path)
    for secret in SECRETS:
        journal.record(
            JournalEntry("server", detail={"line": f"got {secret}", "more": [{"deep": (secret,)}]})
        )
    journal.record(JournalEntry("call", detail={"arguments": {"password": "letmein", "name": "Ann"}}))
    assert journal.flush(WITHIN)
    assert journal.search()[0].detail == {"arguments": {"password": MASK, "name": "Ann"}}
    stored = b"".join(file.read_bytes() for file in path.parent.iterdir())
    journal.close()
    assert [secret for secret in [*SECRETS, "letmein"] if secret.encode() in stored] == []


# Finding


def test_any_three_letters_find_a_line_and_so_do_fewer(journal: Journal) -> None:
    entries = [
        JournalEntry("question", "Claude", "github", "create_issue", detail={"message": "Wie heißt du?"}),
        JournalEntry("call", "Claude", "github", "create_issue"),
        JournalEntry("question", "Zed", "files", "ask", detail={"message": "お名前は何ですか"}),
    ]
    assert kept(journal, *entries, text="HEISS") == []
    assert kept(journal, text="heißt") == ["create_issue"]
    assert kept(journal, text="ate_iss") == ["create_issue"] * 2
    assert kept(journal, text="名前") == ["ask"]
    assert kept(journal, text="お名前は") == ["ask"]
    assert kept(journal, text='quo"te') == []
    assert kept(journal, text="issue du", kind="question") == ["create_issue"]
    assert kept(journal, kind="question") == ["ask", "create_issue"]


def test_a_sqlite_without_trigrams_searches_line_by_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_can_index", lambda _: False)
    journal = Journal(path)
    assert kept(journal, JournalEntry("call", tool="create_issue"), text="ate_iss") == ["create_issue"]
    journal.close()
    monkeypatch.undo()
    indexed = Journal(path)
    assert kept(indexed, JournalEntry("call", tool="other"), text="ate_iss") == ["create_issue"]
    indexed.close()


def test_calls_and_questions_are_found_together_newest_first_and_by_the_page(path: Path) -> None:
    journal = Journal(path)
    for number in range(6):
        detail = {"message": f"about create_issue {number}"} if number % 2 else {}
        journal.record(JournalEntry("call", tool="create_issue", server="github", size=number, detail=detail))
    journal.record(JournalEntry("call", tool="other", server="github"))
    assert journal.flush(WITHIN)

    assert [row.size for row in journal.search("github ate_iss", limit=4)] == [5, 4, 3, 2]
    assert [row.size for row in journal.search("issue", before_id=4)] == [2, 1, 0]
    assert [row.size for row in journal.search("issue", kind="question")] == []
    assert [row.size for row in journal.search("issue is 10%", limit=4)] == []
    journal.close()


def test_very_many_different_names_are_searched_line_by_line(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_MOST_NAMES", 3)
    journal = Journal(path)
    tools = [f"tool{number}" for number in range(9)]
    assert kept(journal, *(JournalEntry("call", tool=tool) for tool in tools), text="ool") == tools[::-1]
    assert [row.tool for row in journal.search("tool7", kind="call")] == ["tool7"]
    journal.close()


# Forgetting


def test_one_line_or_all_can_be_forgotten_and_nothing_of_them_stays_on_disk(path: Path) -> None:
    journal = Journal(path)
    words = ["Rumpelstiltskin", "Quetzalcoatl", "Ouagadougou"]
    kept(journal, *(JournalEntry("question", tool=word, detail={"message": word}) for word in words))
    (row,) = journal.search("Quetzal")
    journal.forget((row.id,))
    assert kept(journal) == ["Ouagadougou", "Rumpelstiltskin"]
    assert kept(journal, text="Quetzal") == []
    journal.forget(None)
    assert kept(journal) == kept(journal, text="Rumpel") == []
    journal.close()
    stored = path.read_bytes()
    assert [word for word in words if word.encode() in stored] == []


def test_how_long_it_is_kept_can_be_changed_and_nothing_at_all_is_a_choice(journal: Journal) -> None:
    old = JournalEntry("call", tool="old", at=NOW - 10 * 86_400)
    assert kept(journal, old, JournalEntry("call", tool="new")) == ["new", "old"]
    journal.keep(30)
    assert kept(journal) == ["new", "old"]
    journal.keep(5)
    assert kept(journal) == ["new"]
    journal.keep(0)
    assert kept(journal, JournalEntry("call", tool="unseen")) == []


# Limits


def test_batches_of_every_size_are_written_by_few_statements() -> None:
    """sqlite3 caches statements: one for each size would be tens of megabytes."""
    parts = {size: list(journaling._powers_of_two(size)) for size in range(journaling.BATCH + 1)}
    for size, pairs in parts.items():
        assert [row for begin, end in pairs for row in range(begin, end)] == list(range(size))
    assert len({end - begin for pairs in parts.values() for begin, end in pairs}) <= 9
    assert max(map(len, parts.values())) <= 9


def test_a_history_that_cannot_be_written_says_so_until_it_can(path: Path, journal: Journal) -> None:
    changes: list[str] = []
    journal.on_problem = lambda: changes.append(journal.problem)
    path.mkdir()
    journal.record(JournalEntry("call", tool="waits"))
    until(lambda: changes)
    path.rmdir()
    until(lambda: len(changes) == 2)
    assert changes[0]
    assert changes[1] == journal.problem == ""
    assert [row.tool for row in journal.search()] == ["waits"]
