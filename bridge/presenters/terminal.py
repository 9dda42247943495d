"""Ask Questions on the controlling terminal, one at a time, each in its own thread.

This module handles threads and withdrawal; terminal_dialog.py has the dialog.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Sequence

from bridge.core.questions.question import CANCEL, NOBODY, Answer, Question
from bridge.presenters.terminal_dialog import TerminalDialog
from bridge.presenters.tty import Console, HungUp, Wake, Withdrawn, one_line
from bridge.system.daemon_thread import in_daemon_thread

_CLOSE_LIMIT = 1.0  # seconds for a withdrawn dialog to end


class TerminalPresenter:
    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def ask(self, question: Question) -> Answer:
        async with self._turn:
            wake, host = Wake(), [""]  # the host that answers meanwhile
            # A daemon thread: a blocked terminal must not keep Deskbell from exiting.
            asking = in_daemon_thread(lambda: _ask(question, wake, host), "deskbell-terminal")
            answer = asyncio.ensure_future(asking)
            try:
                return await asyncio.shield(answer)
            except asyncio.CancelledError as error:
                host[0] = str(error.args[0]) if error.args else ""
                wake.set()
                await asyncio.wait([answer], timeout=_CLOSE_LIMIT)
                raise

    async def close(self) -> None:
        """No-op: nothing stays open between Questions."""


def _ask(question: Question, wake: Wake, host: Sequence[str]) -> Answer:
    try:
        with Console(wake) as console:
            try:
                return TerminalDialog(console, question).answer()
            except Withdrawn:
                console.write(f"\n(Answered in {one_line(host[0])}.)\n" if host[0] else "\n(withdrawn)\n")
            except HungUp:
                with contextlib.suppress(HungUp):
                    console.write("\n(cancelled)\n")
            return CANCEL
    except OSError as error:
        words = f"There is no terminal to ask on ({error}); the question from {question.server} is cancelled."
        print(f"deskbell: {one_line(words)}", file=sys.stderr)
        return NOBODY
    finally:
        wake.close()
