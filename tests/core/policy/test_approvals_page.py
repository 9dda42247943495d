"""The ApprovalsSnapshot page: what each rule decides now, and what every tool's verdict is."""

from __future__ import annotations

from bridge.core.policy.presets import Preset
from bridge.core.policy.rules import HostRule, Policy, Verdict
from bridge.core.ports import ServerSpec
from bridge.core.routing.state import RoutingState
from bridge.snapshot import MOST_NAMED, ApprovalsSnapshot

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.CONFIRM, Verdict.DENY
RULES = (("files_read", ALLOW), ("files_*", ASK), ("*", DENY))
HOSTS = {"*": HostRule(rules=(("web_*", ASK),)), "Zed": HostRule(rules=(("files_*", DENY),)), "A": HostRule()}


def state(policy: Policy, *tools: str) -> RoutingState:
    made = RoutingState({"files": ServerSpec("files"), "web": ServerSpec("web")}, policy, 300.0)
    listed = [b'{"name":"%b","annotations":{"readOnlyHint":true}}' % name.encode() for name in tools]
    made.pins.add_list("files", listed)
    made.pins.add_list("wrapped", [b'{"name":"x"}'])
    return made


def test_each_rule_tells_what_it_decides_and_what_an_earlier_one_does():
    rules, _ = ApprovalsSnapshot().take(state(Policy(RULES, HOSTS), "read", "write", "odd name"))
    told = [(rule.host, rule.pattern, rule.verdict, rule.count, rule.hidden) for rule in rules]
    assert told == [
        ("Zed", "files_*", "deny", 3, 0),
        ("*", "web_*", "confirm", 0, 0),
        ("", "files_read", "allow", 1, 0),
        ("", "files_*", "confirm", 2, 1),
        ("", "*", "deny", 1, 3),
    ]
    assert rules[2].tools == ("files_read",)


def test_every_tool_is_told_with_its_verdict_and_what_its_server_says_of_it():
    here = state(Policy(RULES), "read", "write")
    here.pins.pinned["files", "read"] = b"{}"
    _, tools = ApprovalsSnapshot().take(here)
    assert [(tool.public, tool.verdict, tool.is_changed) for tool in tools] == [
        ("files_read", "allow", True),
        ("files_write", "confirm", False),
        ("wrapped_x", "deny", False),
    ]
    assert tools[0].hints == ("readOnly",)


def test_a_servers_preset_is_the_verdict_of_tools_without_a_rule():
    presets = {"files": Preset.CHANGES, "wrapped": Preset.CHANGES}
    _, tools = ApprovalsSnapshot().take(state(Policy(presets=presets), "read"))
    assert [(tool.public, tool.verdict) for tool in tools] == [
        ("files_read", "allow"),
        ("wrapped_x", "confirm"),
    ]


def test_the_page_is_made_anew_only_when_something_changed():
    here, approvals = state(Policy(RULES), "read"), ApprovalsSnapshot()
    first = approvals.take(here)
    assert approvals.take(here) is first
    here.pins.add_list("web", [b'{"name":"get"}'])
    assert len(approvals.take(here)[1]) == 3


def test_very_many_tools_are_counted_rather_than_named():
    rules, _ = ApprovalsSnapshot().take(
        state(Policy((("*", ASK),)), *(f"t{n}" for n in range(MOST_NAMED + 5)))
    )
    assert (len(rules[0].tools), rules[0].count) == (MOST_NAMED, MOST_NAMED + 6)
    assert ApprovalsSnapshot().take(state(Policy()))[0] == ()
