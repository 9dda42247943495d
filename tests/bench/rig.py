"""What every benchmark needs: a running bridge, and what the system knows of its processes (Linux)."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
SMALL = {"text": "x" * 200}
BIG = {"size": 1 << 20}
ECHO = [sys.executable, "-I", "-S", str(HERE / "echo_server.py")]
BARE = [sys.executable, "-I", "-S", str(HERE / "bare_relay.py")]
BARE_HTTP = [sys.executable, "-I", "-S", str(HERE / "bare_http_relay.py")]
ECHO_HTTP = [sys.executable, "-I", "-S", str(HERE / "echo_http.py")]
ASKING = [sys.executable, "-I", "-S", str(HERE / "asking_server.py")]
SAMPLING = [sys.executable, "-I", "-S", str(HERE / "sampling_server.py")]
SHIM = [sys.executable, "-I", "-S", str(HERE.parents[1] / "bridge" / "__main__.py")]


class Bridge:
    """A running `deskbell serve`."""

    def __init__(self, home: str, process: subprocess.Popen[str], port: int) -> None:
        self.home = home
        self.pid = process.pid
        self.port = port
        self.token = Path(home, "token").read_text().strip()
        self.env = {**os.environ, "DESKBELL_HOME": home}


@contextmanager
def bridge(home: str, config: str, presenter: str = "silent") -> Iterator[Bridge]:
    Path(home, "config.toml").write_text(config)
    env = {**os.environ, "DESKBELL_HOME": home}
    command = [sys.executable, "-m", "bridge", "serve", "--port", "0", "--presenter", presenter]
    process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    try:
        assert process.stderr
        found = re.search(r":(\d+)/mcp", process.stderr.readline())
        assert found, "the bridge did not start"
        yield Bridge(home, process, int(found[1]))
    finally:
        process.terminate()
        process.wait(10)


def stdio_server(name: str, command: list[str] = ECHO, args: Iterable[str] = ()) -> str:
    """Its lines in config.toml."""
    told = json.dumps([*command[1:], *args])
    return f'[servers.{name}]\ncommand = "{command[0]}"\nargs = {told}\n'


def host_config(folder: str, name: str) -> str:
    """A file with this server as AI applications keep it; its path."""
    path = Path(folder, "mcp.json")
    path.write_text(json.dumps({"mcpServers": {name: {"command": ECHO[0], "args": ECHO[1:]}}}))
    return str(path)


def resident(pid: int) -> float:
    """MB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def shared_out(pid: int) -> float:
    """MB, what processes share counted once among them."""
    found = re.search(r"Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text())
    return int(found[1]) / 1024 if found else 0.0


def worked(pid: int) -> float:
    """Seconds of processor time, of all its threads."""
    return (
        sum(int(task.read_text().split()[0]) for task in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9
    )


def woken(pid: int) -> int:
    """How often its threads went to sleep, and so were woken."""
    pattern = re.compile(r"^voluntary_ctxt_switches:\s+(\d+)", re.MULTILINE)
    found = (pattern.search(task.read_text()) for task in Path(f"/proc/{pid}/task").glob("*/status"))
    return sum(int(each[1]) for each in found if each)


@contextmanager
def one_processor(pids: Iterable[int]) -> Iterator[None]:
    """All of them, and we, take turns on one: what is measured then is the sum of the work."""
    everyone = [0, *pids]
    before = os.sched_getaffinity(0)
    try:
        _confine(everyone, {min(before)})
        yield
    finally:
        _confine(everyone, before)


def _confine(pids: Iterable[int], processors: set[int]) -> None:
    for pid in pids:
        tasks = [int(task.name) for task in Path(f"/proc/{pid}/task").iterdir()] if pid else [0]
        for task in tasks:
            os.sched_setaffinity(task, processors)


def children(pid: int) -> list[int]:
    told = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in told for child in task.read_text().split()]


Figures = dict[str, float]


def median(figures: list[Figures]) -> Figures:
    return {key: statistics.median(each[key] for each in figures) for key in figures[0]}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    names = list(head)
    print("\n| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)


def shown(figures: Mapping[str, float], key: str, form: str = "{:.2f}") -> str:
    return form.format(figures[key]) if key in figures else "–"
