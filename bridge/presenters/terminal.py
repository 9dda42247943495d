"""Ask Questions on the controlling terminal, one at a time, each in its own thread.

This module handles threads and withdrawal; terminal_dialog.py has the dialog.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys

from bridge.core.questions.question import CANCEL, NOBODY, Answer, Question
from bridge.presenters.terminal_dialog import TerminalDialog
from bridge.presenters.tty import Console, HungUp, Wake, Withdrawn, one_line
from bridge.system.daemon_thread import in_daemon_thread

_LAST_WORDS = 1.0  # seconds for a withdrawn dialog to end


class TerminalPresenter:
    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def ask(self, question: Question) -> Answer:
        async with self._turn:
            wake = Wake()
            # A daemon thread: a blocked terminal must not keep Deskbell from exiting.
            asking = in_daemon_thread(lambda: _ask(question, wake), "deskbell-terminal")
            answer = asyncio.ensure_future(asking)
            try:
                return await asyncio.shield(answer)
            except asyncio.CancelledError:
                wake.set()
                await asyncio.wait([answer], timeout=_LAST_WORDS)
                raise

    async def close(self) -> None:
        """No-op: nothing stays open between Questions."""


def _ask(question: Question, wake: Wake) -> Answer:
    try:
        with Console(wake) as console:
            return _converse(console, question)
    except OSError as error:
        words = f"There is no terminal to ask on ({error}); the question from {question.server} is cancelled."
        print(f"deskbell: {one_line(words)}", file=sys.stderr)
        return NOBODY
    finally:
        wake.close()


def _converse(console: Console, question: Question) -> Answer:
    try:
        return TerminalDialog(console, question).answer()
    except Withdrawn:
        console.write("\n(withdrawn)\n")
    except HungUp:
        with contextlib.suppress(HungUp):
            console.write("\n(cancelled)\n")
    return CANCEL
