"""Tasks of several servers behind the one entry, in both eras, and what they ask."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.fixtures.peers import EVERYTHING, NODE, needs_everything
from tests.journeys.app_under_test import FIXTURES, Person, server, until
from tests.journeys.conftest import Connect, Spawn, Start
from tests.journeys.hosts import MODERN, Failed, Host

OURS = [sys.executable, str(FIXTURES / "everything.py"), "--stdio"]
LASTING: dict[str, Any] = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
OVER = ("completed", "failed", "cancelled")


def test_modern_tasks_of_two_servers_are_found_again_and_ask_on_the_desktop(
    start: Start, connect: Connect, person: Person
):
    app = start(person.says("accept", {"confirm": True}), server("one", OURS) + server("two", OURS))
    host = connect(app, revision=MODERN, capabilities=LASTING)
    begun = {}
    for name in ("one", "two"):
        call = {"name": f"{name}_confirm_delete", "arguments": {"filename": f"{name}.txt"}}
        begun[name] = host.request("tools/call", call)["taskId"]
    assert [task.partition(":")[0] for task in begun.values()] == ["one", "two"]
    seen: dict[str, set[str]] = {name: set() for name in begun}

    def result(name: str) -> Any:
        task = host.request("tasks/get", {"taskId": begun[name]})
        assert task["taskId"] == begun[name]
        seen[name].add(task["status"])
        return task.get("result") if task["status"] in OVER else None

    for name in ("two", "one"):
        said = until(lambda name=name: result(name))["content"][0]["text"]  # type: ignore[misc]
        assert said == "Answered: {'confirm': True}"
        assert seen[name] <= {"working", "completed"}
    assert sorted((one["server"], one["tool"], one["message"]) for one in person.asked) == [
        ("one", "confirm_delete", "Delete one.txt?"),
        ("two", "confirm_delete", "Delete two.txt?"),
    ]


@needs_everything
def test_a_legacy_task_of_the_official_server_asks_on_the_desktop_while_its_result_is_waited_for(
    start: Start, spawn: Spawn, person: Person
):
    config = server("all", [str(NODE), str(EVERYTHING), "stdio"], timeout=2)  # less than the task takes
    start(person.says("accept", {"interpretation": "programming"}), config)
    host = spawn("stdio")
    host.open()
    arguments = {"topic": "python", "ambiguous": True}
    call = {"name": "all_simulate-research-query", "arguments": arguments, "task": {"ttl": 60_000}}
    until(lambda: "all_simulate-research-query" in host.tools())
    task = host.request("tools/call", call)["task"]["taskId"]
    assert task.startswith("all:")
    assert host.request("tasks/get", {"taskId": task})["taskId"] == task
    assert [one["taskId"] for one in host.request("tasks/list")["tasks"]] == [task]
    result = host.request("tasks/result", {"taskId": task})
    assert result["_meta"]["io.modelcontextprotocol/related-task"] == {"taskId": task}
    assert "(programming)" in result["content"][0]["text"]
    assert [one["server"] for one in person.asked] == ["all"]


def refusal(host: Host, method: str, task: str) -> tuple[int, str]:
    with pytest.raises(Failed) as refused:
        host.request(method, {"taskId": task})
    return refused.value.code, refused.value.message.replace(task, "T")


@needs_everything
def test_at_a_shared_server_a_task_is_known_to_the_host_that_began_it_and_asks_only_there(
    start: Start, spawn: Spawn
):
    start("silent", server("all", [str(NODE), str(EVERYTHING), "stdio"], shared=True))

    def answer(params: Any) -> Any:
        return {"action": "accept", "content": {"interpretation": "programming"}}

    one = spawn("stdio", name="One", answer=answer)
    other = spawn("stdio", "--server", "all", name="Other", answer=answer)
    one.open(), other.open()
    until(lambda: "all_simulate-research-query" in one.tools())
    arguments = {"topic": "python", "ambiguous": True}
    call = {"name": "all_simulate-research-query", "arguments": arguments, "task": {"ttl": 60_000}}
    task = one.request("tools/call", call)["task"]["taskId"]
    own = task.partition(":")[2]
    assert other.request("tasks/list")["tasks"] == []
    for method in ("tasks/get", "tasks/result", "tasks/cancel"):
        assert refusal(other, method, own) == refusal(other, method, "nobody's")
    result = one.request("tasks/result", {"taskId": task})
    assert "(programming)" in result["content"][0]["text"]
    assert [listed["taskId"] for listed in one.request("tasks/list")["tasks"]] == [task]
    assert "elicitation/create" in [message["method"] for message in one.heard]
    heard = [message["method"] for message in other.heard]
    assert not {"elicitation/create", "notifications/tasks/status"} & set(heard)


def test_tasks_of_a_modern_shared_server_over_http(start: Start, connect: Connect, person: Person):
    app = start(person.says("accept", {"confirm": True}), server("ours", OURS, shared=True))
    one = connect(app, revision=MODERN, capabilities=LASTING, name="One")
    other = connect(app, "/mcp/ours", revision=MODERN, capabilities=LASTING, name="Other")
    call = {"name": "ours_confirm_delete", "arguments": {"filename": "one.txt"}}
    task = one.request("tools/call", call)["taskId"]
    other.request("tools/list")
    own = task.partition(":")[2]
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        assert refusal(other, method, own) == refusal(other, method, "nobody's")
    until(lambda: one.request("tasks/get", {"taskId": task})["status"] == "completed")
    assert [(asked["server"], asked["host"]) for asked in person.asked] == [("ours", "One")]
