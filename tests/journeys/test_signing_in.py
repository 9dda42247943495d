"""A server that wants a sign-in: the person is asked once, a browser comes back, and the call goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bridge.api import Bridge, Home, ServerStatus
from tests.bridge.running_app import stop
from tests.journeys.app_under_test import DESKBELL, FIXTURES, ROOT, WAIT, until
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import Failed, Host, said_in

# The person's browser: visits what it is given, as a program on PATH and as a presenter.
BROWSER = """#!{python} -IS
import json, os, sys, time, urllib.request
asked = dict(url=sys.argv[1]) if len(sys.argv) > 1 else json.load(sys.stdin)
with open({log!r}, "a") as log:
    print(json.dumps(asked), file=log)
while not os.path.exists({gate!r}):
    time.sleep(0.02)
if {visits}:
    urllib.request.urlopen(asked["url"], timeout=20).read()
print(json.dumps(dict(action={action!r})))
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, str(FIXTURES / "oauth_server.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.terminate()


class Guard:
    def __init__(self, address: str) -> None:
        self._address = address
        self._before = self._counts("")

    def _counts(self, wish: str) -> dict[str, int]:
        asked = f"{self._address.removesuffix('/mcp')}/told?{wish}"
        with urllib.request.urlopen(asked, timeout=WAIT) as said:
            return dict(json.load(said))

    def told(self, wish: str = "") -> dict[str, int]:
        """What was counted since this test began."""
        grown = {key: now - self._before.get(key, 0) for key, now in self._counts(wish).items()}
        return {key: count for key, count in grown.items() if count}


@pytest.fixture
def guard(address: str) -> Guard:
    """Agrees to everything, whatever the last test told it."""
    return Guard(address)


class Browser:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / "visits.jsonl"
        self.gate = folder  # what must be there before the person acts

    def program(self, name: str = "person", action: str = "accept", visits: bool = True) -> Path:
        path = self._folder / name
        words = {"log": str(self._log), "gate": str(self.gate), "visits": visits, "action": action}
        path.write_text(BROWSER.format(python=sys.executable, **words))
        path.chmod(0o700)
        return path

    @property
    def asked(self) -> list[dict[str, str]]:
        return [json.loads(line) for line in self._log.read_text().splitlines()] if self._log.exists() else []


@pytest.fixture
def person(tmp_path: Path) -> Browser:
    return Browser(tmp_path)


@pytest.fixture
def env(env: dict[str, str]) -> dict[str, str]:
    return {**env, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


def config(address: str) -> str:
    return f'[servers.club]\nurl = "{address}"\n'


def open_and_add(host: Host) -> object:
    """Where the server is not known to want a sign-in within two seconds, only the call hears of it."""
    host.open()
    return said_in(host.call("add", a=1, b=2))


def test_a_call_waits_for_the_sign_in_which_lasts_across_restarts_and_renews_itself(
    address: str, guard: Guard, person: Browser, start: Start, spawn: Spawn, home: Path
):
    app = start(f"command:{person.program()}", config(address))
    host = spawn("stdio", "--server", "club")
    host.open()
    assert said_in(host.call("add", a=1, b=2)) == 3
    [asked] = person.asked
    assert (asked["server"], asked["mode"]) == ("club", "url")
    assert "club wants you to sign in" in asked["message"]
    query = parse_qs(urlsplit(asked["url"]).query)
    assert query["resource"] == [address]
    assert query["code_challenge_method"] == ["S256"]
    assert guard.told() == {"registered": 1, "authorized": 1}
    assert app.state_of("club")["state"] == "ready"
    guard.told("expire")
    with ThreadPoolExecutor(10) as many:  # all refused at the same moment
        sums = list(many.map(lambda number: said_in(host.call("add", a=number, b=1)), range(10)))
    assert sums == list(range(1, 11))
    assert guard.told() == {"registered": 1, "authorized": 1, "refreshed": 1}
    host.close()
    app.stop()
    app = start(f"command:{person.program()}")
    host = spawn("stdio", "--server", "club")
    host.open()
    guard.told("expire")
    assert said_in(host.call("add", a=1, b=2)) == 3
    assert guard.told() == {"registered": 1, "authorized": 1, "refreshed": 2}
    assert len(person.asked) == 1
    for kept in home.iterdir():
        if kept.is_file():
            assert b"refresh-" not in kept.read_bytes(), kept
            assert b"access-" not in kept.read_bytes(), kept


@pytest.mark.parametrize(("action", "deny"), [("decline", ""), ("cancel", ""), ("accept", "deny")])
def test_who_says_no_is_not_asked_again_by_itself(
    action: str, deny: str, address: str, guard: Guard, person: Browser, start: Start, spawn: Spawn
):
    guard.told(deny and "deny=1")
    program = person.program(action=action, visits=bool(deny))
    app = start(f"command:{program}", config(address))
    for _ in range(3):
        host = spawn("stdio", "--server", "club")
        with pytest.raises(Failed, match="deskbell servers login club"):
            open_and_add(host)
        host.close()
    assert len(person.asked) == 1
    state = app.until(lambda _: (now := app.state_of("club"))["state"] == "sign-in" and now)
    assert "deskbell servers login club" in state["problem"]


def test_signing_in_and_out_by_the_command_line_is_known_to_the_running_app(
    address: str, guard: Guard, person: Browser, start: Start, spawn: Spawn, env: dict[str, str]
):
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        found = {**env, "PATH": f"{person.gate}:{env['PATH']}"}
        return subprocess.run(
            [*DESKBELL, "servers", *words],
            env=found,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=45,
        )

    person.program("xdg-open")
    app = start("silent", config(address))
    host = spawn("stdio", "--server", "club")
    with pytest.raises(Failed, match="deskbell servers login club"):
        open_and_add(host)
    done = run("login", "club")
    assert (done.returncode, done.stderr) == (0, "")
    assert "✓ Signed in to club." in done.stdout
    app.until(lambda _: app.state_of("club")["state"] != "sign-in")
    host = spawn("stdio", "--server", "club")
    host.open()
    assert said_in(host.call("add", a=1, b=2)) == 3
    done = run("logout", "club")
    assert done.stdout == "Signed out of club. club has ended the sign-in too.\n"
    assert guard.told()["revoked"] == 2
    assert run("logout", "club").returncode == 3
    host = spawn("stdio", "--server", "club")
    host.open()  # by what the server said last time
    with pytest.raises(Failed, match="deskbell servers login club"):
        host.call("add", a=1, b=2)


def test_while_the_person_signs_in_the_server_says_what_it_waits_for(
    address: str, guard: Guard, person: Browser, start: Start, spawn: Spawn, tmp_path: Path
):
    person.gate = tmp_path / "gate"
    app = start(f"command:{person.program()}", config(address))
    host = spawn("stdio", "--server", "club")
    with ThreadPoolExecutor(1) as apart:
        opening = apart.submit(open_and_add, host)
        state = app.until(lambda _: (now := app.state_of("club"))["state"] == "sign-in" and now)
        assert "waits for you" in state["problem"]
        assert app.question()["server"] == "club"
        assert not opening.done()
        person.gate.touch()
        assert opening.result(WAIT) == 3


def test_whoever_asks_for_it_in_a_window_is_at_the_page_at_once_and_finds_it_again(
    address: str, guard: Guard, person: Browser, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    person.gate = tmp_path / "gate"
    person.program("xdg-open")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(f'port = 0\nvault = "memory"\n{config(address)}')
    bridge = Bridge(Home(home))
    bridge.start()

    def club() -> ServerStatus:
        return next(one for one in bridge.status.servers if one.name == "club")

    try:
        bridge.servers.sign_in("club")
        bridge.servers.sign_in("nobody")
        until(lambda: club().sign_in == "under way" and len(person.asked) == 1)
        assert bridge.status.waiting == ()
        bridge.servers.sign_in("club")
        until(lambda: len(person.asked) == 2)
        assert person.asked[0] == person.asked[1]
        person.gate.touch()
        until(lambda: club().state == "idle")
        assert guard.told()["registered"] == 1
    finally:
        person.gate.touch()
        stop(bridge)


def test_what_did_not_work_is_said_where_it_was_wanted(
    address: str, guard: Guard, person: Browser, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    person.program("xdg-open")
    guard.told("deny=1")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(f'port = 0\nvault = "memory"\n{config(address)}')
    bridge = Bridge(Home(home))
    bridge.start()
    try:
        bridge.servers.sign_in("club")
        words = "You did not allow the sign-in to club."
        until(lambda: [one for one in bridge.status.servers if words in one.problem])
    finally:
        stop(bridge)
