"""Only the GUI thread frees Qt objects: those of another thread stay in Qt's lists, and Qt crashes."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from desktop.system.gui_thread import Delivery, submit

# Leaves cycles with running timers behind, while another thread allocates enough to make Python collect.
TIMERS_IN_CYCLES = """
import gc, sys, threading
from PySide6.QtCore import QCoreApplication, QTimer
from desktop.system.garbage_collection import GarbageCollection

class Holder:
    left = 0
    def __init__(self):
        Holder.left += 1
        self.me, self.timer = self, QTimer()
        self.timer.start(1)
    def __del__(self):
        Holder.left -= 1

def allocate():
    kept = []
    for _ in range(200_000):
        kept.append([kept])

app = QCoreApplication([])
collection = GarbageCollection(app) if sys.argv[1] == "confined" else None
gc.set_threshold(700, 0, 0) if collection is None else None
for _ in range(100):
    Holder()
thread = threading.Thread(target=allocate)
thread.start()
thread.join()
left = Holder.left
QTimer.singleShot(100, app.quit)
app.exec()
print(left, Holder.left)
if collection:
    collection.close()
    print(gc.isenabled())
"""


def run(how: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", TIMERS_IN_CYCLES, how], capture_output=True, text=True)


def test_timers_in_garbage_are_freed_by_the_gui_thread_and_python_collects_again_in_the_end() -> None:
    done = run("confined")
    assert done.stdout.split() == ["100", "0", "True"], done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="how the crash ends is known for Linux only")
def test_without_it_another_thread_frees_them_and_qt_crashes() -> None:
    """The minimal program behind it. If it begins to survive, Qt or PySide has changed."""
    done = run("anywhere")
    assert "Timers cannot be stopped from another thread" in done.stderr
    assert done.returncode < 0


def test_a_result_of_another_thread_arrives_in_the_gui_thread(qtbot: QtBot) -> None:
    came: list[tuple[int, int]] = []
    owner = QObject()
    with ThreadPoolExecutor(1) as executor:
        submit(
            executor, owner, threading.get_ident, lambda ident: came.append((ident, threading.get_ident()))
        )
    qtbot.waitUntil(lambda: bool(came))
    [(worked_in, arrived_in)] = came
    assert worked_in != arrived_in == threading.get_ident()


def test_a_result_whose_owner_is_gone_or_whose_work_failed_is_dropped(qtbot: QtBot) -> None:
    came: list[object] = []
    owner, gone = QObject(), QObject()
    with ThreadPoolExecutor(1) as executor:
        submit(executor, gone, lambda: "too late", came.append)
        submit(executor, owner, lambda: 1 / 0, came.append)
        submit(executor, owner, lambda: "in time", came.append)
        delete(gone)
    qtbot.waitUntil(lambda: bool(came))
    assert came == ["in time"]


def test_a_lasting_delivery_delivers_until_it_is_closed(qtbot: QtBot) -> None:
    came: list[object] = []
    delivery = Delivery(owner := QObject(), came.append, once=False)
    last = Delivery(owner, came.append)
    delivery(1)
    delivery(2)
    qtbot.waitUntil(lambda: came == [1, 2])
    delivery(3)
    delivery.close()
    last("last")
    qtbot.waitUntil(lambda: "last" in came)
    assert came == [1, 2, "last"]
