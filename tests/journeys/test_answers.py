"""What the person does reaches the server as exactly that: accept, decline and cancel are three things."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.app_under_test import ANSWERER, DESKBELL, ROOT, Person, asking, server, until
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN, result_of, said_in


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_declining_and_cancelling_are_told_apart(action: str, start: Start, spawn: Spawn, person: Person):
    start(person.says(action))
    for era in ("legacy", "modern"):
        host = spawn("wrap", "--", *asking(era))
        host.open()
        assert said_in(host.call("ask")) == {"action": action}


def test_a_person_who_is_not_there_cancels(start: Start, spawn: Spawn):
    start("silent")
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    assert said_in(host.call("ask")) == {"action": "cancel"}


def test_a_program_that_answers_nonsense_cancels(start: Start, spawn: Spawn, person: Person):
    start(person.says("of course"))
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    assert said_in(host.call("ask")) == {"action": "cancel"}


def test_a_question_nobody_answers_in_time_is_cancelled(start: Start, spawn: Spawn, person: Person):
    app = start(person.never_answers(), "question_timeout = 0.5\n")
    hosts = [spawn("wrap", "--", *asking(era)) for era in ("legacy", "modern")]
    for host in hosts:
        host.open()
    for calling in [host.begin_call("ask") for host in hosts]:
        assert said_in(result_of(calling)) == {"action": "cancel"}
    assert app.status["waiting"] == []


def test_a_person_who_thinks_for_longer_than_the_tools_timeout_is_waited_for(
    start: Start, spawn: Spawn, person: Person
):
    """Human time does not count: here the machine has five seconds, and the person answers after seven."""
    slow = person.says("accept", {"name": "Ada"}, after=7.0)
    start(slow, server("quiz", asking("legacy"), timeout=5))
    hosts = [spawn("stdio", "--server", "quiz", revision=revision) for revision in (LEGACY, MODERN)]
    for host in hosts:
        host.open()
    for calling in [host.begin_call("ask") for host in hosts]:
        assert said_in(result_of(calling))["action"] == "accept"


def test_a_call_the_host_cancels_takes_its_question_back_and_the_server_hears_of_it(
    start: Start, spawn: Spawn, person: Person, home: Path, env: dict[str, str]
):
    env["ASKING_LOG"] = str(home / "heard")
    app = start(person.never_answers())
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    host.begin_call("ask")
    app.question()
    number = host.last
    host.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
    app.until(lambda status: not status["waiting"])
    until(lambda: not app.children(ANSWERER))

    def heard(method: str) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in (home / "heard").read_text().splitlines()]
        return [one for one in lines if one.get("method") == method]

    [cancelled] = until(lambda: heard("notifications/cancelled"))
    assert [one["id"] for one in heard("tools/call")] == [cancelled["params"]["requestId"]]
    assert said_in(host.call("count"))["calls"] == 1


def test_a_host_that_leaves_takes_its_question_along(start: Start, spawn: Spawn, person: Person):
    app = start(person.never_answers())
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    host.begin_call("ask")
    app.question()
    assert host.close() == 0
    app.until(lambda status: not status["waiting"] and not status["hosts"])
    until(lambda: not app.children(ANSWERER) and not app.children("asking_server"))


def test_progress_and_changes_reach_the_host(start: Start, spawn: Spawn):
    start(config=server("quiz", asking("legacy")))
    host = spawn("stdio")
    host.open()
    assert said_in(host.call("quiz_slow", steps=3)) == {"steps": 3}
    told = [one["params"] for one in host.heard if one["method"] == "notifications/progress"]
    assert told == [{"progressToken": "of quiz_slow", "progress": step} for step in (1, 2, 3)]
    host.call("quiz_change")
    host.hears("notifications/tools/list_changed")


def test_history_tells_what_was_asked_and_sent_and_never_a_secret(
    start: Start, spawn: Spawn, person: Person, env: dict[str, str]
):
    start(person.says("accept", {"name": "Ada", "apiKey": "hunter2"}))
    host = spawn("stdio", "--server", "desk")
    host.open()
    fields = {"name": {"type": "string"}, "apiKey": {"type": "string"}}
    host.call("elicit_form", message="Who is asking?", schema={"type": "object", "properties": fields})

    def found(*words: str) -> str:
        command = [*DESKBELL, "history", "--kind", "question", "--search", *words]
        return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    line = until(lambda: found("who is asking")).splitlines()[1]
    assert "Who is asking?" in line
    assert "name: Ada, apiKey: •••" in line
    assert found("hunter2") == ""
