"""Exchanges with models and with the person are exported as conversations, JSON and Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.cli.parser import main
from bridge.core.sampling import params
from bridge.journal import HistoryFilter, Journal, JournalEntry, export

ASK = {"role": "user", "content": [{"type": "text", "text": "Sum up.\n# Not a title"}]}
SAY = {"role": "assistant", "content": [{"type": "text", "text": "Hi."}]}
BY_MODEL = {"mode": "sampling", "model": "local", "system": "Be brief.", "messages": [ASK, SAY]}
IN_WORDS = {"mode": "form", "messages": [ASK], "structured": False, "sent": {"answer": "Hello."}}
AS_DATA = {"mode": "form", "messages": [ASK], "structured": True, "sent": {"answer": 42}}
FORM = {"mode": "form", "message": "Which city?", "sent": {"city": "Rome"}}


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.db")
    for outcome, detail in (
        ("answered", BY_MODEL),
        ("accept", IN_WORDS),
        ("accept", AS_DATA),
        ("accept", FORM),
        ("decline", {"mode": "form", "message": "Which city?"}),
        ("accept", {"mode": "url", "page": "https://example.com"}),
    ):
        journal.record(JournalEntry("question", "Claude", "files", "plan", outcome, detail=detail))
    journal.record(JournalEntry("call", "Claude", "files", "plan", "ok", detail={"questions": [FORM]}))
    journal.flush()
    yield journal
    journal.close()


def exported(journal: Journal, path: Path) -> str:
    assert export(journal, HistoryFilter(), path) == 4
    return path.read_text("utf-8")


def test_each_exchange_is_messages_that_a_server_could_send_on(journal: Journal, tmp_path: Path) -> None:
    told: list[dict[str, Any]] = json.loads(exported(journal, tmp_path / "talk.json"))
    assert [len(one["messages"]) for one in told] == [2, 2, 3, 2]
    assert {key: value for key, value in told[0].items() if key != "time"} == {
        "host": "Claude",
        "server": "files",
        "tool": "plan",
        "outcome": "answered",
        "model": "local",
        "system": "Be brief.",
        "messages": [ASK, SAY],
    }
    assert told[1]["messages"][1]["content"] == [{"type": "text", "text": "Hello."}]
    assert told[2]["messages"][1]["content"][0]["input"] == {"answer": 42}
    question, answer = told[3]["messages"]
    assert question["content"][0] == {"type": "text", "text": "Which city?"}
    assert question["content"][1]["name"] == "plan"
    assert json.loads(answer["content"][0]["content"][0]["text"]) == {"city": "Rome"}
    for one in told:  # balanced, known roles, known blocks
        whole = [*one["messages"], ASK] if one["messages"][-1]["role"] == "assistant" else one["messages"]
        params.read(json.dumps({"messages": whole, "maxTokens": 1}).encode())


def test_in_markdown_nothing_that_was_said_passes_for_structure(journal: Journal, tmp_path: Path) -> None:
    text = exported(journal, tmp_path / "talk.MD")
    structure = [line for line in text.splitlines() if line and not line.startswith(">")]
    assert {line.partition(" ")[0] for line in structure} == {"##", "**System**", "**User**", "**Assistant**"}
    assert "· files · plan · Claude · local\n\n**System**\n\n> Be brief.\n\n**User**\n\n> Sum up." in text
    assert "> # Not a title\n\n**Assistant**\n\n> Hi.\n" in text
    assert '**Assistant** calls plan\n\n> {}\n\n**User** returns\n\n> {"city":"Rome"}\n' in text


@pytest.mark.parametrize("name", ["talk.md", "talk.json"])
def test_the_command_line_writes_them_too(
    journal: Journal, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("DESKBELL_HOME", str(tmp_path))
    assert main(["history", "--server", "files", "--export", str(tmp_path / name)]) == 0
    assert f"Entries in {tmp_path / name}: 4." in capsys.readouterr().err
    assert "Sum up." in (tmp_path / name).read_text("utf-8")
