"""While a request is silent, a host with a progress token gets progress from Deskbell."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.policy.rules import Policy, Verdict
from bridge.core.questions.question import accept
from tests.core.fake_peers import LEGACY, MODERN, Host, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, FORM, Message, wants

TOKEN: dict[str, Any] = {"_meta": {"progressToken": "mine"}}


def pair(era: str = LEGACY, can: dict[str, Any] | None = None, **more: Any) -> tuple[Wire, Host, Upstream]:
    wire = Wire(script("files", era), **more)
    host = wire.legacy_host(can) if era == LEGACY else wire.modern_host(can)
    host.requests("tools/list")
    server = wire.upstreams["files"]
    host.new()
    server.new()
    return wire, host, server


def told(host: Host) -> list[tuple[float, str]]:
    """Return the progress that the host got since the story last looked."""
    heard = [message for message in host.new() if message.method == "notifications/progress"]
    assert all(message.params["progressToken"] == "mine" for message in heard)
    return [(message.params["progress"], message.params.get("message", "")) for message in heard]


def progresses(server: Upstream, call: Message, value: Any, **more: Any) -> None:
    server.notes("notifications/progress", {"progressToken": int(call.id), "progress": value, **more})


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_a_call_that_waits_for_the_person_says_so_every_ten_seconds(era):
    wire, host, server = pair(era)
    request = host.calls(**TOKEN)
    sent = server.only()
    if era == LEGACY:
        server.asks(b"1", FORM)
    else:
        server.replies(sent, wants(who=FORM))
    for _ in range(25):
        wire.passes(1.0)
    values = told(host)
    assert values == [
        (0.001, "Waiting for your answer on the desktop"),
        (0.002, "Waiting for your answer on the desktop"),
    ]
    assert wire.question().message == "Who?"
    assert request not in host.replies


def test_progress_belongs_to_the_request_it_is_about():
    wire, host, _ = pair()
    request = host.calls(**TOKEN)
    wire.passes(10.0)
    assert host.only().about == request


def test_a_silent_server_is_named():
    wire, host, _ = pair()
    host.calls(**TOKEN)
    wire.passes(10.0)
    assert told(host) == [(0.001, "Waiting for files")]


def test_an_approval_is_waited_for_on_the_desktop():
    wire, host, _ = pair(policy=Policy((("*", Verdict.CONFIRM),)))
    host.calls(**TOKEN)
    wire.passes(10.0)
    assert told(host) == [(0.001, "Waiting for your answer on the desktop")]


@pytest.mark.parametrize(
    ("method", "words"),
    [("elicitation/create", "Waiting for your answer"), ("sampling/createMessage", "Waiting for a model")],
)
def test_what_the_host_itself_must_answer_is_named(method, words):
    wire, host, server = pair(can={"sampling": {}, **ELICIT})
    host.calls(**TOKEN)
    server.asks(b"1", FORM, method)
    wire.passes(10.0)
    assert told(host) == [(0.001, words)]


def test_a_host_without_a_token_and_a_subscription_get_none():
    wire, host, _ = pair()
    host.calls()
    modern = wire.modern_host()
    modern.requests("subscriptions/listen", {"notifications": {}, **TOKEN})
    modern.new()
    wire.passes(10.0)
    assert told(host) + told(modern) == []


def test_after_the_reply_there_is_no_more():
    wire, host, server = pair()
    host.calls(**TOKEN)
    wire.passes(10.0)
    server.replies(server.only(), {"content": []})
    host.new()
    wire.passes(10.0)
    assert told(host) == []


def test_progress_of_the_server_counts_as_a_sign_of_life():
    wire, host, server = pair()
    host.calls(**TOKEN)
    sent = server.only()
    wire.passes(9.0)
    progresses(server, sent, 1, total=5)
    wire.passes(9.0)
    assert told(host) == [(1, "")]
    wire.passes(1.0)
    assert told(host) == [(1.001, "Waiting for files")]


def test_values_rise_whatever_the_server_says_in_between():
    wire, host, server = pair()
    host.calls(**TOKEN)
    sent = server.only()
    values = []
    for value in (0, 0.002, 5, 5, 4, 1e17, "much", 2e17):
        wire.passes(10.0)
        progresses(server, sent, value)
        values += [number for number, _ in told(host)]
    assert values == sorted(set(values)), values
    assert values[:6] == [0.001, 0.002, 0.003, 0.004, 0.005, 5]
    assert {5, 1e17, 2e17} <= set(values)


def test_what_the_server_says_alone_is_relayed_as_it_is():
    _, host, server = pair()
    host.calls(**TOKEN)
    sent = server.only()
    for value in (5, 4, 4):
        progresses(server, sent, value)
    assert [number for number, _ in told(host)] == [5, 4, 4]


def test_above_infinity_there_is_nothing_to_say():
    wire, host, server = pair()
    host.calls(**TOKEN)
    server.notes("notifications/progress", b'{"progressToken":%b,"progress":1e400}' % server.only().id)
    host.new()
    wire.passes(10.0)
    assert host.new() == []


def test_a_host_that_returns_hears_under_its_new_token():
    wire = Wire(script("files", LEGACY))
    host = wire.modern_host(ELICIT)
    request = host.calls(**TOKEN)
    server = wire.upstreams["files"]
    wire.passes(10.0)
    server.asks(b"1", FORM)
    assert told(host) == [(0.001, "Waiting for files")]
    (key,) = host.replies[request].result["inputRequests"]
    wire.passes(30.0)
    answers = {key: {"action": "accept", "content": {"name": "Ada"}}}
    host.returns(request, inputResponses=answers, _meta={"progressToken": "other"})
    wire.passes(9.0)
    assert host.new() == []
    wire.passes(1.0)
    assert host.only().params == {
        "progressToken": "other",
        "progress": 0.001,
        "message": "Waiting for files",
    }


def test_an_answered_question_leaves_the_server_to_wait_for():
    wire, host, server = pair()
    host.calls(**TOKEN)
    server.asks(b"1", FORM)
    wire.passes(10.0)
    wire.person(accept({"name": "Ada"}))
    wire.passes(10.0)
    assert [words for _, words in told(host)] == [
        "Waiting for your answer on the desktop",
        "Waiting for files",
    ]
