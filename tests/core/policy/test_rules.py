"""Verdicts on calls, rules for hosts, and the names that both are about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.events import SettingsChanged
from bridge.core.policy.rules import HostRule, Policy, PolicyDecision, QuestionPlace, Verdict
from bridge.core.ports import ServerSpec
from bridge.core.protocol.tool_names import MAX_NAME, Routes, public_name
from bridge.core.routing.state import RoutingState


def test_the_first_rule_that_matches_wins():
    policy = Policy((("files_read", Verdict.ALLOW), ("files_*", Verdict.CONFIRM), ("*", Verdict.DENY)))
    assert policy.verdict("files_read") is Verdict.ALLOW
    assert policy.verdict("files_write") is Verdict.CONFIRM
    assert policy.verdict("mail_send") is Verdict.DENY
    assert policy.verdict("mail_send") is Verdict.DENY


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        ({"agent:Bash": "deny", "agent:*": "allow"}, "deny"),
        ({"agent:Bash(git push*)": "confirm", "agent:Bash": "allow"}, "confirm"),
        ({"agent:Bash(git push)": "allow", "agent:*": "deny"}, "deny"),  # not without a sandbox
        ({"agent:Bash(git push) {*": "allow"}, "allow"),
        ({"agent:Bash": "allow", "agent:Bash(git push)": "deny"}, "allow"),
        ({"agent:Edit": "deny"}, None),
    ],
)
def test_of_the_rules_for_agents_the_first_that_matches_wins(rules: dict[str, str], verdict: str | None):
    names = ('agent:Bash(git push) {"sandbox":false}', "agent:Bash(git push)", "agent:Bash")
    policy = Policy(tuple((pattern, Verdict(one)) for pattern, one in rules.items()))
    assert policy.agent_verdict(names, "Claude") == verdict


@pytest.mark.parametrize(
    "name", ["files_Read", "files_read ", "files_read\0", "\uff46iles_read", "files_re\u00adad"]
)
def test_what_a_server_might_take_for_a_denied_tool_is_denied_too(name):
    for rules in ((("files_read", Verdict.DENY), ("*", Verdict.ALLOW)), (("FILES_R*", Verdict.DENY),)):
        assert Policy(rules).verdict(name) is Verdict.DENY
    assert not HostRule(tools=("*", "!files_read")).offers(name)


def test_letters_of_what_is_allowed_count_as_they_are_written():
    policy = Policy((("files_Read", Verdict.ALLOW), ("files_read", Verdict.DENY)))
    assert policy.verdict("files_Read") is Verdict.ALLOW
    assert policy.verdict("files_read") is Verdict.DENY
    assert policy.verdict("files_READ") is Verdict.DENY
    assert Policy((("files_Read", Verdict.ALLOW),)).matching_verdict("files_read") is None


def test_what_no_rule_names_is_allowed():
    assert Policy().verdict("anything") is Verdict.ALLOW
    assert Policy((("files_*", Verdict.DENY),)).verdict("mail_send") is Verdict.ALLOW


def test_verdicts_are_remembered_within_bounds():
    policy = Policy((("x*", Verdict.DENY),))
    assert all(policy.verdict(f"x{number}") is Verdict.DENY for number in range(10_050))
    assert len(policy._known) < 10_050


def test_a_host_has_its_own_rule_or_everyones_or_none():
    own, all_ = HostRule(QuestionPlace.HOST), HostRule(QuestionPlace.DESKTOP, ("files",))
    policy = Policy(hosts={"Claude": own, "*": all_})
    assert policy.host("Claude") is own
    assert policy.host("Cursor") is all_
    assert Policy().host("Cursor") == HostRule(QuestionPlace.AUTO, None)


# What a host has of its own

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.CONFIRM, Verdict.DENY
HOSTS = {
    "Zed": HostRule(rules=(("files_read", ALLOW), ("files_*", DENY))),
    "*": HostRule(rules=(("mail_*", DENY),)),
    "Shy": HostRule(QuestionPlace.DESKTOP),
}
RULES = (("files_read", DENY), ("mail_send", ALLOW), ("files_*", ASK))


def test_a_hosts_name_comes_before_patterns_and_the_longest_pattern_before_others():
    hosts = {
        "*": HostRule(servers=("all",)),
        "qwen-*": HostRule(servers=("short",)),
        "qwen-cli-*": HostRule(servers=("long",)),
        "qwen-cli-x": HostRule(servers=("exact",)),
    }
    policy = Policy(hosts=hosts)
    names = ("qwen-cli-x", "qwen-cli-y", "qwen-z", "Zed", "")
    assert [policy.host(name).servers for name in names] == [
        ("exact",),
        ("long",),
        ("short",),
        ("all",),
        ("all",),
    ]


def test_rules_of_a_pattern_apply_to_the_hosts_it_matches():
    policy = Policy(hosts={"qwen-*": HostRule(rules=(("a_*", Verdict.DENY),))})
    assert policy.ruling("a_b", host="qwen-x") == (Verdict.DENY, True, "qwen-*")
    assert policy.verdict("a_b", host="Zed") is Verdict.ALLOW


def test_a_hosts_own_rules_come_first_then_those_of_all_hosts_then_the_rest():
    policy = Policy(RULES, HOSTS)
    assert policy.verdict("files_read", host="Zed") is ALLOW
    assert policy.verdict("files_read", host="Cursor") is DENY
    assert policy.verdict("files_write", host="Zed") is DENY
    assert policy.verdict("files_write", host="Shy") is ASK
    assert {policy.verdict("mail_send", host=host) for host in ("Zed", "Shy", "*")} == {DENY}
    assert policy.verdict("web_get", host="Zed") is ALLOW


def test_rules_of_hosts_alone_are_rules_too():
    policy = Policy(hosts={"Zed": HostRule(rules=(("*", DENY),))})
    assert policy.has_rules
    assert (policy.verdict("a", host="Zed"), policy.verdict("a")) == (DENY, ALLOW)
    assert not Policy(hosts={"Zed": HostRule()}).has_rules


def test_a_verdict_tells_whose_rule_it_is_and_whether_there_is_one():
    policy = Policy(RULES, HOSTS)
    assert policy.ruling("files_read", host="Zed") == PolicyDecision(ALLOW, True, "Zed")
    assert policy.ruling("files_write", host="Zed") == PolicyDecision(DENY, True, "Zed")
    assert policy.ruling("mail_send", host="Zed").table == "*"
    assert policy.ruling("files_write") == PolicyDecision(ASK, True, "")
    assert policy.ruling("web_get") == PolicyDecision(ALLOW)
    assert policy.matching_verdict("web_get") is None
    assert policy.matching_verdict("files_write") is ASK


def test_what_any_rule_allows_is_known_for_all_hosts():
    policy = Policy(RULES, HOSTS)
    assert [policy.allows((name,)) for name in ("files_read", "mail_send", "web_get")] == [True, True, False]


# Names

servers = st.text("abc_-", min_size=1, max_size=6)
tools = st.text("abc_é. ", max_size=70)


@given(st.lists(st.tuples(servers, tools), max_size=12))
def test_every_tool_is_found_again_by_its_names_name(known):
    routes = Routes({server for server, _ in known})
    names = {server for server, _ in known}
    public = {
        routes.learn(server, tool, public_name(server, tool, names)): (server, tool) for server, tool in known
    }
    assert len(public) == len(set(known))
    assert {name: routes.find(name) for name in public} == public
    assert all(len(name) <= MAX_NAME for name in public)


@given(servers, tools)
def test_a_public_name_is_the_same_every_time(server, tool):
    public = public_name(server, tool)
    assert public == public_name(server, tool) == Routes(()).learn(server, tool, public)
    assert len("mcp__deskbell__" + public) <= 64


def test_of_two_tools_that_want_one_name_the_longer_server_has_it_whoever_is_heard_first():
    names = ("a", "a_b")
    assert public_name("a_b", "c", names) == "a_b_c"
    marked = public_name("a", "b_c", names)
    assert marked.startswith("a_b_c_")
    assert public_name("a", "x", names) == "a_x"
    routes = Routes(names)
    assert [routes.learn("a", "b_c", marked), routes.learn("a_b", "c", "a_b_c")] == [marked, "a_b_c"]


def test_a_name_that_is_anothers_mark_is_marked_itself():
    routes = Routes(())
    mark = routes.learn("a", "b c", public_name("a", "b c"))
    assert routes.learn("a", mark[2:], mark) != mark
    assert routes.find(mark) == ("a", "b c")


def test_only_so_many_names_are_kept_and_none_across_settings():
    state = RoutingState({}, Policy(), 0.0)
    assert {state.public("a", str(number)) for number in range(10_002)} >= {"a_0", "a_10001"}
    assert len(state._names) < 10_000
    assert state.public("a", "b_c") == "a_b_c"
    state.apply(SettingsChanged({"a": ServerSpec("a"), "a_b": ServerSpec("a_b")}, Policy(), 0.0))
    assert state.public("a", "b_c") != "a_b_c"


@pytest.mark.parametrize(
    ("patterns", "offered"),
    [
        (None, ["git_read", "git_delete", "mail_send"]),
        ((), []),
        (("git_*",), ["git_read", "git_delete"]),
        (("git_*", "!*_delete"), ["git_read"]),
        (("!git_*",), ["mail_send"]),
        (("*_sen?",), ["mail_send"]),
    ],
)
def test_patterns_say_which_tools_a_host_is_offered(patterns, offered):
    rule = HostRule(tools=patterns)
    assert [tool for tool in ("git_read", "git_delete", "mail_send") if rule.offers(tool)] == offered


def test_an_unknown_name_belongs_to_the_longest_server_it_begins_with():
    routes = Routes(["a", "a_b"])
    assert routes.find("a_b_c") == ("a_b", "c")
    assert routes.find("a_c") == ("a", "c")
    assert routes.find("b_c") is None
    assert routes.find("a") is None


def test_what_no_rule_speaks_of_can_be_told_from_what_a_rule_allows():
    policy = Policy((("mail_*", Verdict.ALLOW),))
    assert policy.matching_verdict("mail_send") is Verdict.ALLOW
    assert policy.matching_verdict("files_read") is None


def test_a_policy_restricted_to_a_prefix_knows_no_other_rules():
    policy = Policy(
        (("*", ALLOW), ("agent:a", DENY)), {"h": HostRule(rules=(("agent:b", ALLOW), ("*", DENY)))}
    )
    agents = policy.restricted_to("agent:")
    assert agents.matching_verdict("agent:a", host="h") is DENY
    assert agents.matching_verdict("agent:b", host="h") is ALLOW
    assert agents.matching_verdict("agent:c", host="h") is None


def test_a_claim_to_the_name_or_the_table_of_a_host_with_a_token_is_not_believed():
    assert Policy(proven={"Zed"}).unproven_name("Zed") == "unknown (Zed)"
    policy = Policy(hosts={"Zed*": HostRule()}, proven={"Zed"})
    assert policy.unproven_name("Zed 2") == "unknown (Zed 2)"
    assert policy.unproven_name("Cursor") == "Cursor"
