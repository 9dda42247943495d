"""What the person wants of a running bridge, by its front door; and what `deskbell status` says of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridge.api import Bridge, Flood, History, Home, Mute, Status, app_of
from bridge.cli import status as cli_status
from tests.bridge.running_app import stop
from tests.fixtures.patience import WITHIN


@pytest.fixture
def bridge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bridge]:
    monkeypatch.setenv("DESKBELL_PORT", "0")
    made = Bridge(Home(tmp_path))
    made.start()
    yield made
    stop(made)


def until(look: Callable[[], object]) -> None:
    end = time.monotonic() + WITHIN
    while not look():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def test_a_snooze_begins_and_ends(bridge: Bridge) -> None:
    before = time.time()
    bridge.questions.snooze(1800)
    until(lambda: bridge.status.snoozed)
    assert before <= bridge.status.snoozed_until - 1800 <= time.time()
    bridge.questions.snooze()
    until(lambda: not bridge.status.snoozed_until)
    bridge.questions.resume()
    until(lambda: not bridge.status.snoozed)


def test_a_snooze_ends_by_itself_while_nothing_else_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKBELL_PORT", "0")
    told: list[bool] = []
    bridge = Bridge(Home(tmp_path), on_status=lambda status: told.append(status.snoozed))
    bridge.start()
    bridge.questions.snooze(0.5)
    until(lambda: True in told and not told[-1])
    stop(bridge)


def test_a_server_is_muted_and_unmuted(bridge: Bridge) -> None:
    bridge.questions.mute("github", 3600)
    until(lambda: [mute.server for mute in bridge.status.mutes] == ["github"])
    bridge.questions.ask_anyway("linear")
    bridge.questions.unmute("github")
    until(lambda: bridge.status.mutes == ())


def test_a_preference_is_written_and_in_force(bridge: Bridge, tmp_path: Path) -> None:
    bridge.settings.change("desktop", "sound", True)
    bridge.settings.change("history", "days", 7)
    until(lambda: bridge.status.wishes.sound and bridge.status.history_days == 7)
    assert "sound = true" in (tmp_path / "config.toml").read_text()
    bridge.settings.change("desktop", "sound", "loud")
    until(lambda: any("desktop.sound" in problem for problem in bridge.status.problems))
    bridge.settings.change("desktop", "sound", False)
    until(lambda: not bridge.status.problems)


def test_history_is_forgotten_when_the_person_wants_it(bridge: Bridge, tmp_path: Path) -> None:
    history = History(tmp_path / "journal.db")
    bridge.questions.snooze(1800)
    until(lambda: history.search(kind="notice"))
    bridge.history.delete(None)
    until(lambda: not history.search(kind="notice"))


def test_status_tells_what_is_quiet_and_who_is_loud() -> None:
    soon = time.time() + 60
    lines = list(cli_status._quiet(Status(snoozed=True, floods=(Flood("a", 3),), mutes=(Mute("b", soon),))))
    assert lines[0] == "Snoozed until you resume: questions wait, and nothing rings"
    assert lines[1].startswith("Muted until ")
    assert lines[2] == "Asks very often: a (3 waiting)"
    assert next(cli_status._quiet(Status(snoozed=True, snoozed_until=soon))).startswith("Snoozed until ")
    assert list(cli_status._quiet(Status())) == []


@pytest.mark.parametrize(
    ("host", "app"),
    [
        ("cursor-vscode", ("cursor", "Cursor")),
        ("claude-ai", ("claude-desktop", "Claude Desktop")),
        ("local-agent-mode-github", ("claude-desktop", "Claude Desktop")),
        ("my-agent", ("", "my-agent")),
        ("unknown (cursor-vscode)", ("", "unknown (cursor-vscode)")),
    ],
)
def test_ai_apps_are_called_by_the_names_people_know(host: str, app: tuple[str, str]) -> None:
    assert app_of(host) == app
