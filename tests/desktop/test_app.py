"""The whole application as processes: it starts, yields, raises, takes over and ends with nothing left."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridge.api import Home, ask_running
from tests.fixtures.patience import WITHIN

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and Unix sockets")
RUNNING = "deskbell: running in its window, for want of a system tray. Ctrl+C ends it."
RAISED = "deskbell: it is already running; its window is in front now."


class App:
    """A started process, and what it said so far; not what Qt says of the screen that is not there."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self._log = log

    def said(self) -> str:
        lines = self._log.read_text().splitlines()
        return "\n".join(line for line in lines if not line.startswith("This plugin does not support"))

    def ended(self) -> tuple[int, str]:
        """Exit code and last words."""
        return self.process.wait(WITHIN), self.said()


class House:
    """A home of its own, and the processes that were started in it."""

    def __init__(self, root: Path) -> None:
        self.home = Home(root)
        self.started: list[App] = []

    def start(self, *arguments: str, env: tuple[str, ...] = ()) -> App:
        wanted = ("PATH", "HOME", "SHELL", "LD_LIBRARY_PATH", *env)
        kept = {name: os.environ[name] for name in wanted if name in os.environ}
        variables = kept | {
            "DESKBELL_HOME": str(self.home.root),
            "DESKBELL_PORT": "0",
            "QT_QPA_PLATFORM": "offscreen",
        }
        command = [sys.executable, "-m", "bridge", *arguments]
        log = self.home.root.with_name(f"said-{len(self.started)}")
        with log.open("w") as words:
            app = App(subprocess.Popen(command, env=variables, stderr=words), log)
        self.started.append(app)
        return app

    def presenter(self) -> str:
        """Who serves this home; "" while nobody does."""
        said = ask_running(self.home, "status")
        return "" if said is None else str(said["presenter"])

    def link(self) -> socket.socket:
        """An AI app that stays connected."""
        line = socket.socket(socket.AF_UNIX)
        line.connect(self.home.socket)
        line.sendall(b'{"deskbell":1,"verb":"stdio"}\n')
        line.sendall(
            b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
        )
        line.sendall(b'"capabilities":{},"clientInfo":{"name":"host","version":"1"}}}\n')
        assert line.recv(1)
        return line


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path / "h")
    yield made
    for app in made.started:
        app.process.kill()
        app.process.wait()


def eventually(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + WITHIN
    while not happens():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_app_starts_serves_and_ends_on_a_signal_with_nothing_left(
    house: House, number: signal.Signals
) -> None:
    app = house.start()
    eventually(lambda: app.said() == RUNNING)
    assert house.presenter() == "desktop"
    eventually(house.home.welcomed.exists)  # the first steps are shown, this once
    app.process.send_signal(number)
    assert app.ended() == (0, RUNNING)
    assert not list(house.home.root.glob("*.sock"))
    assert house.presenter() == ""


def test_a_signal_while_it_starts_ends_it_too(house: House) -> None:
    app = house.start()
    eventually(lambda: (house.home.root / "desktop.lock").exists())
    app.process.terminate()
    code, said = app.ended()
    assert (code, said) in ((0, ""), (0, RUNNING))
    assert house.presenter() == ""


@pytest.mark.parametrize(("arguments", "said"), [((), RAISED), (("--for-host",), "")])
def test_a_second_start_leaves_the_first_alone_and_ends_well(
    house: House, arguments: tuple[str, ...], said: str
) -> None:
    first = house.start()
    eventually(lambda: house.presenter() == "desktop")
    assert house.start(*arguments).ended() == (0, said)
    assert first.process.poll() is None


def test_a_bridge_without_windows_makes_way_when_nobody_needs_it(house: House) -> None:
    headless = house.start("serve", "--presenter", "silent")
    eventually(lambda: house.presenter() == "silent")
    house.start()
    eventually(lambda: house.presenter() == "desktop")
    assert headless.ended()[0] == 0


def test_a_bridge_that_serves_an_ai_app_is_not_pushed_aside_unasked(house: House) -> None:
    house.start("serve", "--presenter", "silent")
    eventually(lambda: house.presenter() == "silent")
    with house.link():
        app = house.start()
        eventually(lambda: (house.home.root / "desktop.sock").exists())
        app.process.terminate()
        assert app.ended()[0] == 0
        assert house.presenter() == "silent"


def test_started_by_a_host_beside_a_running_bridge_it_ends_quietly(house: House) -> None:
    house.start("serve", "--presenter", "silent")
    eventually(lambda: house.presenter() == "silent")
    assert house.start("--for-host").ended() == (0, "")
    assert house.presenter() == "silent"


LINK = "deskbell:add-server?name=notes&url=https://notes.example/mcp"


def test_a_link_is_shown_by_the_one_that_runs_and_adds_nothing(house: House) -> None:
    first = house.start()
    eventually(lambda: house.presenter() == "desktop")
    assert house.start(LINK).ended() == (0, RAISED)
    assert first.process.poll() is None
    assert "notes" not in (house.home.config.read_text() if house.home.config.exists() else "")


def test_without_a_desktop_a_link_is_refused_in_words(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKBELL_PRESENTER", "silent")
    code, said = house.start(LINK, env=("DESKBELL_PRESENTER",)).ended()
    assert code != 0
    assert "Links can be opened only on a desktop" in said
