"""Other people's bridges, by the same calls: those of `make peers` that hosts start by stdio."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Mapping

from tests.bench import paths, rig
from tests.bench.hosts import StdioHost
from tests.bench.rig import Figures
from tests.fixtures.peers import MODULES, NODE, PEERS

ROUNDS = 3
LESS = paths.Effort(warm=50, small=200, large=5, burst=400)  # they take so much longer
HEAD = (
    "path (200 B a call)",
    "ms a call (× direct)",
    "added ms",
    "calls/s, 64 in flight",
    "1 MB result (× direct)",
    "spawn → tools/list",
    "RSS",
)
_FASTMCP = PEERS / "fastmcp" / "bin" / "fastmcp"
_QUIET = ["--transport", "stdio", "--no-banner", "--log-level", "ERROR"]


def report() -> None:
    if not (NODE.exists() and _FASTMCP.exists()):
        print("rivals: none here; `make peers` brings them", file=sys.stderr)
        return
    rounds: dict[str, list[Figures]] = {}
    for number in range(ROUNDS):
        print(f"rivals: round {number + 1} of {ROUNDS}", file=sys.stderr)
        with paths.http_server() as (server, port), tempfile.TemporaryDirectory() as folder:
            for name, command in _rivals(f"http://127.0.0.1:{port}/mcp", folder).items():
                rounds.setdefault(name, []).append(_measure(command, server, folder))
            rounds.setdefault("direct HTTP", []).append(paths.direct_http(server, port))
    found = {name: rig.median(figures) for name, figures in rounds.items()}
    bases = {"stdio": found["direct stdio"], "HTTP": found["direct HTTP"]}
    rig.table(HEAD, [_row(name, got, bases[name.split()[-1]]) for name, got in found.items()])


def _rivals(url: str, folder: str) -> dict[str, list[str]]:
    node = [str(NODE)]
    remote = str(MODULES / "mcp-remote" / "dist" / "proxy.js")
    gateway = str(MODULES / "supergateway" / "dist" / "index.js")
    config = rig.host_config(folder, "echo")
    return {
        "direct stdio": rig.ECHO,
        "FastMCP, stdio ← stdio": [str(_FASTMCP), "run", config, *_QUIET],
        "FastMCP, stdio ← HTTP": [str(_FASTMCP), "run", url, *_QUIET],
        "mcp-remote, stdio ← HTTP": [
            *node,
            remote,
            url,
            "--allow-http",
            "--transport",
            "http-only",
            "--silent",
        ],
        "supergateway, stdio ← HTTP": [
            *(*node, gateway, "--streamableHttp", url),
            *("--outputTransport", "stdio", "--logLevel", "none"),
        ],
    }


def _measure(command: list[str], server: int, folder: str) -> Figures:
    env: Mapping[str, str] = {**os.environ, "MCP_REMOTE_CONFIG_DIR": folder}
    began = time.perf_counter()
    host = StdioHost(command, env)
    host.open()
    host.tool()
    cold = time.perf_counter() - began
    own = host.process.pid
    try:
        figures = paths.measure(host, [own, server, *rig.children(own)], effort=LESS)
        return {**figures, "cold ms": cold * 1000, "MB": rig.resident(own)}
    finally:
        host.close()


def _row(name: str, got: Figures, base: Figures) -> list[str]:
    return [
        name,
        f"{got['ms']:.3f} ({got['ms'] / base['ms']:.1f})",
        f"{got['ms'] - base['ms']:.3f}",
        f"{got['calls/s']:,.0f}",
        f"{got['1 MB ms']:.2f} ms ({got['1 MB ms'] / base['1 MB ms']:.1f})",
        rig.shown(got, "cold ms", "{:.0f} ms"),
        rig.shown(got, "MB", "{:.0f} MB"),
    ]
