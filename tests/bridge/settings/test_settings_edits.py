"""Edits of config.toml keep comments, and are written only if they parse to what was meant."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.core.policy.rules import Policy, Verdict
from bridge.core.ports import ServerSpec
from bridge.errors import NotFoundError, SettingsError, UsageError
from bridge.settings import Settings, SettingsFile, parser
from tests.bridge.settings.settings_samples import EXAMPLE, NPX, opened


def test_the_first_server_makes_the_file(tmp_path: Path) -> None:
    file = opened(tmp_path / "new")
    file.add_server(NPX)
    text = file.path.read_text()
    assert text.startswith("# Deskbell's settings.")
    assert "[servers.npx]\n" in text
    assert 'env = {KEY = "${vault:key}"}' in text
    assert file.current.servers == {"npx": NPX}
    if sys.platform != "win32":
        assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_adding_and_removing_a_server_leaves_all_else_as_it_was(tmp_path: Path) -> None:
    file = opened(tmp_path, EXAMPLE)
    file.add_server(NPX)
    assert list(file.current.servers) == ["github", "linear", "npx"]
    kept = [line for line in file.path.read_text().split("\n") if line in EXAMPLE.split("\n")]
    assert kept == EXAMPLE.split("\n") or set(EXAMPLE.split("\n")) <= set(kept)
    file.remove_server("npx")
    assert file.path.read_text().split() == EXAMPLE.split()
    file.remove_server("github")
    assert list(file.current.servers) == ["linear"]
    assert "# Streamable HTTP, OAuth when asked" in file.path.read_text()


@pytest.mark.parametrize(
    "text",
    [
        "servers.a.command = 'x'\n",
        "servers = { a = { command = 'x' } }\n",
        "[servers]\na = { command = 'x' }\n",
        "[servers.a]\ncommand = 'x'\n[policy]\nb = 'deny'\n[servers.c]\ncommand = 'y'\n",
        "[policy]\n'*' = 'deny' # last\n",
        "# only a comment",
    ],
)
def test_servers_can_be_added_and_removed_however_the_file_is_written(tmp_path: Path, text: str) -> None:
    file = opened(tmp_path, text)
    before = file.current
    file.add_server(NPX)
    assert file.current.servers == {**before.servers, "npx": NPX}
    file.remove_server("npx")
    assert file.current == before


def test_a_changed_server_keeps_what_is_written_beside_its_keys(tmp_path: Path) -> None:
    file = opened(tmp_path, EXAMPLE)
    linear = file.current.servers["linear"]
    file.change_server(replace(linear, enabled=False, timeout=30.0))
    text = EXAMPLE.replace("timeout = 120 ", "timeout = 30  ")
    kept, _, added = file.path.read_text().partition("shared = false")
    assert kept.replace(" ", "") == text.partition("shared = false")[0].replace(" ", "")
    assert "enabled = false" in added
    assert "# one connection per host" in added
    assert file.current.servers["linear"] == replace(linear, enabled=False, timeout=30.0)
    file.change_server(linear)
    assert file.current.servers["linear"] == linear
    assert "enabled" not in file.path.read_text()
    with pytest.raises(NotFoundError, match="no server named gone"):
        file.change_server(ServerSpec("gone", command="x"))


def test_the_last_edit_is_undone_to_the_byte_unless_the_file_has_changed_since(tmp_path: Path) -> None:
    file = opened(tmp_path, EXAMPLE)
    file.remove_server("github")
    file.undo()
    assert file.path.read_text() == EXAMPLE
    assert "github" in file.current.servers
    with pytest.raises(UsageError, match="can no longer be undone"):
        file.undo()
    file.remove_server("github")
    file.path.write_text(file.path.read_text() + "# mine\n")
    with pytest.raises(UsageError, match="has changed since"):
        file.undo()
    assert file.path.read_text().endswith("# mine\n")


def test_a_new_rule_comes_first_and_an_old_one_of_that_name_goes(tmp_path: Path) -> None:
    file = opened(tmp_path, "[policy] # mine\n# careful\n'*' = 'deny' # all\n")
    file.set_policy('say "hi"', "allow")
    assert file.current.policy == (('say "hi"', Verdict.ALLOW), ("*", Verdict.DENY))
    assert (
        file.path.read_text()
        == '[policy] # mine\n"say \\"hi\\"" = "allow"\n# careful\n\'*\' = \'deny\' # all\n'
    )
    file.set_policy("*", "confirm")
    assert file.current.policy == (("*", Verdict.CONFIRM), ('say "hi"', Verdict.ALLOW))
    file.set_policy("*", "allow")
    assert file.current.policy[0] == ("*", Verdict.ALLOW)


@pytest.mark.parametrize(
    "text", ["", "port = 1\n", "policy = { a = 'deny', b = 'allow' }\n", "policy.a = 'deny'\n[hosts.x]\n"]
)
def test_rules_are_added_however_the_file_is_written(tmp_path: Path, text: str) -> None:
    file = opened(tmp_path, text)
    before = file.current
    file.set_policy("new", "confirm")
    assert file.current.policy == (("new", Verdict.CONFIRM), *before.policy)
    assert (file.current.port, file.current.hosts) == (before.port, before.hosts)


NAMED = """\
# all of mine
[servers.mail]
command = "mail"

