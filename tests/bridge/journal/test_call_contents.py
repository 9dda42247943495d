"""What calls said is kept for a while, without secrets and not at any price; no call under way is lost."""

from __future__ import annotations

import csv
import json
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bridge.journal import (
    MASK,
    Contents,
    History,
    HistoryFilter,
    Journal,
    JournalEntry,
    export,
    exporter,
)
from bridge.journal import writer as journaling
from bridge.journal.entries import KEPT
from bridge.journal.retention import DAY
from bridge.journal.writer import HEAD
from tests.fixtures.patience import WITHIN
from tests.journeys.app_under_test import until

NOW = time.time()
CALL = JournalEntry("call", "Claude", "github", "create", "ok", 12.0, 80)


def reply(result: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 7, "result": result}).encode()


def said(
    journal: Journal, arguments: bytes, answer: bytes = b"", entry: JournalEntry = CALL
) -> Contents | None:
    journal.record_call(entry, arguments, answer)
    assert journal.flush(WITHIN)
    return journal.contents(journal.search()[0].id)


# Keeping


def test_arguments_and_result_are_kept_with_their_sizes(journal: Journal) -> None:
    answer = reply({"content": [{"type": "text", "text": "It rains."}]})
    found = said(journal, b'{"city":"K\xc3\xb6ln"}', answer)
    assert found is not None
    assert (found.arguments, found.arguments_size) == ('{"city": "Köln"}', 16)
    assert json.loads(found.result) == {"content": [{"type": "text", "text": "It rains."}]}
    assert found.result_size == len(answer)


def test_a_key_in_the_name_of_an_app_or_a_tool_is_masked(journal: Journal) -> None:
    key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    said(journal, b"{}", entry=replace(CALL, host=f"app {key}", tool=f"get-{key}"))
    [row] = journal.search()
    assert (row.host, row.tool) == (f"app {MASK}", f"get-{MASK}")


def test_an_error_is_kept_as_what_the_server_said(journal: Journal) -> None:
    answer = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"too late"}}'
    found = said(journal, b"", answer)
    assert found is not None
    assert (found.arguments, found.result) == (
        "",
        '{"code": -32001, "message": "too late"}',
    )


@pytest.mark.parametrize("answer", [b"[1]", b'{"neither":1}', b"\xff no JSON", b"[" * 5000])
def test_what_makes_no_sense_is_kept_as_it_came(journal: Journal, answer: bytes) -> None:
    found = said(journal, b"{}", answer)
    assert found is not None
    assert found.result


@pytest.mark.parametrize("padding", [0, HEAD])
def test_no_secret_of_a_call_reaches_the_disk_whole_or_cut(path: Path, padding: int) -> None:
    journal = Journal(path)
    journal.hide = lambda value: json.loads(json.dumps(value).replace("from the vault", MASK))
    secrets = {"password": "pw d", "apiKey": "short", "note": "token=abcdefghij", "vault": "from the vault"}
    body = json.dumps({**secrets, "last": "x" * padding}).encode()
    found = said(journal, body, reply(secrets | {"last": "x" * padding}))
    stored = b"".join(file.read_bytes() for file in path.parent.iterdir())
    journal.close()
    assert found is not None
    assert found.arguments.count(MASK) == found.result.count(MASK) == 4
    for secret in (b"pw d", b"short", b"abcdefghij", b"from the vault"):
        assert secret not in stored


@pytest.mark.parametrize(
    "secret",
    [
        "bearer abcdefghijklmnop",
        "https://me:" + "p" * 200 + "@example.org/",
        "password=" + "x" * 3_000,
        "sk-" + "a1" * 40,
        "eyJ" + "a" * 400 + "." + "b" * 400,
        "Ab1" * 1_000,
        "-----BEGIN PRIVATE KEY-----" + "MII " * 900,
    ],
)
def test_a_secret_that_begins_where_the_kept_part_ends_is_known_as_one(journal: Journal, secret: str) -> None:
    before = '{"text":"' + "word " * 795
    found = said(journal, (before + secret + " and more words" * 400 + '"}').encode())
    assert found is not None
    assert found.arguments.startswith(before)
    assert secret[20:26] not in found.arguments
    assert MASK in found.arguments


