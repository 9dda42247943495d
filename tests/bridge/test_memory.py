"""Large messages, one after the other, do not ask the system for the same memory again."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

COUNTED = """
import resource
from bridge import memory
memory.keep_some()
def message():
    parts = [b"x" * 65536 for _ in range(16)]
    return b"{" + b"".join(parts) + b"}"
message()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(50):
    message()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc's habit alone")
def test_the_memory_of_a_large_message_serves_the_next():
    said = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True, check=True)
    assert int(said.stdout) < 50 * 16  # of the 500 pages that each would need
