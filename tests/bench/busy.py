"""How long the windows are held up while the engine carries as many calls as it can, in the same process.

The main window shows Activity, which tells of every call; a host keeps 64 of them in flight. Each turn of
Qt's loop by the CPU it takes, as in pauses.py; and by the clock how late it comes to what is due, which has
in it how long it waited for the engine's thread, but not for a processor. Other programs that run meanwhile
make it longer all the same: the engine's thread waits for a processor, too.
`python -m tests.bench.busy` is the process that has the windows.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.bench import rig
from tests.bench.hosts import Calls, StdioHost
from tests.bench.pauses import GOAL, Turns

SECONDS = 6.0
_FLIGHT = 64
_BEAT = 10  # milliseconds


def report(env: Mapping[str, str], where: str) -> None:
    speed, said = _carry(env)
    late = said["late"]
    print(f"\n| windows while {speed:,.0f} calls/s are carried ({where}), Activity is seen | |\n|---|---|")
    long, turns = said["long"], said["turns"]
    print(f"| turns: {turns}; longer than {GOAL:g} ms of CPU (goal: none) | {long} |")
    for what, ms in said["longest"][:3]:
        print(f"| {what} | {ms:.1f} ms |")
    p50, p99 = statistics.median(late), statistics.quantiles(late, n=100)[-1]
    print(f"| late by the clock: median, p99, longest | {p50:.1f}, {p99:.1f}, {max(late):.1f} ms |")


def _carry(env: Mapping[str, str]) -> tuple[float, dict[str, Any]]:
    """Calls a second, and what the windows say of it."""
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home:
        Path(home, "config.toml").write_text(f"port = 0\n{rig.stdio_server('echo')}")
        mine = {**env, "DESKBELL_HOME": home}
        command = [sys.executable, "-m", "tests.bench.busy"]
        with subprocess.Popen(command, env=mine, stdout=subprocess.PIPE, text=True) as app:
            assert app.stdout
            assert app.stdout.readline() == "ready\n"
            host = StdioHost([*rig.SHIM, "stdio", "--server", "echo"], mine)
            host.open()
            calls, done, began = Calls(host.tool(), rig.SMALL), 0, time.monotonic()
            while time.monotonic() < began + SECONDS:
                host.pipelined(calls, 1000, _FLIGHT)
                done += 1000
            speed = done / (time.monotonic() - began)
            app.terminate()
            said: dict[str, Any] = json.loads(app.stdout.readline())
            host.process.kill()
            host.process.wait()
            return speed, said


# ---- inside the process that has the windows ------------------------------------------------------------


def app() -> None:
    from PySide6.QtCore import Qt, QTimer

    from bridge.api import Home
    from desktop import app as application

    turns, late = Turns(), [0.0]

    class Seen(application.Desktop):
        def _appear(self) -> None:
            super()._appear()
            self._beat = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=_BEAT)
            self._beat.timeout.connect(self._tick)
            self._show_page("activity")
            QTimer.singleShot(3000, self._begin)

        def _begin(self) -> None:
            turns.begin()
            self._due, self._waited = time.monotonic() + _BEAT / 1000, _waited()
            self._beat.start()
            print("ready", flush=True)

        def _tick(self) -> None:
            now, waited = time.monotonic(), _waited()
            late.append(max(now - self._due - (waited - self._waited), 0.0) * 1000)
            self._due, self._waited = now + _BEAT / 1000, waited

    application.Desktop = Seen  # type: ignore[misc]
    application.main(Home.find(os.environ), for_host=True)
    print(json.dumps({**turns.end(), "late": late}))


def _waited() -> float:
    """Seconds that this thread could have worked in, had there been a processor for it."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


if __name__ == "__main__":
    app()
