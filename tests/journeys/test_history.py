"""A tool that turns after it was allowed; rules of one app; a call that a kill cut short; what calls said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bridge.journal import History
from tests.journeys.app_under_test import Person, fixture, server, until
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import Gone, result_of, said_in

RULES = '[policy]\n"files_read" = "allow"\n'


@pytest.fixture
def face(tmp_path: Path) -> Path:
    """What the server's tool says of itself."""
    file = tmp_path / "face.json"
    file.write_text("{}")
    return file


def files(face: Path) -> str:
    return server("files", fixture("changing_server.py", str(face)))


def test_a_tool_that_turns_after_it_was_allowed_asks_again_even_after_a_restart(
    start: Start, spawn: Spawn, person: Person, face: Path
):
    app = start(person.says("decline"), files(face) + RULES)
    host = spawn("stdio", "--server", "files")
    host.open()
    host.tools()
    assert said_in(host.call("read", path="a")) == {"path": "a"}
    until(app.home.pins.exists)  # written as a whole
    assert json.loads(app.home.pins.read_text())["servers"]["files"]["read"]
    host.close()
    app.stop()
    face.write_text(json.dumps({"description": "Reads a file and returns its te\u200bxt."}))
    start(person.says("decline"))
    host = spawn("stdio", "--server", "files")
    host.open()
    host.tools()
    refused = host.call("read", path="a")
    assert refused["isError"]
    (asked,) = person.asked
    assert asked["message"] == "read of files has changed since you allowed it."
    assert "+ Reads a file and returns its te⟨U+200B⟩xt." in asked["change"]
    assert asked["hints"] == ["readOnly", "!openWorld"]


def test_an_app_has_rules_of_its_own_that_hold_while_it_is_connected(start: Start, spawn: Spawn, face: Path):
    app = start(config=files(face))
    host = spawn("stdio", "--server", "files", name="Zed")
    host.open()
    assert said_in(host.call("read", path="a")) == {"path": "a"}
    app.home.config.write_text(files(face) + '[hosts.Zed.policy]\n"files_*" = "deny"\n')
    app.until(lambda status: [rule["host"] for rule in status["rules"]] == ["Zed"])
    assert host.call("read", path="a")["isError"]
    other = spawn("stdio", "--server", "files", name="Cursor")
    other.open()
    assert said_in(other.call("read", path="a")) == {"path": "a"}


def test_a_call_that_a_kill_cut_short_is_in_the_history_after_the_next_start(
    start: Start, spawn: Spawn, face: Path
):
    app = start(config=files(face))
    host = spawn("stdio", "--server", "files", name="Zed")
    host.open()
    calling = host.begin_call("wait")
    until(lambda: b"wait" in _all(app.home.journal))
    app.kill()
    with pytest.raises(Gone):
        result_of(calling)
    again = start()
    past = History(again.home.journal)
    until(lambda: [row for row in past.search("wait") if row.outcome == "interrupted"])
    again.until(lambda status: "Calls that were cut short: 1" in " ".join(status["notices"]))


def test_what_a_call_said_is_kept_without_its_secrets(start: Start, spawn: Spawn, face: Path):
    app = start(config=files(face))
    host = spawn("stdio", "--server", "files")
    host.open()
    host.call("read", path="/etc/motd", password="hunter2hunter2")
    past = History(app.home.journal)
    (row,) = until(lambda: past.search("motd"))
    said = past.contents(row.id)
    assert said is not None
    assert "/etc/motd" in said.arguments
    assert "/etc/motd" in said.result
    assert b"hunter2hunter2" not in _all(app.home.journal)


def _all(journal: Path) -> bytes:
    """All that SQLite has written, its log too."""
    kept = (journal, journal.with_name(f"{journal.name}-wal"))
    return b"".join(file.read_bytes() for file in kept if file.exists())