[servers."git"]  # work
command = "git"   # git_x
[servers.git.env]
KEY = "${vault:git/key}"

[hosts.Zed]
servers = ["git", "mail"]  # both
tools = ["git_*", "!git_delete_*"]
[hosts.Zed.policy]
'git_push' = "confirm"

[policy]
# not without me
"git_delete_*" = "deny"
git_read = "allow"   # fine
"mail_git_*" = "allow"
"""


def test_a_server_gets_another_name_in_its_place_with_all_that_speaks_of_it(tmp_path: Path) -> None:
    file = opened(tmp_path, NAMED)
    file.rename_server("git", "code")
    after = NAMED
    for old, new in (
        ('[servers."git"]', "[servers.code]"),
        ("[servers.git.env]", "[servers.code.env]"),
        ('["git", "mail"]', '["code", "mail"]'),
        ('["git_*", "!git_delete_*"]', '["code_*", "!code_delete_*"]'),
        ("'git_push'", "code_push"),
        ('"git_delete_*" = "deny"', '"code_delete_*" = "deny"'),
        ("git_read", "code_read"),
    ):
        after = after.replace(old, new)
    assert file.path.read_text() == after
    assert list(file.current.servers) == ["mail", "code"]
    file.rename_server("code", "git")
    assert parser.read(file.path.read_text(), "x", {}) == parser.read(NAMED, "x", {})


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("nobody", "code", "no server named nobody"),
        ("git", "mail", "already a server named mail"),
        ("git", "a b", "cannot be a server's name"),
        ("git", "desk", "cannot be a server's name"),
        ("git", "git", "already a server named git"),
    ],
)
def test_a_name_that_cannot_be_given_is_refused_and_nothing_changes(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    file = opened(tmp_path, NAMED)
    with pytest.raises((UsageError, NotFoundError), match=words):
        file.rename_server(old, new)
    assert file.path.read_text() == NAMED


def test_a_rule_that_would_be_lost_by_another_name_is_named(tmp_path: Path) -> None:
    text = NAMED + '"gi*" = "deny"\n'
    file = opened(tmp_path, text)
    with pytest.raises(UsageError, match=r"The rule for gi\* matches only git or code"):
        file.rename_server("git", "code")
    assert file.path.read_text() == text


@pytest.mark.parametrize(
    ("old", "new", "more", "words"),
    [
        ("git", "code", '[servers.git_hub]\ncommand = "hub"\n', r"The rule for git_\* also matches git_hub"),
        (
            "mail",
            "code",
            '[hosts.Old]\nservers = ["code"]\n',
            "Old may use a server named code, and not mail",
        ),
    ],
)
def test_no_rule_and_no_host_comes_to_another_server_by_a_name(
    tmp_path: Path, old: str, new: str, more: str, words: str
) -> None:
    file = opened(tmp_path, NAMED + more)
    with pytest.raises(UsageError, match=words):
        file.rename_server(old, new)
    assert file.path.read_text() == NAMED + more


def test_an_edit_begins_with_what_is_on_disk_now(tmp_path: Path) -> None:
    file = opened(tmp_path, "port = 1\n")
    file.path.write_text("port = 2 # by hand\n")
    file.add_server(NPX)
    assert file.current.port == 2
    assert "# by hand" in file.path.read_text()


def test_a_broken_file_is_never_written_over(tmp_path: Path) -> None:
    file = opened(tmp_path, "port = \n")
    with pytest.raises(SettingsError, match="line 1"):
        file.add_server(NPX)
    assert file.path.read_text() == "port = \n"


RULES = b'\xef\xbb\xbf# mine\r\n[policy]\r\n"files_*" = "deny"\r\n'


def test_a_start_with_a_broken_file_has_the_last_good_settings_in_force(tmp_path: Path) -> None:
    path, copy = tmp_path / "config.toml", tmp_path / "config.last-good.toml"
    path.write_bytes(RULES)
    opened(tmp_path)
    assert copy.read_bytes() == RULES
    if sys.platform != "win32":
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    file = opened(tmp_path, "[policy\n")
    assert file.current.policy == (("files_*", Verdict.DENY),)
    assert file.problem.endswith("The last good settings are in force, from config.last-good.toml.")
    assert file.status().in_force == "last good"
    assert (file.reload(), copy.read_bytes()) == (False, RULES)
    assert file.problem.endswith("The last good settings stay in force.")


@pytest.mark.parametrize("copy", [None, b"[policy\n", b"\xff"])
def test_where_no_good_settings_are_known_every_call_is_denied_until_the_file_is_mended(
    tmp_path: Path, copy: bytes | None
) -> None:
    if copy is not None:
        (tmp_path / "config.last-good.toml").write_bytes(copy)
    file = opened(tmp_path, "[policy\n")
    assert Policy(file.current.policy).verdict("desk_ask") is Verdict.DENY
    assert "config.toml is broken" in file.current.refusal
    assert file.problem.endswith("every call is denied until this is fixed.")
    told = file.status()
    assert (told.path, told.in_force) == (str(file.path), "nothing")
    assert told.problem.startswith("config.toml, line 1, column ")
    file.path.write_text("port = 1\n")
    assert (file.reload(), file.current, file.problem) == (True, Settings(port=1), "")
    assert (file.status().problem, file.status().in_force) == ("", "file")


def test_no_file_is_not_a_broken_one_and_leaves_the_copy_alone(tmp_path: Path) -> None:
    assert (opened(tmp_path).current, opened(tmp_path).problem) == (Settings(), "")
    assert os.listdir(tmp_path) == []


def test_a_copy_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.last-good.toml").mkdir()
    file = opened(tmp_path, "port = 1\n")
    assert file.current.port == 1
    assert "config.last-good.toml cannot be" in file.problem


def test_an_edit_that_would_not_read_back_is_not_made(tmp_path: Path) -> None:
    tricky = 'presenter = """\n[policy]\n"""\n[policy]\n'
    file = opened(tmp_path, tricky)
    with pytest.raises(SettingsError, match="by hand"):
        file.set_policy("a", "deny")
    assert file.path.read_text() == tricky


def test_names_that_cannot_be_are_refused(tmp_path: Path) -> None:
    file = opened(tmp_path)
    with pytest.raises(UsageError, match="cannot be a server's name"):
        file.add_server(ServerSpec("a b", command="x"))
    file.add_server(NPX)
    with pytest.raises(UsageError, match="already"):
        file.add_server(NPX)
    with pytest.raises(NotFoundError, match="no server named other"):
        file.remove_server("other")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes and links")
def test_mode_and_symlink_survive_an_edit(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("port = 1\n")
    real.chmod(0o640)
    (tmp_path / "config.toml").symlink_to(real)
    opened(tmp_path).add_server(NPX)
    assert (tmp_path / "config.toml").is_symlink()
    assert "[servers.npx]" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["config.last-good.toml", "config.toml", "dotfiles.toml"]


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="cannot be"):
        SettingsFile(tmp_path / "file" / "config.toml").add_server(NPX)
