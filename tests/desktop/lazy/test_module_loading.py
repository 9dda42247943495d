"""The modules of a window are imported one at a time."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pytestqt.qtbot import QtBot

from desktop.lazy.module_loading import NEEDS, when_loaded
from desktop.page_factory import page_entries

ONE_BY_ONE = """
import os, sys
import desktop.app
from desktop.lazy.module_loading import NEEDS, load

def imported():
    names = [name for name in sys.modules if name.startswith(("desktop.", "bridge."))]
    return {name for name in names if not hasattr(sys.modules[name], "__path__")}

def check(window):
    before = imported()
    for _ in load(window):
        after = imported()
        if len(after - before) > 1:
            print(f"{window}: imported in one step; list all but the last in NEEDS:", *sorted(after - before))
        before = after
    assert window in sys.modules, window

for window in NEEDS:  # each in a process of its own, which has imported what the application imports first
    child = os.fork()
    if not child:
        check(window)
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_each_step_imports_one_module_until_the_window_is_imported() -> None:
    done = subprocess.run([sys.executable, "-c", ONE_BY_ONE], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_every_page_is_imported_in_steps() -> None:
    assert [entry.name for entry in page_entries() if entry.module not in NEEDS] == []


def test_a_window_that_is_imported_is_used_at_once(qtbot: QtBot) -> None:
    import desktop.text_windows

    acted: list[bool] = []
    when_loaded(qtbot, desktop.text_windows.__name__, lambda: acted.append(True))  # type: ignore[arg-type]
    assert acted
