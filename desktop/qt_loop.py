"""The GUI's own coroutines, on Qt's event loop. The only module that knows qasync.

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
    """Run Qt's event loop until `life` has ended; its result."""
    loop = QEventLoop(app)
    worker = ThreadPoolExecutor(1, "deskbell-wait")  # one: what waits for the bridge waits in order
    loop.set_default_executor(worker)
    asyncio.set_event_loop(loop)
    try:
        result: T = loop.run_until_complete(life)
        return result
    finally:
        asyncio.set_event_loop(None)
        loop.close()


async def in_thread(function: Callable[[], T]) -> T:
    """Wait for something that blocks, while windows stay alive."""
    return await asyncio.get_running_loop().run_in_executor(None, function)


async def finished(dialog: QDialog) -> int:
    """Show a dialog and wait until the person is done with it."""
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
