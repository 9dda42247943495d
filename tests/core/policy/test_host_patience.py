"""How long hosts wait is measured, learned, or set."""

from __future__ import annotations

from math import inf

import pytest

from bridge.core.policy.host_patience import MOST_LEARNED, UNKNOWN, HostPatience, Patience, blames_clock
from bridge.core.policy.rules import ANYTHING, HostRule


def test_a_name_for_the_person_or_the_one_on_the_wire_is_enough():
    patience = HostPatience()
    assert patience.of(ANYTHING, "Codex of Ada", "codex-mcp-client").seconds == 300.0
    assert patience.of(ANYTHING, "qwen-cli-mcp-client-deskbell") == Patience(300.0, 600.0)
    assert patience.of(ANYTHING, "nobody knows", "it") is UNKNOWN


def test_what_was_learned_counts_more_and_the_settings_most():
    patience = HostPatience({"opencode": 30.0})
    assert patience.of(ANYTHING, "opencode") == Patience(30.0, source="learned")
    assert patience.of(HostRule(patience=20.0), "opencode") == Patience(20.0, source="settings")


def test_only_a_shorter_time_is_learned():
    patience = HostPatience()
    assert [patience.learn("x", seconds) for seconds in (30.04, 40.0, 30.0, 1.0)] == [
        True,
        False,
        False,
        False,
    ]
    assert patience.learned == {"x": 30.0}


def test_what_is_learned_is_bounded():
    patience = HostPatience({str(number): 30.0 for number in range(MOST_LEARNED)})
    patience.learn("x", 20.0)
    assert patience.learned == {"x": 20.0}


@pytest.mark.parametrize(
    ("limit", "held"), [(5.0, 3.5), (10.0, 8.5), (60.0, 54.0), (300.0, 290.0), (inf, inf)]
)
def test_a_host_is_let_go_in_time_for_its_clock(limit, held):
    assert Patience(limit).hold_after(progress=False) == held


@pytest.mark.parametrize(
    ("reason", "clock"),
    [
        ("McpError: MCP error -32001: Request timed out", True),
        ("request timeout", True),
        ("Maximum total timeout exceeded", True),
        ("the host went away", False),
        ("AbortError: This operation was aborted", False),
        ("User pressed stop", False),
        ("", False),
    ],
)
def test_the_reason_of_a_cancel_tells_a_clock_from_a_person(reason, clock):
    assert blames_clock(reason) is clock


def test_the_limit_in_a_hosts_entry_counts_more_than_what_was_measured_without_one():
    patience = HostPatience({"Cline": 30.0})
    assert not patience.set_limits({"kimi-code": 86_400.0, "opencode": 3600.0, "Cline": 3600.0})
    assert patience.of(ANYTHING, "kimi-code") == Patience(86_400.0, source="entry")
    assert patience.of(ANYTHING, "opencode") == Patience(3600.0, inf, "entry")
    assert patience.of(ANYTHING, "Cline") == Patience(30.0, source="learned")
    assert patience.of(HostRule(patience=20.0), "kimi-code").seconds == 20.0


def test_what_a_host_did_under_another_limit_is_forgotten():
    patience = HostPatience({"Cline": 30.0, "codex-mcp-client": 100.0})
    patience.set_limits({"Cline": 3600.0})
    assert patience.set_limits({"Cline": 7200.0, "kimi-code": 60.0})
    assert patience.learned == {"codex-mcp-client": 100.0}
    assert not patience.set_limits({"Cline": 7200.0})
