"""No crash writes secrets to disk, no program of the same user reads them; servers crash as ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
PROTECTED = """
import ctypes, resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
from bridge.system.process import memory_protection
before = resource.getrlimit(resource.RLIMIT_CORE)
memory_protection.protect_memory()
PR_GET_DUMPABLE = 3
print(ctypes.CDLL(None).prctl(PR_GET_DUMPABLE), resource.getrlimit(resource.RLIMIT_CORE)[0])
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1)
memory_protection.restore_core_limit_of(child.pid)
print(resource.prlimit(child.pid, resource.RLIMIT_CORE) == before)
child.communicate()
memory_protection.restore_core_limit_of(child.pid)  # gone: no error
sys.stdout.flush()
"""


def test_a_protected_process_is_not_dumpable_and_its_children_have_their_limit_back():
    said = subprocess.run([sys.executable, "-c", PROTECTED], capture_output=True, text=True)
    assert said.stdout.split() == ["0", "0", "True"], said.stderr


def test_a_protected_process_that_aborts_leaves_no_core(tmp_path: Path):
    command = [sys.executable, "-c", PROTECTED + "import os; os.abort()"]
    ended = subprocess.Popen(command, cwd=tmp_path, env=_environment(), stdout=subprocess.DEVNULL)
    _, status = os.waitpid(ended.pid, 0)
    ended.returncode = -os.WTERMSIG(status)
    assert os.WIFSIGNALED(status)
    assert not os.WCOREDUMP(status)
    assert list(tmp_path.iterdir()) == []


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.getcwd()}
