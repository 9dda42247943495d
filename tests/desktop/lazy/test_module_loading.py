"""Modules of windows come one by one; a thread only finds out which."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pytestqt.qtbot import QtBot

from desktop.lazy.module_loading import needs, when_loaded

ONE_BY_ONE = """
import sys
import desktop.app
from PySide6.QtWidgets import QApplication
from desktop.lazy.module_loading import load, needs
from desktop.lazy.time_slices import SlicedTask

def ours():
    loaded = [name for name in sys.modules if name.startswith("desktop.")]
    return {name for name in loaded if not hasattr(sys.modules[name], "__path__")}

app = QApplication([])
before = ours()
order = needs(sys.argv[1])
assert ours() == before, ours() - before
slices, most = SlicedTask(app), 0
steps = load(sys.argv[1])
next(steps).result(10)
while True:
    known = ours()
    try:
        next(steps)
    except StopIteration:
        break
    most = max(most, len(ours() - known))
print(most, sys.argv[1] in sys.modules, sorted(ours() - before) == sorted(n for n in order if n in ours()))
"""


@pytest.mark.parametrize(
    "module",
    [
        "desktop.main_window",
        "desktop.pages.servers.page",
        "desktop.questions.preload",
        "desktop.pages.welcome.window",
    ],
)
def test_each_step_brings_one_module_and_in_the_end_all_are_there(module: str) -> None:
    done = subprocess.run([sys.executable, "-c", ONE_BY_ONE, module], capture_output=True, text=True)
    assert done.stdout.split() == ["1", "True", "True"], done.stderr


def test_what_is_loaded_needs_nothing_and_is_used_at_once(qtbot: QtBot) -> None:
    import desktop.text_windows

    assert needs(desktop.text_windows.__name__) == []
    acted: list[bool] = []
    when_loaded(qtbot, desktop.text_windows.__name__, lambda: acted.append(True))  # type: ignore[arg-type]
    assert acted


def test_what_only_a_type_checker_sees_is_not_loaded() -> None:
    code = "import desktop; from desktop.lazy.module_loading import needs; print(*needs('desktop.support'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = done.stdout.split()
    assert "desktop.system.autostart" in found
    assert found.index("desktop.system.autostart") < found.index("desktop.support")
    assert "desktop.text_windows" not in found
