"""Servers of other applications: found where those keep them, read as they wrote them, adopted only once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bridge.core.ports import ServerSpec
from bridge.errors import NotFoundError, SettingsError
from bridge.hosts.formats import document, jsonc
from bridge.hosts.import_servers import FoundServer, extract_secrets, free, name_servers, read, valid_name
from bridge.hosts.locations import find_files


def written(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def one(tmp_path: Path, entry: Any, port: int = 0) -> FoundServer:
    (found,) = read(written(tmp_path / "mcp.json", {"mcpServers": {"quiz": entry}}), port=port)
    return found


# Places


LINUX = {
    ".config/Claude/claude_desktop_config.json": "Claude Desktop",
    ".claude.json": "Claude Code",
    ".config/Code/User/mcp.json": "VS Code",
    ".cursor/mcp.json": "Cursor",
    ".codex/config.toml": "Codex",
    ".gemini/settings.json": "Gemini CLI",
    ".config/zed/settings.json": "Zed",
    ".codeium/windsurf/mcp_config.json": "Windsurf",
    ".lmstudio/mcp.json": "LM Studio",
    ".copilot/mcp-config.json": "Copilot CLI",
    ".config/goose/config.yaml": "Goose",
    ".continue/config.yaml": "Continue",
    ".continue/mcpServers/quiz.yaml": "Continue",
    ".config/opencode/opencode.jsonc": "opencode",
    ".config/kilo/kilo.json": "Kilo",
}


@pytest.mark.parametrize(("path", "host"), LINUX.items())
def test_each_application_is_found_where_it_keeps_its_servers(path: str, host: str, tmp_path: Path) -> None:
    file = written(tmp_path / path, "{}")
    (place,) = find_files({"HOME": str(tmp_path)}, "linux")
    assert (place.host, place.path) == (host, file)


@pytest.mark.parametrize(
    ("platform", "host", "path"),
    [
        ("darwin", "Claude Desktop", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", "Claude Desktop", "AppData/Roaming/Claude/claude_desktop_config.json"),
        (
            "win32",
            "Claude Desktop",
            "AppData/Local/Packages/Claude_abc/LocalCache/Roaming/Claude/claude_desktop_config.json",
        ),
        ("win32", "Goose", "AppData/Roaming/Block/goose/config/config.yaml"),
    ],
)
def test_other_platforms_have_other_folders(platform: str, host: str, path: str, tmp_path: Path) -> None:
    file = written(tmp_path / path, "{}")
    (place,) = find_files({"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}, platform)
    assert (place.host, place.path) == (host, file)


def test_a_folder_of_its_own_is_respected_and_no_home_means_nothing_found(tmp_path: Path) -> None:
    file = written(tmp_path / "mine" / "config.toml", "")
    env = {"HOME": str(tmp_path), "CODEX_HOME": str(file.parent)}
    assert [place.path for place in find_files(env, "linux")] == [file]
    assert list(find_files({}, "plan9")) == []


# Reading


def test_a_command_comes_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    entry = {"command": "npx", "args": ["-y", 7], "env": {"LEVEL": 3}, "cwd": "/tmp", "type": "stdio"}
    spec = ServerSpec("quiz", command="npx", args=("-y", "7"), env={"LEVEL": "3"}, cwd="/tmp")
    assert one(tmp_path, entry) == FoundServer("quiz", spec)


@pytest.mark.parametrize("key", ["url", "serverUrl", "httpUrl"])
def test_an_address_is_known_by_each_of_its_names(key: str, tmp_path: Path) -> None:
    found = one(tmp_path, {key: "https://example.org/mcp", "headers": {"X-Team": "a"}})
    assert found.spec == ServerSpec("quiz", url="https://example.org/mcp", headers={"X-Team": "a"})


def test_what_is_switched_off_stays_off(tmp_path: Path) -> None:
    for off in ({"disabled": True}, {"enabled": False}):
        spec = one(tmp_path, {"command": "x", **off}).spec
        assert spec is not None
        assert spec.enabled is False


def test_comments_and_trailing_commas_are_no_obstacle(tmp_path: Path) -> None:
    text = """\ufeff// mine
    { "theme": "a // b, ]", /* many
      lines */ "context_servers": {
        "quiz": { "source": "custom", "command": { "path": "npx", "args": ["a, ]",], }, }, // last
      }, }"""
    (found,) = read(written(tmp_path / "settings.json", text))
    assert found.spec == ServerSpec("quiz", command="npx", args=("a, ]",))
    assert jsonc.load("") == jsonc.load_by_json("") == jsonc.load_by_json("/* never closed") == {}


def test_servers_of_single_projects_and_nested_transports_are_read_too(tmp_path: Path) -> None:
    quiz = {"transport": {"type": "stdio", "command": "npx", "args": ["quiz"], "env": {"A": "b"}}}
    web = {"transport": {"type": "streamableHttp", "url": "https://e.org/mcp", "headers": {"X": "y"}}}
    old = {"transport": {"type": "sse", "url": "https://e.org/sse"}}
    projects = {"/p": {"mcpServers": {"quiz": quiz, "old": old}}, "/q": {}}
    text = {"mcpServers": {"web": web}, "projects": projects}
    found = read(written(tmp_path / "claude.json", text), ("mcpServers",))
    assert [one.spec for one in found[:2]] == [
        ServerSpec("web", url="https://e.org/mcp", headers={"X": "y"}),
        ServerSpec("quiz", command="npx", args=("quiz",), env={"A": "b"}),
    ]
    assert "HTTP+SSE" in found[2].reason


def test_toml_is_read_too(tmp_path: Path) -> None:
    text = '[mcp_servers.quiz]\ncommand = "npx"\nargs = ["-y"]\n[mcp_servers.web]\nurl = "https://e.org"\n'
    quiz, web = read(written(tmp_path / "config.toml", text))
    assert quiz.spec == ServerSpec("quiz", command="npx", args=("-y",))
    assert web.spec == ServerSpec("web", url="https://e.org")


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (5, "not an object"),
        ({}, "neither a command nor an address"),
        ({"command": "x", "args": "y"}, "neither a command nor an address"),
        ({"url": "ftp://example.org"}, "http"),
        ({"url": "https://example.org/sse", "type": "sse"}, "HTTP+SSE"),
        ({"url": "http://127.0.0.1:23355/mcp"}, "Deskbell itself"),
        ({"url": "http://localhost:23355/mcp/quiz"}, "Deskbell itself"),
        ({"command": "/usr/bin/deskbell", "args": ["stdio"]}, "Deskbell itself"),
        ({"command": "C:\\Apps\\Deskbell.exe", "args": ["wrap", "--"]}, "Deskbell itself"),
        ({"command": "python", "args": ["-m", "bridge", "stdio"]}, "Deskbell itself"),
    ],
)
def test_what_cannot_be_a_server_is_named_with_the_reason(entry: Any, reason: str, tmp_path: Path) -> None:
    found = one(tmp_path, entry, port=23355)
    assert found.spec is None
    assert reason in found.reason


GOOSE = """\
# mine
GOOSE_PROVIDER: x
extensions:
  developer: {type: builtin, name: developer, enabled: true}
  quiz:
    type: stdio
    cmd: npx   # from npm
    args: [-y, quiz]
    envs: &mine {LEVEL: 3}
    env_keys: [QUIZ_TOKEN, LEVEL]
    enabled: false
  7: {type: streamable_http, uri: "https://example.org/mcp", headers: {X-Team: a}}