def test_a_long_sentence_without_spaces_is_no_key(journal: Journal) -> None:
    sentence = "東京タワーの近くにあるカフェではiPhone15を使って注文することができますのでぜひお試しください"
    found = said(journal, json.dumps({"text": sentence}).encode())
    assert found is not None
    assert sentence in found.arguments


def test_only_the_beginning_is_kept_and_the_size_tells_of_the_rest(journal: Journal) -> None:
    found = said(journal, b'{"text":"' + b"a" * 100_000 + b'"}')
    assert found is not None
    assert len(found.arguments) == KEPT
    assert found.arguments_size == 100_011
    assert (found.arguments_cut, found.result_cut) == (True, False)


def test_what_calls_said_is_found_by_its_words_together_with_names(journal: Journal) -> None:
    said(journal, b'{"city":"Reykjavik"}', reply("windy"))
    said(journal, b"{}", entry=replace(CALL, tool="other"))
    assert [row.tool for row in journal.search("reykja wind github")] == ["create"]
    assert [row.tool for row in journal.search("kj")] == ["create"]
    assert [row.tool for row in journal.search("github")] == ["other", "create"]
    assert journal.search("reykja", kind="question") == []


def test_in_a_crowd_lines_are_kept_and_what_they_said_only_of_some(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journaling, "TICK", 30.0)
    journal = Journal(path)
    for _ in range(journaling.CALM + 5):
        journal.record_call(CALL, b'{"n":1}', b"")
    assert journal.flush(WITHIN)
    rows = journal.search(limit=1000)
    assert len(rows) == journaling.CALM + 5 == journal.recorded
    assert len(journal.contents_between(0, 1000)) <= journaling.CALM
    journal.close()


# Forgetting


def test_the_content_of_a_call_is_forgotten_sooner_than_the_line(path: Path) -> None:
    journal = Journal(path)
    old = replace(CALL, at=NOW - 2 * DAY)
    assert said(journal, b'{"old":"Quetzalcoatl"}', entry=old) is None  # the first write prunes
    assert said(journal, b'{"new":1}') is not None
    assert len(journal.search()) == 2
    journal.close()
    assert b"Quetzalcoatl" not in path.read_bytes()


def test_never_is_a_choice_and_takes_what_there_was(journal: Journal) -> None:
    assert said(journal, b'{"a":1}') is not None
    journal.keep(30, 0)
    assert said(journal, b'{"b":1}') is None
    assert journal.contents_between(0, 99) == {}
    assert len(journal.search()) == 2


def test_a_forgotten_line_takes_what_it_said_along(journal: Journal) -> None:
    said(journal, b'{"a":1}')
    journal.forget((journal.search()[0].id,))
    assert journal.flush(WITHIN)
    assert journal.contents_between(0, 99) == {}


def test_what_is_too_old_goes_even_if_nothing_happens(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journaling, "HOUR", 0.05)
    journal = Journal(path, keep_days=2 / DAY)
    journal.record(replace(CALL, at=time.time()))
    assert journal.flush(WITHIN)
    until(lambda: not journal.search())
    journal.close()


# Under way


def test_a_call_that_an_earlier_deskbell_never_ended_becomes_history(path: Path) -> None:
    killed = Journal(path)
    killed.begin(7, replace(CALL, at=NOW - 5))
    killed.begin(8, replace(CALL, tool="ended", at=NOW - 4))
    killed.record_call(replace(CALL, tool="ended"), b"", b"", begun=8)
    assert killed.flush(WITHIN)
    assert [row.tool for row in killed.search()] == ["ended"]
    killed.close()
    journal = Journal(path)
    told: list[int] = []
    for _ in range(2):
        journal.recover(told.append)
        assert journal.flush(WITHIN)
    assert told == [1]
    assert [(row.tool, row.outcome) for row in journal.search()] == [
        ("create", "interrupted"),
        ("ended", "ok"),
    ]
    assert journal.search()[0].at == NOW - 5
    journal.close()


