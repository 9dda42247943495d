"""Run coroutines on Qt's event loop. The only module that uses qasync.

Never `exec()` a dialog inside a coroutine (no other task would ever resume): `await finished(dialog)`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from PySide6.QtWidgets import QApplication, QDialog
from qasync import QEventLoop  # type: ignore[import-untyped]

T = TypeVar("T")


def run(app: QApplication, life: Coroutine[Any, Any, T]) -> T:
    """Run Qt's event loop until `life` has ended; return its result."""
    loop = QEventLoop(app)
    worker = ThreadPoolExecutor(1, "deskbell-wait")  # one thread, so that blocking calls stay in order
    loop.set_default_executor(worker)
    asyncio.set_event_loop(loop)
    task = loop.create_task(life)
    task.add_done_callback(lambda _: loop.stop())
    try:
        while not task.done():  # Qt stops its loop when the display server ends; `aboutToQuit` tells `life`
            loop.run_forever()
        app.processEvents()
        result: T = task.result()
        return result
    finally:
        asyncio.set_event_loop(None)
        loop.close()


async def in_thread(function: Callable[[], T]) -> T:
    """Run a blocking function in a thread and await its result."""
    return await asyncio.get_running_loop().run_in_executor(None, function)


async def finished(dialog: QDialog) -> int:
    """Show a dialog and await its result code."""
    over: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def done(code: int) -> None:
        if not over.done():
            over.set_result(code)

    dialog.finished.connect(done)
    dialog.open()
    try:
        return await over
    finally:
        dialog.close()
        dialog.deleteLater()
