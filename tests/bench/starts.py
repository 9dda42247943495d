"""From the start of the process to the icon in the tray, and what the application weighs when it rests.

Looked at from outside: the icon is there when the tray says so, or, where there is none, when the application
answers. The first start is not counted: it compiles what an installation has compiled before. Nor are the
first steps shown, as on every day but the first; no AI application is connected.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from bridge.api import Home, ask_running

ROUNDS = 5
IDLE = 5.0  # seconds until nothing happens any more
_WATCHER = "org.kde.StatusNotifierWatcher"


def report(env: Mapping[str, str], where: str) -> None:
    plain = {name: value for name, value in env.items() if name != "PYTHONDONTWRITEBYTECODE"}
    rounds = [_start(plain, where == "X11") for _ in range(ROUNDS + 1)][1:]
    wall, cpu, rss, pss = (statistics.median(column) for column in zip(*rounds, strict=True))
    what = "icon in the tray" if where == "X11" else "answers (no tray here)"
    print(f"\n| start and rest ({where}), median of {ROUNDS} | |\n|---|---|")
    print(f"| process started → {what} (goal: under 1.5 s) | {wall:.2f} s |")
    print(f"| CPU of that, all threads | {cpu:.2f} s |")
    print(
        f"| memory when idle (goal: at most 100 MB): resident / its own share | {rss:.0f} MB / {pss:.0f} MB |"
    )


def _start(env: Mapping[str, str], tray: bool) -> tuple[float, float, float, float]:
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home:
        Home(Path(home)).welcomed.touch()
        mine = {**env, "DESKBELL_HOME": home, "DESKBELL_PORT": "0"}
        look = _Tray(env) if tray else None
        began = time.monotonic()
        process = subprocess.Popen([sys.executable, "-m", "bridge"], env=mine, stderr=subprocess.DEVNULL)
        try:
            while not (look.has_icon() if look else ask_running(Home(Path(home)), "status")):
                assert time.monotonic() < began + 30, "it does not start"
                time.sleep(0.005)
            took, cpu = time.monotonic() - began, _cpu(process.pid)
            time.sleep(IDLE)
            return took, cpu, *_weight(process.pid)
        finally:
            process.terminate()
            process.wait(10)
            if look:
                look.close()


def _cpu(pid: int) -> float:
    """Seconds, in user space and in the kernel: proc_pid_stat(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _weight(pid: int) -> tuple[float, float]:
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    rss, pss = (re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE) for name in ("Rss", "Pss"))
    assert rss
    assert pss
    return int(rss[1]) / 1024, int(pss[1]) / 1024


class _Tray:
    """What the tray of this desktop knows."""

    def __init__(self, env: Mapping[str, str]) -> None:
        from jeepney import DBusAddress, Properties  # type: ignore[import-untyped]
        from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

        self._line = open_dbus_connection(env["DBUS_SESSION_BUS_ADDRESS"])
        where = DBusAddress("/StatusNotifierWatcher", _WATCHER, _WATCHER)
        self._ask = Properties(where).get("RegisteredStatusNotifierItems")
        self._status = lambda owner, path: Properties(
            DBusAddress(path, owner, "org.kde.StatusNotifierItem")
        ).get("Status")

    def has_icon(self) -> bool:
        """It is registered, and answers whoever would draw it."""
        for item in self._line.send_and_get_reply(self._ask).body[0][1]:
            owner, _, path = item.partition("/")
            asked = self._status(owner, f"/{path}" if path else "/StatusNotifierItem")
            return bool(self._line.send_and_get_reply(asked, timeout=20).body)
        return False

    def close(self) -> None:
        self._line.close()