"""


def test_goose_keeps_its_extensions_in_yaml(tmp_path: Path) -> None:
    inside, quiz, far = read(written(tmp_path / "config.yaml", GOOSE), ("extensions",))
    assert (inside.spec, inside.reason) == (None, "it is a part of that application, not a server")
    spec = ServerSpec("quiz", command="npx", args=("-y", "quiz"), env={"LEVEL": "3"}, enabled=False)
    off = "It is disabled there, so it will be disabled here too."
    remark = "QUIZ_TOKEN is kept by that application: please set it in env."
    assert quiz == FoundServer("quiz", spec, remarks=(off, remark))
    assert far.spec == ServerSpec("7", url="https://example.org/mcp", headers={"X-Team": "a"})


CONTINUE = """\
name: Mine
mcpServers:
  - name: My quiz
    command: npx
    args: ["-y", "quiz"]
    env: {LEVEL: info}
  - name: Far
    type: streamable-http
    url: https://example.org/mcp
    requestOptions: {headers: {Authorization: "Bearer 1"}}
  - just text
"""


def test_continue_keeps_a_list_in_yaml(tmp_path: Path) -> None:
    quiz, far = read(written(tmp_path / "config.yaml", CONTINUE))
    assert quiz.spec == ServerSpec("My quiz", command="npx", args=("-y", "quiz"), env={"LEVEL": "info"})
    assert far.spec is not None
    assert far.spec.headers == {"Authorization": "Bearer 1"}


def test_opencode_has_its_command_in_one_list(tmp_path: Path) -> None:
    entry = {"type": "local", "command": ["npx", "-y", "quiz"], "environment": {"LEVEL": "3"}}
    (found,) = read(written(tmp_path / "opencode.jsonc", {"mcp": {"quiz": entry}}))
    assert found.spec == ServerSpec("quiz", command="npx", args=("-y", "quiz"), env={"LEVEL": "3"})


@pytest.mark.parametrize(
    "content", ["a: [", "a: 1\na: 2", "- 1", "!!python/object:os.system {}", "a: &x [*y]"]
)
def test_yaml_that_makes_no_sense_is_refused_by_name(content: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"config\.yaml (is not valid|has a mistake)"):
        read(written(tmp_path / "config.yaml", content))
    assert read(written(tmp_path / "config.yaml", "")) == []


def test_a_wrapped_server_is_taken_out_of_its_wrapping(tmp_path: Path) -> None:
    args = ["wrap", "--name", "q", "--", "python", "-m", "bridge", "wrap", "--", "npx", "-y"]
    spec = one(tmp_path, {"command": "deskbell", "args": args}).spec
    assert spec == ServerSpec("quiz", command="npx", args=("-y",))


def test_secrets_and_placeholders_are_pointed_out(tmp_path: Path) -> None:
    env = {"GITHUB_TOKEN": "ghp_1", "API_KEY": "${input:key}", "LEVEL": "info", "PASSWORD": ""}
    found = one(tmp_path, {"command": "x", "env": env})
    (unknown,) = found.remarks
    assert "cannot fill in" in unknown
    assert found.secrets == ("GITHUB_TOKEN",)
    remote = one(tmp_path, {"url": "https://e.org", "headers": {"Authorization": "Bearer 1"}})
    assert (remote.remarks, remote.secrets) == ((), ("Authorization",))


def test_secrets_can_be_locked_away_and_the_rest_of_a_value_stays() -> None:
    env = {"GITHUB_TOKEN": "ghp_1", "LEVEL": "info"}
    spec, values = extract_secrets(ServerSpec("git", command="x", env=env), ["GITHUB_TOKEN"])
    assert spec.env == {"GITHUB_TOKEN": "${vault:git/GITHUB_TOKEN}", "LEVEL": "info"}
    assert values == {"git/GITHUB_TOKEN": "ghp_1"}
    headers = {"Authorization": "Bearer abc", "X Key": "k"}
    spec, values = extract_secrets(ServerSpec("web", url="https://e.org", headers=headers), headers)
    assert spec.headers["Authorization"] == "Bearer ${vault:web/Authorization}"
    assert values == {"web/Authorization": "abc", "web/X-Key": "k"}


@pytest.mark.parametrize("content", ["[1]", "{", "[" * 100_000, '{"a": "never closed'])
def test_a_file_that_makes_no_sense_is_refused_by_name(content: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"mcp\.json (is not valid|has a mistake)"):
        read(written(tmp_path / "mcp.json", content))


def test_a_file_that_is_missing_or_out_of_bounds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotFoundError, match="no file"):
        read(tmp_path / "gone.json")
    with pytest.raises(SettingsError, match="cannot be read"):
        read(tmp_path)
    monkeypatch.setattr(document, "LARGEST", 1)
    with pytest.raises(SettingsError, match="too large"):
        read(written(tmp_path / "mcp.json", "{}"))


# Adopting


def found(name: str, command: str) -> FoundServer:
    return FoundServer(name, ServerSpec(name, command=command))


def test_each_server_is_adopted_once_under_a_name_that_is_free() -> None:
    known = {"quiz": ServerSpec("quiz", command="a"), "other": ServerSpec("other", command="b")}
    adopted = list(
        name_servers([found("quiz", "x"), found("b", "b"), found("quiz", "y"), found("z", "x")], known)
    )
    assert [(one.spec.name if one.spec else one.reason) for one in adopted] == [
        "quiz-2",
        "it is there already, as other",
        "quiz-3",
        "it is there already, as quiz-2",
    ]


def test_a_server_whose_key_is_in_the_vault_is_known_by_its_name() -> None:
    def keyed(name: str, key: str, **more: str) -> ServerSpec:
        return ServerSpec(name, command="x", env={"KEY": key, **more})

    known = {name: keyed(name, "${vault:quiz/KEY}") for name in ("quiz", "quiz-2")}
    again, other, more = keyed("quiz", "a"), keyed("work", "b"), keyed("quiz", "a", HOST="h")
    adopted = list(name_servers([FoundServer(one.name, one) for one in (again, other, more)], known))
    assert [one.same for one in adopted] == ["quiz", "", ""]


def test_what_is_no_server_stays_none() -> None:
    nothing = FoundServer("x", reason="no")
    assert list(name_servers([nothing], {})) == [nothing]


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("My Server!", "My-Server"),
        ("@scope/pkg", "scope-pkg"),
        ("ü", "server"),
        ("_a_", "a"),
        ("x" * 80, "x" * 64),
    ],
)
def test_names_are_made_to_fit(name: str, fits: str) -> None:
    assert valid_name(name) == fits


def test_the_name_of_the_built_in_server_is_taken() -> None:
    assert free("desk", {}) == "desk-2"
    assert free("x" * 64, {"x" * 64: 1}) == "x" * 62 + "-2"
