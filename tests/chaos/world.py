"""One Deskbell under load, what can be done to it, and the laws that hold afterwards.

A killed app comes back with the next host, as on a desktop. Servers are processes of the app, one is remote.
All choices come from one seed.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

from bridge.api import Home, ask_running
from tests.chaos.load import SERVERS, AnyHost, Caller, LoadedHttp, LoadedStdio, MakeHost, Tally
from tests.fixtures.running_processes import living
from tests.journeys.app_under_test import DESKBELL, ROOT, locked_by, of_home, server, until
from tests.journeys.hosts import LEGACY, MODERN

NUMBERED = [sys.executable, "-I", "-S", str(Path(__file__).with_name("numbered_server.py"))]
STDIO, HTTP = 7, 3  # hosts
WAIT = 300.0


class World:
    """`clock`: the file in which libfaketime finds the first app's time. `bus`: the session bus."""

    def __init__(
        self, home: Path, env: dict[str, str], seed: int, clock: Path, bus: subprocess.Popen[str] | None
    ) -> None:
        self.home = Home(home)
        self.env = env
        self.clock = clock
        self.bus = bus
        self.dice = random.Random(seed)
        self.tally = Tally()
        self.expired = home.parent / "expired"
        self.port = free_port()
        self.remote: subprocess.Popen[bytes] | None = None
        self._first: subprocess.Popen[bytes] | None = None
        self._over = threading.Event()
        makers = [self._stdio(number) for number in range(STDIO)] + [self._http(n) for n in range(HTTP)]
        self.callers = [
            Caller(make, self.tally, seed + number, self._over) for number, make in enumerate(makers)
        ]

    # --- life ----------------------------------------------------------------------------------------

    def start(self, env: dict[str, str]) -> None:
        """`env`: of the first app. Those that hosts start have what Deskbell lets through."""
        self.home.ensure()
        self.home.config.write_text(
            "[bluesky]\nenabled = false\n"
            + "".join(server(name, NUMBERED, shared=name in SERVERS[:2]) for name in SERVERS[:-1])
            + f'[servers.{SERVERS[-1]}]\nurl = "http://127.0.0.1:{self.port}/mcp"\n'
        )
        self.start_remote()
        command = [*DESKBELL, "--for-host"]
        self._first = subprocess.Popen(command, env=env, cwd=ROOT, stderr=subprocess.DEVNULL)
        until(lambda: self.http_port, WAIT)
        for caller in self.callers:
            caller.start()
        self.goes_on()

    def start_remote(self) -> None:
        self.remote = subprocess.Popen([*NUMBERED, str(self.port), str(self.expired)])

    def stop(self) -> None:
        """End the load, then everything else."""
        self._over.set()
        for caller in [one for one in self.callers if one.ident]:
            caller.join(WAIT)
            assert not caller.is_alive(), "a host still waits"
        if self.remote is not None:
            self.remote.kill()
            self.remote.wait()
        if app := self.app:
            os.kill(app, signal.SIGTERM)
        if self._first is not None:
            self._first.wait(WAIT)
        until(lambda: not of_home(self.home.root), WAIT)

    def _stdio(self, number: int) -> MakeHost:
        def make() -> AnyHost:
            revision = MODERN if number % 3 == 0 else LEGACY
            command = [*DESKBELL, "stdio"]
            return LoadedStdio(
                self.tally, command, self.env, cwd=str(ROOT), name=f"stdio {number}", revision=revision
            )

        return make

    def _http(self, number: int) -> MakeHost:
        def make() -> AnyHost:
            port = until(lambda: self.http_port, WAIT)
            revision = MODERN if number == 0 else LEGACY
            return LoadedHttp(
                self.tally, port, self.home.read_token(), name=f"http {number}", revision=revision
            )

        return make

    # --- who is there --------------------------------------------------------------------------------

    @property
    def app(self) -> int:
        """Its pid; 0 while there is none."""
        pid = locked_by(self.home.root)
        return pid if pid in living() else 0

    @property
    def http_port(self) -> int:
        with contextlib.suppress(Exception):  # it ends, or begins, just now
            address = (ask_running(self.home, "status") or {}).get("address", "")
            return int(address.rpartition(":")[2].partition("/")[0] or 0)
        return 0

    def servers(self) -> list[int]:
        return [pid for pid, command in of_home(self.home.root).items() if "numbered_server" in command]

    def shims(self) -> list[int]:
        hosts = [caller.host for caller in self.callers]
        return [host.pid for host in hosts if isinstance(host, LoadedStdio) and host.process.poll() is None]

    # --- laws ----------------------------------------------------------------------------------------

    def goes_on(self, calls: int = 3) -> None:
        """Every host gets so many answers more."""
        wanted = {caller: caller.answered + calls for caller in self.callers}
        until(lambda: self.tally.wrong or all(one.answered >= many for one, many in wanted.items()), WAIT)
        assert self.tally.wrong == [], self.tally.wrong

    def recorded(self, after: float = 0.0) -> int:
        """Calls that the history says went well, after that time."""
        with contextlib.closing(sqlite3.connect(f"file:{self.home.journal}?mode=ro", uri=True)) as store:
            query = "SELECT count(*) FROM entries WHERE kind = 'call' AND outcome = 'ok' AND at > ?"
            (count,) = store.execute(query, (after,)).fetchone()
            return int(count)

    def figures(self) -> str:
        return ", ".join(f"{count} {kind}" for kind, count in sorted(self.tally.kinds.items()))


def signal_one(pids: list[int], number: int, dice: random.Random) -> int:
    """Signal one of the processes; returns its pid, 0 if there was none."""
    pid = dice.choice(pids) if pids else 0
    if pid:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
    return pid


def stop_and_continue(pid: int, seconds: float) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
