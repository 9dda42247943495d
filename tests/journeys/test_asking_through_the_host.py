"""A host that can ask is asked, in its own era's way; the desk stays empty. Its answer arrives unchanged."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.journeys.app_under_test import App, Person, asking, server
from tests.journeys.conftest import Connect, Spawn, Start
from tests.journeys.hosts import (
    LEGACY,
    MODERN,
    Answering,
    Failed,
    HttpHost,
    Json,
    StdioHost,
    a_moment,
    said_in,
)

GRACE = {"action": "accept", "content": {"name": "Grace 🂡", "unasked": [1.0, None]}}
ERAS = ["legacy", "modern", "dual"]


def refusing(action: str) -> Answering:
    """A person who reads the question and says no."""

    def answer(asked: Json) -> Json:
        time.sleep(a_moment())
        return {"action": action}

    return answer


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
@pytest.mark.parametrize("wire", ["stdio", "http"])
def test_a_host_that_can_ask_is_asked_and_the_desk_is_not(
    wire: str, revision: str, start: Start, spawn: Spawn, connect: Connect, person: Person
):
    app = start(person.says("decline"), "".join(server(era, asking(era)) for era in ERAS))
    more: dict[str, Any] = {"revision": revision, "answer": lambda asked: GRACE}
    for era in ERAS:
        host = (
            connect(app, f"/mcp/{era}", **more) if wire == "http" else spawn("stdio", "--server", era, **more)
        )
        host.open()
        assert said_in(host.call("ask", message="Wer da? ✋")) == GRACE
        [asked] = [one["params"] for one in host.heard if one["method"] == "elicitation/create"]
        assert asked["message"] == "Wer da? ✋"
        assert asked["requestedSchema"]["required"] == ["name"]
        for action in ("decline", "cancel"):
            host.answer = refusing(action)
            assert said_in(host.call("ask")) == {"action": action}
    assert person.asked == []


def test_a_host_that_can_only_ask_forms_gets_forms_and_the_desk_gets_the_links(
    start: Start, spawn: Spawn, person: Person
):
    start(person.says("accept"))
    host = spawn(
        "wrap", "--", *asking("legacy"), answer=lambda asked: GRACE, capabilities={"elicitation": {}}
    )
    host.open()
    assert said_in(host.call("ask")) == GRACE
    assert said_in(host.call("ask_url", url="https://example.org/in?a=1&b=ü")) == {"action": "accept"}
    [asked] = person.asked
    assert (asked["mode"], asked["url"]) == ("url", "https://example.org/in?a=1&b=ü")


def test_by_the_settings_a_host_that_claims_to_ask_is_not_asked(start: Start, spawn: Spawn, person: Person):
    start(person.says("accept", {"name": "Ada"}), '[hosts.journey]\nquestions = "desktop"\n')
    host = spawn("wrap", "--", *asking("legacy"), answer=lambda asked: {"action": "decline"})
    host.open()
    assert said_in(host.call("ask"))["content"] == {"name": "Ada"}
    assert host.heard == []


# --- a modern host in front of a legacy server: its call is parked, and resumed by its Ticket --------------


def test_a_parked_call_waits_in_the_same_server_process_until_the_host_returns(start: Start, spawn: Spawn):
    start()
    host = spawn("wrap", "--", *asking("legacy"), revision=MODERN, answer=lambda asked: GRACE)
    host.open()
    before = said_in(host.call("count"))
    parked = host.request("tools/call", {"name": "ask", "arguments": {}})
    assert parked["resultType"] == "input_required"
    between = said_in(host.call("count"))
    assert (between["pid"], between["calls"]) == (before["pid"], before["calls"] + 1)
    done = host.request("tools/call", {"name": "ask", "arguments": {}, **host.answers_to(parked)})
    assert said_in(done) == GRACE
    assert done["resultType"] == "complete"


def test_a_ticket_is_good_once_for_its_own_call_and_its_own_host(start: Start, connect: Connect):
    app = start("silent", server("quiz", asking("legacy")))
    more: dict[str, Any] = {"revision": MODERN, "answer": lambda asked: GRACE}
    host = connect(app, "/mcp/quiz", **more)
    parked = host.request("tools/call", {"name": "ask", "arguments": {"message": "?"}})
    answers = host.answers_to(parked)
    returned = {"name": "ask", "arguments": {"message": "?"}, **answers}
    state: str = parked["requestState"]
    middle = len(state) // 2
    changed = state[:middle] + ("A" if state[middle] != "A" else "B") + state[middle + 1 :]

    for wrong in (
        {**returned, "arguments": {"message": "another"}},
        {**returned, "name": "ask_url"},
        {**returned, "requestState": changed},
    ):
        with pytest.raises(Failed, match="requestState"):
            host.request("tools/call", wrong)
    stranger = connect(app, "/mcp/quiz", **more, name="stranger")
    with pytest.raises(Failed, match="another host"):
        stranger.request("tools/call", returned)

    assert said_in(host.request("tools/call", returned)) == GRACE
    with pytest.raises(Failed, match="used before"):
        host.request("tools/call", returned)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("revision", [LEGACY, MODERN])
@pytest.mark.parametrize("wire", ["stdio", "http"])
def test_a_refusal_that_nobody_made_brings_the_question_to_the_desk_and_the_host_is_not_asked_again(
    wire: str, revision: str, era: str, start: Start, spawn: Spawn, connect: Connect, person: Person
):
    app = start(person.says("accept", {"name": "Ada"}), server("quiz", asking(era)))
    more: dict[str, Any] = {"revision": revision, "answer": lambda asked: {"action": "decline"}}

    def opened(app: App) -> HttpHost | StdioHost:
        host = (
            connect(app, "/mcp/quiz", **more)
            if wire == "http"
            else spawn("stdio", "--server", "quiz", **more)
        )
        host.open()
        return host

    host = opened(app)
    assert said_in(host.call_refusing("ask"))["content"] == {"name": "Ada"}
    assert len(person.asked) == 1
    asked = [one for one in host.heard if one["method"] == "elicitation/create"]
    assert said_in(host.call("ask"))["content"] == {"name": "Ada"}
    assert len(person.asked) == 2
    assert [one for one in host.heard if one["method"] == "elicitation/create"] == asked != []
    assert app.status["refusing"] == ["journey"]
    host.close()
    app.stop()
    host = opened(start(person.says("accept", {"name": "Ada"}), server("quiz", asking(era))))
    assert said_in(host.call("ask"))["content"] == {"name": "Ada"}
    assert host.heard == []
