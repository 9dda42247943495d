"""The app starts when a host needs it, once, and ends when the last host has left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bridge.api import Home, ask_running
from tests.fixtures.running_processes import left_after
from tests.journeys.app_under_test import (
    DESKBELL,
    ROOT,
    WAIT,
    Person,
    asking,
    fixture,
    of_home,
    server,
    until,
)
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import Failed, said_in

FOR_HOST = "bridge --for-host"
SHORT_STAY = """
import os
from bridge import api, app

class ShortStay(app.IdleTimer):
    def count(self, hosts):
        if hosts:  # not before somebody came
            self._seconds = 0.3
        super().count(hosts)

app.IdleTimer = ShortStay
def ready(address, problem): print(address, flush=True)
api.serve(api.Home.find(os.environ), presenter="silent", port=0, linger=3600.0, on_ready=ready)
"""


def apps(home: Path) -> list[int]:
    return [pid for pid, command in of_home(home).items() if FOR_HOST in command]


@pytest.fixture(autouse=True)
def ended(home: Path) -> Iterator[None]:
    """An app that a shim started has no parent to end it."""
    yield
    for pid in apps(home):
        os.kill(pid, signal.SIGTERM)


def test_a_host_that_finds_no_app_starts_it_and_is_served(
    spawn: Spawn, home: Path, person: Person, env: dict[str, str]
):
    env["DESKBELL_PRESENTER"] = person.says("accept", {"name": "Ada"})
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    assert said_in(host.call("ask"))["content"] == {"name": "Ada"}
    [app] = apps(home)
    host.close()
    assert host.errors == b""
    assert ask_running(Home(home), "status") is not None  # it stays for a while: the host may come back
    os.kill(app, signal.SIGTERM)
    assert left_after([app]) == []
    assert ask_running(Home(home), "status") is None


def test_a_presenter_that_is_named_asks_although_there_is_a_display(
    spawn: Spawn, home: Path, person: Person, env: dict[str, str]
):
    env["QT_QPA_PLATFORM"] = "offscreen"  # a display that windows could be shown on
    env["DESKBELL_PRESENTER"] = person.says("accept", {"name": "Ada"})
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    assert said_in(host.call("ask"))["content"] == {"name": "Ada"}
    running = ask_running(Home(home), "status")
    assert running is not None
    assert running["presenter"] == env["DESKBELL_PRESENTER"]


def test_ten_hosts_that_find_no_app_start_one_between_them(spawn: Spawn, home: Path):
    hosts = [spawn("wrap", "--", *asking("legacy"), name=f"host {number}") for number in range(10)]
    with ThreadPoolExecutor(len(hosts)) as together:
        for found in together.map(lambda host: host.open(), hosts):
            assert found["serverInfo"]["name"] == "asking"
    assert len({said_in(host.call("count"))["pid"] for host in hosts}) == 10
    until(lambda: len(apps(home)) == 1)
    running = ask_running(Home(home), "status")
    assert running is not None
    assert {host["name"] for host in running["hosts"]} == {f"host {number}" for number in range(10)}
    for host in hosts:
        assert host.close() == 0
        assert host.errors == b""


def test_a_killed_app_is_started_again_by_the_next_host(spawn: Spawn, home: Path):
    first = spawn("wrap", "--", *asking("legacy"))
    first.open()
    [app] = apps(home)
    os.kill(app, signal.SIGKILL)
    assert first.ended(WAIT) == 0
    second = spawn("wrap", "--", *asking("legacy"))
    second.open()
    assert said_in(second.call("count"))["calls"] == 1
    assert apps(home) != [app]


def test_an_app_started_for_hosts_ends_when_the_last_of_them_has_left(
    spawn: Spawn, home: Path, env: dict[str, str]
):
    command = [sys.executable, "-c", SHORT_STAY]
    with subprocess.Popen(command, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True) as app:
        assert app.stdout
        assert app.stdout.readline().startswith("http://127.0.0.1:")
        hosts = [spawn("wrap", "--", *asking("legacy")) for _ in range(2)]
        for host in hosts:
            host.open()
        hosts[0].close()
        assert said_in(hosts[1].call("count"))["calls"] == 1
        assert app.poll() is None
        hosts[1].close()
        assert app.wait(WAIT) == 0


def test_a_second_app_says_that_one_is_running(start: Start, env: dict[str, str]):
    app = start()
    command = [*DESKBELL, "serve", "--port", "0", "--presenter", "silent"]
    second = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=WAIT)
    assert second.returncode == 5
    assert "already running" in second.stderr
    assert str(app.pid) in second.stderr
    assert "deskbell status" in second.stderr
    assert len(second.stderr.splitlines()) == 1
    assert app.status["hosts"] == []


def test_an_app_that_cannot_start_is_explained_in_one_line(spawn: Spawn, home: Path):
    home.mkdir()
    (home / "token").mkdir()
    host = spawn("wrap", "--", *asking("legacy"))
    assert host.ended() == 5
    [line] = host.errors.decode().splitlines()
    assert line.startswith("deskbell: Deskbell did not start. Its last words: deskbell: ")
    assert str(home / "token") in line


# --- servers that do not start -----------------------------------------------------------------------------


def test_a_server_that_dies_at_its_start_is_an_error_at_once_with_its_last_words(start: Start, spawn: Spawn):
    start()
    host = spawn("wrap", "--name", "quiz", "--", *fixture("dying_server.py", "7", "3"))
    with pytest.raises(Failed, match=r"(?s)quiz ended with code 7.*at frame 1\nno API key"):
        host.request(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": host.info},
        )


@pytest.mark.parametrize(
    "words", [["wrap", "--name", "quiz", "--", "npxx", "-y", "quiz"], ["stdio", "--server", "quiz"]]
)
def test_a_command_that_is_not_there_is_named(words: list[str], start: Start, spawn: Spawn):
    start(config=server("quiz", ["npxx", "-y", "quiz"]))
    host = spawn(*words)
    with pytest.raises(
        Failed, match=r"Could not start quiz: `npxx` was not found\. Install it or edit the command\."
    ):
        host.open()


def test_one_server_that_does_not_start_does_not_keep_the_others_away(start: Start, spawn: Spawn):
    app = start(config=server("bad", fixture("dying_server.py", "7")) + server("good", asking("legacy")))
    host = spawn("stdio")
    host.open()
    tools = host.tools()
    assert "good_ask" in tools
    assert not [tool for tool in tools if tool.startswith("bad_")]
    assert app.state_of("bad")["state"] == "failed"
    assert "no API key" in app.state_of("bad")["problem"]
    with pytest.raises(Failed, match="no API key"):
        host.call("bad_anything")


def test_a_bridge_that_only_lingers_makes_way_for_one_that_a_person_starts(
    spawn: Spawn, start: Start, home: Path
):
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    [app] = apps(home)
    host.close()
    until(lambda: not ask_running(Home(home), "status")["hosts"])  # type: ignore[index]
    served = start()
    assert left_after([app]) == []
    assert served.process.poll() is None
