"""A thread that the end of the program does not wait for."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from functools import partial

import pytest

from bridge.system.daemon_thread import DaemonThread, in_daemon_thread
from tests.fixtures.patience import WITHIN

BLOCKED = """
import asyncio, threading
from bridge.system.daemon_thread import in_daemon_thread

async def main():
    started = threading.Event()
    work = lambda: (started.set(), threading.Event().wait())
    waiting = asyncio.ensure_future(in_daemon_thread(work, "blocked"))
    await asyncio.to_thread(started.wait)
    waiting.cancel()

asyncio.run(main())
"""


async def test_the_result_of_the_work_is_returned() -> None:
    assert await in_daemon_thread(lambda: 41 + 1, "adding") == 42


async def test_what_the_work_raises_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        await in_daemon_thread(lambda: 1 / 0, "dividing")


async def test_a_cancelled_caller_leaves_the_work_alone() -> None:
    may_end, ended = threading.Event(), threading.Event()

    def work() -> None:
        may_end.wait()
        ended.set()

    waiting = asyncio.ensure_future(in_daemon_thread(work, "patient"))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    may_end.set()
    assert await asyncio.to_thread(ended.wait, WITHIN)


def test_jobs_of_one_thread_run_in_the_order_in_which_they_were_submitted() -> None:
    done: list[int] = []
    thread = DaemonThread("jobs")
    jobs = [thread.submit(partial(done.append, number)) for number in range(5)]
    thread.end()
    jobs[-1].result(WITHIN)
    assert done == [0, 1, 2, 3, 4]


def test_a_blocked_thread_does_not_hold_up_the_end_of_the_program() -> None:
    ended = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, timeout=WITHIN)
    assert (ended.returncode, ended.stderr) == (0, b"")
