"""A server gets another name: the patterns that speak of it go along, and no rule is lost or caught."""

from __future__ import annotations

from fnmatch import fnmatchcase
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.policy.rename import Rename
from bridge.core.protocol.tool_names import public_name

HUB = Rename("git", "code", others=("git_hub", "mail"))
LONG = "a_tool_with_a_name_that_is_far_longer_than_any_host_accepts"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("git_delete_?", "code_delete_?"),
        ("git_[a-d]*", "code_[a-d]*"),
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
    assert rename.pattern(public) == public_name("code", LONG)
    assert rename.keeps(public)


@pytest.mark.parametrize("tool", ["*", "delete[all]", "?", "!*"])
def test_a_tool_whose_name_is_a_pattern_brings_no_pattern_into_the_rules(tool: str):
    rename = Rename("git", "code", tools=(tool,))
    assert rename.pattern(public_name("git", tool)) == public_name("code", tool)
    assert "*" not in rename.pattern(public_name("git", tool))


@pytest.mark.parametrize("server", ["git", "a-server-with-a-name-that-leaves-no-room-for-more"])
def test_a_mark_of_a_tool_nobody_knows_cannot_be_kept(server: str):
    assert not Rename(server, "code").keeps(public_name(server, LONG))
    assert Rename("mail", "code").keeps(public_name(server, LONG))


@pytest.mark.parametrize(
    "pattern",
    ["git*", "gi?_x", "*it_delete", "[g]it_x", "code_x", "code_*", "*t_d?lete", "*e*", "[!a-f]*", "*i[t]_x"],
)
def test_a_pattern_that_speaks_of_one_name_only_is_noticed(pattern: str):
    assert not HUB.keeps(pattern)


@pytest.mark.parametrize(
    ("rename", "pattern", "other"),
    [
        (HUB, "git_*", "git_hub"),
        (HUB, "git_h*", "git_hub"),
        (HUB, "!git_?ub_x", "git_hub"),
        (HUB, "git_x", ""),
        (Rename("git", "code"), "git_*", ""),
        (Rename("x", "git", others=("git_hub",)), "x_*", "git_hub"),
        (Rename("x", "git", others=("git_hub",)), "x_hub_delete", "git_hub"),
        (Rename("x", "git", others=("git_hub",)), "*", ""),
        (Rename("git_hub", "code", others=("git",)), "git_hub_*", ""),
        (Rename("x", "git_hub", others=("git",)), "x_*", ""),
    ],
)
def test_a_rule_that_lets_go_of_another_server_or_catches_one_is_noticed(
    rename: Rename, pattern: str, other: str
):
    assert rename.catches(pattern) == other


@pytest.mark.parametrize("pattern", ["git_*", "git_hub_delete", "git_hub_*"])
def test_a_rule_for_anothers_tools_does_not_come_to_hold_for_the_server(pattern: str):
    assert not Rename("x", "git_hub", others=("git",)).keeps(pattern)


@pytest.mark.parametrize("pattern", ["git_hub_delete", "git_hub_*"])
def test_a_rule_for_another_server_that_holds_for_a_tool_that_looks_like_its_own_is_not_lost(pattern: str):
    rename = Rename("git", "code", others=("git_hub",), tools=("hub_delete", "x"))
    assert rename.pattern(pattern) == pattern
    assert not rename.keeps(pattern)
    assert Rename("git", "code", others=("git_hub",), tools=("delete", "x")).keeps(pattern)


@pytest.mark.parametrize(
    ("old", "new", "pattern"),
    [
        ("git_hub", "code", "git_hub_*"),  # was for git's hub_x as well
        ("git_hub", "code", public_name("git", "hub_x", ("git", "git_hub"))),  # needs no mark from now on
        ("code", "git_hub", "code_*"),  # would be for git's hub_x as well
    ],
)
def test_a_tool_of_another_server_that_looks_like_its_own_is_neither_let_go_nor_caught(
    old: str, new: str, pattern: str
):
    tools = [("git", "hub_x"), (old, "x"), ("git", "x"), ("gone", "x")]
    rename = Rename.knowing(old, new, ("git",), tools)
    assert (rename.tools, rename.alike) == (("x",), (("git", "hub_x"),))
    assert rename.catches(pattern) == "git"
    assert Rename.knowing(old, new, ("git",), [(old, "x")]).catches(pattern) == ""
    assert rename.catches(f"{old}_y") == ""


LETTERS = "ab_*?[]!-"


@given(
    st.text(LETTERS, max_size=8),
    st.text("ab_", min_size=1, max_size=3),
    st.text("ab_", min_size=1, max_size=3),
)
def test_what_is_kept_speaks_of_the_same_tools(pattern: str, old: str, new: str):
    rename = Rename(old, new)
    bare, after = pattern.removeprefix("!"), rename.pattern(pattern).removeprefix("!")
    for size in range(4):
        for tool in map("".join, product("ab_-", repeat=size)):
            same = fnmatchcase(f"{old}_{tool}", bare) == fnmatchcase(f"{new}_{tool}", after)
            assert same or not rename.keeps(pattern)
