"""The modules of a window are imported one at a time."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pytestqt.qtbot import QtBot

from desktop.lazy.module_loading import NEEDS, when_loaded

ONE_BY_ONE = """
import sys
import desktop.app
from desktop.lazy.module_loading import load

def imported():
    names = [name for name in sys.modules if name.startswith(("desktop.", "bridge."))]
    return {name for name in names if not hasattr(sys.modules[name], "__path__")}

before = imported()
for _ in load(sys.argv[1]):
    after = imported()
    if len(after - before) > 1:
        print("imported in one step; list all but the last in NEEDS:", *sorted(after - before))
    before = after
assert sys.argv[1] in sys.modules
"""


@pytest.mark.parametrize("window", NEEDS)
def test_each_step_imports_one_module_until_the_window_is_imported(window: str) -> None:
    done = subprocess.run([sys.executable, "-c", ONE_BY_ONE, window], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_a_window_that_is_imported_is_used_at_once(qtbot: QtBot) -> None:
    import desktop.text_windows

    acted: list[bool] = []
    when_loaded(qtbot, desktop.text_windows.__name__, lambda: acted.append(True))  # type: ignore[arg-type]
    assert acted
