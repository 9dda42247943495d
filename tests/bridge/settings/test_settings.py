"""config.toml: what it may say, what is told when it is wrong, and edits that lose nothing."""

from __future__ import annotations

import os
import stat
import sys
import time
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from bridge.core.policy.presets import Preset
from bridge.core.policy.rules import HostRule, Policy, QuestionPlace, Verdict
from bridge.core.ports import BUILT_IN, ServerSpec
from bridge.core.questions.interruption import AlertSettings, RaiseWindow
from bridge.core.sampling.budget import Limits
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.rules import SamplingRules
from bridge.errors import NotFoundError, SettingsError, UsageError
from bridge.settings import Home, Settings, SettingsFile, Updates, load, parser
from bridge.settings.settings_in_force import STILL

EXAMPLE = """\
port = 23355
[servers.github]                       # stdio
command = "npx"
args = ["-y", "@modelcontextprotocol/server-github"]
env = { GITHUB_TOKEN = "${vault:github}" }
[servers.linear]                       # Streamable HTTP, OAuth when asked
url = "https://mcp.linear.app/mcp"
timeout = 120                          # seconds of machine time; human time does not count
shared = false                         # one connection per host (default)
[hosts."claude-ai"]                    # by clientInfo.name; "*" = all
questions = "auto"                     # auto | desktop | host
servers = ["github"]                   # default: all
[policy]                               # first match wins: allow | confirm | deny
"github_delete_*" = "confirm"
"""
NPX = ServerSpec(
    "npx", command="npx", args=("-y", "a b"), env={"KEY": "${vault:key}"}, timeout=1.5, shared=True
)


def read(tmp_path: Path, text: str, **env: str) -> Settings:
    path = tmp_path / "config.toml"
    path.write_text(text, "utf-8")
    return load(path, env)


def problem(tmp_path: Path, text: str) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        read(tmp_path, text)
    return caught.value


def opened(tmp_path: Path, text: str = "") -> SettingsFile:
    if text:
        (tmp_path / "config.toml").write_text(text, "utf-8")
    file = SettingsFile(tmp_path / "config.toml")
    file.reload()
    return file


# Home


def test_home_is_where_the_environment_says(tmp_path: Path) -> None:
    home = Home.find({"DESKBELL_HOME": str(tmp_path / "bell")})
    assert home.root == tmp_path / "bell"
    assert {home.config.name, home.token.name, home.journal.name} == {"config.toml", "token", "journal.db"}
    assert {home.lock.parent, home.log.parent} == {home.root}
    assert "deskbell" in home.socket


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
def test_the_folder_and_the_token_are_for_their_owner_only(tmp_path: Path) -> None:
    home = Home(tmp_path / "a" / "bell")
    home.ensure()
    assert stat.S_IMODE(home.root.stat().st_mode) == 0o700
    token = home.read_token()
    assert len(token) >= 43
    assert stat.S_IMODE(home.token.stat().st_mode) == 0o600
    assert home.read_token() == token


def test_a_token_that_exists_is_used_as_it_is(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.token.write_text("  mine\n")
    assert home.read_token() == "mine"


def test_an_empty_token_file_gets_a_token(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.token.write_text("\n")
    assert home.read_token() == home.token.read_text().strip() != ""


def test_a_home_or_token_that_cannot_be_used_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="Set DESKBELL_HOME"):
        Home(tmp_path / "file" / "bell").ensure()
    (tmp_path / "token").write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="Delete it"):
        Home(tmp_path).read_token()


# Reading


def test_the_documented_example_is_understood(tmp_path: Path) -> None:
    settings = read(tmp_path, EXAMPLE)
    github = settings.servers["github"]
    assert (github.command, github.args) == ("npx", ("-y", "@modelcontextprotocol/server-github"))
    assert github.env == {"GITHUB_TOKEN": "${vault:github}"}
    assert settings.servers["linear"] == ServerSpec("linear", url="https://mcp.linear.app/mcp")
    assert settings.hosts == {"claude-ai": HostRule(QuestionPlace.AUTO, ("github",))}
    assert settings.policy == (("github_delete_*", Verdict.CONFIRM),)
    assert (settings.notes, settings.vault) == ((), "auto")


