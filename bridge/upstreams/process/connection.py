"""ProcessConnection: one stdio server, as the engine sees it. One JSON-RPC message is one line.

Bytes pass unchanged in both directions (except invalid UTF-8); only the first characters of a line are
looked at. It decides nothing: restarts, timeouts and what an ended server means for a waiting call belong to
the core.
"""

from __future__ import annotations

import asyncio
import errno
import re
from collections import deque

from bridge.core.ports import ServerPort, ServerSpec
from bridge.errors import UpstreamError
from bridge.i18n import Words, failure_text, say
from bridge.journal import redact
from bridge.system.fast.write_batch import WriteBatch
from bridge.system.key_shapes import KeyBlocks
from bridge.system.line_buffer import (
    LineBuffer,
    LineTooLong,
    StderrLines,
    replace_invalid_utf8,
    without_newlines,
)
from bridge.system.process.reaper import Reaper
from bridge.upstreams import FillSecrets, unchanged
from bridge.upstreams.process.child import Child, ending, within
from bridge.upstreams.process.launch import prepare
from bridge.upstreams.process.login_path import LoginPath

_MAX_BYTES = 64 << 20  # of one message, and of messages that wait to be sent
_MAX_LINE = 4096  # bytes of a logged line
_NO_REASON = "npm notice"  # npm prints it after the end of a server; never the reason
_LAST_LINES = 20  # of stderr, in the message about the end
_LINES_PER_SECOND = 100  # a flood on stderr must not push everything else out of the history
_DRAIN = 0.5  # seconds for remaining output after the first sign of the end; a grandchild may hold the pipes
_PATIENCE = 1.0  # seconds between closing stdin and SIGTERM
_BROKEN_PATIENCE = 0.25  # seconds, for a server that ended by itself
# An object, or a batch of them. `[info] listening` is a log line.
_MESSAGE = re.compile(rb"\{|\[\s*\{").match


class ProcessConnection:
    """Starts its server at once; what is sent meanwhile waits. See `Connection` in core/ports.py."""

    def __init__(
        self,
        conn: int,
        spec: ServerSpec,
        back: ServerPort,
        reaper: Reaper,
        fill: FillSecrets = unchanged,
        login: LoginPath | None = None,
        write_batch: WriteBatch | None = None,
    ) -> None:
        self._conn = conn
        self._spec = spec
        self._back = back
        self._reaper = reaper
        self._write_batch = write_batch or WriteBatch()
        self._loop = asyncio.get_running_loop()
        self._lines = LineBuffer(_MAX_BYTES)
        self._stderr = StderrLines(_MAX_LINE)
        self._key_blocks = KeyBlocks()
        self._last_lines: deque[str] = deque(maxlen=_LAST_LINES)
        self._stderr_rate = (0, 0)  # (current second, lines logged in it)
        self._outbox: list[bytes] = []
        self._waiting = 0  # bytes in the outbox
        self._child: Child | None = None
        self._open = True  # messages are sent and received
        self._closed = False  # or ended: nothing is reported any more
        self._failure: str = ""  # why Deskbell stops the server
        self._broken = asyncio.Event()  # the end has begun
        self._preparation = self._loop.create_task(prepare(spec, fill, login))
        self._running = self._loop.create_task(self._run())

    def send(self, message: bytes) -> None:
        if not self._open:
            return
        self._outbox.append(without_newlines(message))
        self._waiting += len(message)
        if self._waiting > _MAX_BYTES:
            self._fail_unread()
        elif len(self._outbox) == 1 and self._child is not None:
            self._write_batch.schedule(self._flush)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._preparation.cancel()
        self._flush()
        self._open = False
        self._broken.set()

    async def closed(self) -> None:
        await asyncio.wait({self._running})

    def rouse(self) -> None:
        """No-op: a local process sleeps with the machine."""

    async def _run(self) -> None:
        child = Child(self._output, self._errors, self._broken.set)
        try:
            await child.start(await self._preparation, self._reaper)
        except asyncio.CancelledError:  # closed before the program was found
            return
        except UpstreamError as error:
            self._end(failure_text(error))
            return
        except (OSError, ValueError) as error:  # ValueError: a NUL byte in an argument
            self._end(_start_failure(self._spec.name, error))
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
            elif not self._closed:
                patience = _BROKEN_PATIENCE
                await within(_DRAIN, child.exited, child.output_ended)
                self._flush_partial_lines()
            self._end(self._failure or self._reason(child))
        finally:
            await child.stop(patience)

    def _end(self, reason: str) -> None:
        self._open = False
        self._outbox.clear()
        if not self._closed:
            self._closed = True
            self._back.ended(self._conn, reason)

    def _reason(self, child: Child) -> str:
        """Return why the server ended, with its last lines. A server may quote the key that it was given."""
        what = ending(self._spec.name, child.code)
        if not self._last_lines:
            return what
        words = redact("\n".join(self._last_lines))
        if len(self._last_lines) == 1:
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
        """Send all messages of one turn in one write."""
        if self._child is None or not self._outbox:
            return
        self._child.write(b"\n".join((*self._outbox, b"")))
        self._outbox.clear()
        self._waiting = 0
        if self._child.backlog > _MAX_BYTES:
            self._fail_unread()

    def _output(self, data: bytes) -> None:
        try:
            lines = self._lines.feed(data)
        except LineTooLong:
            if self._open:
                name = self._spec.name
                self._fail(say("{server} sent more than 64 MiB in one line. It was stopped.", server=name))
            return
        with self._write_batch:
            for line in lines:
                self._line(line)

    def _line(self, line: bytes) -> None:
        line = line.strip()
        if not self._open or not line:
            return
        if _MESSAGE(line):
            self._back.received(self._conn, replace_invalid_utf8(line))
        else:  # a server that logs to stdout
            self._note(line[:_MAX_LINE].decode("utf-8", "replace"))

    def _errors(self, data: bytes) -> None:
        for line in map(self._key_blocks.mask_line, self._stderr.feed(data)):
            if not line.startswith(_NO_REASON):
                self._last_lines.append(line)
            self._note(line)

    def _flush_partial_lines(self) -> None:
        """Pass on output without a final newline."""
        self._line(self._lines.rest())
        self._last_lines.extend(last := [*map(self._key_blocks.mask_line, self._stderr.rest())])
        for line in last:
            self._note(line)

    def _note(self, line: str) -> None:
        second, count = int(self._loop.time()), 0
        if second == self._stderr_rate[0]:
            count = self._stderr_rate[1] + 1
        self._stderr_rate = (second, count)
        if count == _LINES_PER_SECOND:
            line = "(Too many lines; the rest of this second was dropped.)"
        if count <= _LINES_PER_SECOND and not self._closed:
            self._back.noted(self._conn, line)


def _start_failure(server: str, error: OSError | ValueError) -> Words:
    if getattr(error, "errno", None) in (errno.EMFILE, errno.ENFILE):
        return say(
            "Could not start {server}: Too many applications and servers are connected. "
            "Close some, and try again.",
            server=server,
        )
    why = getattr(error, "strerror", None) or str(error)
    return say("Could not start {server}: {why}. Check its command.", server=server, why=why)
