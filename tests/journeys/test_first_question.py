"""The first question crosses: a host that cannot ask gets its tool's question answered on the desk."""

from __future__ import annotations

import pytest

from tests.journeys.app_under_test import App, Person, asking, server
from tests.journeys.conftest import Connect, Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN, Host, said_in

ADA = {"name": "Ada Lovelace, née Byron"}
ERAS = ["legacy", "modern", "dual"]


def host_by(way: str, era: str, app: App, spawn: Spawn, connect: Connect, revision: str) -> tuple[Host, str]:
    """A host that reaches the server of this era in this way, and what it calls the server's `ask`."""
    if way == "wrap":
        return spawn("wrap", "--name", era, "--", *asking(era), revision=revision), "ask"
    if way == "stdio --server":
        return spawn("stdio", "--server", era, revision=revision), "ask"
    if way == "stdio":
        return spawn("stdio", revision=revision), f"{era}_ask"
    if way == "/mcp/NAME":
        return connect(app, f"/mcp/{era}", revision=revision), "ask"
    return connect(app, "/mcp", revision=revision), f"{era}_ask"


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
@pytest.mark.parametrize("way", ["wrap", "stdio --server", "stdio", "/mcp", "/mcp/NAME"])
def test_a_host_that_cannot_ask_gets_the_answer_of_the_person_from_servers_of_every_era(
    way: str, revision: str, start: Start, spawn: Spawn, connect: Connect, person: Person
):
    app = start(person.says("accept", ADA), "".join(server(era, asking(era)) for era in ERAS))
    for era in ERAS:
        host, ask = host_by(way, era, app, spawn, connect, revision)
        host.open()
        assert ask in host.tools()
        result = host.call(ask, message=f"Who are you, {era}?")
        assert said_in(result) == {"action": "accept", "content": ADA}
        assert result.get("resultType", "complete") == "complete"
        assert "resultType" in result or revision == LEGACY
        asked = person.asked[-1]
        assert (asked["server"], asked["host"], asked["tool"]) == (era, "journey", "ask")
        assert (asked["mode"], asked["message"]) == ("form", f"Who are you, {era}?")
        assert asked["requestedSchema"]["properties"] == {"name": {"type": "string"}}
        assert "elicitation/create" not in {one["method"] for one in host.heard}
    assert len(person.asked) == len(ERAS)
    assert app.status["waiting"] == []


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_hosts_of_older_revisions_are_served_too(revision: str, start: Start, spawn: Spawn, person: Person):
    start(person.says("accept", ADA))
    for era in ("legacy", "modern"):
        host = spawn("wrap", "--", *asking(era), revision=revision)
        assert host.open()["protocolVersion"] == revision
        assert said_in(host.call("ask")) == {"action": "accept", "content": ADA}


def test_the_built_in_tools_ask_as_any_server_does(start: Start, spawn: Spawn, person: Person):
    start(person.says("accept", {"value": "tea"}))
    for revision in (LEGACY, MODERN):
        host = spawn("stdio", "--server", "desk", revision=revision)
        host.open()
        assert said_in(host.call("elicit_input", message="What?")) == {
            "result": {"action": "accept", "value": "tea"}
        }


def test_the_tools_of_a_server_that_an_app_starts_are_counted(start: Start, spawn: Spawn):
    app = start()
    host = spawn("wrap", "--name", "quiz", "--", *asking("legacy"))
    host.open()
    listed = host.request("tools/list")["tools"]
    own = [tool["name"] for tool in listed if tool["name"].startswith("desk_")]
    app.until(lambda _: app.state_of("quiz")["tools"] == len(listed) - len(own))
