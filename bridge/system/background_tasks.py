"""Run coroutines as tasks that nobody awaits, until the owner of the set closes it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


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
