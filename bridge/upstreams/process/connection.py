"""ProcessConnection: one stdio server, as the engine sees it. One JSON-RPC message is one line.

Bytes pass unchanged in both directions (unless they are no UTF-8); nothing is parsed but a line's first
characters. Carries out, decides nothing: restarts, timeouts and what an ended server means for a waiting call
belong to the core.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque

from bridge.core.ports import Back, ServerSpec
from bridge.errors import UpstreamError
from bridge.i18n import Words, say, told
from bridge.journal import redact
from bridge.system.fast import write_batch
from bridge.system.line_buffer import (
    LineBuffer,
    LineTooLong,
    StderrLines,
    replace_invalid_utf8,
    without_newlines,
)
from bridge.system.reaper import Reaper
from bridge.upstreams.fill_secrets import Fill, unchanged
from bridge.upstreams.process.child import Child, ending, within
from bridge.upstreams.process.launch import prepare
from bridge.upstreams.process.login_path import LoginPath

_LIMIT = 64 * 1024 * 1024
_REMARK = 4096
_CHATTER = "npm notice"  # comes after an end, and is never the reason
_LAST_WORDS = 20
_REMARKS = 100  # a second; a server that floods its stderr must not push all else out of the history
_DRAIN = 0.5  # after the first sign of the end, for the rest of it; a grandchild may hold the pipes open
_PATIENCE = 1.0
_BROKEN_PATIENCE = 0.25
# An object, or a batch of them. `[info] listening` is a log line.
_MESSAGE = re.compile(rb"\{|\[\s*\{").match


class ProcessConnection:
    """Starts its server at once; what is sent meanwhile waits. See `Connection` in core/ports.py."""

    def __init__(
        self,
        conn: int,
        spec: ServerSpec,
        back: Back,
        reaper: Reaper,
        fill: Fill = unchanged,
        login: LoginPath | None = None,
    ) -> None:
        self._conn = conn
        self._spec = spec
        self._back = back
        self._reaper = reaper
        self._loop = asyncio.get_running_loop()
        self._lines = LineBuffer(_LIMIT)
        self._remarks = StderrLines(_REMARK)
        self._last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._noted = (0, 0)  # in which second, how many remarks
        self._outbox: list[bytes] = []
        self._waiting = 0  # bytes in the outbox
        self._child: Child | None = None
        self._open = True  # messages flow
        self._quiet = False  # closed or ended: nothing is reported any more
        self._failure: str = ""  # why we end it, when it did not end by itself
        self._broken = asyncio.Event()
        self._search = self._loop.create_task(prepare(spec, fill, login))
        self._life = self._loop.create_task(self._live())

    def send(self, message: bytes) -> None:
        if not self._open:
            return
        self._outbox.append(without_newlines(message))
        self._waiting += len(message)
        if self._waiting > _LIMIT:
            self._fail_unread()
        elif len(self._outbox) == 1 and self._child is not None:
            write_batch.owe(self._flush)

    def close(self) -> None:
        if self._quiet:
            return
        self._quiet = True
        self._search.cancel()
        self._flush()
        self._open = False
        self._broken.set()

    async def closed(self) -> None:
        await asyncio.wait({self._life})

    def rouse(self) -> None:
        """It slept along."""

    async def _live(self) -> None:
        child = Child(self._output, self._errors, self._broken.set)
        try:
            await child.start(await self._search, self._reaper)
        except asyncio.CancelledError:  # closed before it was found
            return
        except UpstreamError as error:
            self._end(told(error))
            return
        except (OSError, ValueError) as error:  # ValueError: a NUL byte in an argument
            why = getattr(error, "strerror", None) or str(error)
            words = say(
                "Could not start {server}: {why}. Check its command in config.toml.",
                server=self._spec.name,
                why=why,
            )
            self._end(words)
            return
        self._child = child
        self._flush()
        await self._until_it_ends(child)

    async def _until_it_ends(self, child: Child) -> None:
        patience = _PATIENCE
        try:
            await self._broken.wait()
            if self._failure:
                patience = 0.0
            elif not self._quiet:
                patience = _BROKEN_PATIENCE
                await within(_DRAIN, child.exited, child.silent)
                self._say_the_rest()
            self._end(self._failure or self._reason(child))
        finally:
            await child.stop(patience)

    def _end(self, reason: str) -> None:
        self._open = False
        self._outbox.clear()
        if not self._quiet:
            self._quiet = True
            self._back.ended(self._conn, reason)

    def _reason(self, child: Child) -> str:
        """With its last words, which hosts and windows show: a server may well quote the key it was given."""
        what = ending(self._spec.name, child.code)
        if not self._last_words:
            return what
        words = redact("\n".join(self._last_words))
        if len(self._last_words) == 1:
            return say("{title}: {message}", title=what, message=words)
        return say("{title}:\n{message}", title=what, message=words)

    def _fail(self, words: Words) -> None:
        self._failure = words
        self._open = False
        self._outbox.clear()
        self._broken.set()

    def _fail_unread(self) -> None:
        words = say(
            "{server} does not read what it is sent: more than 64 MiB are waiting. It was stopped.",
            server=self._spec.name,
        )
        self._fail(words)

    def _flush(self) -> None:
        """All that was sent in one turn goes out in one write."""
        if self._child is None or not self._outbox:
            return
        self._child.write(b"\n".join((*self._outbox, b"")))
        self._outbox.clear()
        self._waiting = 0
        if self._child.backlog > _LIMIT:
            self._fail_unread()

    def _output(self, data: bytes) -> None:
        try:
            lines = self._lines.feed(data)
        except LineTooLong:
            if self._open:
                name = self._spec.name
                self._fail(say("{server} sent more than 64 MiB in one line. It was stopped.", server=name))
            return
        with write_batch.turn:
            for line in lines:
                self._line(line)

    def _line(self, line: bytes) -> None:
        line = line.strip()
        if not self._open or not line:
            return
        if _MESSAGE(line):
            self._back.received(self._conn, replace_invalid_utf8(line))
        else:  # a server that logs to stdout
            self._note(line[:_REMARK].decode("utf-8", "replace"))

    def _errors(self, data: bytes) -> None:
        for line in self._remarks.feed(data):
            if not line.startswith(_CHATTER):
                self._last_words.append(line)
            self._note(line)

    def _say_the_rest(self) -> None:
        """What never got its newline."""
        self._line(self._lines.rest())
        self._last_words.extend(last := self._remarks.rest())
        for line in last:
            self._note(line)

    def _note(self, line: str) -> None:
        second, count = int(self._loop.time()), 0
        if second == self._noted[0]:
            count = self._noted[1] + 1
        self._noted = (second, count)
        if count == _REMARKS:
            line = "(It says too much; the rest of this second is not kept.)"
        if count <= _REMARKS and not self._quiet:
            self._back.noted(self._conn, line)
