"""The commands that the documentation shows, run as they stand there, in a home of their own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.app_under_test import DESKBELL, FIXTURES, ROOT, WAIT, App, Person
from tests.journeys.conftest import Start

PAGES = ("README.md", "docs/first-question.md", "docs/rest.md", "docs/secrets.md")
_ELSEWHERE = ("git clone", "make run", "export PATH")  # tests/rigs/machines runs these from a clean clone
_SHELL = "set -o pipefail; "

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the examples are for a POSIX shell")


def blocks(page: str, kind: str) -> list[str]:
    """Return the fenced blocks of a page that are marked with exactly these words."""
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{re.escape(kind)}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(page: str) -> Iterator[tuple[str, str]]:
    """Yield each command after a `$`, and the output that is shown below it."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.splitlines()
            end = next(place for place, line in enumerate(lines) if not line.endswith("\\")) + 1
            yield "\n".join(lines[:end]), "\n".join(lines[end:])


@pytest.fixture
def shell(tmp_path: Path, env: dict[str, str]) -> dict[str, str]:
    """The environment of a person's shell: a folder with programs, and a home with one AI app in it."""
    programs, person = tmp_path / "bin", tmp_path / "person"
    server = f'exec "{sys.executable}" -I -S "{FIXTURES / "sum_server.py"}"'
    for name, line in {
        "deskbell": f'exec {" ".join(DESKBELL)} "$@"',
        "npx": server,
        "python": _PYTHON,
    }.items():
        programs.mkdir(exist_ok=True)
        (programs / name).write_text(f"#!/bin/sh\n{line}\n")
        (programs / name).chmod(0o755)
    (person / ".cursor").mkdir(parents=True)
    entry = {"mcpServers": {"files": {"command": "npx", "args": ["-y", "files"]}}}
    (person / ".cursor" / "mcp.json").write_text(json.dumps(entry))
    env["PATH"] = f"{programs}{os.pathsep}{env['PATH']}"
    env["HOME"] = str(person)
    return env


_PYTHON = f'exec "{sys.executable}" "$@"'


def run(command: str, app: App, shell: dict[str, str], folder: Path) -> str:
    """Run a command in a shell; what it prints. Address and token are those of the app under test."""
    command = command.replace("127.0.0.1:23355", f"127.0.0.1:{app.port}")
    command = command.replace("~/.local/share/deskbell", str(app.home.root))
    done = subprocess.run(
        ("bash", "-c", _SHELL + command),
        cwd=folder,
        env=shell,
        capture_output=True,
        text=True,
        input="s3cret\n",
        timeout=WAIT,
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def test_every_command_of_the_guides_runs_and_prints_what_they_show(
    start: Start, person: Person, shell: dict[str, str], tmp_path: Path
):
    app = start(person.says("accept", {"value": "tea"}), 'vault = "file"\n')
    shown = {command: output for page in PAGES for command, output in commands(page)}
    assert len(shown) > 10
    for command, output in shown.items():
        lacks_curl = command.startswith("curl ") and shutil.which("curl") is None  # on a bare machine
        if not command.startswith(_ELSEWHERE) and not lacks_curl:
            printed = run(command, app, shell, tmp_path)
            assert output in printed or "not shown" in output, command
    file = tmp_path / "person" / ".cursor" / "mcp.json"
    assert "deskbell" not in file.read_text(), "the guides end with Deskbell disconnected"


def test_the_server_and_its_test_on_the_page_for_server_authors_work_in_both_eras(
    start: Start, shell: dict[str, str], tmp_path: Path
):
    for name in ("server.py", "answer.py"):
        (code,) = blocks("docs/server-authors.md", f"python {name}")
        (tmp_path / name).write_text(code)
        (tmp_path / name).chmod(0o755)
    app = start(f"command:{tmp_path / 'answer.py'}")
    for command, output in commands("docs/server-authors.md"):
        assert run(command, app, shell, tmp_path).strip() == output.strip()
