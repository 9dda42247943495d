"""Ask Questions by another program (the askpass pattern: zenity, rofi, a phone, a test).

The program gets the Question as JSON on stdin and prints `{"action": …, "content": …}`. Any other output
cancels the Question; a non-zero exit code means that nobody could be asked. The reason is on stderr. No shell
is involved.
"""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import sys
from asyncio.subprocess import PIPE, Process
from typing import Any, cast

from bridge.core.questions.question import CANCEL, NOBODY, Answer, Question
from bridge.errors import UsageError
from bridge.presenters import question_json
from bridge.presenters.question_json import AnswerRefused
from bridge.presenters.tty import one_line
from bridge.system.process.process_group import DETACHED, ProcessGroup
from bridge.system.process.reaper import Reaper

LARGEST = 1 << 20  # bytes of an answer
AT_ONCE = 16  # processes; a server may ask thousands of Questions
_GRACE = 0.5  # seconds between SIGTERM and SIGKILL


class _Refused(Exception):
    """Why there is no answer."""


class _NobodyAsked(_Refused):
    """The program could not be started, or failed before anybody answered."""


class CommandPresenter:
    def __init__(self, program: str) -> None:
        try:
            self._words = shlex.split(program, posix=sys.platform != "win32")
        except ValueError as error:
            raise UsageError(f"command:{program} cannot be read", f"{error}.") from error
        self._running: dict[Process, ProcessGroup] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._reaper = Reaper()

    async def ask(self, question: Question) -> Answer:
        try:
            async with self._turns:
                printed = await self._run(question_json.encode_question(question))
            return question_json.read_answer(question, printed)
        except (_Refused, AnswerRefused) as refused:
            words = one_line(str(refused))  # the message may quote the server's form
            print(f"deskbell: {self._words[0]}: {words} The question is cancelled.", file=sys.stderr)
            return NOBODY if isinstance(refused, _NobodyAsked) else CANCEL

    async def close(self) -> None:
        await asyncio.gather(*(_end(process, group) for process, group in self._running.items()))
        self._reaper.close()

    async def _run(self, described: bytes) -> bytes:
        """Run the program and return its output; end all its processes, however this ends."""
        try:
            process = await asyncio.create_subprocess_exec(*self._words, stdin=PIPE, stdout=PIPE, **DETACHED)
        except OSError as error:
            raise _NobodyAsked(f"It cannot be started ({error.strerror}).") from error
        group = self._running[process] = ProcessGroup(process.pid, self._reaper)
        try:
            return await _talk(process, described)
        finally:
            await _end(process, group)
            self._running.pop(process, None)
            group.release()


async def _talk(process: Process, described: bytes) -> bytes:
    feeding = asyncio.create_task(_feed(cast(asyncio.StreamWriter, process.stdin), described))
    try:
        printed = await _read(cast(asyncio.StreamReader, process.stdout))
        code = await process.wait()
    finally:
        feeding.cancel()
    if code != 0:
        raise _NobodyAsked(f"It ended with exit code {code}.")
    return printed


async def _feed(stdin: asyncio.StreamWriter, described: bytes) -> None:
    """Write the Question to stdin; the program may not read it."""
    with contextlib.suppress(OSError):
        stdin.write(described)
        await stdin.drain()
    stdin.close()


async def _read(stdout: asyncio.StreamReader) -> bytes:
    try:
        await stdout.readexactly(LARGEST + 1)
    except asyncio.IncompleteReadError as end:
        return end.partial
    raise _Refused("Its answer is larger than 1 MiB.")


async def _end(process: Process, group: ProcessGroup) -> None:
    """End the program and all it has started: SIGTERM, then SIGKILL."""
    group.terminate()
    if process.returncode is None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _GRACE)
    group.kill()
    _close_pipes(process)
    await process.wait()


def _close_pipes(process: Process) -> None:
    """Close our ends of the pipes: a process the program left behind may hold the others open, and asyncio
    would keep the pipes until after the loop has ended. asyncio has no public way to do this."""
    transport = cast(Any, process)._transport
    for fd, close in ((0, "abort"), (1, "close")):
        pipe = transport.get_pipe_transport(fd)
        if pipe is not None and not pipe.is_closing():
            getattr(pipe, close)()
