"""Coroutines on Qt's event loop."""

from __future__ import annotations

import asyncio

from PySide6.QtWidgets import QApplication

from desktop import qt_loop


def test_a_life_comes_to_its_end_although_qt_stops_its_loop(qapp: QApplication) -> None:
    """As Qt does when the display server ends."""

    async def life() -> str:
        told = asyncio.Event()
        qapp.aboutToQuit.connect(told.set)
        try:
            qapp.exit(1)
            await told.wait()
            await asyncio.sleep(0)
            return await qt_loop.in_thread(lambda: "closed in order")
        finally:
            qapp.aboutToQuit.disconnect(told.set)

    assert qt_loop.run(qapp, life()) == "closed in order"