def test_the_vault_is_one_of_those_there_are_and_is_set_without_touching_the_rest(tmp_path: Path) -> None:
    assert read(tmp_path, 'vault = "keyring"\n').vault == "keyring"
    with pytest.raises(SettingsError, match='vault must be "auto", "keyring", "file"'):
        read(tmp_path, 'vault = "sock"\n')
    (tmp_path / "config.toml").write_text('# mine\n[servers.x]\ncommand = "x"\n')
    SettingsFile(tmp_path / "config.toml").set_vault("file")
    assert load(tmp_path / "config.toml", {}).vault == "file"
    assert (tmp_path / "config.toml").read_text().startswith("# mine\n")


def test_a_reference_where_it_is_not_filled_in_is_noted(tmp_path: Path) -> None:
    (note,) = read(tmp_path, '[servers.x]\ncommand = "x"\nargs = ["${vault:a}"]\n').notes
    assert "only env and headers" in note


def test_the_built_in_servers_name_is_taken(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"servers\.desk must have another name"):
        read(tmp_path, '[servers.desk]\ncommand = "x"\n')
    with pytest.raises(UsageError, match=f"{', '.join(BUILT_IN)} are taken"):
        SettingsFile(tmp_path / "config.toml").add_server(ServerSpec("desk", command="x"))


def test_a_missing_file_means_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "config.toml", {}) == Settings()
    assert (Settings().port, Settings().question_timeout) == (23355, 300.0)


def test_every_other_setting_is_read(tmp_path: Path) -> None:
    text = 'question_timeout = 60\npresenter = "silent"\n[hosts."*"]\nquestions = "desktop"\n[servers.a]\n'
    settings = read(tmp_path, text + 'command = "x"\ncwd = "/"\nenabled = false\nheaders = {}\n')
    assert (settings.question_timeout, settings.presenter) == (60.0, "silent")
    assert settings.hosts["*"] == HostRule(QuestionPlace.DESKTOP, None)
    assert settings.servers["a"] == ServerSpec("a", command="x", cwd="/", enabled=False)


@pytest.mark.parametrize(
    ("value", "patience"), [("55", 55.0), ("2.5", 2.5), ('"none"', inf), ('"auto"', None)]
)
def test_how_long_an_application_waits_is_a_number_or_a_word(value: str, patience: float | None):
    assert parser.read(f"[hosts.x]\npatience = {value}", "config.toml", {}).hosts["x"].patience == patience


@pytest.mark.parametrize("value", ["0", "-1", '"forever"', "true", "[]"])
def test_no_other_word_says_how_long_an_application_waits(value: str):
    with pytest.raises(SettingsError, match=r"hosts\.x\.patience must be a number of seconds above 0"):
        parser.read(f"[hosts.x]\npatience = {value}", "config.toml", {})


def test_a_host_may_be_offered_some_tools_only() -> None:
    settings = parser.read('[hosts.x]\ntools = ["github_*", "!github_delete_*"]', "config.toml", {})
    assert settings.hosts["x"].tools == ("github_*", "!github_delete_*")
    with pytest.raises(SettingsError, match=r"line 2, column .*hosts\.x\.tools must be a list of patterns"):
        parser.read('[hosts.x]\ntools = "github_*"', "config.toml", {})


