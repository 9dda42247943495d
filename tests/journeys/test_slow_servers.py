"""Servers that take long to start, or can be used in one era only: no host leaves without their tools."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.journeys.app_under_test import FIXTURES, WAIT, App, Person, fixture, server, until
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN, StdioHost

CHANGED = "notifications/tools/list_changed"
TOOLS = ["who", "crash"]
SDK = [sys.executable, str(FIXTURES / "sdk_server.py"), "--stdio"]


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    return tmp_path / "gate"


def gated(gate: Path | str) -> list[str]:
    """The command of a server that starts when `gate` exists."""
    return fixture("gated_server.py", str(gate), str(FIXTURES / "instance_server.py"))


def learned(app: App, word: str) -> None:
    until(lambda: app.home.memory.exists() and word in app.home.memory.read_text())


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_a_known_server_is_there_at_once_in_the_next_run_too(
    revision: str, gate: Path, start: Start, spawn: Spawn
):
    gate.touch()
    app = start()
    first = spawn("wrap", "--", *gated(gate), revision=revision)
    introduction, tools = first.open(), first.tools()
    first.close()
    app.stop()
    gate.unlink()
    start()
    host = spawn("wrap", "--", *gated(gate), revision=revision)
    assert host.open()["capabilities"] == introduction["capabilities"]
    assert host.tools() == tools == TOOLS
    call = host.begin_call("who")
    assert not call.done()
    gate.touch()
    assert "result" in call.result(WAIT)
    assert [note["method"] for note in host.heard] == []


def test_at_its_first_run_a_server_is_announced_when_it_is_there(gate: Path, start: Start, spawn: Spawn):
    start()
    host = spawn("wrap", "--name", "notes", "--", *gated(gate), name="claude-code")
    assert host.open()["serverInfo"]["name"] == "notes"
    assert host.tools() == []
    gate.touch()
    host.hears(CHANGED)
    assert host.tools() == TOOLS
    assert host.request("prompts/list")["prompts"] == []  # it has none, whatever Deskbell has said before


def test_a_host_with_other_capabilities_does_not_get_the_list_of_the_first(
    gate: Path, start: Start, spawn: Spawn
):
    gate.touch()
    start()
    first = spawn("wrap", "--", *gated(gate))
    first.open()
    assert first.tools() == TOOLS
    gate.unlink()
    other = spawn("wrap", "--", *gated(gate), name="claude-code", capabilities={"roots": {}})
    other.open()
    assert other.tools() == []


def test_one_slow_server_does_not_cost_a_host_the_others(gate: Path, start: Start, spawn: Spawn):
    config = server("slow", gated(gate)) + server("notes", fixture("instance_server.py"))
    start(config=config)
    host = spawn("stdio")
    host.open()
    assert offered(host) == ["notes_who", "notes_crash"]
    gate.touch()
    host.hears(CHANGED)
    assert offered(host) == ["slow_who", "slow_crash", "notes_who", "notes_crash"]


def test_a_server_that_its_host_did_not_wait_for_is_known_to_the_next_one(
    gate: Path, start: Start, spawn: Spawn
):
    app = start()
    impatient = spawn("wrap", "--", *gated(gate))
    impatient.begin(
        "initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "x"}}
    )
    until(lambda: app.children("gated_server.py"))
    impatient.close()
    gate.touch()
    learned(app, "crash")
    until(lambda: not app.children("gated_server.py"))
    gate.unlink()
    host = spawn("wrap", "--", *gated(gate))
    host.open()
    assert host.tools() == TOOLS


def test_a_server_that_dies_at_discover_is_met_in_its_own_era(start: Start, spawn: Spawn):
    app = start()
    host = spawn("wrap", "--", *gated("--old"), revision=MODERN)
    host.open()
    assert "content" in host.call("who")
    learned(app, '"legacy"')


def test_a_tool_that_asks_by_the_sdks_elicit_works_behind_a_modern_host(
    start: Start, spawn: Spawn, person: Person
):
    app = start(person.says("accept", {"drink": "tea"}))
    host = spawn("wrap", "--", *SDK, revision=MODERN)
    host.open()
    assert host.call("order")["content"][0]["text"] == "one tea"
    learned(app, '"legacy"')
    answer = {"action": "accept", "content": {"drink": "cola"}}
    able = spawn("wrap", "--", *SDK, revision=MODERN, answer=lambda params: answer)
    able.open()
    assert able.call("add", a=1, b=2)["structuredContent"] == {"result": 3}


def offered(host: StdioHost) -> list[str]:
    """The tools of servers that are not built in."""
    return [name for name in host.tools() if not name.startswith(("desk_", "bluesky_"))]
