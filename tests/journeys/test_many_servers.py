"""Servers that are shared, come, go and crash, while hosts are connected: real processes behind one entry."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.running_processes import left_after
from tests.journeys.app_under_test import WAIT, Person, asking, fixture, server, until
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import Failed, said_in

QUIZ = ("stdio", "--server", "quiz")


def test_a_shared_server_is_one_process_and_its_questions_find_the_right_host(start: Start, spawn: Spawn):
    start(config=server("quiz", asking("legacy"), shared=True))
    answer: dict[str, Any] = {"action": "accept", "content": {"name": "Ada"}}
    one, other = spawn(*QUIZ, name="one"), spawn(*QUIZ, name="other", answer=lambda params: answer)
    one.open()
    other.open()
    first, second = said_in(one.call("count")), said_in(other.call("count"))
    assert (first["pid"], second["calls"]) == (second["pid"], 2)
    assert said_in(other.call("ask")) == answer
    assert one.heard == []
    one.close()
    assert said_in(other.call("count")) == {**first, "calls": 3}


def test_hosts_hear_of_servers_that_come_and_go_and_no_call_is_dropped(
    start: Start, spawn: Spawn, person: Person, tmp_path: Path
):
    gate = tmp_path / "gate"
    app = start(person.says("accept", {"name": "Ada"}, when=gate), server("quiz", asking("legacy")))
    host = spawn("stdio")
    host.open()
    pid = said_in(host.call("quiz_count"))["pid"]
    call = host.begin_call("quiz_ask")
    app.question()
    app.home.config.write_text(server("sign", asking("legacy")))
    for kind in ("tools", "prompts", "resources"):
        host.hears(f"notifications/{kind}/list_changed")
    assert {tool.partition("_")[0] for tool in host.tools()} == {"sign", "desk", "bluesky"}
    gate.touch()
    assert said_in(call.result(WAIT)["result"])["content"] == {"name": "Ada"}
    assert left_after([pid]) == []


def test_after_a_crash_a_new_process_answers_but_a_crash_loop_is_stopped(start: Start, spawn: Spawn):
    app = start(config=server("quiz", asking("legacy")))
    host = spawn(*QUIZ)
    host.open()
    before = said_in(host.call("count"))
    with pytest.raises(Failed, match="crashed on purpose"):
        host.call("crash")
    after = said_in(host.call("count"))
    assert (after["calls"], after["pid"] != before["pid"]) == (1, True)

    def is_left_alone() -> bool:
        with pytest.raises(Failed, match="crashed on purpose") as failed:
            host.call("crash")
        return bool(
            re.search(r": quiz ended with code 3: .*\. It is started again in \d+ s\.$", str(failed.value))
        )

    until(is_left_alone)
    assert app.children("asking_server.py") == []

    def recovered() -> bool:
        try:
            return said_in(host.call("count"))["calls"] == 1
        except Failed:
            return False

    assert until(recovered)


def test_the_tools_of_the_last_run_are_served_before_their_servers_have_started(
    start: Start, spawn: Spawn, tmp_path: Path
):
    gate = tmp_path / "gate"
    gate.touch()
    slow = f"import os, runpy, sys, time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.01)\n"
    slow += "sys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')"
    python, *flags, program, era = asking("legacy")
    config = server("quiz", [python, *flags, "-c", slow, program, era])
    app = start(config=config)
    first = spawn("stdio")
    first.open()
    tools = first.tools()
    first.close()
    app.stop()
    assert app.home.lists.exists()
    gate.unlink()
    start(config=config)
    second = spawn("stdio")
    second.open()
    assert second.tools() == tools
    call = second.begin_call("quiz_count")
    assert not call.done()
    gate.touch()
    assert said_in(call.result(WAIT)["result"])["calls"] == 1
    assert second.heard == []


def test_after_a_crash_a_new_process_has_the_hosts_subscription_and_log_level(start: Start, spawn: Spawn):
    start(config=server("notes", fixture("instance_server.py")))
    host = spawn("stdio", "--server", "notes")
    host.open()
    host.request("logging/setLevel", {"level": "debug"})
    host.request("resources/subscribe", {"uri": "note://1"})
    host.hears("notifications/resources/updated")
    before = json.loads(host.call("who")["content"][0]["text"])
    host.heard.clear()
    with pytest.raises(Failed, match="ended"):
        host.call("crash")
    host.hears("notifications/resources/updated")  # nobody has called it since
    after = json.loads(host.call("who")["content"][0]["text"])
    assert after["instance"] != before["instance"]
    assert (after["level"], after["subscribed"]) == ("debug", ["note://1"])
