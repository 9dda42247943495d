"""The composition root of the desktop: builds and connects, decides nothing. `deskbell` runs `main`."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QMessageBox

from bridge.api import AlreadyRunning, Bridge, DeskbellError, Home, ask_running_to_yield
from desktop import loop
from desktop.ending import Application, Interrupts
from desktop.questions.presenter import QuestionPresenter
from desktop.questions.warm import warm
from desktop.signals import BridgeSignals
from desktop.single import SingleInstance
from desktop.theme import Theme
from desktop.tray import Tray
from desktop.widgets.icons import app_icon
from desktop.windows.home import HomeWindow

_YIELDING = 5.0  # seconds for another Deskbell to end everything it runs
_RETRY = 0.1
_WARM_AFTER = 200  # ms after the start, which it must not slow down
_SWITCH = 0.0005  # seconds; the engine's thread gets its turn while Python works for the GUI


def main(home: Home, *, for_host: bool = False) -> int:
    """Run the tray application; its exit code. `for_host`: an AI host started it, nobody is looking."""
    sys.setswitchinterval(_SWITCH)
    home.ensure()
    app = _application()
    interrupts = Interrupts()
    single = SingleInstance(home.root)
    try:
        if not single.claim():
            return _second(single, for_host)
        return loop.run(app, Desktop(app, home, single, interrupts, for_host=for_host).life())
    finally:
        interrupts.close()
        single.release()


def _application() -> Application:
    Application.setOrganizationName("Deskbell")
    Application.setApplicationName("Deskbell")
    Application.setDesktopFileName("deskbell")
    app = Application(["deskbell"])
    app.setQuitOnLastWindowClosed(False)
    app.setWindowIcon(app_icon())
    return app


def _second(single: SingleInstance, for_host: bool) -> int:
    if for_host:
        return 0
    if single.raise_first():
        print("deskbell: it is already running; its window is in front now.", file=sys.stderr)
        return 0
    print("deskbell: it is already running, but does not answer. End it, then start again.", file=sys.stderr)
    return AlreadyRunning.exit_code


class Desktop:
    """Everything on the screen, wired together."""

    def __init__(
        self, app: Application, home: Home, single: SingleInstance, interrupts: Interrupts, *, for_host: bool
    ) -> None:
        self._home_folder = home
        self._for_host = for_host
        self._end = asyncio.Event()
        self._signals = BridgeSignals(lambda report: Bridge(home, on_status=report, presenter="desktop"))
        self._theme = Theme()
        self._tray = Tray()
        self._questions = QuestionPresenter()
        self._home = HomeWindow()
        for part in (self._tray, self._questions, self._home):
            self._signals.status.connect(part.draw)
        self._questions.answered.connect(self._signals.answer)
        app.palette_changed.connect(self._tray.draw_icon)
        self._tray.next_wanted.connect(self._questions.next)
        self._tray.window_wanted.connect(self._show_home)
        self._tray.found.connect(lambda: self._home.tell_tray(True))
        self._home.answer_wanted.connect(self._questions.open)
        single.raised.connect(self._show_home)
        for asked in (app.end_asked, interrupts.heard, self._tray.quit_wanted, self._home.quit_wanted):
            asked.connect(self._end.set)

    async def life(self) -> int:
        """From start to nothing left running; the exit code."""
        try:
            code = await self._until_end(self._start())
            if code is None:
                await self._end.wait()
            return code or 0
        finally:
            self._tray.hide()
            self._home.close()
            self._questions.close()
            await self._signals.stop()

    async def _start(self) -> int | None:
        """The bridge is up (None), or the exit code of a start that came to nothing."""
        patience = 0.0  # until when another Deskbell that yields may take to end
        while True:
            try:
                await self._signals.start()
            except DeskbellError as error:
                if isinstance(error, AlreadyRunning) and time.monotonic() < patience:
                    await asyncio.sleep(_RETRY)
                elif not await self._try_again(error):
                    return 0 if isinstance(error, AlreadyRunning) else error.exit_code
                else:
                    patience = time.monotonic() + _YIELDING
            else:
                self._appear()
                return None

    def _appear(self) -> None:
        QTimer.singleShot(_WARM_AFTER, warm)
        tray = self._tray.look()
        self._home.tell_tray(tray)
        if self._for_host:
            return
        where = "as the bell in your system tray" if tray else "in its window, for want of a system tray"
        print(f"deskbell: running {where}. Ctrl+C ends it.", file=sys.stderr, flush=True)
        if not tray:
            self._show_home()

    def _show_home(self) -> None:
        if self._home.isMinimized():
            self._home.showNormal()
        self._home.show()
        self._home.raise_()
        self._home.activateWindow()

    async def _try_again(self, error: DeskbellError) -> bool:
        """A start failed: explain it, and ask what to do."""
        if self._for_host:
            return False
        if isinstance(error, AlreadyRunning):
            return await self._take_over()
        retry, give_up = QMessageBox.StandardButton.Retry, QMessageBox.StandardButton.Close
        box = QMessageBox(QMessageBox.Icon.Critical, "Deskbell", error.title, retry | give_up)
        box.setInformativeText(error.message)
        return await loop.finished(box) == retry

    async def _take_over(self) -> bool:
        """Another Deskbell serves this home without windows: it yields by itself when nobody needs it."""
        if await loop.in_thread(lambda: ask_running_to_yield(self._home_folder, False)):
            return True
        box = QMessageBox(
            QMessageBox.Icon.Question, "Deskbell", _say("Deskbell is already running without windows.")
        )
        box.setInformativeText(
            _say(
                "AI apps are connected to it. If you take over, their connections end; restart them, "
                "and from then on their questions come here."
            )
        )
        take = box.addButton(_say("&Take over"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(_say("&Quit"), QMessageBox.ButtonRole.RejectRole)
        await loop.finished(box)
        if box.clickedButton() is not take:
            return False
        await loop.in_thread(lambda: ask_running_to_yield(self._home_folder, True))
        return True

    async def _until_end(self, start: Coroutine[Any, Any, int | None]) -> int | None:
        """What the start came to; 0 when the person ended Deskbell before."""
        starting, ending = asyncio.ensure_future(start), asyncio.ensure_future(self._end.wait())
        await asyncio.wait((starting, ending), return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if not starting.done():
            starting.cancel()
            await asyncio.wait((starting,))
            return 0
        return starting.result()


def _say(text: str) -> str:
    return QCoreApplication.translate("app", text)
