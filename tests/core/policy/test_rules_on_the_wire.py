"""Who may do what, and who asks the person: the settings' rules, on the wire."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.policy import allowances
from bridge.core.policy.presets import Preset
from bridge.core.policy.rules import HostRule, Policy, Verdict
from bridge.core.ports import ServerSpec
from bridge.core.protocol.tool_names import public_name, spellings
from bridge.core.questions.desk import LONGEST_PAUSE, MOST_OF_ONE
from bridge.core.questions.question import CANCEL, DECLINE, NOBODY, Action, Answer, Mode, accept
from tests.core.fake_peers import MODERN, Host, Script, Wire, script
from tests.core.wire_messages import FORM

CONFIRM = Policy((("files_delete*", Verdict.CONFIRM), ("files_secret", Verdict.DENY)))


def text_of(host: Host, request: bytes) -> str:
    result = host.replies[request].result
    assert result["isError"] is True
    return str(result["content"][0]["text"])


# Allow, confirm, deny


def test_a_call_without_a_rule_is_made():
    wire = Wire(script(), policy=CONFIRM)
    wire.legacy_host().calls("save")
    assert wire.upstreams["files"].calls[-1].params == {"name": "save"}


def test_a_denied_call_is_never_made_and_the_model_is_told():
    wire = Wire(script(), policy=CONFIRM)
    host = wire.legacy_host()
    request = host.calls("secret")
    assert "do not allow files_secret" in text_of(host, request)
    assert (wire.records[-1].kind, wire.records[-1].outcome) == ("call", "denied")
    assert wire.upstreams["files"].calls == []
    assert wire.state.open_requests == {}


def test_a_refusal_of_our_own_tools_is_json_as_their_errors_are():
    plot = script()
    plot.spec = replace(plot.spec, builtin=True, json_errors=True)
    wire = Wire(plot, policy=CONFIRM)
    host = wire.legacy_host()
    refused = json.loads(text_of(host, host.calls("secret")))
    assert refused == {"error": "The settings of Deskbell do not allow files_secret."}


def test_a_modern_host_is_told_in_a_result_of_its_era():
    wire = Wire(script("files", MODERN), policy=CONFIRM)
    host = wire.modern_host()
    for tool in ("secret", "delete_all"):
        request = host.calls(tool)
        for question in wire.desk:
            wire.person(DECLINE, question)
        assert "allow" in text_of(host, request)
        assert host.replies[request].result["resultType"] == "complete"


def test_a_denial_that_no_rule_made_says_its_own_reason():
    wire = Wire(script(), policy=Policy((("*", Verdict.DENY),), reason="The settings are broken."))
    host = wire.legacy_host()
    assert text_of(host, host.calls("save")) == "The settings are broken."


def test_a_servers_preset_decides_what_no_rule_decides():
    policy = Policy((("files_delete_mine", Verdict.ALLOW),), presets={"files": Preset.DESTRUCTIVE})
    wire = Wire(script(), policy=policy)
    host = wire.legacy_host()
    for tool in ("save", "delete_mine"):
        host.calls(tool)
        assert wire.upstreams["files"].calls[-1].params == {"name": tool}
    host.calls("delete_all")
    (question,) = wire.questions.desk.waiting()
    assert (question.mode, question.tool, question.scope) == (Mode.CONFIRM, "delete_all", "")


def test_a_blocked_server_is_not_called_and_another_servers_preset_is_not_its_own():
    wire = Wire(script(), policy=Policy(presets={"files": Preset.BLOCK}))
    host = wire.legacy_host()
    assert "do not allow files_save" in text_of(host, host.calls("save"))
    wire = Wire(script(), policy=Policy(presets={"web": Preset.BLOCK}))
    wire.legacy_host().calls("save")
    assert wire.upstreams["files"].calls[-1].params == {"name": "save"}


@pytest.mark.parametrize(("asks_itself", "asked"), [(("post",), 0), ((), 1)])
def test_a_tool_that_shows_what_it_will_do_asks_by_itself(asks_itself: tuple[str, ...], asked: int):
    policy = Policy((("bluesky_*", Verdict.CONFIRM),))
    wire = Wire(Script(ServerSpec("bluesky", builtin=True, asks_itself=asks_itself)), policy=policy)
    host = wire.legacy_host(server="bluesky")
    host.calls("post")
    assert len(wire.questions.desk.waiting()) == asked
    assert len(wire.upstreams["bluesky"].calls) == 1 - asked
    host.calls("login")
    assert len(wire.questions.desk.waiting()) == asked + 1


@pytest.mark.parametrize("builtin", [True, False])
def test_secrets_in_a_call_are_masked_wherever_it_is_asked_about_and_sent_as_they_are(builtin: bool):
    policy = Policy((("bluesky_*", Verdict.CONFIRM),))
    wire = Wire(Script(ServerSpec("bluesky", builtin=builtin)), policy=policy)
    wire.router.state.mask.learn(["open sesame"])
    arguments = {"account": "alice.test", "password": "abcd-efgh-2345-wxyz", "note": "say open sesame"}
    wire.legacy_host(server="bluesky").calls("login", arguments=arguments)
    question = wire.question()
    shown = {"account": "alice.test", "password": "•••", "note": "say •••"}
    assert json.loads(question.arguments) == shown
    wire.person(accept(), question)
    assert wire.upstreams["bluesky"].calls[-1].params["arguments"] == arguments


def test_a_call_to_be_confirmed_waits_for_the_person():
    wire = Wire(script(), policy=CONFIRM)
    host = wire.legacy_host(name="Claude")
    request = host.calls("delete_all", arguments={"path": "/"})
    question = wire.question()
    assert (question.mode, question.server, question.host, question.tool, question.arguments) == (
        Mode.CONFIRM,
        "files",
        "Claude",
        "delete_all",
        b'{"path":"/"}',
    )
    assert wire.upstreams["files"].calls == []
    wire.person(accept())
    sent = wire.upstreams["files"].calls[-1]
    wire.upstreams["files"].replies(sent, {"ok": 1})
    assert host.replies[request].result == {"ok": 1}
    assert wire.allowed == []


def test_allowed_always_is_remembered():
    wire = Wire(script(), policy=CONFIRM)
    wire.legacy_host().calls("delete_all")
    wire.person(Answer(Action.ACCEPT, always=True))
    assert wire.allowed == ["files_delete_all"]
    assert len(wire.upstreams["files"].calls) == 1


def test_allowed_always_answers_whatever_else_waits_for_the_same_tool():
    wire = Wire(script(), policy=CONFIRM)
    for _ in range(2):
        wire.legacy_host().calls("delete_all")
    wire.legacy_host().calls("delete_one")
    wire.person(Answer(Action.ACCEPT, always=True), wire.desk[0])
    assert [question.tool for question in wire.desk] == ["delete_one"]
    assert wire.allowed == ["files_delete_all"]


def test_allowed_for_an_hour_the_same_app_is_not_asked_about_the_same_tool():
    wire = Wire(script(), policy=CONFIRM)
    host, other = wire.legacy_host(name="Cursor"), wire.legacy_host(name="Zed")
    host.calls("delete_all")
    host.calls("delete_all")
    wire.person(Answer(Action.ACCEPT, seconds=3600.0), wire.desk[0])
    host.calls("delete_all")
    assert (wire.desk, wire.allowed) == ([], [])
    other.calls("delete_all")
    host.calls("delete_one")
    assert [(one.host, one.tool) for one in wire.desk] == [("Zed", "delete_all"), ("Cursor", "delete_one")]
    wire.passes(3600.0)
    host.calls("delete_all")
    assert wire.desk[-1].tool == "delete_all"


def test_what_is_allowed_for_an_hour_asks_again_when_its_server_changes_it():
    wire = Wire(script(), policy=CONFIRM)
    host = wire.legacy_host(name="Cursor")
    host.calls("delete_all")
    wire.person(Answer(Action.ACCEPT, seconds=3600.0))
    wire.state.pins.add_page("files", b'{"tools":[{"name":"delete_all","description":"More"}]}', False)
    host.calls("delete_all")
    question = wire.question()
    assert (question.tool, question.tool_about) == ("delete_all", "More")


def test_allowances_are_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(allowances, "MOST", 2)
    kept = allowances.Allowances()
    for name in "abc":
        kept.add(name, "t", b"", 10.0)
    assert [kept.covers(name, "t", b"", 5.0) for name in "abc"] == [False, False, True]


@pytest.mark.parametrize(
    ("hosts", "table"),
    [
        ({}, "Cursor"),
        ({"*": HostRule(servers=("files",))}, "Cursor"),
        ({"Cur*": HostRule(servers=("files",))}, "Cur*"),
        ({"Cursor": HostRule()}, "Cursor"),
    ],
)
def test_allowed_always_for_this_app_is_a_rule_of_this_app(hosts: dict[str, HostRule], table: str):
    wire = Wire(script(), policy=Policy((("files_delete*", Verdict.CONFIRM),), hosts))
    wire.legacy_host(name="Zed").calls("delete_all")
    wire.legacy_host(name="Cursor").calls("delete_all")
    zed, cursor = wire.desk
    wire.person(Answer(Action.ACCEPT, always=True, this_host=True), cursor)
    assert wire.desk == [zed]
    assert do.AllowAlways("files_delete_all", table, "Cursor") in wire.commands


def test_a_table_of_rules_alone_leaves_the_other_settings_of_an_app_as_they_were():
    own = HostRule(rules=(("files_read", Verdict.ALLOW),), only_rules=True)
    policy = Policy(hosts={"*": HostRule(servers=("files",)), "Cursor": own})
    assert policy.host("Cursor").servers == ("files",)
    assert policy.verdict("files_read", host="Cursor") is Verdict.ALLOW


def test_the_model_hears_why_a_call_was_not_allowed():
    wire = Wire(script(), policy=CONFIRM)
    host = wire.legacy_host()
    request = host.calls("delete_all")
    wire.person(Answer(Action.DECLINE, reason="Not on a Friday."))
    assert text_of(host, request).endswith("unless they ask for it. They said: Not on a Friday.")


@pytest.mark.parametrize("answer", [DECLINE, CANCEL])
def test_without_the_persons_word_the_call_is_not_made(answer):
    wire = Wire(script(), policy=CONFIRM)
    host = wire.legacy_host()
    request = host.calls("delete_all")
    wire.person(answer)
    assert "did not allow files_delete_all" in text_of(host, request)
    assert (wire.records[-1].kind, wire.records[-1].outcome) == ("call", "declined")
    assert wire.upstreams["files"].calls == []


@pytest.mark.parametrize("end", ["leaves", "cancels", "dies", "expires"])
def test_a_confirmation_ends_with_whatever_ends_first(end):
    wire = Wire(script(), policy=CONFIRM, limit=60.0)
    host = wire.legacy_host()
    request = host.calls("delete_all")
    if end == "leaves":
        host.leaves()
    elif end == "cancels":
        host.cancels(request)
    elif end == "dies":
        wire.upstreams["files"].dies()
        assert host.replies[request].error["message"] == "it crashed"
    else:
        wire.passes(60.0)
        assert "nobody answered within 60 s" in text_of(host, request)
    assert wire.desk == []
    assert wire.state.open_requests == {}
    assert wire.upstreams["files"].calls == []


def outcomes(wire: Wire) -> list[tuple[str, str]]:
    return [(one.kind, one.outcome) for one in wire.records]


def test_an_approval_that_nobody_gave_in_time_was_not_refused_and_may_be_asked_for_again():
    wire = Wire(script(), policy=CONFIRM, limit=60.0)
    host = wire.legacy_host()
    request = host.calls("delete_all")
    wire.passes(60.0)
    said = text_of(host, request)
    assert said.startswith("delete_all of files needs an approval, and nobody answered within 60 s.")
    assert "nobody said no" in said
    assert "asking again later" in said
    assert outcomes(wire) == [("question", "expired"), ("call", "expired")]
    host.calls("delete_all")
    wire.person(accept())
    assert len(wire.upstreams["files"].calls) == 1


def test_an_approval_that_expired_while_the_person_snoozed_names_no_number_of_seconds():
    wire = Wire(script(), policy=CONFIRM, limit=60.0)
    wire.feed(ev.Snoozed())
    host = wire.legacy_host()
    request = host.calls("delete_all")
    wire.passes(LONGEST_PAUSE + 1)
    assert "needs an approval, and nobody answered in time." in text_of(host, request)


def test_where_nobody_can_be_asked_an_approval_says_what_to_do_about_it():
    wire = Wire(script(), policy=CONFIRM)
    host = wire.legacy_host()
    request = host.calls("delete_all")
    wire.person(NOBODY)
    assert "needs an approval, and nobody can be asked here. Start Deskbell" in text_of(host, request)
    assert outcomes(wire) == [("question", "nobody"), ("call", "nobody")]
    assert wire.upstreams["files"].calls == []


def test_an_approval_for_which_there_is_no_room_was_not_asked_for():
    wire = Wire(script(), policy=CONFIRM)
    host = wire.legacy_host()
    for _ in range(MOST_OF_ONE):
        host.calls("delete_all")
    request = host.calls("delete_all")
    assert "Too many questions wait already, and this one was not asked." in text_of(host, request)
    assert outcomes(wire)[-2:] == [("question", "too many"), ("call", "too many")]


def test_a_muted_server_has_the_persons_no():
    wire = Wire(script(), policy=CONFIRM)
    wire.feed(ev.Muted("files", wire.state.epoch + 3600))
    host = wire.legacy_host()
    assert "The person did not allow" in text_of(host, host.calls("delete_all"))


def test_an_approval_that_waits_when_the_app_quits_goes_with_its_call():
    wire = Wire(script(), policy=CONFIRM)
    host = wire.legacy_host()
    request = host.calls("delete_all")
    wire.quits()
    assert host.replies[request].error["message"] == "Deskbell is closing."
    assert outcomes(wire)[-2:] == [("question", "withdrawn"), ("call", "error")]
    assert wire.desk == []


def test_rules_are_about_calls_only():
    wire = Wire(script(), policy=Policy((("*", Verdict.DENY),)))
    wire.legacy_host().requests("tools/list")
    assert wire.upstreams["files"].calls[-1].method == "tools/list"


def test_rules_leave_other_requests_alone_whatever_they_look_like():
    wire = Wire(script(), policy=CONFIRM)
    wire.legacy_host().requests("acme/x", b"[1,2]")
    assert wire.upstreams["files"].calls[-1].params == [1, 2]


def test_rules_name_a_tool_the_same_way_at_every_entry():
    wire = Wire(script("files", answers={"tools/list": {"tools": [{"name": "secret"}]}}), policy=CONFIRM)
    host = wire.legacy_host(server="")
    assert "files_secret" in text_of(host, host.calls("files_secret"))


ODD = ["delete.all", "delete_" + 60 * "x"]  # neither is public by its own name


@pytest.mark.parametrize("tool", ODD)
@pytest.mark.parametrize(
    "rules", [Policy, lambda rules: Policy(hosts={"*": HostRule(tools=("!" + rules[0][0],))})]
)
def test_a_tool_is_kept_back_by_its_own_name_where_its_public_one_differs(rules, tool: str):
    listed = {"tools/list": {"tools": [{"name": tool}]}}
    wire = Wire(script("files", answers=listed), policy=rules(((f"files_{tool}", Verdict.DENY),)))
    host = wire.legacy_host()
    assert "do not" in text_of(host, host.calls(tool))


def test_allowed_always_holds_for_a_tool_whose_public_name_differs():
    public = public_name("files", ODD[0])
    always = Policy(((public, Verdict.ALLOW), ("files_delete*", Verdict.CONFIRM)))
    assert always.verdict(*spellings("files", ODD[0], public)) is Verdict.ALLOW
    mixed = Policy((("files_delete_*", Verdict.ALLOW), ("files_delete.*", Verdict.DENY)))
    assert mixed.verdict(*spellings("files", ODD[0], public)) is Verdict.DENY


def test_a_confirmed_call_may_ask_too():
    wire = Wire(script(), policy=CONFIRM)
    host = wire.legacy_host()
    host.calls("delete_all")
    wire.person(accept())
    wire.upstreams["files"].asks(b"9", FORM)
    assert wire.question().mode is Mode.FORM
