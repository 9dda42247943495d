"""Large messages ask the system for no memory again, and modules are not searched for garbage."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

COUNTED = """
import resource
from bridge.system.fast import process_tuning
process_tuning.keep_freed_memory()
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


SPARED = """
import gc, sys, types, weakref
from bridge.system.fast import process_tuning

class Circle:
    def __init__(self):
        self.me = self

process_tuning.freeze_modules()
gc.collect()
first = gc.get_freeze_count()
gone = weakref.ref(Circle())
gc.collect()
print(first > 1000, gc.get_freeze_count() == first, gone() is None)
sys.modules["late"] = types.ModuleType("late")
lasting = [[] for _ in range(1000)]
gc.collect()
print(gc.get_freeze_count() >= first + 1000)
"""


def test_modules_are_spared_once_they_are_loaded_and_garbage_goes_as_ever():
    said = subprocess.run([sys.executable, "-c", SPARED], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["True"] * 4
