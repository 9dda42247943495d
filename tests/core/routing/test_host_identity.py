"""Rules go by the identity that a host's token proves, not by the name that it claims."""

from __future__ import annotations

import pytest

from bridge.core.policy.rules import HostRule, Policy, QuestionPlace, Verdict
from tests.core.fake_peers import Wire, script

TRUSTED = HostRule(servers=("files",), rules=(("files_*", Verdict.ALLOW),))
STRICT = HostRule(QuestionPlace.DESKTOP, servers=(), rules=(("files_*", Verdict.DENY),))
HOSTS = {"Cursor": TRUSTED, "qwen-*": TRUSTED, "*": STRICT}


def name_and_rule(wire: Wire) -> tuple[str, HostRule]:
    (tenant,) = wire.state.tenants.values()
    return tenant.name, tenant.rule


def wire_with(*proven: str) -> Wire:
    return Wire(script(), policy=Policy(hosts=HOSTS, proven=proven))


def test_a_token_counts_and_the_claimed_name_does_not():
    wire = wire_with("Cursor")
    wire.legacy_host(name="something else", identity="Cursor")
    assert name_and_rule(wire) == ("Cursor", TRUSTED)


@pytest.mark.parametrize("claim", [{"name": "Cursor"}, {"name": "x", "host_name": "Cursor"}])
def test_a_claim_to_the_name_of_a_host_with_a_token_is_not_believed(claim):
    wire = wire_with("Cursor")
    wire.legacy_host(**claim)
    assert name_and_rule(wire) == ("unknown (Cursor)", STRICT)


def test_a_claim_to_the_settings_of_a_host_with_a_token_is_not_believed():
    wire = wire_with("qwen-code")
    wire.legacy_host(name="qwen-cli-mcp-client-evil")
    assert name_and_rule(wire) == ("unknown (qwen-cli-mcp-client-evil)", STRICT)


def test_a_name_that_no_host_has_a_token_for_keeps_its_rules():
    wire = wire_with("Cursor")
    wire.legacy_host(name="qwen-code")
    assert name_and_rule(wire) == ("qwen-code", TRUSTED)


def test_everyones_settings_are_never_reserved():
    wire = wire_with("Zed")
    wire.legacy_host(name="Emacs")
    assert name_and_rule(wire) == ("Emacs", STRICT)


def test_a_host_without_a_token_loses_a_name_when_another_gets_a_token_for_it():
    wire = wire_with()
    wire.legacy_host(name="Cursor")
    assert name_and_rule(wire) == ("Cursor", TRUSTED)
    wire.edits(wire.state.servers, Policy(hosts=HOSTS, proven=("Cursor",)))
    assert name_and_rule(wire) == ("unknown (Cursor)", STRICT)
