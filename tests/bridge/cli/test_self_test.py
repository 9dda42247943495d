"""`deskbell self-test`."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.cli.doctor import Finding
from bridge.cli.self_test import LIBRARIES, LIBRARIES_OF, round_trip, run_checks
from bridge.cli.self_test.round_trip import RoundTrip
from bridge.errors import DeskbellError
from tests.fixtures.running_processes import PROC, living

ROOT = Path(__file__).parents[3]


def imported(folder: str) -> set[str]:
    found = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"bridge"}


def environment_of(pid: int) -> bytes:
    try:
        return (PROC / str(pid) / "environ").read_bytes()
    except OSError:  # it has ended, or is another user's
        return b""


def test_every_library_that_the_bridge_imports_is_tried():
    tried = {*LIBRARIES, *(name for names in LIBRARIES_OF.values() for name in names)}
    assert imported("bridge") == {name.partition(".")[0] for name in tried}


def test_what_is_broken_is_named_and_the_rest_still_checked():
    def breaks() -> str:
        raise DeskbellError("No tray", "Install one.")

    def explodes() -> str:
        raise KeyError("icon")

    found = list(run_checks([("Tray", breaks), ("Icons", explodes), ("Vault", lambda: "fine")]))
    assert found == [
        Finding("Tray", False, "No tray: Install one."),
        Finding("Icons", False, "KeyError: 'icon'"),
        Finding("Vault", True, "fine"),
    ]


GIVES_UP_ONCE = """
[ -e gave-up ] || { touch gave-up; exit 2; }
read -r request
echo '{"jsonrpc": "2.0", "id": 2, "result": {"serverInfo": {"name": "late"}}}'
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_a_shim_that_gave_up_waiting_for_the_app_is_started_again(tmp_path, monkeypatch):
    monkeypatch.setattr(round_trip, "START_LIMIT", 0.0)
    monkeypatch.chdir(tmp_path)
    with RoundTrip(tmp_path / "home", windows=False) as call:
        reply = call._initialize(("sh", "-c", GIVES_UP_ONCE), os.environ)
    assert reply["serverInfo"] == {"name": "late"}


def test_this_checkout_passes_leaves_nothing_and_touches_nothing_of_the_person(tmp_path):
    env = {**os.environ, "DESKBELL_HOME": str(tmp_path / "mine"), "TMPDIR": str(tmp_path)}
    command = (sys.executable, "-m", "bridge", "self-test", "--json")
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)
    found = {one["what"]: one["ok"] for one in json.loads(done.stdout)}
    assert [what for what, ok in found.items() if ok is False] == []
    assert {
        "Imports",
        "Links",
        "TLS roots",
        "Window",
        "Tray",
        "Translations",
        "Resources",
        "Question",
        "REST",
    } <= {*found}
    assert done.returncode == 0
    assert not (tmp_path / "mine").exists()
    assert list(tmp_path.glob("deskbell*")) == []
    assert [pid for pid in living() if str(tmp_path).encode() in environment_of(pid)] == []
