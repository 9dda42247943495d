"""A server gets another name: the patterns that speak of it go along, and no rule is lost or caught."""

from __future__ import annotations

import pytest

from bridge.core.renames import Rename
from bridge.core.routes import public_name

HUB = Rename("git", "code", others=("git_hub", "mail"))
LONG = "a_tool_with_a_name_that_is_far_longer_than_any_host_accepts"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("git_*", "code_*"),
        ("git_delete_?", "code_delete_?"),
        ("!git_delete_*", "!code_delete_*"),
        ("git_hub_*", "git_hub_*"),
        ("mail_git_x", "mail_git_x"),
        ("*", "*"),
        ("gitty_x", "gitty_x"),
    ],
)
def test_only_what_speaks_of_the_server_changes(before: str, after: str):
    assert HUB.pattern(before) == after
    assert HUB.keeps(before)


def test_a_server_whose_name_begins_like_anothers_keeps_its_own_rules():
    assert Rename("git_hub", "code", others=("git",)).pattern("git_hub_x") == "code_x"


def test_a_name_that_was_too_long_is_known_by_its_mark():
    rename = Rename("git", "code", tools=("short", LONG))
    public = public_name("git", LONG)
    assert public != f"git_{LONG}"
    assert rename.pattern(public) == f"code_{LONG}"


@pytest.mark.parametrize("pattern", ["git*", "gi?_x", "*it_delete", "[g]it_x", "code_x", "code_*"])
def test_a_pattern_that_speaks_of_one_name_only_is_noticed(pattern: str):
    assert not HUB.keeps(pattern)