def test_where_nothing_was_there_is_nothing_to_recover(path: Path) -> None:
    journal = Journal(path)
    journal.recover()
    journal.close()
    assert not path.exists()


# Choosing and counting


def fill(journal: Journal) -> None:
    for number in range(20):
        entry = replace(CALL, ms=float(number + 1), at=NOW - number, outcome="error" if number < 5 else "ok")
        journal.record(entry)
    journal.record(JournalEntry("call", "Zed", "files", "read", "denied", 4.0, at=NOW - 500))
    journal.record(
        JournalEntry("question", "Zed", "files", "ask", "accept", detail={"message": "Which file?"})
    )
    assert journal.flush(WITHIN)


def test_history_is_narrowed_by_who_how_it_ended_and_when(journal: Journal) -> None:
    fill(journal)

    def found(**wanted: Any) -> int:
        return len(journal.find(HistoryFilter(**wanted)))

    assert found(host="Zed") == 2
    assert found(server="github", outcomes=("error", "denied")) == 5
    assert found(outcomes=("error", "denied")) == 6
    assert found(since=NOW - 2.5, kind="call") == 3
    assert found(until=NOW - 2.5, server="github") == 17
    for words in ("create", "at"):
        assert found(text=words, outcomes=("error",), since=NOW - 2.5) == 3
        assert found(text=words, host="Zed", kind="call") == 0
    assert found(text="Which", host="Claude") == 0
    assert journal.names().hosts == ("Claude", "Zed")
    assert journal.names().servers == ("files", "github")


def test_of_no_history_nothing_is_known(path: Path) -> None:
    nothing = History(path)
    assert (nothing.names().hosts, nothing.contents(1)) == ((), None)
    assert not path.exists()


# Exporting


def test_all_that_is_wanted_is_exported_for_its_owner_only(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporter, "PAGE", 3)
    fill(journal)
    said(journal, b'{"a":1}', reply("done"))
    lines, table = tmp_path / "all.jsonl", tmp_path / "some.CSV"
    assert export(journal, HistoryFilter(), lines) == 23
    assert export(journal, HistoryFilter(server="files"), table) == 2
    told = [json.loads(line) for line in lines.read_text().splitlines()]
    assert (told[0]["tool"], told[0]["arguments"], told[0]["result"]) == ("create", '{"a": 1}', '"done"')
    assert "arguments" not in told[1]
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["kind"], row["detail"]) for row in rows] == [
        ("question", '{"message": "Which file?"}'),
        ("call", ""),
    ]
    assert stat.S_IMODE(lines.stat().st_mode) == stat.S_IMODE(table.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["history", "history.txt", "history.csv.bak"])
def test_an_export_to_a_name_that_chooses_no_format_is_refused(
    journal: Journal, tmp_path: Path, name: str
) -> None:
    with pytest.raises(exporter.ExportError) as refused:
        export(journal, HistoryFilter(), tmp_path / name)
    assert refused.value.message == "Its name must end with .csv, .jsonl, .md, .json."
    assert not (tmp_path / name).exists()


def test_a_spreadsheet_runs_nothing_of_it(journal: Journal, tmp_path: Path) -> None:
    journal.record(JournalEntry("call", "=cmd()", "@SUM(1)", "-1"))
    assert journal.flush(WITHIN)
    export(journal, HistoryFilter(), tmp_path / "x.csv")
    assert ",'=cmd(),'@SUM(1),'-1," in (tmp_path / "x.csv").read_text(encoding="utf-8-sig")


def test_an_export_that_fails_or_is_stopped_leaves_what_was_there(journal: Journal, tmp_path: Path) -> None:
    fill(journal)
    old = tmp_path / "old.csv"
    old.write_text("mine")
    with pytest.raises(exporter.ExportError, match="stopped"):
        export(journal, HistoryFilter(), old, lambda: True)
    assert old.read_text() == "mine"
    with pytest.raises(exporter.ExportError, match="cannot be written"):
        export(journal, HistoryFilter(), tmp_path / "nowhere" / "x.csv")
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []
