"""One Deskbell per home, also after a crash, also in a folder with a very long name."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.system.single_instance import SingleInstance, socket_name
from tests.fixtures.patience import WITHIN

SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from desktop.system.single_instance import SingleInstance
app = QCoreApplication([])
single = SingleInstance(Path(sys.argv[1]))
print(single.claim(), single.raise_first(), flush=True)
"""
CRASH = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from desktop.system.single_instance import SingleInstance
app = QCoreApplication([])
single = SingleInstance(Path(sys.argv[1]))
print(single.claim(), flush=True)
os._exit(1)
"""


@pytest.fixture
def first(qtbot: QtBot, tmp_path: Path) -> Iterator[SingleInstance]:
    (tmp_path / "home").mkdir()
    made = SingleInstance(tmp_path / "home")
    yield made
    made.release()


def spawn(code: str, root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, str(root)], stdout=subprocess.PIPE, text=True)


def test_a_second_start_raises_the_first(first: SingleInstance, qtbot: QtBot, tmp_path: Path) -> None:
    assert first.claim()
    second = spawn(SECOND, tmp_path / "home")
    with qtbot.waitSignal(first.raised):
        pass
    qtbot.waitUntil(lambda: second.poll() is not None)
    assert second.communicate()[0].split() == ["False", "True"]


def test_a_socket_left_by_a_crash_is_no_obstacle(first: SingleInstance, tmp_path: Path) -> None:
    assert spawn(CRASH, tmp_path / "home").communicate(timeout=WITHIN)[0].split() == ["True"]
    assert Path(socket_name(tmp_path / "home")).exists()
    assert first.claim()


def test_after_the_first_has_ended_another_can_be_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    for _ in range(2):
        single = SingleInstance(tmp_path)
        assert single.claim()
        single.release()


def test_two_homes_do_not_disturb_each_other(first: SingleInstance, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = SingleInstance(tmp_path / "other")
    assert first.claim()
    assert other.claim()
    other.release()


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe has no path")
def test_the_socket_is_for_the_owner_alone(first: SingleInstance, tmp_path: Path) -> None:
    first.claim()
    path = Path(socket_name(tmp_path / "home"))
    assert path.is_absolute()
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe has no path")
def test_a_home_with_a_very_long_path_still_has_a_socket(qtbot: QtBot, tmp_path: Path) -> None:
    deep = tmp_path / ("long-" * 30)
    deep.mkdir()
    single = SingleInstance(deep)
    assert len(os.fsencode(socket_name(deep))) < 104
    assert single.claim()
    single.release()
