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

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and Unix sockets")
WITHIN = 20.0
RUNNING = "deskbell: running in its window, for want of a system tray. Ctrl+C ends it."
RAISED = "deskbell: it is already running; its window is in front now."


class House:
    """A home of its own, and the processes that were started in it."""

    def __init__(self, root: Path) -> None:
        self.home = Home(root)
        self.started: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
        env = kept | {
            "DESKBELL_HOME": str(self.home.root),
            "DESKBELL_PORT": "0",
            "QT_QPA_PLATFORM": "offscreen",
        }
        command = [sys.executable, "-m", "bridge", *arguments]
        process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
        self.started.append(process)
        return process

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
    for process in made.started:
        process.kill()
        process.communicate()


def eventually(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + WITHIN
    while not happens():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Exit code and what it said; not what Qt says of the screen that is not there."""
    _, said = process.communicate(timeout=WITHIN)
    lines = [line for line in said.splitlines() if not line.startswith("This plugin does not support")]
    return process.returncode, "\n".join(lines)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_starts_serves_and_ends_on_a_signal_with_nothing_left(
    house: House, number: signal.Signals
) -> None:
    app = house.start()
    eventually(lambda: house.presenter() == "desktop")
    app.send_signal(number)
    assert ended(app) == (0, RUNNING)
    assert not list(house.home.root.glob("*.sock"))
    assert house.presenter() == ""


def test_a_signal_while_it_starts_ends_it_too(house: House) -> None:
    app = house.start()
    eventually(lambda: (house.home.root / "desktop.lock").exists())
    app.terminate()
    code, said = ended(app)
    assert (code, said) in ((0, ""), (0, RUNNING))
    assert house.presenter() == ""


@pytest.mark.parametrize(("arguments", "said"), [((), RAISED), (("--for-host",), "")])
def test_a_second_start_leaves_the_first_alone_and_ends_well(
    house: House, arguments: tuple[str, ...], said: str
) -> None:
    first = house.start()
    eventually(lambda: house.presenter() == "desktop")
    assert ended(house.start(*arguments)) == (0, said)
    assert first.poll() is None


def test_a_bridge_without_windows_makes_way_when_nobody_needs_it(house: House) -> None:
    headless = house.start("serve", "--presenter", "silent")
    eventually(lambda: house.presenter() == "silent")
    house.start()
    eventually(lambda: house.presenter() == "desktop")
    assert ended(headless)[0] == 0


def test_a_bridge_that_serves_an_ai_app_is_not_pushed_aside_unasked(house: House) -> None:
    house.start("serve", "--presenter", "silent")
    eventually(lambda: house.presenter() == "silent")
    with house.link():
        app = house.start()
        eventually(lambda: (house.home.root / "desktop.sock").exists())
        app.terminate()
        assert ended(app)[0] == 0
        assert house.presenter() == "silent"


def test_started_by_a_host_beside_a_running_bridge_it_ends_quietly(house: House) -> None:
    house.start("serve", "--presenter", "silent")
    eventually(lambda: house.presenter() == "silent")
    assert ended(house.start("--for-host")) == (0, "")
    assert house.presenter() == "silent"
