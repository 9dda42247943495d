"""The application with its windows, opened and closed all the time while ten hosts call and ask.

`python -m tests.live.window_stress SECONDS` prints what was done and the application's exit code, which is
negative if it crashed. tests/live/test_window_stress.py runs it for a minute; run it for longer by hand.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.bench import rig
from tests.bench.hosts import Calls, StdioHost

HOSTS = 10
_STEP = 40  # ms between two things done with the windows
_PAUSE = 0.005  # seconds between two bursts of one host: the windows are what is tried here


def run(seconds: float) -> tuple[int, str]:
    """Return the application's exit code, and what was done meanwhile."""
    with tempfile.TemporaryDirectory(prefix="deskbell-stress-") as home:
        servers = rig.stdio_server("echo") + rig.stdio_server("asking", rig.ASKING)
        Path(home, "config.toml").write_text(f"port = 0\n[desktop]\nquestions_per_minute = 0\n{servers}")
        env = {**os.environ, "DESKBELL_HOME": home}
        command = [sys.executable, "-X", "faulthandler", "-m", "tests.live.window_stress", "app"]
        app = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
        assert app.stdout
        assert app.stdout.readline() == "ready\n"
        stop, done = threading.Event(), [0] * HOSTS
        hosts = [threading.Thread(target=_host, args=(env, number, stop, done)) for number in range(HOSTS)]
        for host in hosts:
            host.start()
        ends = time.monotonic() + seconds
        while time.monotonic() < ends and app.poll() is None:
            time.sleep(0.2)
        stop.set()
        app.terminate()
        windows = app.stdout.read().strip()
        code = app.wait(60)
        for host in hosts:
            host.join(60)
        return code, f"{windows}, {sum(done)} calls of {HOSTS} hosts"


def _host(env: dict[str, str], number: int, stop: threading.Event, done: list[int]) -> None:
    """Call `echo` in bursts, or `ask` (every second host); now and then leave and come again."""
    server, tool = ("echo", "echo") if number % 2 else ("asking", "ask")
    while not stop.is_set():
        host = StdioHost([*rig.SHIM, "stdio", "--server", server], env)
        try:
            host.open()
            for _ in range(50):
                if stop.is_set():
                    break
                if tool == "echo":
                    host.pipelined(Calls(tool, rig.SMALL), 20, 20)
                else:
                    host.sequential(Calls(tool, {}), 1)
                done[number] += 20 if tool == "echo" else 1
                time.sleep(_PAUSE)
        except (EOFError, OSError):  # the application has ended
            stop.wait(0.2)
        finally:
            host.process.kill()
            host.process.wait()


# ---- inside the process that has the windows ------------------------------------------------------------


def app() -> int:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from bridge.api import CANCEL, Home
    from desktop import app as application

    chance, count = random.Random(1), {"windows": 0, "answers": 0}

    class Restless(application.Desktop):
        def _appear(self) -> None:
            super()._appear()
            self._driver = QTimer(interval=_STEP)
            self._driver.timeout.connect(self._do_something)
            self._driver.start()
            print("ready", flush=True)

        def _do_something(self) -> None:
            waiting = self._signals.latest.waiting
            if waiting:
                count["answers"] += 1
                self._questions.answered.emit(chance.choice(waiting).id, CANCEL)
            match chance.randrange(6):
                case 0:
                    self._show_page(chance.choice(sorted(self._main_window().pages)))
                case 1:
                    self._show_welcome()
                case 2:
                    self._local.show("log")
                case 3:
                    self._questions.next()
                case 4:
                    for window in QApplication.topLevelWidgets():
                        window.close()
                case 5:
                    if self._home is not None and not self._opening.running:
                        self._home.close()
            count["windows"] += 1

    application.Desktop = Restless  # type: ignore[misc]
    code = application.main(Home.find(os.environ), for_host=True)
    print(f"{count['windows']} steps with windows, {count['answers']} answers")
    return code


if __name__ == "__main__":
    if sys.argv[1:] == ["app"]:
        sys.exit(app())
    ended, done = run(float(sys.argv[1]))
    print(f"exit code {ended}: {done}")
    sys.exit(ended != 0)
