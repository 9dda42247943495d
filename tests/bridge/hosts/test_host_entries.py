"""Entries with an address or a token in files of AI applications; no shell, no injection; our own command."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
import sysconfig
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bridge.hosts import import_servers
from bridge.hosts.backups import ChangeKind, FileChanged
from bridge.hosts.formats import jsonc
from bridge.hosts.import_servers import entries
from bridge.hosts.plan import HostFilePlan
from bridge.hosts.recipe import Recipe
from bridge.hosts.recipes import BY_ID, RECIPES
from bridge.settings import SettingsFile, load
from bridge.settings.host_tokens import HostTokens, RevokedToken, tokens_in
from bridge.system.process.own_command import console_command
from tests.bridge.hosts.conftest import DESKBELL, Room, _entries, said, sample
from tests.fixtures.patience import WITHIN

LINEAR = {"url": "https://mcp.linear.app/mcp", "headers": {"Authorization": "Bearer abcdefgh12345678"}}


def test_servers_with_an_address_stay_or_move_into_config_toml_and_come_back(room: Room) -> None:
    text = json.dumps({"mcpServers": {"my linear": LINEAR, "quiz": {"command": "quiz"}}}, indent=2)
    path = room.write("cursor", text)
    assert "my linear" in said_after(room.plan("cursor", ChangeKind.WRAP))["mcpServers"]
    plan = room.plan("cursor", ChangeKind.WRAP, move=True)
    assert "abcdefgh" not in plan.diff()
    kept: dict[str, str] = {}
    room.book.carry_out(plan, SettingsFile(room.home.config), kept.__setitem__)
    assert set(said(path)["mcpServers"]) == {"deskbell", "quiz"}
    (spec,) = load(room.home.config, {}).servers.values()
    assert (spec.name, spec.url) == ("my-linear", LINEAR["url"])
    assert spec.headers == {"Authorization": "Bearer ${vault:my-linear/Authorization}"}
    assert kept == {"my-linear/Authorization": "abcdefgh12345678"}
    room.do("cursor", ChangeKind.UNDO)
    assert path.read_text() == text
    assert not load(room.home.config, {}).servers


def test_servers_do_not_move_when_the_file_cannot_be_written(room: Room) -> None:
    path = room.write("cursor", json.dumps({"mcpServers": {"linear": LINEAR}}))
    plan = room.plan("cursor", ChangeKind.WRAP, move=True)
    path.write_text("{}")
    with pytest.raises(FileChanged):
        room.book.carry_out(plan, SettingsFile(room.home.config))
    assert not load(room.home.config, {}).servers


def said_after(plan: HostFilePlan) -> Any:
    return jsonc.load_by_json((plan.after or b"").decode())


def test_parts_of_the_application_and_old_spellings(room: Room) -> None:
    goose = room.write(
        "goose", "extensions:\n  dev:\n    type: builtin\n    name: dev\n  q:\n    cmd: quiz\n"
    )
    room.do("goose", ChangeKind.WRAP)
    assert said(goose)["extensions"]["dev"] == {"type": "builtin", "name": "dev"}
    assert said(goose)["extensions"]["q"]["args"][0] == "wrap"
    old = {"context_servers": {"q": {"command": {"path": "quiz", "args": ["x"], "env": {}}, "settings": {}}}}
    zed = room.write("zed", json.dumps(old))
    room.do("zed", ChangeKind.WRAP)
    command = said(zed)["context_servers"]["q"]["command"]
    assert (command["path"], command["args"][-2:]) == (DESKBELL, ["quiz", "x"])
    room.do("zed", ChangeKind.UNWRAP)
    assert said(zed) == old


def test_servers_of_single_projects_are_wrapped_and_come_back_to_the_byte(room: Room) -> None:
    quiz = {"type": "stdio", "command": "npx", "args": ["-y", "quiz"], "env": {}}
    projects = {"/a/b": {"mcpServers": {"quiz": quiz}}, "/c": {"mcpServers": {}, "history": []}}
    both = {"projects": projects, "mcpServers": {"quiz": quiz}}
    path = room.write("claude-code", json.dumps(both, indent=2))
    before = path.read_bytes()
    plan = room.do("claude-code", ChangeKind.WRAP)
    assert plan.names == ("quiz", "quiz (/a/b)")
    assert said(path)["projects"]["/a/b"]["mcpServers"]["quiz"]["args"][0] == "wrap"
    assert room.look("claude-code").wrapped == ("quiz", "quiz (/a/b)")
    assert not room.look("claude-code").connected
    path.write_bytes(b"// later\n" + path.read_bytes())
    room.do("claude-code", ChangeKind.UNWRAP)
    assert path.read_bytes() == b"// later\n" + before


def test_cline_cli_has_its_command_inside_a_table(room: Room) -> None:
    path = room.write("cline-cli", "{}")
    room.do("cline-cli", ChangeKind.CONNECT)
    entry = said(path)["mcpServers"]["deskbell"]["transport"]
    assert (entry["type"], entry["command"], entry["args"][0]) == ("stdio", DESKBELL, "stdio")
    room.do("cline-cli", ChangeKind.DISCONNECT)
    flat = {"mcpServers": {"quiz": {"command": "quiz", "args": ["x"]}}}  # its older format
    path.write_text(json.dumps(flat))
    room.do("cline-cli", ChangeKind.WRAP)
    assert said(path)["mcpServers"]["quiz"]["args"][-2:] == ["quiz", "x"]


@pytest.mark.parametrize("recipe", [one for one in RECIPES if one.limit], ids=lambda one: one.id)
def test_an_entry_gives_the_person_time_to_answer(recipe: Recipe, room: Room) -> None:
    path = room.write(recipe.id, sample(recipe.id, room.path(recipe.id)))
    before = path.read_bytes()
    room.do(recipe.id, ChangeKind.CONNECT)
    room.do(recipe.id, ChangeKind.WRAP)
    written: dict[str, Any] = dict(entries(said(path)[recipe.key]))
    for name in ("deskbell", "quiz"):
        assert recipe.limit.items() <= written[name].items()
    (seconds,) = HostTokens(room.home.host_tokens).limits.values()
    assert seconds in (3600.0, 86_400.0)
    room.do(recipe.id, ChangeKind.DISCONNECT)
    assert path.read_bytes() == before
    assert HostTokens(room.home.host_tokens).limits == {}


@pytest.mark.parametrize("limit", [7, BY_ID["kimi"].limit["toolTimeoutMs"]])
def test_a_limit_that_was_there_stays(limit: int, room: Room) -> None:
    quiz = {"command": "quiz", "toolTimeoutMs": limit}
    path = room.write("kimi", json.dumps({"mcpServers": {"quiz": quiz}}))
    before = path.read_bytes()
    room.do("kimi", ChangeKind.WRAP)
    assert said(path)["mcpServers"]["quiz"]["toolTimeoutMs"] == limit
    assert HostTokens(room.home.host_tokens).limits == {"kimi-code": limit / 1000}
    path.write_bytes(path.read_bytes() + b"\n")  # another program wrote: no exact undo
    room.do("kimi", ChangeKind.UNWRAP)
    assert path.read_bytes() == before + b"\n"


@pytest.mark.parametrize("limit", ["long", True, -1, None])
def test_a_limit_that_is_none_is_not_gone_by(limit: Any, room: Room) -> None:
    quiz = {"command": "quiz", "toolTimeoutMs": limit}
    room.write("kimi", json.dumps({"mcpServers": {"quiz": quiz}}))
    room.do("kimi", ChangeKind.CONNECT)
    room.do("kimi", ChangeKind.WRAP)
    assert HostTokens(room.home.host_tokens).limits == {}


# Tokens


def test_each_application_has_a_token_of_its_own_in_all_its_entries(room: Room) -> None:
    tokens = HostTokens(room.home.host_tokens)
    found = {}
    for host in ("cursor", "codex"):
        path = room.write(host, sample(host, room.path(host)) if host == "codex" else CURSOR)
        room.do(host, ChangeKind.CONNECT)
        room.do(host, ChangeKind.WRAP)
        (found[host],) = tokens_in(path.read_bytes())
        assert path.read_bytes().count(found[host].encode()) == 2
        assert room.look(host).proven
    tokens.reload()
    assert [tokens.host(token) for token in found.values()] == ["cursor-vscode", "codex-mcp-client"]
    stored = room.home.host_tokens.read_text()
    assert stat.S_IMODE(room.home.host_tokens.stat().st_mode) == 0o600
    assert not any(token in stored for token in found.values())


CURSOR = '{"mcpServers": {"quiz": {"command": "quiz"}}}'


def test_a_token_ends_with_its_entry_and_comes_back_with_it(room: Room) -> None:
    path = room.write("cursor", CURSOR)
    room.do("cursor", ChangeKind.CONNECT)
    (token,) = tokens_in(path.read_bytes())
    room.do("cursor", ChangeKind.UNDO)
    assert HostTokens(room.home.host_tokens).names == set()
    room.do("cursor", ChangeKind.CONNECT)
    assert token.encode() not in path.read_bytes()
    assert HostTokens(room.home.host_tokens).names == {"cursor-vscode"}


def test_a_revoked_token_is_replaced_by_connecting_again(room: Room) -> None:
    path = room.write("cursor", CURSOR)
    assert not room.book.revoke(BY_ID["cursor"])
    room.do("cursor", ChangeKind.CONNECT)
    (old,) = tokens_in(path.read_bytes())
    assert room.book.revoke(BY_ID["cursor"])
    assert not room.look("cursor").proven
    with pytest.raises(RevokedToken, match="cursor-vscode"):
        HostTokens(room.home.host_tokens).host(old)
    room.do("cursor", ChangeKind.CONNECT)
    (new,) = tokens_in(path.read_bytes())
    tokens = HostTokens(room.home.host_tokens)
    assert (tokens.host(new), tokens.host("")) == ("cursor-vscode", "")
    room.do("cursor", ChangeKind.UNDO)  # the old token stands in the file again
    tokens.reload()
    with pytest.raises(RevokedToken):
        tokens.host(old)
    room.do("cursor", ChangeKind.DISCONNECT)
    tokens.reload()
    assert tokens.names == set()


def test_an_entry_from_before_tokens_gets_one_and_keeps_what_the_person_changed(room: Room) -> None:
    entry = {
        "command": DESKBELL,
        "args": ["stdio", "--server", "x"],
        "env": {"DESKBELL_HOME": str(room.home.root)},
    }
    path = room.write("cursor", json.dumps({"mcpServers": {"bell": entry}}))
    seen = room.look("cursor")
    assert (seen.connected, seen.current, seen.proven) == ("stdio", True, False)
    room.do("cursor", ChangeKind.CONNECT)
    after = said(path)["mcpServers"]["bell"]
    assert after["args"] == entry["args"]
    assert room.look("cursor").proven


def test_a_file_of_a_project_gets_no_token(room: Room) -> None:
    file = room.root / "project" / ".mcp.json"
    file.parent.mkdir()
    file.write_text(CURSOR)
    room.do("cursor", ChangeKind.CONNECT, file=file)
    room.do("cursor", ChangeKind.WRAP, file=file)
    assert not tokens_in(file.read_bytes())
    assert room.plan("cursor", ChangeKind.CONNECT, file=file).nothing


def test_a_damaged_list_of_tokens_proves_nobody(room: Room) -> None:
    path = room.write("cursor", CURSOR)
    room.do("cursor", ChangeKind.CONNECT)
    room.home.host_tokens.write_text("{")
    assert not room.look("cursor").proven
    room.do("cursor", ChangeKind.CONNECT)
    assert room.look("cursor").proven
    assert len(tokens_in(path.read_bytes())) == 1


@pytest.mark.parametrize("recipe", [one for one in RECIPES if one.called], ids=lambda one: one.id)
def test_entries_with_an_address_follow_the_port_and_are_undone_to_the_byte(
    recipe: Recipe, room: Room
) -> None:
    path = room.write(recipe.id, sample(recipe.id, room.path(recipe.id)))
    before = path.read_bytes()
    room.do(recipe.id, ChangeKind.CONNECT, http=True)
    room.book.follow_port(replace(load(room.home.config, {}), port=4711))
    assert b"http://127.0.0.1:4711/mcp" in path.read_bytes()
    assert b":23355/" not in path.read_bytes()
    assert room.home.port.read_text() == "4711\n"
    room.book.follow_port(load(room.home.config, {}))
    assert room.look(recipe.id).connected == "http"
    room.do(recipe.id, ChangeKind.DISCONNECT)
    assert path.read_bytes() == before


def test_an_address_on_another_port_without_our_token_is_another_programs(room: Room) -> None:
    text = json.dumps({"mcpServers": {"other": {"url": "http://127.0.0.1:9999/mcp"}}})
    path = room.write("cursor", text)
    assert room.look("cursor").addresses == ("other",)
    room.book.follow_port(load(room.home.config, {}))
    assert path.read_text() == text


# No shell, no injection (CVE-2025-62801)


EVIL = [
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    "& calc.exe &",
    "a\nb",
    "--",
    "-x",
    "cursor://x?y",
    '"',
    "'",
]


@pytest.mark.parametrize("name", EVIL)
def test_a_servers_name_is_never_part_of_a_command_line(name: str, room: Room) -> None:
    path = room.write("cursor", json.dumps({"mcpServers": {name: {"command": "quiz", "args": [name]}}}))
    before = path.read_bytes()
    room.do("cursor", ChangeKind.WRAP)
    entry = said(path)["mcpServers"][name]
    given, inner = entry["args"][: entry["args"].index("--")], entry["args"][entry["args"].index("--") + 1 :]
    assert all(letter.isalnum() or letter in "-_" for word in given for letter in word)
    assert inner == ["quiz", name]
    written = subprocess.run(
        [sys.executable, "-c", "import sys; print(sys.argv[1:])", *entry["args"]],
        capture_output=True,
        text=True,
    )
    assert written.stdout.strip() == repr(entry["args"])
    room.do("cursor", ChangeKind.UNWRAP)
    assert path.read_bytes() == before


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=10)


@pytest.mark.parametrize("host", ["cursor", "codex", "opencode"])
@settings(
    max_examples=25,
    deadline=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(name=TEXTS, words=st.lists(TEXTS, min_size=1, max_size=3))
def test_any_name_command_and_words_survive_wrapping_and_unwrapping(
    host: str, name: str, words: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    room = Room(tmp_path_factory.mktemp("room"))
    recipe = BY_ID[host]
    path = room.write(host, "")
    from bridge.hosts.formats import document
    from bridge.hosts.formats.edits import Put

    shape = {"command": words[0], "args": words[1:]} if recipe.started.args else {"command": words}
    path.write_bytes(document.edited(document.read(path, b""), [Put((recipe.key, name), shape)]))
    before = path.read_bytes()
    if not words[0].strip() or import_servers.after_deskbell(words) is not None:
        return
    room.do(host, ChangeKind.WRAP)
    (entry,) = _entries(room, host)
    assert list(entry.words[-len(words) :]) == words
    path.write_bytes(path.read_bytes() + b"\n")  # somebody else was here: no exact way back
    room.do(host, ChangeKind.UNWRAP)
    assert path.read_bytes() == before + b"\n"


# Our own command


@pytest.fixture
def no_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Python without a `deskbell` beside it."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(sys, "argv", ["pytest"])
    monkeypatch.setattr(sysconfig, "get_path", lambda *_: str(tmp_path / "nowhere"))
    return python


def test_the_command_is_an_absolute_path_however_deskbell_was_installed(
    no_program: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    inside = {"APPDIR": str(Path(sys.executable).parent)}
    assert console_command({"APPIMAGE": "/apps/Deskbell.AppImage", **inside}) == ("/apps/Deskbell.AppImage",)
    python, script = console_command({"PATH": ""})
    done = subprocess.run(
        [python, script, "--version"], capture_output=True, text=True, cwd="/", timeout=WITHIN
    )
    assert done.stdout.startswith("deskbell ")
    assert import_servers.unwrapped([python, script, "stdio"]) is None
    beside = no_program.with_name("deskbell")
    beside.write_text("#!/bin/sh\n")
    beside.chmod(0o755)
    assert console_command({}) == (str(beside),)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert console_command({}) == (str(no_program),)
    bundled = no_program.with_name("deskbell-mcp")
    bundled.touch()
    assert console_command({}) == (str(bundled),)
    beside.unlink()
    monkeypatch.delattr(sys, "frozen")
    elsewhere = tmp_path / "path" / "deskbell"
    elsewhere.parent.mkdir()
    elsewhere.write_text("#!/bin/sh\n")
    elsewhere.chmod(0o755)
    assert console_command({"PATH": str(elsewhere.parent)}) == (str(elsewhere),)