def test_what_the_person_prefers_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, "").wishes == AlertSettings()
    text = '[desktop]\nraise = "idle"\nsound = true\nquestions_per_minute = 0\n[history]\ndays = 0.5'
    settings = read(tmp_path, text)
    assert settings.wishes == AlertSettings(front=RaiseWindow.IDLE, sound=True)
    assert (settings.questions_per_minute, settings.history_days) == (0, 0.5)
    assert (settings.theme, settings.icon, settings.updates) == ("system", "colour", Updates())
    text = '[desktop]\ntheme = "dark"\nicon = "mono"\n[updates]\ncheck = true\nurl = "https://a.example/v"'
    settings = read(tmp_path, text)
    assert (settings.theme, settings.icon) == ("dark", "mono")
    assert settings.updates == Updates(True, "https://a.example/v")


@pytest.mark.parametrize(
    "text",
    [
        '[desktop]\nraise = "sometimes"',
        "[desktop]\nquestions_per_minute = -1",
        "[history]\ndays = -1",
        '[desktop]\ntheme = "pink"',
        '[desktop]\nicon = "big"',
        '[updates]\nurl = "http://a.example"',
    ],
)
def test_a_preference_that_cannot_be_is_told_with_its_place(tmp_path: Path, text: str) -> None:
    assert problem(tmp_path, text).line == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# mine\n[servers.a]\nurl = 'https://a.example' # kept\n",
        "desktop = { sound = false }\n",
        "desktop.sound = false\n",
    ],
)
def test_a_preference_is_changed_and_all_else_stays(tmp_path: Path, text: str) -> None:
    file = opened(tmp_path, text)
    servers = file.current.servers
    file.set_preference("desktop", "sound", True)
    file.set_preference("desktop", "raise", "always")
    file.set_preference("desktop", "questions_per_minute", 3)
    file.set_preference("history", "days", 7)
    now = file.current
    assert now.wishes == AlertSettings(front=RaiseWindow.ALWAYS, sound=True)
    assert (now.questions_per_minute, now.history_days, now.servers) == (3, 7.0, servers)
    file.set_preference("", "port", 9000)
    file.set_preference("", "question_timeout", 60)
    file.set_preference("desktop", "theme", "dark")
    file.set_preference("updates", "check", True)
    now = file.current
    assert (now.port, now.question_timeout, now.theme, now.updates.check) == (9000, 60.0, "dark", True)
    assert now.servers == servers
    assert ("kept" in file.path.read_text()) is ("kept" in text)


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [("desktop", "sound", "yes"), ("desktop", "colour", "red"), ("port", "port", 1), ("", "vault", "file")],
)
def test_what_is_no_preference_is_refused(tmp_path: Path, table: str, key: str, value: object) -> None:
    with pytest.raises(UsageError):
        opened(tmp_path).set_preference(table, key, value)


