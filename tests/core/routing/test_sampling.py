"""A server asks for a model: the host answers, or a model here, or the person; or it was not offered at all.

The rules of a local answerer that need a server and a host to be seen; the others are in
tests/core/sampling/test_rules.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from bridge.core import events as ev
from bridge.core.ports import ServerSpec
from bridge.core.protocol.capabilities import with_sampling
from bridge.core.protocol.elicitation import uses_tools
from bridge.core.protocol.revisions import CAPABILITIES_KEY
from bridge.core.questions.question import CANCEL, DECLINE, EXPIRED, Action, Answer, Mode, accept
from bridge.core.routing.asking.model_proxy_policy import ModelProxyVerdict
from bridge.core.sampling import kept_messages
from bridge.core.sampling.budget import Limits, Usage
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.rules import SAMPLING_MODES, USUAL_RULES, SamplingRules
from tests.core.fake_peers import LEGACY, MODERN, Host, Script, Upstream, Wire, script
from tests.core.sampling.requests import (
    REQUIRED,
    SCHEMA_TOOL,
    WEATHER,
    assistant,
    audio,
    image,
    made,
    request,
    text,
    tool_result,
    tool_use,
    user,
)
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, raw, strict, wants

METHOD = "sampling/createMessage"
HELLO = strict(made())
TOOLS = strict(made(tools=[WEATHER]))
SCHEMA = strict(made(tools=[SCHEMA_TOOL], **REQUIRED))
MODEL = ModelSpec("local", "openai", "http://127.0.0.1:1/v1", "qwen3")
FAR = ModelSpec(
    "far", "openai", "https://models.example/v1", "big", price_in=1, price_out=10, tools=False, limit=50
)
ANSWER = {"role": "assistant", "content": text("Hi."), "model": "qwen3", "stopReason": "endTurn"}
YES, ALWAYS = Answer(Action.ACCEPT), Answer(Action.ACCEPT, always=True)
DONE = {"content": [text("done")]}
NOBODY = SamplingRules(person=False)
WITH_MODEL = SamplingRules((MODEL,))
ALLOWED = SamplingRules((MODEL,), allow=("files",))


def wired(rules: SamplingRules = WITH_MODEL, plot: Script | None = None) -> Wire:
    plot = plot or script()
    wire = Wire(plot)
    wire.edits({plot.spec.name: plot.spec}, sampling=rules)
    return wire


def files(wire: Wire) -> Upstream:
    return wire.upstreams["files"]


def sampling_declared(wire: Wire) -> Any:
    """What the server was told of sampling, in its era."""
    for message in files(wire).heard:
        if message.method == "initialize":
            return message.params["capabilities"].get("sampling")
        if message.method == "tools/call":
            return message.params["_meta"][CAPABILITIES_KEY].get("sampling")
    raise AssertionError


def asking(rules: SamplingRules = WITH_MODEL, params: Any = HELLO, can: Any = None) -> tuple[Wire, Host]:
    """A legacy server that asks for a model in the middle of a call."""
    wire = wired(rules)
    host = wire.legacy_host(can, name="Claude")
    host.calls("summarise")
    files(wire).asks(b"9", params, METHOD)
    return wire, host


def modern(rules: SamplingRules = WITH_MODEL, **asked: Any) -> tuple[Wire, Host, bytes]:
    """A modern server that wants these inputs for a call of a modern host."""
    wire = wired(rules, script("files", MODERN))
    host = wire.modern_host(name="Claude")
    call = host.calls("ask")
    files(wire).replies(files(wire).calls[-1], wants(**asked))
    return wire, host, call


# --- a model answers ------------------------------------------------------------------------------------


def test_before_anything_is_sent_the_person_sees_who_asks_what_and_which_model():
    wire, _ = asking(
        params=strict(made(user(text("Sum up."), image()), systemPrompt="Be brief.", temperature=0.5))
    )
    question = wire.question()
    assert (question.mode, question.server, question.host, question.tool) == (
        Mode.SAMPLING,
        "files",
        "Claude",
        "summarise",
    )
    assert wire.samples == []
    seen = question.review
    assert seen is not None
    assert (seen.model, seen.model_id, seen.place, seen.is_local) == ("local", "qwen3", "127.0.0.1:1", True)
    assert seen.system == "Be brief."
    assert seen.messages[0].text == "Sum up."
    assert seen.messages[0].files[0].mime_type == "image/png"
    assert seen.parameters == (("maxTokens", "100"), ("temperature", "0.5"))
    assert question.message == (
        "To the model local (qwen3, on this computer): about 5 tokens, at most 100 back.\n"
        "\nSystem:\nBe brief.\n\nUser:\nSum up.\n[image/png]\n\nmaxTokens 100, temperature 0.5"
    )


def test_the_review_tells_the_cost_the_tools_and_what_was_said_before():
    messages = [user(text("?")), assistant(tool_use("a", city="Rome")), user(tool_result("a", text("sun")))]
    rules = SamplingRules((replace(FAR, tools=True),))
    params = strict(
        made(
            *messages,
            tools=[WEATHER],
            stopSequences=["."],
            metadata={"user": "me"},
            modelPreferences={"hints": [{"name": "big"}]},
        )
    )
    wire, _ = asking(rules, params)
    words = wire.question().message
    assert "far (big, at models.example)" in words
    assert "at most 0.0005" in words
    assert '→ weather {"city":"Rome"}' in words
    assert "←\n\nsun" in words
    assert 'stopSequences ["."], metadata {"user":"me"}, hints big' in words
    assert words.endswith("Tools: weather")


def test_a_long_request_is_shown_in_part():
    wire, _ = asking(params=strict(made(user(text("x" * 30_000)))))
    assert len(wire.question().message) == 20_000


def test_when_the_person_sends_it_the_models_answer_goes_to_the_server():
    wire, host = asking()
    wire.person(YES)
    assert wire.samples[0].model is MODEL
    wire.model_says(ANSWER)
    assert files(wire).last().json == {"jsonrpc": "2.0", "id": 9, "result": ANSWER}
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.last().result == DONE


def test_what_the_person_changed_is_what_is_sent():
    wire, _ = asking()
    wire.person(accept({"systemPrompt": "Be kind.", "maxTokens": 5}))
    assert (wire.samples[0].request.system, wire.samples[0].request.max_tokens) == ("Be kind.", 5)


def test_what_the_person_changed_into_nonsense_is_not_sent():
    wire, _ = asking()
    wire.person(accept({"maxTokens": 0}))
    assert wire.samples == []
    assert files(wire).last().error["code"] == -32602


def test_always_for_this_server_is_remembered_and_answers_what_else_waits():
    wire, _ = asking()
    files(wire).asks(b"10", HELLO, METHOD)
    files(wire).asks(b"11", FORM)
    wire.person(ALWAYS, wire.desk[0])
    assert wire.allowed == ["files"]
    assert len(wire.samples) == 2
    assert [question.mode for question in wire.desk] == [Mode.FORM]


def test_a_server_that_is_always_allowed_is_not_asked_about():
    wire, _ = asking(ALLOWED)
    assert wire.desk == []
    assert len(wire.samples) == 1


def test_the_history_knows_the_model_the_tokens_and_the_answer():
    wire, host = asking(ALLOWED)
    wire.state.now += 2.0
    wire.model_says(ANSWER)
    line = wire.records[-1]
    assert (line.kind, line.host, line.server, line.tool, line.outcome, line.seconds) == (
        "question",
        "Claude",
        "files",
        "summarise",
        "answered",
        2.0,
    )
    assert line.facts["model"] == "local"
    assert (line.facts["tokens in"], line.facts["tokens out"], line.facts["answer"]) == (7, 3, "Hi.")
    assert "Hello" in str(line.facts["message"])
    files(wire).replies(files(wire).calls[-1], DONE)
    assert "'model': 'local'" in str(wire.records[-1].facts["questions"])
    assert host.last().result == DONE


def test_structured_answers_and_calls_are_in_the_history_too():
    wire, _ = asking(ALLOWED, SCHEMA)
    call = {"type": "tool_use", "id": "a", "name": "__schema__", "input": {"city": "Rome"}}
    wire.model_says({**ANSWER, "content": [text("So:"), call]})
    assert wire.records[-1].facts["answer"] == 'So:\n\n{"city":"Rome"}'


def test_the_history_has_the_exchange_as_messages_that_can_be_sent_on():
    asked = [user(text("Sum up."), image()), assistant(tool_use("a")), user(tool_result("a", image()))]
    wire, _ = asking(ALLOWED, strict(made(*asked, systemPrompt="Be brief.")))
    wire.model_says(ANSWER)
    facts = wire.records[-1].facts
    first, call, result, answer = messages_of(wire)
    assert first == {"role": "user", "content": [text("Sum up."), text("[image/png]")]}
    assert call["content"][0]["type"] == "tool_use"
    assert result["content"][0]["content"] == [text("[image/png]")]
    assert answer == {"role": "assistant", "content": [text("Hi.")]}
    assert facts["system"] == "Be brief."
    files(wire).replies(files(wire).calls[-1], DONE)
    assert "messages" not in str(wire.records[-1].facts["questions"]), "they have a line of their own"


def messages_of(wire: Wire) -> list[Any]:
    return cast("list[Any]", wire.records[-1].facts["messages"])


def test_an_exchange_of_structured_output_has_three_messages():
    wire, _ = asking(ALLOWED, SCHEMA)
    call = {"type": "tool_use", "id": "a", "name": "__schema__", "input": {"city": "Rome"}}
    wire.model_says({**ANSWER, "content": call})
    _, answer, closing = messages_of(wire)
    assert answer == {"role": "assistant", "content": [call]}
    assert closing["content"][0]["toolUseId"] == "a"


@pytest.mark.parametrize(
    ("messages", "kept", "first"),
    [
        ([user(text("x" * 10_000))], 1, "x" * 3_999 + "…"),
        ([user(text("x" * 4_000))] * 11 + [user(text("last"))], 1, "last"),
        ([user(text("short"))] * 20, 20, "short"),
    ],
)
def test_what_the_history_keeps_of_an_exchange_is_bounded(messages, kept, first):
    found = kept_messages.asked(request(*messages))
    assert (len(found), found[0]["content"][0]["text"]) == (kept, first)


def test_a_question_to_the_person_is_a_call_of_the_assistant_and_its_result():
    question, answer = kept_messages.elicited("pick", "e1", "Which?", {"city": "Rome"})
    assert question == {"role": "assistant", "content": [text("Which?"), tool_use("e1", "pick")]}
    assert answer == {"role": "user", "content": [tool_result("e1", text('{"city":"Rome"}'))]}


def test_a_long_input_of_a_call_is_cut_in_the_history():
    (message,) = kept_messages.answered([tool_use("a", body="x" * 10_000)])
    assert len(message["content"][0]["input"]["cut"]) == 4_000


@pytest.mark.parametrize(
    ("params", "answer", "structured"),
    [
        ({**HELLO, "systemPrompt": "Be brief."}, {"answer": "Hi."}, False),
        (SCHEMA, {"city": "Rome"}, True),
    ],
)
def test_what_the_person_answered_for_a_model_is_an_exchange_too(params, answer, structured):
    wire, _ = asking(USUAL_RULES, params)
    wire.person(accept(answer))
    facts = wire.records[-1].facts
    assert messages_of(wire)[0]["role"] == "user"
    assert (facts["structured"], facts["sent"]) == (structured, answer)
    assert facts.get("system") == params.get("systemPrompt")


def test_a_model_that_fails_is_an_error_to_the_server_never_a_made_up_text():
    wire, _ = asking(ALLOWED)
    wire.feed(ev.Sampled(wire.samples[0].id, problem="The model local is out of credit."))
    assert files(wire).last().error == {"code": -32603, "message": "The model local is out of credit."}
    assert (wire.records[-1].outcome, wire.records[-1].detail) == (
        "failed",
        "The model local is out of credit.",
    )


def test_the_clock_of_the_call_stands_still_while_a_model_thinks():
    wire, host = asking(ALLOWED)
    wire.passes(200.0)
    wire.model_says(ANSWER)
    wire.passes(100.0)
    assert host.replies.get(b"2") is None
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.last().result == DONE


# --- rule 3: hosts ------------------------------------------------------------------------------------------


def test_a_host_that_declares_sampling_comes_first():
    wire, host = asking(can={"sampling": {}})
    assert host.asked[-1].params == HELLO
    assert wire.desk == []


def test_3_host_declares_sampling_but_not_tools_and_the_request_has_tools_it_is_answered_here():
    wire, host = asking(params=TOOLS, can={"sampling": {}})
    assert host.asked == []
    assert wire.question().mode is Mode.SAMPLING


def test_3_host_declares_tools_the_request_is_relayed():
    wire, host = asking(params=TOOLS, can={"sampling": {"tools": {}}})
    assert host.asked[-1].params == TOOLS
    assert wire.desk == []


def test_3_nobody_can_call_tools_it_is_refused():
    wire, _ = asking(SamplingRules((FAR,)), TOOLS, {"sampling": {}})
    assert files(wire).last().error["code"] == -32602
    wire, _ = asking(WITH_MODEL)
    wire.edits(wire.state.servers, sampling=NOBODY)
    files(wire).asks(b"10", HELLO, METHOD)
    assert files(wire).last().error["code"] == -32601


def test_a_host_that_declares_sampling_and_then_cannot_is_replaced():
    wire, host = asking(can={"sampling": {}})
    host.fails(host.asked[-1], {"code": -32601, "message": "Method not found"})
    wire.person(YES)
    assert len(wire.samples) == 1


def test_a_host_that_refuses_is_heard():
    wire, host = asking(can={"sampling": {}})
    host.fails(host.asked[-1], {"code": -1, "message": "no"})
    assert files(wire).last().error["code"] == -1
    assert wire.desk == []


@pytest.mark.parametrize(("rules", "here"), [(WITH_MODEL, True), (NOBODY, False)])
def test_a_host_that_refused_twice_is_not_asked_where_somebody_here_can_answer(rules, here):
    wire, host = asking(rules, can={"sampling": {}})
    host.fails(host.asked[-1], {"code": -1, "message": "no"})
    files(wire).asks(b"10", HELLO, METHOD)
    host.fails(host.asked[-1], {"code": -1, "message": "no"})
    files(wire).asks(b"11", HELLO, METHOD)
    assert (len(host.asked), len(wire.desk)) == ((2, 1) if here else (3, 0))


def test_a_host_that_refuses_to_tell_its_roots_is_still_asked_for_its_model():
    wire, host = asking(can={"sampling": {}, "roots": {}})
    for number in (10, 11):
        files(wire).asks(b"%d" % number, {}, "roots/list")
        host.fails(host.asked[-1], {"code": -32603, "message": "no"})
    files(wire).asks(b"12", HELLO, METHOD)
    assert host.asked[-1].method == METHOD


@pytest.mark.parametrize("who", ["model", "person"])
def test_a_server_whose_settings_name_another_answerer_never_reaches_the_host(who):
    wire = wired(plot=script(sampling=who))
    host = wire.legacy_host({"sampling": {}})
    host.calls()
    files(wire).asks(b"9", HELLO, METHOD)
    assert host.asked == []
    assert wire.question().mode is (Mode.SAMPLING if who == "model" else Mode.FORM)


# --- rule 17: what is declared ------------------------------------------------------------------------------


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize(
    ("rules", "who", "can", "declared"),
    [
        (NOBODY, "auto", {}, None),
        (NOBODY, "auto", {"sampling": {}}, {}),
        (WITH_MODEL, "auto", {}, {"tools": {}}),
        (WITH_MODEL, "auto", {"sampling": {"context": {}}}, {"context": {}, "tools": {}}),
        (SamplingRules((FAR,)), "auto", {}, {}),
        (SamplingRules((replace(FAR, servers=("other",)),), person=False), "auto", {}, None),
        (USUAL_RULES, "auto", {}, {}),
        (USUAL_RULES, "model", {}, None),
        (WITH_MODEL, "host", {}, None),
        (WITH_MODEL, "off", {"sampling": {}}, None),
        (WITH_MODEL, "person", {}, {}),
        (WITH_MODEL, "model", {"sampling": {"context": {}}}, {"tools": {}}),
    ],
)
def test_17_a_capability_is_declared_only_for_what_can_be_answered(era, rules, who, can, declared):
    wire = wired(rules, script("files", era, sampling=who))
    host = wire.legacy_host(can) if era == LEGACY else wire.modern_host({**can, **ELICIT_ALL})
    host.calls()
    assert sampling_declared(wire) == declared


@pytest.mark.parametrize("who", ["auto", "person"])
def test_17_where_nobody_can_be_asked_the_person_is_not_offered(who):
    plot = script(sampling=who)
    wire = Wire(plot, has_desk=False)
    wire.edits({plot.spec.name: plot.spec})
    wire.legacy_host()
    assert sampling_declared(wire) is None


def test_17_a_modern_server_hears_of_sampling_with_its_lists_too():
    wire = wired(plot=script("files", MODERN))
    wire.modern_host(server="").requests("tools/list")
    listing = next(message for message in files(wire).heard if message.method == "tools/list")
    assert listing.params["_meta"][CAPABILITIES_KEY]["sampling"] == {"tools": {}}


def test_our_own_tools_ask_a_person_by_questions_not_in_place_of_a_model():
    desk = ServerSpec("desk", builtin=True)
    assert USUAL_RULES.declares(desk, has_desk=True) == frozenset()
    assert WITH_MODEL.declares(desk, has_desk=True) == SAMPLING_MODES


def test_17_a_sampling_capability_that_is_no_object_is_replaced():
    declared = strict(with_sampling(b'{"sampling":true}', SAMPLING_MODES, frozenset()))
    assert declared == {"sampling": {"tools": {}}}


@pytest.mark.parametrize(
    ("given", "needs"),
    [
        (made(tools=[WEATHER]), True),
        (made(toolChoice={}), True),
        (made(tools=[]), False),
        (made(), False),
        (b"[", False),
    ],
)
def test_what_needs_the_hosts_sampling_tools_is_seen_even_in_params_that_are_not_valid(given, needs):
    assert uses_tools(given) is needs


# --- rule 15: no --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [DECLINE, CANCEL])
def test_15_the_person_says_no_legacy_error_minus_1_user_rejected_sampling_request(answer):
    wire, host = asking()
    wire.person(answer)
    assert files(wire).last().error == {"code": -1, "message": "User rejected sampling request"}
    assert wire.samples == []
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.last().result == DONE


def test_15_nobody_there_is_not_a_no():
    wire, _ = asking()
    wire.person(EXPIRED)
    assert files(wire).last().error == {"code": -32001, "message": "Nobody allowed it."}


def test_15_the_person_says_no_modern_the_hosts_call_is_answered_with_an_error_and_not_retried():
    wire, host, call = modern(it=(METHOD, HELLO))
    wire.person(DECLINE)
    assert host.replies[call].result == {
        "content": [text("User rejected sampling request")],
        "isError": True,
        "resultType": "complete",
    }
    assert len(files(wire).calls) == 1
    assert wire.state.open_requests == {}


def test_15_a_prompt_that_needs_a_model_fails_with_an_error():
    wire = wired(plot=script("files", MODERN))
    host = wire.modern_host()
    call = host.requests("prompts/get", {"name": "p"})
    files(wire).replies(files(wire).calls[-1], wants(it=(METHOD, HELLO)))
    wire.person(DECLINE)
    assert host.replies[call].error["message"] == "User rejected sampling request"


def test_15_a_model_that_fails_ends_a_modern_call_too():
    wire, host, call = modern(ALLOWED, it=(METHOD, HELLO))
    wire.feed(ev.Sampled(wire.samples[0].id, problem="It is down.", code=-32602))
    assert host.replies[call].result["isError"] is True


# --- rule 16: mixed -----------------------------------------------------------------------------------------


def test_16_mixed_input_requests_are_all_answered_before_one_retry_and_the_model_works_meanwhile():
    wire, host, call = modern(ALLOWED, who=("elicitation/create", FORM), it=(METHOD, HELLO))
    assert len(wire.samples) == 1
    wire.model_says(ANSWER)
    assert len(files(wire).calls) == 1
    wire.person(accept({"name": "Ada"}))
    retry = files(wire).calls[-1]
    assert retry.params["inputResponses"] == {
        "who": {"action": "accept", "content": {"name": "Ada"}},
        "it": ANSWER,
    }
    assert retry.params["requestState"] == "theirs"
    files(wire).replies(retry, {"resultType": "complete", **DONE})
    assert host.replies[call].result["content"] == DONE["content"]


def test_16_a_refused_model_takes_the_other_questions_along():
    wire, host, call = modern(who=("elicitation/create", FORM), it=(METHOD, HELLO))
    (consent,) = [question for question in wire.desk if question.mode is Mode.SAMPLING]
    wire.person(DECLINE, consent)
    assert wire.desk == []
    assert host.replies[call].result["isError"] is True


def test_a_modern_host_that_can_all_of_it_gets_it_verbatim():
    wire = wired(plot=script("files", MODERN))
    host = wire.modern_host({"sampling": {"tools": {}}, **ELICIT_ALL})
    call = host.calls()
    assert CAPABILITIES_KEY in str(files(wire).calls[-1].params)
    files(wire).replies(files(wire).calls[-1], wants(it=(METHOD, TOOLS)))
    assert host.replies[call].result["inputRequests"]["it"]["params"] == TOOLS


def test_a_legacy_host_in_front_of_a_modern_server_gets_the_answer_of_a_model():
    wire = wired(ALLOWED, script("files", MODERN))
    host = wire.legacy_host(ELICIT)
    call = host.calls()
    files(wire).replies(files(wire).calls[-1], wants(it=(METHOD, HELLO)))
    wire.model_says(ANSWER)
    assert files(wire).calls[-1].params["inputResponses"] == {"it": ANSWER}
    files(wire).replies(files(wire).calls[-1], {"resultType": "complete", **DONE})
    assert host.replies[call].result == DONE


# --- rules 18 to 22 -----------------------------------------------------------------------------------------


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
        "", True, "This call has asked a model 1 times already.", "Claude", "summarise"
    )
    assert wired().router.runner.sampling.proxy_policy.capped("files", 0.0, 100) == 100


def test_21_more_samplings_than_the_limit_ask_the_person():
    wire, _ = asking(SamplingRules((MODEL,), ("files",), limits=Limits(per_call=1)))
    files(wire).asks(b"10", HELLO, METHOD)
    assert len(wire.samples) == 1
    review = wire.question().review
    assert review is not None
    assert review.notes == ("This call has asked a model 1 times already.",)
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


# --- the person answers -------------------------------------------------------------------------------------

PERSON = USUAL_RULES  # app, else model, else the person


def test_the_person_answers_in_words():
    wire, _ = asking(PERSON)
    question = wire.question()
    assert question.mode is Mode.FORM
    assert "in place of a model" in question.message
    assert "Choose one under Models" in question.message
    wire.person(accept({"answer": "Hello yourself."}))
    assert files(wire).last().result == {
        "role": "assistant",
        "content": text("Hello yourself."),
        "model": "person",
        "stopReason": "endTurn",
    }


def test_the_person_answers_structured_output_by_the_same_form_as_any_question():
    wire = wired(plot=script(sampling="person"))
    wire.legacy_host().calls()
    files(wire).asks(b"9", SCHEMA, METHOD)
    assert strict(wire.question().schema) == SCHEMA_TOOL["inputSchema"]
    assert "Choose one" not in wire.question().message, "the person wants to answer this server"
    wire.person(accept({"city": "Rome"}))
    assert files(wire).last().result["content"]["input"] == {"city": "Rome"}
    assert files(wire).last().result["model"] == "person"


def test_a_program_that_answers_for_the_person_with_invalid_data_is_an_error():
    wire, _ = asking(PERSON, SCHEMA)
    wire.person(accept({"people": 3}))
    assert "Missing: city" in files(wire).last().error["message"]


def test_the_person_declines_to_answer():
    wire, _ = asking(PERSON)
    wire.person(DECLINE)
    assert files(wire).last().error["code"] == -1


def test_a_muted_server_is_refused():
    wire, _ = asking()
    wire.feed(ev.Muted("files", wire.state.epoch + 60))
    assert files(wire).last().error["code"] == -1
    files(wire).asks(b"10", HELLO, METHOD)
    assert files(wire).last().error["code"] == -1
    assert wire.samples == []


def test_the_rules_of_one_server_do_not_concern_another():
    other = ServerSpec("other", command="x")
    rules = SamplingRules((replace(MODEL, servers=("files",)),), person=False)
    assert rules.here(other, has_desk=True) == frozenset()


# --- what the person changes, and the answer before it is returned --------------------------------------


def test_a_message_the_person_rewrote_is_what_is_sent():
    wire, _ = asking(params=strict(made(user(text("Sum up."), image()), assistant(text("Of what?")))))
    seen = wire.question().review
    assert seen is not None
    assert seen.editable
    assert [one.editable for one in seen.messages] == [True, True]
    wire.person(accept({"texts": {"0": "Say hello."}}))
    first, second = wire.samples[0].request.messages
    assert [block["type"] for block in first.blocks] == ["text", "image"]
    assert (first.blocks[0]["text"], second.blocks[0]["text"]) == ("Say hello.", "Of what?")


def test_messages_with_calls_or_several_texts_cannot_be_rewritten():
    messages = [user(text("a"), text("b")), assistant(tool_use("a")), user(tool_result("a", text("sun")))]
    wire, _ = asking(params=strict(made(*messages, tools=[WEATHER])))
    seen = wire.question().review
    assert seen is not None
    assert [one.editable for one in seen.messages] == [False, False, False]


@pytest.mark.parametrize("changes", [{"texts": {"7": "x"}}, {"texts": {"-1": "x"}}])
def test_changes_that_fit_no_message_are_refused(changes):
    wire, _ = asking()
    wire.person(accept(changes))
    assert wire.samples == []
    assert files(wire).last().error["code"] == -32602


CHECKED = SamplingRules((MODEL,), allow=("files",), check_answers=True)
CALL = {"type": "tool_use", "id": "a", "name": "weather", "input": {"city": "Rome"}}
DATA = {**CALL, "name": "__schema__"}


def checking(params: Any = HELLO, content: Any = None) -> Wire:
    """A model has answered, and the person is to see it."""
    wire, _ = asking(CHECKED, params)
    wire.model_says({**ANSWER, "content": content or text("Hi.")})
    assert files(wire).last().method != "sampling/createMessage"
    return wire


def test_the_answer_is_shown_before_it_is_returned_if_the_settings_say_so():
    wire = checking()
    question = wire.question()
    seen = question.review
    assert seen is not None
    assert (question.mode, seen.answer_kind, seen.answer, seen.model) == (
        Mode.SAMPLING,
        "text",
        "Hi.",
        "local",
    )
    assert "The model local answered." in question.message
    wire.person(YES)
    assert files(wire).last().json["result"] == ANSWER


def test_the_answer_is_shown_before_it_is_returned_if_the_person_asks_for_it():
    wire, _ = asking()
    wire.person(Answer(Action.ACCEPT, check_answer=True))
    wire.model_says(ANSWER)
    wire.person(accept({"answer": "Hello."}))
    assert files(wire).last().json["result"] == {**ANSWER, "content": text("Hello.")}


def test_an_answer_the_person_keeps_back_is_refused():
    wire = checking()
    wire.person(DECLINE)
    assert files(wire).last().error["code"] == -1


def test_an_answer_the_person_left_as_it_is_is_returned_as_it_is():
    wire = checking(SCHEMA, [DATA])
    seen = wire.question().review
    assert seen is not None
    assert seen.answer_kind == "data"
    wire.person(accept({"answer": seen.answer}))
    assert files(wire).last().json["result"]["content"] == [DATA]


@pytest.mark.parametrize(
    ("params", "content", "typed", "returned"),
    [
        (SCHEMA, DATA, '{"city": "Oslo"}', {**DATA, "input": {"city": "Oslo"}}),
        (TOOLS, [text("So:"), CALL], raw([CALL]).decode(), [CALL]),
    ],
)
def test_data_and_calls_can_be_changed_too(params, content, typed, returned):
    wire = checking(params, content)
    wire.person(accept({"answer": typed}))
    assert files(wire).last().json["result"]["content"] == returned


@pytest.mark.parametrize(
    ("params", "content", "typed"),
    [
        (SCHEMA, DATA, "{}"),
        (SCHEMA, DATA, "{"),
        (SCHEMA, DATA, "[]"),
        (TOOLS, CALL, "{}"),
        (TOOLS, CALL, "[]"),
        (TOOLS, CALL, '[{"type": "nothing"}]'),
    ],
)
def test_an_answer_changed_into_nonsense_is_an_error(params, content, typed):
    wire = checking(params, content)
    wire.person(accept({"answer": typed}))
    assert files(wire).last().error["code"] == -32603


def test_always_for_this_server_returns_no_answer_that_is_being_checked():
    wire, _ = asking()
    files(wire).asks(b"10", HELLO, METHOD)
    first, second = wire.desk
    wire.person(Answer(Action.ACCEPT, check_answer=True), first)
    wire.model_says(ANSWER)
    wire.person(ALWAYS, second)
    assert [one.review.answer_kind for one in wire.desk if one.review] == ["text"]


def test_a_call_that_is_cancelled_takes_the_answer_off_the_desk():
    wire = checking()
    files(wire).withdraws(b"9")
    assert wire.desk == []
