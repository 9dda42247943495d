"""What a change of the settings takes away of the rules."""

from __future__ import annotations

from dataclasses import fields

import pytest

from bridge.core.policy.loosening import AllRules, loosened
from bridge.core.policy.presets import Preset
from bridge.core.policy.rules import HostRule, Rules, Verdict

DENY: Rules = (("files_delete", Verdict.DENY),)
ASK: Rules = (("files_delete", Verdict.CONFIRM),)
FREE: Rules = (("files_*", Verdict.ALLOW),)
ONLY_A = HostRule(servers=("a",))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (AllRules(DENY), AllRules(), ["files_delete = deny"]),
        (AllRules(DENY), AllRules(ASK), ["files_delete = deny"]),
        (AllRules(DENY), AllRules((*FREE, *DENY)), ["files_* = allow"]),
        (AllRules(DENY), AllRules(DENY), []),
        (AllRules((*DENY, *FREE)), AllRules((*FREE, *DENY)), ["files_delete = deny"]),
        (AllRules((*FREE, *DENY)), AllRules((*DENY, *FREE)), []),
        (AllRules(DENY), AllRules((*DENY, ("git_*", Verdict.DENY))), []),
        (AllRules(), AllRules(FREE), []),
        (AllRules(hosts={"Cursor": HostRule(rules=DENY)}), AllRules(), ["files_delete = deny of Cursor"]),
        (AllRules(DENY), AllRules(DENY, {"Cursor": HostRule(rules=FREE)}), []),
        (AllRules(hosts={"*": HostRule(servers=("a",))}), AllRules(), ["which servers * may use"]),
        (
            AllRules(hosts={"*": HostRule(servers=("a",))}),
            AllRules(hosts={"*": HostRule(servers=("a", "b"))}),
            ["which servers * may use"],
        ),
        (AllRules(hosts={"*": HostRule(servers=("a",))}), AllRules(hosts={"*": HostRule(servers=())}), []),
        (
            AllRules(hosts={"*": HostRule(servers=("a",))}),
            AllRules(hosts={"*": HostRule(servers=("a",))}),
            [],
        ),
        (AllRules(hosts={"*": HostRule(tools=("a*",))}), AllRules(), ["which tools * may use"]),
        (
            AllRules(presets={"files": Preset.ASK}),
            AllRules(presets={"files": Preset.CHANGES}),
            ["what is asked before tools of files are called"],
        ),
        (AllRules(presets={"files": Preset.ASK}), AllRules(presets={"files": Preset.BLOCK}), []),
    ],
)
def test_what_becomes_weaker_is_named(old: AllRules, new: AllRules, words: list[str]):
    assert loosened(old, new) == words


def test_every_field_of_a_host_rule_is_compared_or_forbids_nothing() -> None:
    compared = {"servers", "tools", "rules"}
    forbids_nothing = {"questions", "patience", "only_rules"}
    assert {field.name for field in fields(HostRule)} == compared | forbids_nothing