def test_windows_line_ends_and_a_byte_order_mark_are_fine(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes("\ufeffport = 1\r\n[policy]\r\na = 'deny'\r\n".encode())
    assert load(tmp_path / "config.toml", {}).policy == (("a", Verdict.DENY),)


def test_the_environment_chooses_the_port(tmp_path: Path) -> None:
    assert read(tmp_path, "port = 1", DESKBELL_PORT="7").port == 7
    for bad in ("x", "65536", "-1", "²"):
        with pytest.raises(SettingsError, match="DESKBELL_PORT"):
            read(tmp_path, "port = 1", DESKBELL_PORT=bad)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("port = 1\nport 2", 2, 6, "Expected '='"),
        ("port = 1\n[servers", 2, 9, "Expected ']'"),
        ('a = """', 1, 8, "Unterminated string"),
        ("port = 'x'", 1, 1, "port must be a port number"),
        ("port = true", 1, 1, "port must be a port number"),
        ("  port = 70000", 1, 3, "port must be a port number"),
        ("question_timeout = 0", 1, 1, "question_timeout must be a number of seconds"),
        ("question_timeout = inf", 1, 1, "question_timeout must be a number of seconds"),
        ("servers = 1", 1, 1, "servers must be a table"),
        ("\n[servers]\na = 1", 3, 1, "servers.a must be a table"),
        ("[servers.a]\ncommand = 1", 2, 1, "servers.a.command must be text"),
        ("[servers.a]\ncommand = 'x'\n\n args = 'y'", 4, 2, "servers.a.args must be a list of texts"),
        ("[servers.a]\ncommand = 'x'\nenv = {A = 1}", 3, 1, "servers.a.env must be a table of texts"),
        ("[servers.a]\ncommand='x'\n[servers.a.env]\nA=1", 3, 2, "servers.a.env must be a table of texts"),
        ("[ servers . 'a' ] # it\nshared = 1\ncommand='x'", 2, 1, "servers.a.shared must be true or false"),
        ("[servers.a]\nera = 'old'\ncommand='x'", 2, 1, 'servers.a.era must be "legacy" or "modern"'),
        ("servers.a.url = 'ftp://x'", 1, 1, "servers.a.url must be an address"),
        ("[servers.a]\ntimeout = 1", 1, 2, "servers.a must have either a command or a url"),
        (
            "[servers.a]\ncommand = 'x'\nurl = 'http://x'",
            1,
            2,
            "servers.a must have either a command or a url",
        ),
        ('[servers."a b"]\ncommand = "x"', 1, 2, 'servers."a b" must have a name of letters'),
        ("[hosts.x]\nquestions = 'me'", 2, 1, 'hosts.x.questions must be "auto", "desktop" or "host"'),
        ("[hosts.x]\nquestions = []", 2, 1, "hosts.x.questions must be"),
        ("[policy]\n'a=b' = 'x'", 2, 1, 'policy."a=b" must be "allow", "confirm" or "deny"'),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    tmp_path: Path, text: str, line: int, column: int, words: str
) -> None:
    error = problem(tmp_path, text)
    assert words in error.message
    assert (error.line, error.column) == (line, column)
    assert error.title == f"config.toml, line {line}, column {column}"


def test_a_key_nobody_knows_is_noted_and_ignored(tmp_path: Path) -> None:
    settings = read(tmp_path, "color = 1\n[servers.a]\ncommand = 'x'\ncomand = 'y'\n")
    assert settings.notes == (
        "config.toml, line 1: color is not a setting; it is ignored.",
        "config.toml, line 4: servers.a.comand is not a setting; it is ignored.",
    )


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="cannot be read"):
        load(tmp_path / "config.toml", {})


# While it runs


def test_the_last_good_settings_stay_in_force(tmp_path: Path) -> None:
    file = opened(tmp_path, "port = 1\n")
    assert (file.current.port, file.problem) == (1, "")
    file.path.write_text("port = \n")
    assert not file.reload()
    assert file.current.port == 1
    assert file.problem.startswith("config.toml, line 1, column 8: Invalid value.")
    file.path.write_text("port = 2\nx = 1\n")
    assert file.reload()
    assert (file.current.port, file.problem) == (2, "config.toml, line 2: x is not a setting; it is ignored.")
    assert not file.reload()


# Edits


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
    with pytest.raises(UsageError, match="cannot be undone any more"):
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
    with pytest.raises(UsageError, match=r"The rule for gi\* speaks of git or code only"):
        file.rename_server("git", "code")
    assert file.path.read_text() == text


@pytest.mark.parametrize(
    ("old", "new", "more", "words"),
    [
        ("git", "code", '[servers.git_hub]\ncommand = "hub"\n', r"The rule for git_\* speaks of git_hub too"),
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
    assert file.problem.endswith("every call is denied until this is mended.")
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


# Models


def test_models_and_what_servers_may_do_with_them(tmp_path: Path) -> None:
    settings = read(
        tmp_path,
        """
[models.local]
kind = "openai"
url = "http://127.0.0.1:1234/v1"
model = "qwen3"
key = "${vault:models}"
slots = ["cheap", "fast"]
servers = ["github"]
max_tokens = 500
[sampling]
allow = ["github"]
requests_per_hour = 5
""",
    )
    assert settings.models["local"] == ModelSpec(
        "local",
        "openai",
        "http://127.0.0.1:1234/v1",
        "qwen3",
        "${vault:models}",
        ("cheap", "fast"),
        ("github",),
        limit=500,
    )
    assert settings.sampling == SamplingRules(allow=("github",), limits=Limits(20, 5, 0))


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ('kind = "openai"', "models.local must have url, model."),
        ('kind = "gpt"', 'models.local.kind must be "openai", "anthropic" or "ollama".'),
        ('url = "http://example.org"', "models.local.url must be an address that begins with https://"),
        ('slots = ["best"]', "models.local.slots must be a list of cheap, fast, clever."),
    ],
)
def test_a_model_that_cannot_be_used_is_told(tmp_path: Path, model: str, expected: str) -> None:
    assert expected in problem(tmp_path, f"[models.local]\n{model}").message


