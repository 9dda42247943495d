"""Work for the windows' thread in slices: a few milliseconds of it, then Qt has its turn, then some more.

Whoever has much to build gives it as steps; no window stands still for longer than a slice and a step. There
is one slice in a turn of Qt's loop, however many have work. What takes no window is better done in a thread:
a step yields what it waits for there.
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
    """The slice ends with this step: what it did, Qt has much to lay out for, or what comes next is long."""


END_SLICE = EndSlice()
Steps = Iterator["Future[Any] | EndSlice | None"]

SLICE = 0.002  # seconds: Qt has to lay out and to paint, in the same turn, what was built


class SlicedTask(QObject):
    """`done`: all of it is."""

    done = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Steps | None = None
        self.ends_slice = False  # after its last step

    @property
    def running(self) -> bool:
        return self._steps is not None

    def start(self, steps: Steps) -> None:
        """Now, as far as this turn's slice goes; then turn by turn. What was under way is left as it is."""
        self._steps = steps
        self._go_on()

    def finish(self) -> None:
        """All that is left, now."""
        while self._steps is not None:
            self.step(blocking=True)

    def when_done(self, act: Callable[[], object]) -> None:
        """When it is done; now, if it is."""
        if self.running:
            self.done.connect(act)
        else:
            act()

    def step(self, *, blocking: bool = False) -> bool:
        """One step; False when there is none to do now. `blocking`: what it waits for is waited for."""
        steps, self._steps = self._steps, None  # a step may begin something else here
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
        awaited.add_done_callback(Delivery(self, lambda _: self._go_on()))
        return False

    def _go_on(self) -> None:
        _scheduler().take(self)


class _Scheduler(QObject):
    """One slice in each turn, first come, first served."""

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self._waiting: deque[SlicedTask] = deque()
        self._end = 0.0  # of this turn's slice; 0: it has not begun
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._next)

    def take(self, slices: SlicedTask) -> None:
        if slices not in self._waiting:
            self._waiting.append(slices)
        self._work()

    def _next(self) -> None:
        self._end = 0.0
        if self._waiting:
            self._work()

    def _work(self) -> None:
        fresh = not self._end
        if fresh:
            self._end = time.perf_counter() + SLICE
        try:
            while self._waiting and (fresh or time.perf_counter() < self._end):
                fresh = False
                slices = self._waiting.popleft()
                if isValid(slices) and slices.step() and slices not in self._waiting:
                    self._waiting.appendleft(slices)
                if isValid(slices) and slices.ends_slice:
                    self._end = time.perf_counter()
        finally:
            self._soon.start()


@cache
def _scheduler() -> _Scheduler:
    return _Scheduler(QCoreApplication.instance())


def await_thread(work: Callable[[], T]) -> Generator[Future[T], None, T]:
    """For a step: `result = yield from in_thread(…)`, and no window waits meanwhile."""
    future: Future[T] = Future()

    def do() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=do, name="deskbell-step", daemon=True).start()
    yield future
    return future.result()
