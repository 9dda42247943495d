"""Presets: what is asked before a server's tools are called, where no rule decides."""

from __future__ import annotations

import pytest

from bridge.core.policy.presets import NEW_SERVER, Preset, is_destructive
from bridge.core.policy.rules import Verdict

ALLOW, CONFIRM, DENY = Verdict.ALLOW, Verdict.CONFIRM, Verdict.DENY


@pytest.mark.parametrize(
    ("hints", "verdicts"),
    [
        (("readOnly",), (ALLOW, ALLOW, ALLOW, CONFIRM, DENY)),
        (("!readOnly", "!destructive"), (ALLOW, ALLOW, CONFIRM, CONFIRM, DENY)),
        (("!readOnly", "destructive"), (ALLOW, CONFIRM, CONFIRM, CONFIRM, DENY)),
        ((), (ALLOW, ALLOW, CONFIRM, CONFIRM, DENY)),
    ],
)
def test_each_preset_asks_more_than_the_one_before(
    hints: tuple[str, ...], verdicts: tuple[Verdict, ...]
) -> None:
    assert tuple(preset.verdict("save", hints) for preset in Preset) == verdicts


@pytest.mark.parametrize(
    "tool", ["delete_files", "repo-delete", "deleteRepository", "DROP_TABLE", "files.remove"]
)
def test_a_tool_without_annotations_is_destructive_by_the_verb_in_its_name(tool: str) -> None:
    assert is_destructive(tool, ())
    assert not is_destructive(tool, ("readOnly",))
    assert not is_destructive(tool, ("!destructive",))


@pytest.mark.parametrize("tool", ["undeleted_items", "list_files", "dropbox_upload", "add", ""])
def test_a_verb_counts_as_a_whole_word_only(tool: str) -> None:
    assert not is_destructive(tool, ())


def test_new_servers_ask_before_what_cannot_be_undone() -> None:
    assert NEW_SERVER is Preset.DESTRUCTIVE
