"""Run coroutines as tasks: in a set that its owner closes, or once for several callers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class BackgroundTasks:
    """Holds a reference to each running task: asyncio itself keeps none."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """Return how many tasks are running."""
        return len(self._tasks)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # cancelled before its first step: never awaited
        return task

    async def wait(self) -> None:
        """Return when every running task has ended by itself."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def cancel(self) -> None:
        """Cancel every running task; return when all have ended."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class SharedTask(Generic[T]):
    """Runs work once for all callers that wait for it at the same time."""

    def __init__(self) -> None:
        self._task: asyncio.Task[T] | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None

    async def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Start `work`, unless it runs already; return its result. Cancelling a caller does not cancel it."""
        if self._task is None:
            self._task = asyncio.ensure_future(work())
            self._task.add_done_callback(self._ended)
        return await asyncio.shield(self._task)

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _ended(self, task: asyncio.Task[T]) -> None:
        self._task = None
        if not task.cancelled():
            task.exception()  # mark as retrieved; every caller has received it
