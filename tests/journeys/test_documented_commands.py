"""The commands that the documentation shows, run as they stand there, in a home of their own.

A plain `deskbell …` runs in this process, without the start of an interpreter; all else in a shell.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from bridge.cli import main as deskbell
from tests.journeys.app_under_test import DESKBELL, FIXTURES, ROOT, WAIT, App, Person
from tests.journeys.conftest import Start

ALONE = "docs/server-authors.md"  # its commands need its own server: a test of its own
PAGES = ["README.md", *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md")))]
_ELSEWHERE = ("git clone", "make run", "export PATH")  # tests/rigs/machines runs these from a clean clone
_SHELL = "set -o pipefail; "
_TYPED = "s3cret\n"

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
    (person / ".claude.json").write_text("{}")
    env["PATH"] = f"{programs}{os.pathsep}{env['PATH']}"
    env["HOME"] = str(person)
    return env


_PYTHON = f'exec "{sys.executable}" "$@"'


def run(command: str, app: App, shell: dict[str, str], folder: Path) -> str:
    """Run a command; what it prints. Address and token are those of the app under test."""
    command = command.replace("127.0.0.1:23355", f"127.0.0.1:{app.port}")
    command = command.replace("~/.local/share/deskbell", str(app.home.root))
    if command.startswith("deskbell ") and not set("|<>&;$") & set(command):
        return _run_here(shlex.split(command)[1:], shell, folder)
    done = subprocess.run(
        ("bash", "-c", _SHELL + command),
        cwd=folder,
        env=shell,
        capture_output=True,
        text=True,
        input=_TYPED,
        timeout=WAIT,
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def _run_here(words: list[str], shell: dict[str, str], folder: Path) -> str:
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(folder)
        for name in {*os.environ, *shell}:
            patch.setenv(name, shell[name]) if name in shell else patch.delenv(name)
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(_TYPED.encode())))
        assert deskbell(words) == 0, (words, out.getvalue(), err.getvalue())
    return out.getvalue()


def test_every_command_of_the_guides_runs_and_prints_what_they_show(
    start: Start, person: Person, shell: dict[str, str], tmp_path: Path
):
    app = start(person.says("accept", {"value": "tea"}), 'vault = "file"\n')
    shown = {command: output for page in PAGES if page != ALONE for command, output in commands(page)}
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
        (code,) = blocks(ALONE, f"python {name}")
        (tmp_path / name).write_text(code)
    (setup,) = [block for block in blocks(ALONE, "sh") if "deskbell serve" in block]
    subprocess.run(("sh", "-ec", setup.splitlines()[0]), cwd=tmp_path, check=True)  # chmod
    app = start(f"command:{tmp_path / 'answer.py'}")
    for command, output in commands(ALONE):
        assert run(command, app, shell, tmp_path).strip() == output.strip()
