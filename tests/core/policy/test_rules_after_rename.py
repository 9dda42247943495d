"""Renaming a server changes the patterns that begin with its name, and finds those it would break."""

from __future__ import annotations

from fnmatch import fnmatchcase
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.policy.rules_after_rename import Rename
from bridge.core.protocol.tool_names import public_name

GIT = Rename("git", "code", others=("git_hub", "mail"))
LONG = "a_tool_with_a_name_that_is_far_longer_than_any_host_accepts"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("git_delete_?", "code_delete_?"),
        ("git_r[a-d]*", "code_r[a-d]*"),
        ("!git_delete_*", "!code_delete_*"),
        ("git_x", "code_x"),
        ("mail_git_x", "mail_git_x"),
        ("!mail_*", "!mail_*"),
        ("*", "*"),
        ("**", "**"),
        ("*_delete*", "*_delete*"),
        ("gitty_x", "gitty_x"),
    ],
)
def test_a_pattern_that_begins_with_the_name_changes_and_no_other(before: str, after: str):
    assert GIT.pattern(before) == after
    assert GIT.conflict(before) == ""


@pytest.mark.parametrize(
    "pattern",
    ["git*", "gi?_x", "*it_delete", "[g]it_x", "code_x", "code_*", "*t_d?lete", "*e*", "[!a-f]*", "*?_x"],
)
def test_a_pattern_that_might_match_under_one_name_only_is_a_conflict(pattern: str):
    assert GIT.conflict(pattern) == "git"


@pytest.mark.parametrize("server", ["git", "a-server-with-a-name-that-leaves-no-room-for-more"])
def test_a_name_with_a_digest_is_a_conflict_of_its_own_server(server: str):
    assert Rename(server, "code").conflict(public_name(server, LONG)) == server
    assert Rename("mail", "code").conflict(public_name(server, LONG)) == ""


@pytest.mark.parametrize(
    ("rename", "pattern", "other"),
    [
        (GIT, "git_*", "git_hub"),
        (GIT, "git_hub_x", "git_hub"),
        (GIT, "!git_?ub_x", "git_hub"),
        (Rename("git", "code"), "git_*", ""),
        (Rename("x", "git", others=("git_hub",)), "x_*", "git_hub"),
        (Rename("x", "git", others=("git_hub",)), "x_hub_delete", "git_hub"),
        (Rename("x", "git", others=("git_hub",)), "*", ""),
        (Rename("git_hub", "code", others=("git",)), "git_hub_*", "git"),
        (Rename("x", "git_hub", others=("git",)), "x_*", "git"),
        (Rename("x", "git_hub", others=("git",)), "git_hub_delete", "x"),
    ],
)
def test_a_pattern_that_might_match_tools_of_another_server_is_a_conflict(
    rename: Rename, pattern: str, other: str
):
    assert rename.conflict(pattern) == other


LETTERS = "ab_*?[]!-"


@given(
    st.text(LETTERS, max_size=8),
    st.text("ab_", min_size=1, max_size=3),
    st.text("ab_", min_size=1, max_size=3),
    st.text("ab_", min_size=1, max_size=3),
)
def test_without_a_conflict_a_pattern_matches_the_same_tools_of_every_server(
    pattern: str, old: str, new: str, other: str
):
    rename = Rename(old, new, (other,))
    bare, after = pattern.removeprefix("!"), rename.pattern(pattern).removeprefix("!")
    if rename.conflict(pattern) or other in (old, new):
        return
    for size in range(4):
        for tool in map("".join, product("ab_-", repeat=size)):
            assert fnmatchcase(f"{old}_{tool}", bare) == fnmatchcase(f"{new}_{tool}", after)
            assert fnmatchcase(f"{other}_{tool}", bare) == fnmatchcase(f"{other}_{tool}", after)
