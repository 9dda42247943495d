"""Deskbell into an application's settings and out again: exact, undoable, and never by guesswork."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from bridge.errors import DeskbellError, NotFoundError, SettingsError, UsageError
from bridge.hosts import backups, import_servers
from bridge.hosts.backups import ChangeKind, FileChanged
from bridge.hosts.host_configs import HostConfigs
from bridge.hosts.recipes import BY_ID, RECIPES, recipe_of
from bridge.settings import Home, SettingsFile
from bridge.settings.host_tokens import tokens_in
from tests.bridge.hosts.conftest import DESKBELL, Room, _entries, said, sample
from tests.fixtures.patience import WITHIN

# Every application


@pytest.mark.parametrize("host", BY_ID)
def test_each_application_is_connected_and_disconnected_without_a_trace(host: str, room: Room) -> None:
    path = room.write(host, sample(host, room.path(host)))
    before = path.read_bytes()
    rehearsed = room.plan(host, ChangeKind.CONNECT)
    assert path.read_bytes() == before
    plan = room.do(host, ChangeKind.CONNECT)
    assert plan.after == path.read_bytes()
    assert plan.diff() == rehearsed.diff()
    removed = [line for line in plan.diff().splitlines()[2:] if line.startswith("-")]
    assert all(line[1:].strip().endswith("}") for line in removed)  # it gets a comma
    found = {one.name: one for one in import_servers.read(path, (BY_ID[host].key,), 23355)}
    assert found["deskbell"].reason == "it is Deskbell itself"
    assert found["quiz"].spec is not None
    assert found["quiz"].spec.args == ("-y", "quiz")
    assert room.look(host).connected == "stdio"
    assert room.plan(host, ChangeKind.CONNECT).nothing
    room.do(host, ChangeKind.DISCONNECT)
    assert path.read_bytes() == before


@pytest.mark.parametrize("host", BY_ID)
def test_each_applications_servers_are_wrapped_and_come_back_to_the_byte(host: str, room: Room) -> None:
    path = room.write(host, sample(host, room.path(host)))
    before = path.read_bytes()
    room.do(host, ChangeKind.WRAP)
    assert room.look(host).wrapped == ("quiz",)
    words = next(entry.words for entry in _entries(room, host) if entry.name == "quiz")
    options = ("wrap", "--name", "quiz", "--host-name", BY_ID[host].names[0])
    assert words == (DESKBELL, *options, "--", "npx", "-y", "quiz")
    assert room.plan(host, ChangeKind.WRAP).nothing
    room.do(host, ChangeKind.UNWRAP)
    assert path.read_bytes() == before


@pytest.mark.parametrize("host", BY_ID)
def test_what_others_wrote_meanwhile_stays_when_deskbell_leaves(host: str, room: Room) -> None:
    path = room.write(host, sample(host, room.path(host)))
    before = path.read_bytes()
    room.do(host, ChangeKind.WRAP)
    room.do(host, ChangeKind.CONNECT)
    mark = b"// later\n" if path.suffix in (".json", ".jsonc") else b"# later\n"
    path.write_bytes(mark + path.read_bytes())
    room.do(host, ChangeKind.DISCONNECT)
    assert path.read_bytes() == mark + before


@pytest.mark.parametrize("host", BY_ID)
def test_a_file_that_was_not_there_is_made_and_goes_again(host: str, room: Room) -> None:
    path = room.path(host)
    with pytest.raises(NotFoundError, match="was not found on this computer"):
        room.plan(host, ChangeKind.CONNECT)
    room.do(host, ChangeKind.CONNECT, create=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert room.look(host).connected == "stdio"
    said(path)
    room.do(host, ChangeKind.DISCONNECT)
    assert [one.name for one in room.root.iterdir()] == ["bell"]


@pytest.mark.parametrize("recipe", [one for one in RECIPES if one.called], ids=lambda one: one.id)
def test_by_address_with_the_token_for_the_owner_only(recipe: Any, room: Room) -> None:
    path = room.write(recipe.id, sample(recipe.id, room.path(recipe.id)))
    path.chmod(0o644)
    before = path.read_bytes()
    plan = room.do(recipe.id, ChangeKind.CONNECT, http=True)
    (token,) = tokens_in(path.read_bytes())
    assert room.home.read_token().encode() not in path.read_bytes()
    assert token not in plan.diff()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert room.look(recipe.id).connected == "http"
    assert room.look(recipe.id).current
    room.book.revoke(recipe)
    assert not room.look(recipe.id).current
    room.do(recipe.id, ChangeKind.DISCONNECT)
    assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_an_application_without_addresses_says_so(room: Room) -> None:
    room.write("claude-desktop", "{}")
    with pytest.raises(UsageError, match="cannot be given an address"):
        room.plan("claude-desktop", ChangeKind.CONNECT, http=True)


def test_an_application_is_found_by_any_of_its_names() -> None:
    for word in ("vscode", "VS Code", "Visual Studio Code", "vs code"):
        assert recipe_of(word) is BY_ID["vscode"]
    assert recipe_of("emacs") is None
    assert len(BY_ID) == len(RECIPES)


def test_an_unknown_name_lists_those_that_are_known(room: Room) -> None:
    with pytest.raises(NotFoundError, match="Choose one of: claude-desktop, claude-code"):
        room.book.find("emacs")


# Care


def test_a_file_that_changed_since_the_preview_is_not_written(room: Room) -> None:
    path = room.write("cursor", "{}")
    plan = room.plan("cursor", ChangeKind.CONNECT)
    path.write_text('{"a": 1}')
    with pytest.raises(FileChanged, match="was changed by another program"):
        room.book.carry_out(plan, SettingsFile(room.home.config))
    assert path.read_text() == '{"a": 1}'
    room.do("cursor", ChangeKind.CONNECT)
    assert said(path)["a"] == 1


@pytest.mark.parametrize(("host", "text"), [("cursor", '{"a": }'), ("codex", "a = "), ("goose", "a: [")])
def test_a_broken_file_is_left_alone_and_the_place_is_named(host: str, text: str, room: Room) -> None:
    path = room.write(host, text)
    with pytest.raises(SettingsError, match="has a mistake at line 1, column") as refused:
        room.plan(host, ChangeKind.CONNECT)
    assert refused.value.line == 1
    assert path.read_text() == text
    assert "has a mistake" in room.look(host).problem


def test_a_symlink_stays_one_and_its_target_is_its_owners_alone_while_it_has_a_token(room: Room) -> None:
    target = room.root / "dotfiles" / "mcp.json"
    target.parent.mkdir()
    target.write_text("{}")
    target.chmod(0o640)
    link = room.path("cursor")
    link.parent.mkdir()
    link.symlink_to(target)
    room.do("cursor", ChangeKind.CONNECT)
    assert link.is_symlink()
    assert "deskbell" in said(target)["mcpServers"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    room.do("cursor", ChangeKind.DISCONNECT)
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everything")
def test_a_write_protected_file_is_left_alone(room: Room) -> None:
    room.write("cursor", "{}").chmod(0o444)
    with pytest.raises(SettingsError, match="write-protected"):
        room.plan("cursor", ChangeKind.CONNECT)


def test_another_server_with_our_name_is_not_replaced(room: Room) -> None:
    room.write("cursor", '{"mcpServers": {"deskbell": {"command": "somebody-else"}}}')
    with pytest.raises(UsageError, match="another server named deskbell"):
        room.plan("cursor", ChangeKind.CONNECT)


def test_servers_that_are_the_whole_file_are_not_hidden_behind_our_table(room: Room) -> None:
    path = room.write("jetbrains", '{"quiz": {"command": "npx"}}')
    with pytest.raises(UsageError, match="has servers outside mcpServers"):
        room.plan("jetbrains", ChangeKind.CONNECT)
    assert path.read_text() == '{"quiz": {"command": "npx"}}'


def test_servers_that_a_moved_deskbell_is_before_are_told_and_wrapped_again(room: Room) -> None:
    args = ["wrap", "--name", "quiz", "--", "npx", "quiz"]
    path = room.write(
        "cursor", json.dumps({"mcpServers": {"quiz": {"command": "/gone/deskbell", "args": args}}})
    )
    seen = room.look("cursor")
    assert (seen.wrapped, seen.stale) == (("quiz",), ("quiz",))
    room.do("cursor", ChangeKind.WRAP)
    assert said(path)["mcpServers"]["quiz"]["command"] == DESKBELL
    assert room.look("cursor").stale == ()


def test_an_entry_of_a_deskbell_that_moved_is_brought_up_to_date_in_its_own_name(room: Room) -> None:
    path = room.write("cursor", '{"mcpServers": {"bell": {"command": "/old/deskbell", "args": ["stdio"]}}}')
    assert not room.look("cursor").current
    room.do("cursor", ChangeKind.CONNECT)
    assert list(said(path)["mcpServers"]) == ["bell"]
    assert said(path)["mcpServers"]["bell"]["command"] == DESKBELL
    assert room.look("cursor").current


def test_a_home_of_its_own_is_told_to_the_application(room: Room) -> None:
    path = room.write("cursor", '{"mcpServers": {"quiz": {"command": "quiz"}}}')
    room.do("cursor", ChangeKind.CONNECT)
    room.do("cursor", ChangeKind.WRAP)
    for name in ("deskbell", "quiz"):
        assert said(path)["mcpServers"][name]["env"]["DESKBELL_HOME"] == str(room.home.root)


def test_a_rule_that_exists_keeps_its_name(room: Room) -> None:
    room.home.ensure()
    room.home.config.write_text('[hosts.Cursor]\ntools = ["!x"]\n')
    path = room.write("cursor", "{}")
    room.do("cursor", ChangeKind.CONNECT)
    assert said(path)["mcpServers"]["deskbell"]["args"] == ["stdio", "--host-name", "Cursor"]


def test_undo_takes_back_the_last_step_and_only_while_nobody_else_wrote(room: Room) -> None:
    path = room.write("cursor", '{"mcpServers": {"quiz": {"command": "quiz"}}}')
    states = [path.read_bytes()]
    for what in (ChangeKind.CONNECT, ChangeKind.WRAP):
        room.do("cursor", what)
        states.append(path.read_bytes())
    for state in states[-2::-1]:
        room.do("cursor", ChangeKind.UNDO)
        assert path.read_bytes() == state
    with pytest.raises(NotFoundError, match="Nothing can be undone"):
        room.plan("cursor", ChangeKind.UNDO)
    room.do("cursor", ChangeKind.CONNECT)
    path.write_text("{}")
    with pytest.raises(NotFoundError, match="Nothing can be undone"):
        room.plan("cursor", ChangeKind.UNDO)


def test_the_old_file_is_kept_for_its_owner_only(room: Room) -> None:
    room.write("cursor", '{"a": "b"}')
    done = room.book.carry_out(room.plan("cursor", ChangeKind.CONNECT), SettingsFile(room.home.config))
    copy = Path(done.copy)
    assert copy.read_text() == '{"a": "b"}'
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    copy.unlink()  # then an exact undo is impossible; taking the entry out is not
    room.do("cursor", ChangeKind.DISCONNECT)
    assert said(room.path("cursor"))["a"] == "b"


def test_a_damaged_ledger_costs_the_exact_undo_and_nothing_else(room: Room) -> None:
    path = room.write("cursor", '{"a": 1}\n')
    room.do("cursor", ChangeKind.CONNECT)
    (room.home.hosts / "steps.json").write_text("{")
    room.do("cursor", ChangeKind.DISCONNECT)
    assert said(path) == {"a": 1, "mcpServers": {}}


def test_only_so_many_copies_are_kept(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "_KEPT", 3)
    path = room.write("cursor", "{}")
    for number in range(6):
        path.write_text(json.dumps({"n": number}))
        room.do("cursor", ChangeKind.CONNECT)
    assert len(list(room.home.hosts.glob("cursor-*"))) == 3


def test_two_deskbells_that_write_at_once_both_succeed(room: Room) -> None:
    path = room.write("cursor", json.dumps({"mcpServers": {"quiz": {"command": "quiz"}}}))
    others = [Room(room.root) for _ in range(2)]
    others[1].home = Home(room.root / "bell2")
    others[1].book = HostConfigs(others[1].home, room.env, "linux")
    wanted = ((others[0], ChangeKind.CONNECT), (others[1], ChangeKind.WRAP))
    start = threading.Barrier(2)
    failed: list[DeskbellError] = []

    def work(one: Room, what: ChangeKind) -> None:
        start.wait()
        for _ in range(20):
            try:
                one.do("cursor", what)
                return
            except FileChanged:
                continue
            except DeskbellError as error:
                failed.append(error)

    threads = [threading.Thread(target=work, args=pair) for pair in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WITHIN)
    assert not failed
    servers = said(path)["mcpServers"]
    assert servers["quiz"]["args"][0] == "wrap"
    assert "deskbell" in servers


def test_a_lock_that_is_held_is_waited_for_and_then_explained(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = room.write("cursor", "{}")
    monkeypatch.setattr(backups, "_LOCK_LIMIT", 0.1)
    plan = room.plan("cursor", ChangeKind.CONNECT)
    with backups._locked_folder(path), pytest.raises(DeskbellError, match="Another Deskbell is writing"):
        room.book.carry_out(plan, SettingsFile(room.home.config))
    room.book.carry_out(plan, SettingsFile(room.home.config))