def test_always_for_this_server_is_saved_once_and_comments_stay(tmp_path: Path) -> None:
    file = opened(tmp_path, '# mine\n[sampling]\nallow = ["linear"]  # trusted\n')
    file.allow_sampling("github")
    file.allow_sampling("github")
    assert file.current.sampling.allow == ("linear", "github")
    assert "# mine" in (tmp_path / "config.toml").read_text()


def test_a_renamed_server_keeps_its_models(tmp_path: Path) -> None:
    text = (
        '[servers.old]\ncommand = "x"\n[models.m]\nkind = "ollama"\nurl = "http://127.0.0.1:1"\nmodel = "m"\n'
    )
    text += 'servers = ["old"]\n[sampling]\nallow = ["old", "other"]\nbackground = ["old"]\n'
    file = opened(tmp_path, text)
    file.rename_server("old", "new")
    assert file.current.models["m"].servers == ("new",)
    assert file.current.sampling.allow == ("new", "other")
    assert file.current.sampling.background == ("new",)


def test_a_model_is_added_changed_and_removed_and_comments_stay(tmp_path: Path) -> None:
    file = opened(
        tmp_path,
        "# mine\n[models.other]  # kept\n" + 'kind = "ollama"\nurl = "http://127.0.0.1:1"\nmodel = "m"\n',
    )
    spec = ModelSpec("local", "openai", "http://127.0.0.1:1234/v1", "qwen3", slots=("cheap",), limit=500)
    file.set_model(spec)
    assert file.current.models["local"] == spec
    file.set_model(replace(spec, slots=(), key="${vault:models}"))
    assert file.current.models["local"] == replace(spec, slots=(), key="${vault:models}")
    file.remove_model("local")
    assert list(file.current.models) == ["other"]
    assert "# kept" in (tmp_path / "config.toml").read_text()
    with pytest.raises(NotFoundError):
        file.remove_model("local")


def test_a_model_and_the_rules_for_models_are_edited_and_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('# mine\n[sampling]\nallow = ["github"]  # trusted\n')
    file = SettingsFile(path)
    file.reload()
    file.set_sampling("background", ("files",))
    file.set_sampling("requests_per_hour", 7)
    file.set_sampling("tokens_per_day", 9)
    file.set_sampling("check_answers", True)
    file.allow_sampling("files")
    now = file.current.sampling
    assert (now.allow, now.background, now.check_answers) == (("github", "files"), ("files",), True)
    assert (now.limits.per_hour, now.limits.tokens_per_day) == (7, 9)
    assert "# mine" in path.read_text()
    assert "# trusted" in path.read_text()


@pytest.mark.parametrize(("key", "value"), [("nothing", 1), ("person", "x"), ("tokens_per_day", -1)])
def test_a_rule_for_models_that_makes_no_sense_is_refused(tmp_path: Path, key: str, value: object) -> None:
    with pytest.raises(UsageError):
        SettingsFile(tmp_path / "config.toml").set_sampling(key, value)


