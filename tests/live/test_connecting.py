"""What `deskbell hosts` writes, in the hands of programs we did not write: their parsers, and real hosts.

They come with `make peers`, and AI applications with `python -m tests.rigs.ai_hosts install`. A test that
lacks its program is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bridge.hosts.recipes import BY_ID
from tests.fixtures.peers import EVERYTHING, MODULES, NODE, PEERS
from tests.journeys.app_under_test import DESKBELL, ROOT, server
from tests.journeys.conftest import Start, env, home, nobody_is_left, start
from tests.rigs.ai_hosts.programs import FOLDER

__all__ = ["env", "home", "nobody_is_left", "start"]  # the fixtures of the journeys
pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.skipif(not EVERYTHING.exists(), reason="no peers here: `make peers`"),
]
FASTMCP = PEERS / "fastmcp" / "bin" / "python"
CALL = """
import asyncio, json, sys
from fastmcp import Client
async def main():
    async with Client(json.load(open(sys.argv[1]))) as host:
        print((await host.call_tool(sys.argv[2], {"a": 2, "b": 3})).content[0].text)
asyncio.run(main())
"""
READ = """
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
const load = createRequire(process.argv[1] + "/");
const text = readFileSync(process.argv[2], "utf8").replace(/^\\ufeff/, "");
const errors = [];
const one = load("jsonc-parser").parse(text, errors, { allowTrailingComma: true });
console.log(JSON.stringify([one, load("json5").parse(text), errors.length]));
"""


def hosts(env: dict[str, str], person: Path, *words: str) -> str:
    env = {**env, "HOME": str(person), "XDG_CONFIG_HOME": ""}
    done = subprocess.run(
        [*DESKBELL, "hosts", *words], env=env, cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def cursor(tmp_path: Path) -> Path:
    path = tmp_path / ".cursor" / "mcp.json"
    path.parent.mkdir()
    entry = {"command": str(NODE), "args": [str(EVERYTHING), "stdio"]}
    path.write_text(json.dumps({"mcpServers": {"everything": entry}}, indent="\t"))
    return path


def poor(person: Path) -> dict[str, str]:
    """The environment of a program that a desktop has started."""
    return {"HOME": str(person), "PATH": f"{NODE.parent}{os.pathsep}{os.defpath}"}


@pytest.mark.parametrize("wish", [(), ("--http",)])
def test_fastmcp_reaches_our_servers_by_what_was_written(
    wish: tuple[str, ...], env: dict[str, str], start: Start, tmp_path: Path
) -> None:
    if not FASTMCP.exists():
        pytest.skip("no fastmcp here")
    path = cursor(tmp_path)
    start("silent", server("sums", [str(NODE), str(EVERYTHING), "stdio"]))
    hosts(env, tmp_path, "connect", "cursor", *wish)
    for tool in ("deskbell_sums_get-sum", "everything_get-sum"):
        command = [str(FASTMCP), "-c", CALL, str(path), tool]
        for _ in range(3):  # fastmcp lists tools once: a slow machine's server is known from the next run on
            done = subprocess.run(command, env=poor(tmp_path), capture_output=True, text=True, timeout=100)
            if not done.returncode:
                break
        assert "The sum of 2 and 3 is 5." in done.stdout, done.stderr[-2000:]


def test_the_inspector_calls_a_server_through_its_wrapped_entry(
    env: dict[str, str], start: Start, tmp_path: Path
) -> None:
    path = cursor(tmp_path)
    start("silent")
    hosts(env, tmp_path, "connect", "cursor", "--wrap")
    inspector = next(MODULES.glob(".bin/mcp-inspector"))
    words = ["--cli", "--config", str(path), "--server", "everything", "--method", "tools/call"]
    words += ["--tool-name", "get-sum", "--tool-arg", "a=2", "--tool-arg", "b=3"]
    command = [str(NODE), str(inspector.resolve()), *words]
    done = subprocess.run(command, env=poor(tmp_path), capture_output=True, text=True, timeout=100)
    assert "The sum of 2 and 3 is 5." in done.stdout, done.stderr[-2000:]


@pytest.mark.parametrize("host", ["zed", "opencode", "vscode"])
def test_other_parsers_read_the_same_from_comments_and_trailing_commas(
    host: str, env: dict[str, str], tmp_path: Path
) -> None:
    if not (MODULES / "jsonc-parser").exists():
        pytest.skip("no parsers here")
    recipe = BY_ID[host]
    folder = "{home}/.config" if recipe.files[0].startswith("{config}") else "{home}"
    name = next(file for file in recipe.files if not file.startswith("win32:"))
    path = Path(name.replace("{config}", folder).replace("{home}", str(tmp_path)))
    path.parent.mkdir(parents=True)
    path.write_text(f'\ufeff// mine\r\n{{\r\n\t"{recipe.key}": {{ /* none */ }}, // yet\r\n}}', newline="")
    hosts(env, tmp_path, "connect", host)
    command = [str(NODE), "--input-type=module", "-e", READ, str(MODULES), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=True)
    one, other, errors = json.loads(done.stdout)
    assert errors == 0
    assert one == other
    entry: dict[str, Any] = one[recipe.key]["deskbell"]
    assert "stdio" in [*entry.get("args", ()), *entry["command"]]
    raw = path.read_bytes()
    assert raw.count(b"\n") == raw.count(b"\r\n")


HOSTS = Path(os.environ.get("DESKBELL_TEST_HOSTS", FOLDER))  # HOST/node_modules of each
LOAD_CLINE = """
import { loadMcpSettingsFile } from "@cline/core";
console.log(JSON.stringify(loadMcpSettingsFile().mcpServers));
"""
REAL = {  # Recipe → folder, and what makes the program show the entry it has read
    "codex": ("codex", [".bin/codex", "mcp", "get", "deskbell"]),
    "copilot-cli": ("copilot", [".bin/copilot", "mcp", "get", "deskbell"]),
    "qwen": ("qwen", [".bin/qwen", "mcp", "list"]),
    "opencode": ("opencode", [".bin/opencode", "mcp", "list"]),
    "qoder": ("qoder", [".bin/qodercli", "mcp", "list"]),
    "auggie": ("auggie", [".bin/auggie", "mcp", "list"]),
    "cline-cli": ("cline", []),
}


@pytest.mark.parametrize("wish", [(), ("--http",)])
@pytest.mark.parametrize("host", REAL)
def test_the_real_program_reads_its_entry(
    host: str, wish: tuple[str, ...], env: dict[str, str], start: Start, tmp_path: Path
) -> None:
    folder, words = REAL[host]
    modules = HOSTS / folder / "node_modules"
    if not modules.exists():
        pytest.skip(f"no {folder} here")
    start("silent")
    hosts(env, tmp_path, "connect", host, "--create", *wish)
    command = (
        [str(modules / words[0]), *words[1:]]
        if words
        else [str(NODE), "--input-type=module", "-e", LOAD_CLINE]
    )
    done = subprocess.run(
        command, env=poor(tmp_path), cwd=modules.parent, capture_output=True, text=True, timeout=100
    )
    assert "deskbell" in done.stdout, done.stderr[-2000:]
    assert ("/mcp" if wish else "stdio") in done.stdout
