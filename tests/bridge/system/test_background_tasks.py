"""Tasks that nobody awaits run to their end, or are cancelled with their owner."""

from __future__ import annotations

import asyncio

from bridge.system.background_tasks import BackgroundTasks, SharedTask


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


async def test_callers_at_the_same_time_share_one_run():
    begun, gate = 0, asyncio.Event()

    async def work() -> int:
        nonlocal begun
        begun += 1
        await gate.wait()
        return begun

    shared: SharedTask[int] = SharedTask()
    callers = [asyncio.create_task(shared.run(work)) for _ in range(3)]
    await asyncio.sleep(0)
    assert shared.is_running
    callers[0].cancel()
    gate.set()
    assert await asyncio.gather(*callers[1:]) == [1, 1]
    assert await shared.run(work) == 2
    assert not shared.is_running


async def test_a_failure_reaches_every_caller_and_the_next_run_starts_anew():
    async def fail() -> None:
        raise ValueError

    shared: SharedTask[None] = SharedTask()
    results = await asyncio.gather(shared.run(fail), shared.run(fail), return_exceptions=True)
    assert [type(result) for result in results] == [ValueError, ValueError]
    assert not shared.is_running
