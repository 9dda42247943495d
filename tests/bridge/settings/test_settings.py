"""config.toml: what it may say, what is told when it is wrong, and edits that lose nothing."""

from __future__ import annotations

import stat
import sys
from math import inf
from pathlib import Path

import pytest

from bridge.core.policy.rules import HostRule, QuestionPlace, Verdict
from bridge.core.ports import BUILT_IN, ServerSpec
from bridge.core.questions.interruption import AlertSettings, RaiseWindow
from bridge.errors import SettingsError, UsageError
from bridge.settings import Home, Settings, SettingsFile, Updates, load, parser
from tests.bridge.settings.settings_samples import EXAMPLE, opened, problem, read

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


def test_a_key_of_very_many_parts_is_not_looked_for() -> None:
    text = ".".join("a" * 20_000) + " = 1\n[servers.b]\n"
    assert [position.path for position in parser.key_positions(text)] == [("servers", "b")]


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
    file.path.write_text("x = " + "[" * 100_000)
    assert not file.reload()
    assert file.problem.startswith("config.toml, line 1, column 100005: Brackets are nested too deeply.")
    file.path.write_text("port = 2\nx = 1\n")
    assert file.reload()
    assert (file.current.port, file.problem) == (2, "config.toml, line 2: x is not a setting; it is ignored.")
    assert not file.reload()
