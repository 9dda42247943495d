"""A link was opened: the server has its answer, and the windows wait with the person until it is over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge.core.ports import ServerSpec
from bridge.core.questions.question import CANCEL, DECLINE, Mode, Question, accept
from tests.core.fake_peers import MODERN, Host, Script, Upstream, Wire, script
from tests.core.wire_messages import FORM, URL, Message, wants

LOGIN = {**URL, "elicitationId": "e1"}
DONE = {"content": [{"type": "text", "text": "done"}]}


class Visiting:
    """A call whose server sent the person to a page, which they opened."""

    def __init__(self, method: str = "tools/call", elicitation_id: str = "e1") -> None:
        self.wire = Wire(script())
        self.host: Host = self.wire.legacy_host()
        params = {"name": "x"} if method == "tools/call" else {"uri": "a://b"}
        self.call = self.host.requests(method, params)
        self.server: Upstream = self.wire.upstreams["files"]
        self.sent: Message = self.server.calls[-1]
        self.server.asks(b"1", {**LOGIN, "elicitationId": elicitation_id})
        self.question: Question = self.wire.question()
        self.wire.person(accept())

    @property
    def open(self) -> tuple[str, ...]:
        return self.wire.questions.visits.ids()


def test_consent_is_answered_at_once_and_the_visit_goes_on_until_the_server_says_it_is_complete():
    visiting = Visiting()
    assert visiting.server.last().result == {"action": "accept"}
    assert visiting.wire.questions.visits.ids() == (visiting.question.id,)
    visiting.server.notes("notifications/elicitation/complete", {"elicitationId": "another"})
    assert visiting.wire.left == []
    visiting.server.notes("notifications/elicitation/complete", {"elicitationId": "e1"})
    assert (visiting.open, visiting.wire.left) == ((), [visiting.question.id])
    visiting.server.replies(visiting.sent, DONE)
    assert visiting.wire.left == [visiting.question.id]


def test_a_link_that_no_call_waits_for_is_answered_and_no_window_waits():
    wire = Wire(script())
    wire.legacy_host()
    server = wire.upstreams["files"]
    server.asks(b"1", LOGIN)
    wire.person(accept())
    assert server.last().result == {"action": "accept"}
    assert wire.questions.visits.ids() == ()


def test_the_end_of_the_call_is_the_end_of_the_visit():
    visiting = Visiting()
    visiting.server.replies(visiting.sent, DONE)
    assert (visiting.open, visiting.wire.left) == ((), [visiting.question.id])


def test_a_call_that_ends_with_the_answer_has_no_visit():
    wire = Wire(script())
    host = wire.legacy_host()
    host.requests("tools/call", {"name": "x"})
    wire.upstreams["files"].asks(b"1", LOGIN)
    question = wire.question()
    host.leaves()
    wire.person(accept(), question)
    assert wire.questions.visits.ids() == ()


@pytest.mark.parametrize("answer", [DECLINE, CANCEL])
def test_who_does_not_open_the_link_does_not_visit_it(answer):
    wire = Wire(script())
    wire.legacy_host().requests("tools/call", {"name": "x"})
    wire.upstreams["files"].asks(b"1", LOGIN)
    wire.person(answer)
    assert wire.questions.visits.ids() == ()


def test_the_person_may_say_that_they_are_done():
    visiting = Visiting()
    visiting.wire.person(accept(), visiting.question)
    assert (visiting.open, visiting.host.replies.get(visiting.call)) == ((), None)
    visiting.server.replies(visiting.sent, DONE)
    assert visiting.host.replies[visiting.call].result == DONE


def test_the_person_may_call_it_off():
    visiting = Visiting()
    visiting.wire.person(CANCEL, visiting.question)
    reply = visiting.host.replies[visiting.call].result
    assert reply["isError"] is True
    assert "cancelled" in reply["content"][0]["text"]
    assert visiting.server.last().method == "notifications/cancelled"
    assert visiting.wire.state.open_requests == {}


def test_a_request_that_is_no_tool_is_called_off_with_an_error():
    visiting = Visiting("resources/read")
    visiting.wire.person(CANCEL, visiting.question)
    assert "cancelled" in visiting.host.replies[visiting.call].error["message"]


def test_time_on_the_page_is_the_persons_and_not_the_servers_until_that_runs_out_too():
    visiting = Visiting()
    visiting.wire.passes(200.0)
    assert visiting.call not in visiting.host.replies
    visiting.wire.passes(100.0)
    assert visiting.open == ()
    visiting.wire.passes(119.0)
    assert visiting.call not in visiting.host.replies
    visiting.wire.passes(1.0)
    assert "did not answer" in visiting.host.replies[visiting.call].error["message"]


def test_a_modern_servers_link_is_visited_while_the_call_is_made_again():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host()
    call = host.requests("tools/call", {"name": "x"})
    server = wire.upstreams["files"]
    server.replies(server.calls[-1], wants(login=URL, who=FORM))
    link = next(question for question in wire.desk if question.mode is Mode.URL)
    wire.person(accept(), link)
    assert wire.questions.visits.ids() == (link.id,)
    wire.person(accept({"name": "Ada"}))
    server.replies(server.calls[-1], DONE)
    assert host.replies[call].result["content"] == DONE["content"]
    assert wire.questions.visits.ids() == ()


# First meetings


def asked(wire: Wire) -> Question:
    wire.legacy_host().requests("tools/call", {"name": "x"})
    wire.upstreams["files"].asks(b"1", FORM)
    return wire.desk[-1]


def test_a_server_is_new_until_it_was_answered_once():
    wire = Wire(script())
    first, second = asked(wire), asked(wire)
    assert (first.first, second.first) == (True, True)
    wire.person(CANCEL, first)
    assert wire.met == []
    assert asked(wire).first
    wire.person(DECLINE, wire.desk[-1])
    wire.person(accept({}), second)
    assert wire.met == [script().spec.identity]
    assert not asked(wire).first


def test_a_question_that_ran_out_is_no_meeting():
    wire = Wire(script(), limit=300.0)
    asked(wire)
    wire.passes(301.0)
    assert (wire.desk, wire.met) == ([], [])


def test_our_own_server_is_never_new():
    wire = Wire(Script(ServerSpec("files", builtin=True)))
    assert not asked(wire).first


def test_a_server_set_up_anew_is_another_one():
    spec = ServerSpec("a", command="x", args=("1",))
    assert spec.identity == replace(spec, env={"A": "B"}).identity
    others = {replace(spec, name="b").identity, replace(spec, args=("2",)).identity, spec.identity}
    assert len(others) == 3


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,<script>",
        "https:\\\\evil.example\\@bank.example/",
        "http://bank.example/",
        "ms-settings:privacy",
    ],
)
def test_a_link_that_is_never_opened_is_asked_nobody(url: str):
    wire = Wire(script())
    wire.legacy_host().calls()
    server = wire.upstreams["files"]
    server.asks(b"1", {**URL, "url": url})
    assert wire.desk == []
    assert server.last().result == {"action": "cancel"}
    notices = [one for one in wire.records if one.kind == "notice"]
    assert [(one.outcome, one.server) for one in notices] == [("link refused", "files")]
