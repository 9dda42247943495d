"""What a call costs in other versions, beside this one: `python -m tests.bench.versions TREE…`.

Each TREE is a checkout (`git worktree add`). All versions run at once and carry short batches of calls in
turn, on one processor; the median of the ratios of neighbouring batches holds on a busy machine too.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.bench import paths, rig
from tests.bench.hosts import Calls, HttpHost, StdioHost

ROUNDS = 25
BATCH = 400
HEAD = ("path", "version", "µs of processor time a call", "× first", "ms a call", "× first")
PATHS = ("stdio ← stdio", "HTTP ← stdio", "stdio ← all servers", "stdio ← HTTP")


class Version:
    """A running `deskbell serve` of one checkout, with a host."""

    def __init__(self, tree: str, path: str, home: str, process: subprocess.Popen[str], env: dict[str, str]):
        assert process.stderr
        found = re.search(r":(\d+)/mcp", process.stderr.readline())
        assert found, f"{tree} did not start"
        self.tree, self.pid = tree, process.pid
        words = () if "all" in path else ("--server", "echo")
        shim = [sys.executable, "-I", "-S", str(Path(tree, "bridge", "__main__.py")), "stdio", *words]
        self._host = (
            HttpHost(int(found[1]), "/mcp/echo", Path(home, "token").read_text().strip())
            if path.startswith("HTTP")
            else StdioHost(shim, env)
        )
        self._host.open()
        self._calls = Calls(self._host.tool(), rig.SMALL)
        self._host.sequential(self._calls, BATCH)
        self.spent: list[float] = []  # µs of processor time a call
        self.took: list[float] = []  # ms a call

    def batch(self) -> None:
        before = rig.worked(self.pid)
        times = self._host.sequential(self._calls, BATCH)
        self.spent.append((rig.worked(self.pid) - before) / BATCH * 1e6)
        self.took.append(statistics.median(times) * 1000)

    def close(self) -> None:
        self._host.close()


@contextmanager
def running(tree: str, path: str, config: str) -> Iterator[Version]:
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home:
        Path(home, "config.toml").write_text(config)
        env = {**os.environ, "DESKBELL_HOME": home, "PYTHONPATH": tree}
        command = [sys.executable, "-m", "bridge", "serve", "--port", "0", "--presenter", "silent"]
        process = subprocess.Popen(
            command, cwd=tree, env=env, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL
        )
        try:
            version = Version(tree, path, home, process, env)
            yield version
            version.close()
        finally:
            process.terminate()
            process.wait(10)


def compare(path: str, trees: list[str]) -> list[list[str]]:
    with ExitStack() as stack:
        server, port = stack.enter_context(paths.http_server())
        config = paths.remote(port) if path.endswith("HTTP") else rig.stdio_server("echo")
        versions = [stack.enter_context(running(tree, path, config)) for tree in trees]
        pids = [pid for one in versions for pid in (one.pid, *rig.children(one.pid))]
        with rig.one_processor([server, *pids]):
            for number in range(ROUNDS):
                for version in versions[:: 1 if number % 2 else -1]:
                    version.batch()
        return [_row(path, one, versions[0]) for one in versions]


def _row(path: str, one: Version, first: Version) -> list[str]:
    spent, took = statistics.median(one.spent), statistics.median(one.took)
    return [
        path,
        Path(one.tree).name,
        f"{spent:.0f}",
        f"{_ratio(one.spent, first.spent):.2f}",
        f"{took:.3f}",
        f"{_ratio(one.took, first.took):.2f}",
    ]


def _ratio(ours: list[float], theirs: list[float]) -> float:
    return statistics.median(our / their for our, their in zip(ours, theirs, strict=True))


if __name__ == "__main__":
    here = str(Path(__file__).parents[2])
    trees = [str(Path(tree).resolve()) for tree in sys.argv[1:]] + [here]
    rig.table(HEAD, [row for path in PATHS for row in compare(path, trees)])
