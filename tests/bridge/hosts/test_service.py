"""What the AI apps page wants: looked at, proposed, agreed to, and a failure is a sentence."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bridge.core import events as ev
from bridge.core.policy.presets import Preset
from bridge.core.ports import ServerSpec
from bridge.hosts.host_configs import HostConfigs
from bridge.hosts.service import HostService
from bridge.settings import Home, Settings, SettingsFile, load
from tests.fixtures.patience import WITHIN


class Room:
    def __init__(self, root: Path) -> None:
        self.home = Home(root / "bell")
        self.home.ensure()
        self.file = root / ".cursor" / "mcp.json"
        self.file.parent.mkdir()
        linear = {"url": "https://mcp.linear.app/mcp", "headers": {"Authorization": "Bearer abcdefgh1234"}}
        self.file.write_text(json.dumps({"mcpServers": {"quiz": {"command": "quiz"}, "linear": linear}}))
        self.settings = SettingsFile(self.home.config)
        self.secrets: dict[str, str] = {}
        env = {"HOME": str(root), "APPIMAGE": "/opt/deskbell", "APPDIR": str(Path(sys.executable).parent)}
        self.changes = 0
        self.applied = 0
        self.fed: list[ev.Event] = []
        self.book = HostConfigs(self.home, env, "linux")
        self.office = HostService(self, self.home, self.settings, self.book)

    def settings_in_force(self) -> Settings:
        return self.settings.current

    async def keep_secret(self, name: str, value: str) -> None:
        self.secrets[name] = value

    def apply_settings(self) -> None:
        self.applied += 1

    def feed(self, event: ev.Event) -> None:
        self.fed.append(event)

    def host_tokens_changed(self) -> None:
        self.applied += 1

    def publish(self) -> None:
        self.changes += 1

    async def done(self) -> None:
        async with asyncio.timeout(WITHIN):
            await self.office.close()  # it waits for what is under way
        assert not self.office.status().busy


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    made = Room(tmp_path)
    yield made
    await made.office.close()


def contents(path: str) -> bytes:
    return Path(path).read_bytes()


async def test_what_is_here_is_looked_at(room: Room) -> None:
    assert not room.office.status().looked
    room.office.look()
    assert room.office.status().busy
    await room.done()
    status = room.office.status()
    (cursor,) = (app for app in status.apps if app.installed)
    assert (cursor.id, cursor.servers, cursor.addresses) == ("cursor", ("quiz",), ("linear",))
    assert json.loads(status.snippet)["mcpServers"]["deskbell"]["args"] == ["stdio"]
    assert room.changes


async def test_a_change_is_shown_then_written_then_can_be_undone(room: Room) -> None:
    before = room.file.read_bytes()
    room.office.propose("cursor", "connect")
    await room.done()
    change = room.office.status().change
    assert change is not None
    assert "+" in change.diff
    assert room.file.read_bytes() == before
    room.office.agree(change.number + 1)  # one that was never shown
    room.office.agree(change.number)
    await room.done()
    status = room.office.status()
    assert status.change is None
    assert status.news is not None
    assert status.news.reload == "itself"
    assert contents(status.news.copy) == before
    cursor = next(app for app in status.apps if app.id == "cursor")
    assert (cursor.connected, cursor.undo) == ("stdio", "connect")
    room.office.propose("cursor", "undo")
    await room.done()
    change = room.office.status().change
    assert change is not None
    assert change.exact
    room.office.agree(change.number)
    await room.done()
    assert room.file.read_bytes() == before


async def test_a_file_that_changed_meanwhile_is_shown_anew_and_not_written(room: Room) -> None:
    room.office.propose("cursor", "connect")
    await room.done()
    first = room.office.status().change
    assert first is not None
    room.file.write_text('{"fresh": 1}')
    room.office.agree(first.number)
    await room.done()
    second = room.office.status().change
    assert second is not None
    assert second.again
    assert second.number > first.number
    assert room.file.read_text() == '{"fresh": 1}'
    assert "fresh" in second.diff
    room.office.dismiss()
    assert room.office.status().change is None


async def test_servers_that_move_leave_their_keys_in_the_vault(room: Room) -> None:
    room.office.propose("cursor", "wrap", move=True)
    await room.done()
    change = room.office.status().change
    assert change is not None
    assert change.moved == ("linear",)
    room.office.agree(change.number)
    await room.done()
    assert room.secrets == {"linear/Authorization": "abcdefgh1234"}
    assert set(load(room.home.config, {}).servers) == {"linear"}


async def test_a_failure_is_a_sentence(room: Room) -> None:
    room.file.write_text("{")
    room.office.propose("cursor", "connect")
    await room.done()
    status = room.office.status()
    assert "has a mistake at line 1" in status.problem
    assert status.change is None
    room.office.propose("emacs", "connect")
    await room.done()
    assert "does not know the AI app" in room.office.status().problem


async def test_who_shows_the_questions_is_written_into_config_toml(room: Room) -> None:
    room.home.config.write_text('# mine\n[hosts."claude-ai"]\nservers = ["quiz"] # only\n')
    for asks in ("desktop", "host"):
        room.office.ask_by("claude-ai", asks)
        room.office.ask_by("Visual Studio Code", asks)
        assert dict(room.office.status().questions) == {"claude-ai": asks, "Visual Studio Code": asks}
    assert room.applied == 4
    text = room.home.config.read_text()
    assert "# mine" in text
    assert 'servers = ["quiz"] # only' in text
    assert room.fed[0] == ev.RefusalForgotten("claude-ai"), "a choice counts more than the past"
    room.fed.clear()
    room.office.ask_by("claude-ai", "nobody")
    assert room.fed == []
    assert "Choose auto, desktop or host" in room.office.status().problem


async def test_a_host_that_refused_is_asked_again_by_a_click_or_a_command(room: Room) -> None:
    room.office.ask_again("claude-code")
    assert room.office.ask_again_by_command({"host": "codex"}) == {}
    assert room.fed == [ev.RefusalForgotten("claude-code"), ev.RefusalForgotten("codex")]
    assert room.changes == 2


# The one switch


def servers(room: Room) -> dict[str, dict[str, object]]:
    known: dict[str, dict[str, object]] = json.loads(room.file.read_text())["mcpServers"]
    return known


async def test_one_switch_wraps_the_apps_own_servers_and_adds_our_entry_once(room: Room) -> None:
    before = room.file.read_bytes()
    room.office.switch("cursor", True)
    await room.done()
    status = room.office.status()
    assert (status.problem, status.news and (status.news.what, status.news.app)) == (
        "",
        ("connect", "cursor"),
    )
    assert status.news
    assert "deskbell" in status.news.diff
    assert list(servers(room)) == ["quiz", "linear", "deskbell"]
    assert servers(room)["quiz"]["args"][-2:] == ["--", "quiz"]  # type: ignore[index]
    cursor = next(one for one in status.apps if one.id == "cursor")
    assert (cursor.is_on, cursor.connected, cursor.wrapped, cursor.servers) == (True, "stdio", ("quiz",), ())
    room.office.switch("cursor", True)  # a second time changes nothing
    await room.done()
    assert list(servers(room)) == ["quiz", "linear", "deskbell"]
    room.office.switch("cursor", False)
    await room.done()
    assert room.file.read_bytes() == before


async def test_servers_that_come_with_the_switch_begin_with_asking_before_what_cannot_be_undone(
    room: Room,
) -> None:
    room.office.switch("cursor", True)
    await room.done()
    assert load(room.home.config).approvals == {"quiz": Preset.DESTRUCTIVE}
    room.office.switch("cursor", False)
    await room.done()
    room.settings.set_preset("quiz", Preset.ALLOW)  # what the person chose stays
    room.office.switch("cursor", True)
    await room.done()
    assert load(room.home.config).approvals == {"quiz": Preset.ALLOW}


async def test_a_server_that_deskbell_runs_already_never_stands_twice_in_the_app(room: Room) -> None:
    room.settings.add_server(ServerSpec("quiz", command="quiz"))
    room.settings.add_server(ServerSpec("linear", url="https://mcp.linear.app/mcp"))
    before = room.file.read_bytes()
    room.office.switch("cursor", True)
    await room.done()
    assert list(servers(room)) == ["deskbell"]
    room.office.switch("cursor", False)
    await room.done()
    assert room.file.read_bytes() == before


async def test_questions_of_an_app_with_poor_dialogs_come_to_the_desk_unless_the_person_chose(
    room: Room,
) -> None:
    room.office.switch("cursor", True)
    await room.done()
    assert room.office.status().asks("cursor-vscode") == "desktop"
    room.office.switch("cursor", False)
    await room.done()
    room.office.ask_by("cursor-vscode", "auto")
    room.office.switch("cursor", True)
    await room.done()
    assert room.office.status().asks("cursor-vscode") == "auto"
    room.office.switch("cursor", True, "host")
    await room.done()
    assert room.office.status().asks("cursor-vscode") == "host"
    (room.file.parent.parent / ".claude").mkdir()
    room.office.switch("claude-code", True)  # shows forms and links itself
    await room.done()
    assert room.office.status().asks("claude-code") == "auto"


async def test_a_file_that_makes_no_sense_stays_and_the_switch_says_so(room: Room) -> None:
    room.file.write_text("{")
    room.office.switch("cursor", True)
    await room.done()
    assert room.office.status().problem
    assert (room.file.read_text(), room.office.status().asks("cursor-vscode")) == ("{", "auto")


@pytest.mark.parametrize("app", ["claude-code", "gemini"])
async def test_switching_off_removes_the_hook_for_permissions(room: Room, tmp_path: Path, app: str) -> None:
    """Also where it is in another file than our entry."""
    room.office.switch(app, True)
    await room.done()
    hook = room.book.plan_approvals(room.book.find(app), room.settings.current, wanted=True)
    assert hook
    room.book.carry_out(hook, room.settings)
    assert hook.path.exists()
    room.office.switch(app, False)
    await room.done()
    assert not hook.path.exists()
