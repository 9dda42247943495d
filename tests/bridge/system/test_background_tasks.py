"""Tasks that nobody awaits run to their end, or are cancelled with their owner."""

from __future__ import annotations

import asyncio

from bridge.system.background_tasks import BackgroundTasks


async def test_wait_returns_when_every_task_has_ended() -> None:
    tasks, gate = BackgroundTasks(), asyncio.Event()
    done: list[str] = []

    async def work(name: str) -> None:
        await gate.wait()
        done.append(name)

    tasks.start(work("a"))
    tasks.start(work("b"))
    assert len(tasks) == 2
    gate.set()
    await tasks.wait()
    assert (done, len(tasks)) == (["a", "b"], 0)


async def test_cancel_ends_tasks_that_run_and_tasks_that_have_not_begun() -> None:
    tasks, begun, ended = BackgroundTasks(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    running = tasks.start(work())
    await begun.wait()
    waiting = tasks.start(work())
    await tasks.cancel()
    assert running.cancelled()
    assert waiting.cancelled()
    assert ended.is_set()
    assert not len(tasks)
