"""Sampling: budgets, limits, bad input."""

from __future__ import annotations

import pytest

from bridge.core import events as ev
from bridge.core.routing.asking.model_proxy_policy import ModelProxyVerdict
from bridge.core.sampling.budget import Limits, Usage
from bridge.core.sampling.rules import SamplingRules
from tests.core.fake_peers import Wire
from tests.core.routing.asking.sampling_samples import (
    ALLOWED,
    ANSWER,
    DONE,
    HELLO,
    METHOD,
    MODEL,
    YES,
    asking,
    files,
    wired,
)
from tests.core.sampling.requests import (
    audio,
    made,
    user,
)
from tests.core.wire_messages import raw, strict


def test_18_params_task_is_ignored_and_answered_synchronously():
    wire, _ = asking(ALLOWED, {**HELLO, "task": {"ttl": 1000}})
    wire.model_says(ANSWER)
    assert files(wire).last().result == ANSWER


@pytest.mark.parametrize("by", ["server", "host cancels", "host leaves"])
def test_19_cancelled_the_providers_stream_is_closed_at_once_and_billed_tokens_are_still_counted(by):
    wire, host = asking(ALLOWED)
    (sample,) = wire.samples
    if by == "server":
        files(wire).withdraws(b"9")
    elif by == "host cancels":
        host.cancels(b"2")
    else:
        host.leaves()
    assert wire.stopped == [sample.id]
    assert "withdrawn" in [line.outcome for line in wire.records]
    wire.feed(ev.ModelUsed(sample.id, "files", 5, 2))
    wire.feed(ev.Sampled(sample.id, b"{}"))
    assert wire.router.runner.sampling.budget.usage["files"].tokens_out == 2


def test_19_one_of_two_models_is_stopped_the_other_works_on():
    wire, _ = asking(ALLOWED)
    files(wire).asks(b"10", HELLO, METHOD)
    first, second = wire.samples
    files(wire).withdraws(b"9")
    assert wire.stopped == [first.id]
    wire.feed(ev.Sampled(second.id, raw(ANSWER)))
    assert files(wire).last().json["id"] == 10


def test_a_consent_that_is_no_longer_needed_is_taken_back():
    wire, _ = asking()
    files(wire).withdraws(b"9")
    assert wire.desk == []


def test_a_model_that_works_for_one_of_two_calls_works_on_when_the_wrong_one_ends():
    wire = wired(ALLOWED)
    host = wire.legacy_host()
    host.calls("one")
    files(wire).asks(b"9", HELLO, METHOD)
    host.calls("two")
    files(wire).replies(files(wire).calls[0], DONE)
    assert wire.stopped == []
    wire.model_says(ANSWER)
    assert files(wire).last().result == ANSWER


def test_a_consent_outlives_the_call_it_was_asked_for_while_others_are_under_way():
    wire = wired()
    host = wire.legacy_host()
    host.calls("one")
    files(wire).asks(b"9", HELLO, METHOD)
    host.calls("two")
    files(wire).replies(files(wire).calls[0], DONE)
    wire.person(YES)
    wire.model_says(ANSWER)
    assert files(wire).last().result == ANSWER


@pytest.mark.parametrize(("background", "asked"), [((), False), (("files",), True)])
def test_20_outside_any_call_is_a_separate_consent_default_deny(background, asked):
    wire = wired(SamplingRules((MODEL,), background=background, allow=("files",)))
    host = wire.legacy_host()
    host.calls()
    files(wire).replies(files(wire).calls[-1], DONE)
    files(wire).asks(b"9", HELLO, METHOD)
    assert bool(wire.samples) is asked
    if not asked:
        assert files(wire).last().error["code"] == -1
        assert "outside a call" in files(wire).last().error["message"]
        assert wire.records[-1].outcome == "refused"


def test_20_several_calls_at_once_are_not_outside_any_call():
    wire = wired(ALLOWED)
    host = wire.legacy_host()
    host.calls()
    host.calls()
    files(wire).asks(b"9", HELLO, METHOD)
    assert len(wire.samples) == 1


def verdict_on(wire: Wire, server: str = "files") -> ModelProxyVerdict:
    return wire.router.runner.sampling.proxy_policy.decide(server, 0.0)


def test_20_a_server_that_uses_models_by_their_own_apis_needs_the_same_consents():
    wire = wired(ALLOWED)
    assert "outside a call" in verdict_on(wire).refusal
    host = wire.legacy_host(name="Claude")
    host.calls("summarise")
    assert verdict_on(wire) == ModelProxyVerdict(host="Claude", tool="summarise")
    host.calls("other")
    assert verdict_on(wire) == ModelProxyVerdict(host="Claude")
    assert "outside a call" in verdict_on(wire, "another").refusal
    wire.edits(wire.state.servers, sampling=SamplingRules((MODEL,), background=("files",)))
    for one in list(files(wire).calls):
        files(wire).replies(one, DONE)
    assert verdict_on(wire) == ModelProxyVerdict(asks=True)


