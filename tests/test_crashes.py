"""What tests/crashes.py promises of `make test`, by a whole run of pytest on a small file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLUGINS = ("-p", "xdist", "-p", "pytest_timeout", "-p", "tests.crashes")
OPTIONS = ("-n", "1", "--max-worker-restart=0", "-o", "timeout=2", "-c")
AT_MOST = 250.0  # seconds for a whole run of pytest
FILE = '''
import ctypes, time
import pytest, tests.crashes

tests.crashes._GRACE = 1.0

def for_ever_in_c():
    """Lock a mutex twice: this waits without the processor, keeps the GIL, and no signal ends it."""
    library, mutex = ctypes.PyDLL(None), ctypes.create_string_buffer(128)
    library.pthread_mutex_lock(mutex)
    library.pthread_mutex_lock(mutex)

@pytest.fixture
def teardown_in_c():
    yield
    for_ever_in_c()

def test_first(BEFORE):
    DO

def test_later():
    pass
'''


@pytest.mark.parametrize(
    ("fixture", "line", "last"),
    [
        ("", "ctypes.string_at(0)", "gw0 crashed in test_it.py::test_first"),
        ("", "for_ever_in_c()", "gw0 crashed in test_it.py::test_first"),
        ("teardown_in_c", "assert False", "gw0 crashed in test_it.py::test_first"),
        ("", "time.sleep(600)", "gw0 hung in test_it.py::test_first"),
        ("", "pass\n\nctypes.string_at(0)", "gw0 crashed before or after its tests"),
    ],
    ids=[
        "segfault",
        "C code never returns",
        "teardown never returns",
        "waits for ever",
        "segfault on import",
    ],
)
def test_a_worker_that_crashes_or_hangs_ends_the_run_and_is_named(
    tmp_path: Path, fixture: str, line: str, last: str
) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(FILE.replace("BEFORE", fixture).replace("DO", line))
    settings = tmp_path / "pytest.ini"
    settings.write_text("[pytest]")
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # four times as quick
    command = (sys.executable, "-m", "pytest", *PLUGINS, *OPTIONS, str(settings), str(file))
    ended = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=AT_MOST)
    lines = ended.stdout.splitlines()
    assert ended.returncode != 0
    assert any(last in line for line in lines[-3:]), lines
    assert not any(" passed" in line for line in lines), "the run went on"
