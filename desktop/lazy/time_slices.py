"""Run long work in the GUI thread a few milliseconds at a time, so that windows keep responding.

Work is a generator of steps. One slice of it runs in each turn of Qt's event loop, however many tasks wait. A
step that needs no widget runs in a thread: `result = yield from await_thread(function)`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, wait
from functools import cache
from threading import Thread
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal
from shiboken6 import isValid

from desktop.system.gui_thread import Delivery

T = TypeVar("T")


class EndSlice:
    """Yielded by a step to end the slice: Qt has much to lay out now, or the next step is long."""


END_SLICE = EndSlice()
Steps = Iterator["Future[Any] | EndSlice | None"]

SLICE = 0.002  # seconds; Qt lays out and paints what was built in the same turn


class SlicedTask(QObject):
    """Runs one generator of steps at a time and emits `done` after its last step."""

    done = Signal()

    def __init__(self, parent: QObject, steps: Steps | None = None, *, at_once: bool = False) -> None:
        """Start `steps`, if given. `at_once`: run them all now."""
        super().__init__(parent)
        self._steps: Steps | None = None
        self.ends_slice = False  # whether the last step yielded END_SLICE
        if steps is not None:
            self.start(steps)
        if at_once:
            self.finish()

    @property
    def running(self) -> bool:
        return self._steps is not None

    def start(self, steps: Steps) -> None:
        """Run `steps`, beginning in this turn's slice. Steps that were running are abandoned."""
        self._steps = steps
        self._schedule()

    def finish(self) -> None:
        """Run all remaining steps now."""
        while self._steps is not None:
            self.step(blocking=True)

    def when_done(self, act: Callable[[], object]) -> None:
        """Call `act` when the task is done; at once if nothing is running."""
        if self.running:
            self.done.connect(act)
        else:
            act()

    def step(self, *, blocking: bool = False) -> bool:
        """Run one step; False if none can run now. `blocking`: wait for the thread a step waits for."""
        steps, self._steps = self._steps, None  # a step may start other steps on this task
        self.ends_slice = False
        if steps is None:
            return False
        try:
            awaited = next(steps)
        except StopIteration:
            self.done.emit()
            return False
        self.ends_slice = awaited is END_SLICE
        if self._steps is not None:
            return True
        self._steps = steps
        if awaited is None or isinstance(awaited, EndSlice) or awaited.done():
            return True
        if blocking:
            wait((awaited,))
            return True
        awaited.add_done_callback(Delivery(self, lambda _: self._schedule()))
        return False

    def _schedule(self) -> None:
        _scheduler().add(self)


class _Scheduler(QObject):
    """Runs one slice in each turn of the event loop, tasks first come, first served."""

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self._waiting: deque[SlicedTask] = deque()
        self._slice_end = 0.0  # monotonic seconds; 0: this turn's slice has not begun
        self._next_turn = QTimer(self, singleShot=True, interval=0)
        self._next_turn.timeout.connect(self._begin_turn)

    def add(self, task: SlicedTask) -> None:
        if task not in self._waiting:
            self._waiting.append(task)
        self._work()

    def _begin_turn(self) -> None:
        self._slice_end = 0.0
        if self._waiting:
            self._work()

    def _work(self) -> None:
        is_first = not self._slice_end
        if is_first:
            self._slice_end = time.perf_counter() + SLICE
        try:
            while self._waiting and (is_first or time.perf_counter() < self._slice_end):
                is_first = False
                task = self._waiting.popleft()
                if isValid(task) and task.step() and task not in self._waiting:
                    self._waiting.appendleft(task)
                if isValid(task) and task.ends_slice:
                    self._slice_end = time.perf_counter()
        finally:
            self._next_turn.start()


@cache
def _scheduler() -> _Scheduler:
    return _Scheduler(QCoreApplication.instance())


def await_thread(work: Callable[[], T]) -> Generator[Future[T], None, T]:
    """Run `work` in a thread while the task waits: `result = yield from await_thread(work)`."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, name="deskbell-step", daemon=True).start()
    yield future
    return future.result()
