"""`deskbell hosts`: what it writes into an application's file is all that application needs to reach us."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.app_under_test import DESKBELL, ROOT, WAIT, Person, asking, server
from tests.journeys.conftest import Connect, Spawn, Start
from tests.journeys.hosts import MODERN, Failed, Gone, Host, HttpHost, StdioHost, said_in


@pytest.fixture
def cursor(tmp_path: Path) -> Path:
    command, *args = asking("legacy")
    path = tmp_path / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"mcpServers": {"my $(quiz)": {"command": command, "args": args}}}, indent=4))
    return path


def hosts(env: dict[str, str], cursor: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**env, "HOME": str(cursor.parents[1]), "XDG_CONFIG_HOME": ""}
    command = [*DESKBELL, "hosts", *words]
    return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=WAIT)


def entry(cursor: Path, name: str) -> Any:
    return json.loads(cursor.read_text())["mcpServers"][name]


def started(cursor: Path, name: str) -> StdioHost:
    """As an application of the desktop starts it: with next to no environment, and somewhere else."""
    said = entry(cursor, name)
    env = {"PATH": "/usr/bin:/bin", "HOME": str(cursor.parents[1]), **said["env"]}
    host = StdioHost([said["command"], *said["args"]], env, cwd="/")
    host.open()
    return host


def test_a_wrapped_server_asks_on_the_desk_and_is_put_back_to_the_byte(
    env: dict[str, str], cursor: Path, start: Start, person: Person
) -> None:
    before = cursor.read_bytes()
    rehearsed = hosts(env, cursor, "connect", "cursor", "--wrap", "--dry-run")
    assert (rehearsed.returncode, cursor.read_bytes()) == (0, before)
    assert '+                "wrap",' in rehearsed.stdout
    done = hosts(env, cursor, "connect", "cursor", "--wrap")
    assert "Wrapped in Cursor: my $(quiz)." in done.stdout
    app = start(person.says("accept", {"name": "Ada", "drink": "tea"}))
    host = started(cursor, "my $(quiz)")
    try:
        assert said_in(host.call("ask"))["content"]["name"] == "Ada"
        (seen,) = person.asked
        assert (seen["server"], seen["host"]) == ("my-quiz", "cursor-vscode")
        assert app.status["hosts"][0]["name"] == "cursor-vscode"
    finally:
        host.close()
    done = hosts(env, cursor, "disconnect", "cursor", "--wrap")
    assert "to the byte" in done.stdout
    assert cursor.read_bytes() == before


def test_our_own_entry_offers_our_servers_by_command_and_by_address(
    env: dict[str, str], cursor: Path, start: Start, connect: Connect
) -> None:
    app = start()
    assert hosts(env, cursor, "connect", "Cursor").returncode == 0
    host = started(cursor, "deskbell")
    assert "desk_elicit_input" in {tool["name"] for tool in host.request("tools/list")["tools"]}
    host.close()
    done = hosts(env, cursor, "connect", "cursor", "--http", "--json")
    told = json.loads(done.stdout)
    assert told["changed"]
    assert app.token not in done.stdout
    by_address = entry(cursor, "deskbell")
    assert by_address["url"] == f"http://127.0.0.1:{app.port}/mcp"
    token = by_address["headers"]["Authorization"].removeprefix("Bearer ")
    assert token != app.token
    assert token not in done.stdout
    assert cursor.stat().st_mode & 0o077 == 0
    by_token = HttpHost(app.port, token, name="something else")
    by_token.open()
    assert [one["name"] for one in app.status["hosts"]] == ["cursor-vscode"]
    by_token.close()


def test_what_is_there_is_listed_and_what_is_wrong_is_said(env: dict[str, str], cursor: Path) -> None:
    listed = hosts(env, cursor, "list")
    assert "Cursor" in listed.stdout
    assert "not connected" in listed.stdout
    assert "`deskbell hosts list --all` lists all" in listed.stdout
    told = {one["name"]: one for one in json.loads(hosts(env, cursor, "list", "--json").stdout)}
    assert told["cursor"]["servers"] == ["my $(quiz)"]
    assert (told["zed"]["installed"], told["cursor"]["questions"]) == (False, "auto")
    for words, code, reason in (
        (("connect", "emacs"), 3, "does not know the AI app emacs"),
        (("connect", "zed"), 3, "Zed was not found on this computer"),
        (("undo", "cursor"), 3, "Nothing can be undone in Cursor"),
        (("connect",), 1, "usage:"),
    ):
        done = hosts(env, cursor, *words)
        assert done.returncode == code
        assert reason in done.stderr
    cursor.write_text('{"mcpServers": {]}')
    done = hosts(env, cursor, "connect", "cursor")
    assert done.returncode == 5
    assert "line 1, column 17" in done.stderr
    assert "its file cannot be read" in hosts(env, cursor, "list").stdout
    assert hosts(env, cursor, "disconnect", "zed", "--file", str(cursor.with_name("no.json"))).stdout == (
        "Zed is not connected.\n"
    )


@pytest.mark.parametrize("runs", [True, False])
def test_an_app_that_refused_unseen_is_asked_again_by_a_command(
    runs: bool, env: dict[str, str], cursor: Path, start: Start, spawn: Spawn, person: Person
) -> None:
    app = start(person.says("accept", {"name": "Ada"}))
    host = spawn("wrap", "--", *asking("legacy"), name="cursor-vscode", answer=lambda _: {"action": "cancel"})
    host.open()
    assert said_in(host.call_refusing("ask"))["content"] == {"name": "Ada"}
    assert hosts(env, cursor, "ask-again").stdout == "cursor-vscode\n"
    if not runs:
        host.close()
        app.stop()
    assert hosts(env, cursor, "ask-again", "cursor").stdout == "cursor-vscode is asked again.\n"
    assert hosts(env, cursor, "ask-again").stdout == ""
    assert hosts(env, cursor, "ask-again", "cursor").returncode == 3
    if runs:
        asked = len(host.heard)
        assert said_in(host.call_refusing("ask"))["content"] == {"name": "Ada"}
        assert len(host.heard) > asked


RULES = """
[hosts."cursor-*"]
tools = ["quiz_count"]
[hosts."*"]
tools = ["quiz_ask"]
"""


def quiz_tools(host: Host) -> list[str]:
    """Those that a rule can take away: `desk_wait` is offered to every host."""
    return [name for name in host.tools() if name.startswith("quiz_")]


def test_rules_go_by_the_token_and_not_by_a_forged_name(
    env: dict[str, str], cursor: Path, start: Start, spawn: Spawn, connect: Connect
) -> None:
    app = start(config=server("quiz", asking("legacy")) + RULES)
    before = spawn("stdio", name="cursor-vscode")
    before.open()
    assert quiz_tools(before) == ["quiz_count"]  # an entry from before tokens keeps its rules
    assert hosts(env, cursor, "connect", "cursor").returncode == 0
    true = started(cursor, "deskbell")
    assert quiz_tools(true) == ["quiz_count"]
    forgeries = (
        before,
        spawn("stdio", name="cursor-vscode"),
        spawn("stdio", "--host-name", "cursor-vscode"),
        spawn("stdio", name="cursor-other"),
        connect(app, name="cursor-vscode"),
        connect(app, name="cursor-vscode", revision=MODERN),
    )
    for forged in forgeries:
        if forged is not before:
            forged.open()
        assert quiz_tools(forged) == ["quiz_ask"], forged.info
    names = {one["name"] for one in app.status["hosts"]}
    assert names >= {"cursor-vscode", "unknown (cursor-vscode)", "unknown (cursor-other)"}
    true.close()


def test_a_revoked_application_is_cut_off_until_it_is_connected_again(
    env: dict[str, str], cursor: Path, start: Start
) -> None:
    app = start()
    hosts(env, cursor, "connect", "cursor")
    host = started(cursor, "deskbell")
    assert host.tools()
    done = hosts(env, cursor, "revoke", "cursor")
    assert "can no longer use Deskbell" in done.stdout
    host.ended()
    with pytest.raises((Failed, Gone)):
        started(cursor, "deskbell")
    assert "without a token of its own" in hosts(env, cursor, "list").stdout
    hosts(env, cursor, "connect", "cursor")
    again = started(cursor, "deskbell")
    assert again.tools()
    again.close()
    assert "dbt-" not in app.home.log.read_text() if app.home.log.exists() else True
