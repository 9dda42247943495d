"""Run blocking work in threads that do not hold up the exit of the program.

ThreadPoolExecutor, and with it asyncio.to_thread, joins its threads at exit: a keyring or a terminal that
never answers would keep the process alive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class DaemonThread:
    """Runs jobs one after the other in a daemon thread, which the first job starts."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._thread: Thread | None = None

    def submit(self, work: Callable[[], T]) -> Future[T]:
        if self._thread is None:
            self._thread = Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        job: Future[T] = Future()
        self._jobs.put((job, work))
        return job

    def end(self) -> None:
        """End the thread after the jobs that were submitted."""
        self._jobs.put(None)
        self._thread = None

    def _run(self) -> None:
        while (entry := self._jobs.get()) is not None:
            job, work = entry
            if job.set_running_or_notify_cancel():
                try:
                    job.set_result(work())
                except BaseException as error:
                    job.set_exception(error)


async def in_daemon_thread(work: Callable[[], T], name: str) -> T:
    """Return the result of `work`, called in a new daemon thread. Cancelling the caller does not stop it."""
    thread = DaemonThread(name)
    job = thread.submit(work)
    thread.end()
    return await asyncio.shield(asyncio.wrap_future(job))