@pytest.mark.parametrize(("name", "url"), [("a b", "http://127.0.0.1:1/v1"), ("far", "http://example.org")])
def test_a_model_with_an_impossible_name_or_address_is_refused(tmp_path: Path, name: str, url: str) -> None:
    with pytest.raises(UsageError):
        SettingsFile(tmp_path / "config.toml").set_model(ModelSpec(name, "openai", url, "m"))


# Presets


def test_a_new_server_asks_before_what_cannot_be_undone_and_takes_that_along(tmp_path: Path) -> None:
    file = opened(tmp_path, EXAMPLE)
    file.add_server(NPX)
    assert file.current.approvals == {"npx": Preset.DESTRUCTIVE}
    file.set_preset("npx", "ask")
    file.set_preset("wrapped", "block")
    file.rename_server("npx", "node")
    assert file.current.approvals == {"node": Preset.ASK, "wrapped": Preset.BLOCK}
    file.remove_server("node")
    assert file.current.approvals == {"wrapped": Preset.BLOCK}


@pytest.mark.parametrize("preset", ["", "sometimes", "confirm"])
def test_a_preset_that_there_is_not_is_refused(tmp_path: Path, preset: str) -> None:
    with pytest.raises(UsageError, match="preset"):
        opened(tmp_path).set_preset("npx", preset)
    assert "approvals.npx must be" in problem(tmp_path, f'[approvals]\nnpx = "{preset}"\n').message


# --- rules that go while somebody else writes the file


TWO_RULES = '[policy]\n"files_*" = "deny"\n"git_*" = "confirm"\n'


def written(path: Path, text: str, seconds_ago: float) -> None:
    path.write_text(text)
    when = time.time() - seconds_ago
    os.utime(path, (when, when))


@pytest.fixture
def rules(tmp_path: Path) -> SettingsFile:
    file = SettingsFile(tmp_path / "config.toml")
    file.path.write_text(TWO_RULES)
    file.reload()
    return file


@pytest.mark.parametrize("text", ["", " \n", '[policy]\n"git_*" = "confirm"\n', None])
def test_a_file_without_its_rules_is_believed_only_when_it_is_still(rules: SettingsFile, text: str | None):
    if text is None:
        rules.path.unlink()
    else:
        written(rules.path, text, 0)
    before = rules.current
    assert not rules.reload(still=False)
    assert rules.is_unsettled
    assert rules.current == before
    if text is not None:
        assert not rules.reload(still=True)  # it was written meanwhile
        written(rules.path, text, STILL + 1)
    assert rules.reload(still=True)
    assert not rules.is_unsettled
    assert rules.loosened.startswith("files_* = deny")


def test_rules_that_are_added_count_at_once(rules: SettingsFile):
    rules.path.write_text(TWO_RULES + '"mail_*" = "deny"\n')
    assert rules.reload(still=False)
    assert not rules.loosened


def test_rules_taken_out_of_the_file_can_be_put_back(rules: SettingsFile):
    written(rules.path, "", STILL + 1)
    rules.reload(still=True)
    assert rules.status().loosened == "files_* = deny and 1 more"
    rules.undo_loosening()
    assert rules.path.read_text() == TWO_RULES
    assert len(rules.current.policy) == 2
    assert not rules.status().loosened


def test_a_file_that_changed_again_is_not_overwritten(rules: SettingsFile):
    written(rules.path, "", STILL + 1)
    rules.reload(still=True)
    rules.path.write_text("port = 5000\n")
    with pytest.raises(UsageError, match="cannot be undone"):
        rules.undo_loosening()
    assert rules.path.read_text() == "port = 5000\n"


def test_rules_that_the_person_removes_in_a_window_are_no_news(rules: SettingsFile):
    rules.set_rules("", (), rules.current.policy)
    assert rules.current.policy == ()
    assert not rules.loosened


def test_what_the_person_knows_is_not_told_again(rules: SettingsFile):
    written(rules.path, "", STILL + 1)
    rules.reload(still=True)
    rules.keep_loosened()
    rules.reload(still=False)
    assert not rules.loosened