def test_21_requests_by_their_own_apis_count_in_the_call_they_are_made_for_and_are_capped():
    wire = wired(SamplingRules((MODEL,), ("files",), limits=Limits(per_call=1, tokens_per_day=60)))
    policy = wire.router.runner.sampling.proxy_policy
    wire.legacy_host(name="Claude").calls("summarise")
    assert (policy.capped("files", 0.0, 100), policy.capped("files", 0.0, 0)) == (60, 60)
    policy.sent("files", 0.0)
    assert verdict_on(wire) == ModelProxyVerdict(
        "", True, "This call has reached its limit of requests to a model: 1 so far.", "Claude", "summarise"
    )
    assert wired().router.runner.sampling.proxy_policy.capped("files", 0.0, 100) == 100


def test_21_more_samplings_than_the_limit_ask_the_person():
    wire, _ = asking(SamplingRules((MODEL,), ("files",), limits=Limits(per_call=1)))
    files(wire).asks(b"10", HELLO, METHOD)
    assert len(wire.samples) == 1
    review = wire.question().review
    assert review is not None
    assert review.notes == ("This call has reached its limit of requests to a model: 1 so far.",)
    wire.person(YES)
    assert len(wire.samples) == 2


def test_21_what_was_used_in_earlier_runs_counts():
    wire = wired(SamplingRules((MODEL,), ("files",), limits=Limits(tokens_per_day=10)))
    day = int(wire.state.epoch // 86_400)
    wire.router.runner.sampling.load_usage({"files": Usage(1, 8, 8, day, 16)})
    wire.legacy_host().calls()
    files(wire).asks(b"9", HELLO, METHOD)
    assert "has used 16 tokens today" in wire.question().message


def test_7_max_tokens_is_capped_by_the_persons_budget_unless_they_are_asked():
    rules = SamplingRules((MODEL,), ("files",), limits=Limits(tokens_per_day=60))
    wire, _ = asking(rules)
    assert wire.samples[-1].request.max_tokens == 60
    wire.model_says(ANSWER, (40, 5))
    files(wire).asks(b"10", HELLO, METHOD)
    assert wire.samples[-1].request.max_tokens == 15
    wire.model_says(ANSWER, (20, 5))
    files(wire).asks(b"11", HELLO, METHOD)
    wire.person(YES)
    assert wire.samples[-1].request.max_tokens == 100, "the person has agreed to it"


def test_21_by_default_the_21st_of_a_call_and_the_101st_of_an_hour_ask_the_person():
    wire, _ = asking(ALLOWED)
    for number in range(10, 31):
        files(wire).asks(b"%d" % number, HELLO, METHOD)
    assert (len(wire.samples), len(wire.desk)) == (20, 2)
    assert Limits() == Limits(per_call=20, per_hour=100)


def test_22_progress_of_the_outer_call_is_told_while_a_model_thinks():
    wire = wired(ALLOWED)
    host = wire.legacy_host()
    host.calls(_meta={"progressToken": "p"})
    files(wire).asks(b"9", HELLO, METHOD)
    host.new()
    for _ in range(40):
        wire.passes(1.0)
    assert "notifications/progress" in [message.method for message in host.new()]


def test_25_nothing_of_a_request_is_kept_after_its_answer():
    wire, _ = asking(ALLOWED)
    wire.model_says(ANSWER)
    sampling = wire.router.runner.sampling
    assert sampling.running == {}
    assert wire.questions._takers == {}


def test_12_include_context_is_treated_as_none_and_said_so_in_the_review():
    wire, _ = asking(params={**HELLO, "includeContext": "allServers"})
    assert "which is not sent" in wire.question().message


# --- bad input ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "why"),
    [
        ({"messages": []}, "must not be empty"),
        ({"messages": HELLO["messages"]}, "maxTokens is missing"),
        (strict(made(user(audio(mime="audio/ogg")))), "not as audio/ogg"),
    ],
)
def test_bad_input_is_refused_with_the_reason_before_anything_is_sent_or_shown(params, why):
    wire, _ = asking(ALLOWED, params)
    assert files(wire).last().error["code"] == -32602
    assert why in files(wire).last().error["message"]
    assert (wire.desk, wire.samples) == ([], [])
    assert wire.records[-1].outcome == "refused"
