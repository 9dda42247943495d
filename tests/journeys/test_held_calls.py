"""A person who thinks longer than the AI application waits: the answer arrives all the same, and once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.app_under_test import App, Person, asking, server
from tests.journeys.conftest import Connect, Run, Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN, Host, Json, said_in

HASTY = '[hosts."journey"]\npatience = 2\n'
ERAS = [("legacy", LEGACY), ("modern", MODERN)]
ACCEPTED = {"action": "accept", "content": {"name": "Ada"}}


def text_of(result: Json) -> str:
    return str(result["content"][0]["text"])


def let_go(host: Host, tool: str = "ask", **arguments: Any) -> str:
    """Call until the host is told to go on waiting; the ticket."""
    text = text_of(host.request("tools/call", {"name": tool, "arguments": arguments}))
    assert text.startswith("Not finished yet."), text
    found = re.search(r'"(wait-\w+)"', text)
    assert found, text
    return found[1]


@pytest.mark.parametrize(("era", "revision"), ERAS)
def test_by_stdio_the_same_call_or_the_ticket_goes_on_waiting(
    era: str, revision: str, start: Start, spawn: Spawn, person: Person, tmp_path: Path
):
    thought = tmp_path / "thought"
    start(person.says("accept", {"name": "Ada"}, when=thought), HASTY)
    host = spawn("wrap", "--", *asking(era), revision=revision)
    host.open()
    assert host.tools()[-1] == "desk_wait"
    ticket = let_go(host)
    assert let_go(host) == ticket
    assert let_go(host, "desk_wait", ticket=ticket) == ticket
    thought.touch()
    assert said_in(host.call("desk_wait", ticket=ticket)) == ACCEPTED
    assert len(person.asked) == 1


@pytest.mark.parametrize(("era", "revision"), ERAS)
def test_by_http_too(era: str, revision: str, start: Start, connect: Connect, person: Person, tmp_path: Path):
    thought = tmp_path / "thought"
    app = start(person.says("accept", {"name": "Ada"}, when=thought), HASTY + server("quiz", asking(era)))
    host = connect(app, "/mcp", revision=revision)
    host.open()
    assert "desk_wait" in host.tools()
    ticket = let_go(host, "quiz_ask")
    assert let_go(host, "desk_wait", ticket=ticket) == ticket
    thought.touch()
    assert said_in(host.call("quiz_ask")) == ACCEPTED
    assert len(person.asked) == 1


def test_a_host_whose_clock_ran_out_gets_its_answer_at_the_next_try(
    start: Start, spawn: Spawn, person: Person, tmp_path: Path
):
    thought = tmp_path / "thought"
    app = start(person.says("accept", {"name": "Ada"}, when=thought))
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    host.begin_call("ask")
    assert app.question()["host_left"] is False
    reason = {"requestId": host.last, "reason": "McpError: MCP error -32001: Request timed out"}
    host.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": reason})
    app.until(lambda status: status["waiting"][0]["host_left"])
    host.close()
    thought.touch()
    app.until(lambda status: status["held"][0]["finished"])
    again = spawn("wrap", "--", *asking("legacy"))
    again.open()
    assert said_in(again.call("ask")) == ACCEPTED
    assert app.status["held"] == []
    assert len(person.asked) == 1


def answered(app: App, host: Host, thought: Path) -> None:
    """The call is let go, and the person answers afterwards."""
    host.open()
    host.tools()
    let_go(host)
    thought.touch()
    app.until(lambda status: status["held"][0]["finished"])


def test_a_kept_result_survives_a_restart_and_is_not_readable_on_disk(
    start: Start, spawn: Spawn, person: Person, home: Path, tmp_path: Path
):
    thought = tmp_path / "thought"
    presenter = person.says("accept", {"name": "Ada"}, when=thought)
    app = start(presenter, HASTY)
    answered(app, spawn("wrap", "--", *asking("legacy")), thought)
    app.stop()
    assert b"Ada" not in (home / "held.json").read_bytes()
    assert json.loads((home / "held.json").read_bytes())[0]["reply"]
    app = start(presenter, HASTY)
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    assert said_in(host.call("ask")) == ACCEPTED
    assert app.status["held"] == []
    assert len(person.asked) == 1


def test_a_call_that_was_killed_with_deskbell_is_not_made_again_unasked(
    start: Start, spawn: Spawn, person: Person, home: Path
):
    app = start(person.never_answers(), HASTY)
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    host.tools()
    let_go(host)
    app.until(lambda status: status["held"] and (home / "held.json").exists())
    app.kill()
    app.ended()
    app = start(person.says("accept", {"name": "Ada"}), HASTY)
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    assert "Nobody knows whether the call was carried out" in text_of(host.call("ask"))
    assert said_in(host.call("ask")) == ACCEPTED


def test_held_calls_are_listed_and_deleted_by_a_command(start: Start, spawn: Spawn, person: Person, run: Run):
    app = start(person.never_answers(), HASTY)
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    ticket = let_go(host)
    assert re.search(
        rf"^{ticket} +journey +asking_server +ask +\S+ \S+ +under way$", run("held").stdout, re.M
    )
    assert json.loads(run("held", "--json").stdout)["ticket"] == ticket
    run("held", "--delete", ticket)
    assert app.status["held"] == []
    assert app.status["waiting"] == []
    assert "No call is held" in run("held").stderr
    assert "No call is held under" in run("held", "--delete", ticket).stderr


def test_a_host_that_wants_progress_gets_it_while_the_person_thinks(
    start: Start, spawn: Spawn, person: Person
):
    app = start(person.never_answers())
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    host.begin("tools/call", {"name": "ask", "arguments": {}, "_meta": {"progressToken": "mine"}})
    app.question()
    heard = host.hears("notifications/progress")
    assert heard["params"]["message"] == "Waiting for your answer on the desktop"
