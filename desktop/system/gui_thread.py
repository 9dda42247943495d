"""Deliver results of other threads to the GUI thread, without giving those threads a Qt object.

A Qt object whose last reference is dropped by another thread is destroyed there, and Qt may crash. So a
thread gets a Delivery, which knows a number; the callback behind the number stays in the GUI thread.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import Executor
from functools import cache
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

T = TypeVar("T")
_FAILED = object()  # delivered in place of a result


class Delivery:
    """A function for any thread: makes the GUI thread call `callback`, if `owner` still exists.

    Make and close it in the GUI thread. `once`: it closes itself after the first result.
    """

    def __init__(self, owner: QObject, callback: Callable[[Any], None], *, once: bool = True) -> None:
        self._number = _deliveries().open(owner, callback, once)

    def __call__(self, result: object) -> None:
        _deliveries().send(self._number, result)

    def close(self) -> None:
        """Forget the callback; later results are dropped."""
        _deliveries().close(self._number)


def submit(executor: Executor, owner: QObject, work: Callable[[], T], then: Callable[[T], None]) -> None:
    """Run `work`, which must not refer to a Qt object, in `executor`; call `then` in the GUI thread."""
    deliver = Delivery(owner, then)

    def run() -> None:
        result: object = _FAILED
        try:
            result = work()
        finally:
            deliver(result)

    executor.submit(run)


class _Deliveries(QObject):
    """The one Qt object that other threads know. It exists as long as the process does."""

    _arrived = Signal(int, object)

    def __init__(self) -> None:
        super().__init__()
        self._open: dict[int, tuple[QObject, Callable[[Any], None], bool]] = {}
        self._last = 0
        self._arrived.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def open(self, owner: QObject, callback: Callable[[Any], None], once: bool) -> int:
        self._last += 1
        self._open[self._last] = (owner, callback, once)
        return self._last

    def close(self, number: int) -> None:
        self._open.pop(number, None)

    def send(self, number: int, result: object) -> None:
        """Call this in any thread."""
        with contextlib.suppress(RuntimeError):  # Qt has ended meanwhile
            self._arrived.emit(number, result)

    def _call(self, number: int, result: object) -> None:
        if number not in self._open:
            return
        owner, callback, once = self._open[number]
        if once or not isValid(owner):
            self.close(number)
        if isValid(owner) and result is not _FAILED:
            callback(result)


@cache
def _deliveries() -> _Deliveries:
    return _Deliveries()
