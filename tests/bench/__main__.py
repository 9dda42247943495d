"""`make bench`: what the bridge costs beside a direct connection, as ratios; windows; Bluesky.

Rounds start everything afresh and alternate; the median is reported. Absolute times differ between machines
and days, so nothing here passes or fails.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench import bluesky, windows
from tests.bench.hosts import Calls, HttpHost, StdioHost

ROUNDS = 3
SMALL = {"text": "x" * 200}
BIG = {"size": 1 << 20}
SERVER = [sys.executable, "-I", "-S", str(Path(__file__).with_name("echo_server.py"))]
SHIM = [sys.executable, "-I", "-S", str(Path(__file__).parents[2] / "bridge" / "__main__.py")]
Figures = dict[str, float]


@contextmanager
def bridge(home: str) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """A running `deskbell serve`, its port and its token."""
    config = f'[servers.echo]\ncommand = "{SERVER[0]}"\nargs = {SERVER[1:]}\n'
    Path(home, "config.toml").write_text(config)
    env = {**os.environ, "DESKBELL_HOME": home}
    command = [sys.executable, "-m", "bridge", "serve", "--port", "0", "--presenter", "silent"]
    process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    try:
        assert process.stderr
        found = re.search(r":(\d+)/mcp", process.stderr.readline())
        assert found, "the bridge did not start"
        yield process, int(found[1]), Path(home, "token").read_text().strip()
    finally:
        process.terminate()
        process.wait(10)


def measure(host: StdioHost | HttpHost) -> Figures:
    calls = Calls(host.tool(), SMALL)
    host.sequential(calls, 200)
    big = Calls(host.tool(), BIG)
    return {
        "ms": statistics.median(host.sequential(calls, 1000)) * 1000,
        "calls/s": host.pipelined(calls, 10_000, 64),
        "1 MB ms": statistics.median(host.sequential(big, 10)) * 1000,
    }


def direct() -> Figures:
    host = StdioHost(SERVER, dict(os.environ))
    host.open()
    try:
        return measure(host)
    finally:
        host.close()


def through_stdio(home: str) -> Figures:
    env = {**os.environ, "DESKBELL_HOME": home}
    began = time.perf_counter()
    host = StdioHost([*SHIM, "stdio", "--server", "echo"], env)
    host.open()
    host.tool()
    cold = time.perf_counter() - began
    try:
        return {**measure(host), "spawn → tools/list ms": cold * 1000, "shim MB": resident(host.process.pid)}
    finally:
        host.close()


def through_http(port: int, token: str) -> Figures:
    host = HttpHost(port, "/mcp/echo", token)
    host.open()
    try:
        return measure(host)
    finally:
        host.close()


def resident(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def main() -> None:
    rounds: dict[str, list[Figures]] = {"direct stdio": [], "stdio ← stdio": [], "HTTP ← stdio": []}
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", file=sys.stderr)
        rounds["direct stdio"].append(direct())
        with (
            tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home,
            bridge(home) as (process, port, token),
        ):
            empty = resident(process.pid)
            rounds["stdio ← stdio"].append({**through_stdio(home), "app MB": empty})
            rounds["HTTP ← stdio"].append({**through_http(port, token), "app MB": empty})
    report({name: median(figures) for name, figures in rounds.items()})
    windows.report()
    bluesky.report()


def median(figures: list[Figures]) -> Figures:
    return {key: statistics.median(f[key] for f in figures) for key in figures[0]}


def report(results: dict[str, Figures]) -> None:
    base = results["direct stdio"]
    print(
        "| path | ms a call (× direct) | added ms | calls/s, 64 in flight "
        "| 1 MB (× direct) | spawn → list | shim | app |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name, got in results.items():
        print(
            f"| {name} | {got['ms']:.3f} ({got['ms'] / base['ms']:.1f}) | {got['ms'] - base['ms']:.3f} "
            f"| {got['calls/s']:,.0f} | {got['1 MB ms']:.2f} ms ({got['1 MB ms'] / base['1 MB ms']:.1f}) "
            f"| {_opt(got, 'spawn → tools/list ms', 'ms')} | {_opt(got, 'shim MB', 'MB')} "
            f"| {_opt(got, 'app MB', 'MB')} |"
        )


def _opt(got: Figures, key: str, unit: str) -> str:
    return f"{got[key]:.1f} {unit}" if key in got else "–"


if __name__ == "__main__":
    main()
