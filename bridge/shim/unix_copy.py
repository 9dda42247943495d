"""Unix: copy bytes both ways where stdin and stdout cannot be passed to the app: a terminal, a file."""

import _socket
import posix
import select
import sys
import time

from bridge.shim import CHUNK, FAREWELL

assert sys.platform != "win32"  # noqa: S101 - for the type checker

_OVER = select.POLLHUP | select.POLLERR | select.POLLNVAL


def copy_both_ways(sock: _socket.socket, first: bytes, heard: bytes = b"") -> None:
    """Copy until the app or the host ends."""
    _own_stdout()
    was_blocking = posix.get_blocking(1)
    if not posix.isatty(1):  # other processes share the terminal and expect it to block
        posix.set_blocking(1, False)
    try:
        copying = Copying(sock, first, heard)
        while copying.step():
            pass
    finally:
        posix.set_blocking(1, was_blocking)


def _own_stdout() -> None:
    """Reopen stdout (Linux): O_NONBLOCK is shared by all holders of a pipe, and we may be killed before we
    can restore it."""
    try:
        if posix.readlink("/proc/self/fd/1").startswith("pipe:"):
            fd = posix.open("/proc/self/fd/1", posix.O_WRONLY)
            posix.dup2(fd, 1)
            posix.close(fd)
    except OSError:
        return


class Flow:
    """One direction. Reads only when all it has read is written, so a slow sink slows its source."""

    __slots__ = ("buffer", "rest", "sink", "source")

    def __init__(self, source: int, sink: int, first: bytes = b"") -> None:
        self.source = source
        self.sink = sink
        self.buffer = memoryview(bytearray(CHUNK))
        self.rest = memoryview(first)

    def read(self) -> bool:
        """False when the source has ended."""
        try:
            self.rest = self.buffer[: posix.readv(self.source, [self.buffer])]
        except BlockingIOError:
            return True
        except OSError:  # a reset is an end like any other
            return False
        return len(self.rest) > 0

    def write(self) -> bool:
        """Write what the sink accepts now; False when the sink is closed, and the rest is dropped."""
        try:
            while self.rest:
                self.rest = self.rest[posix.write(self.sink, self.rest) :]
        except BlockingIOError:
            return True
        except OSError:
            self.rest = self.rest[:0]
            return False
        return True


class Copying:
    """The two flows between the host (0, 1) and the app (the socket)."""

    def __init__(self, sock: _socket.socket, first: bytes, heard: bytes) -> None:
        self.sock = sock
        self.wire = sock.fileno()
        self.up = Flow(0, self.wire, first)
        self.down = Flow(self.wire, 1, heard)
        self.listening = True  # read from the host
        self.limit = 0.0  # monotonic time to stop at; 0: none
        self.poll = select.poll()
        self.masks: dict[int, int] = {}

    def step(self) -> bool:
        """Wait for events and handle them; False when it is over."""
        self._watch(0, self._of_host())
        self._watch(self.wire, self._of_app())
        self._watch(1, select.POLLOUT if self.down.rest else 0)
        wait = max(0, self.limit - time.monotonic()) * 1000 if self.limit else None
        events = dict(self.poll.poll(wait))
        if not events or events.get(1, 0) & _OVER:  # time is up, or stdout is closed
            return False
        if 0 in events:
            self._hear()
        if not self.up.write():  # the app has closed; its last output is still to be read
            self._leave_soon(listening=False)
        app_spoke = events.get(self.wire, 0) & (select.POLLIN | _OVER)
        if app_spoke and not self.down.rest and not self.down.read():
            return False
        return self.down.write()

    def _of_host(self) -> int:
        if self.listening and not self.up.rest:
            return select.POLLIN
        return -1 if self.limit else 0  # 0: only its hang-up

    def _of_app(self) -> int:
        return (0 if self.down.rest else select.POLLIN) | (select.POLLOUT if self.up.rest else 0) or -1

    def _watch(self, fd: int, mask: int) -> None:
        """Poll `fd` for `mask`; -1: not at all, since poll reports a hang-up again and again, whatever the
        mask."""
        if self.masks.get(fd, -1) == mask:
            return
        self.masks[fd] = mask
        if mask < 0:
            self.poll.unregister(fd)
        else:
            self.poll.register(fd, mask)

    def _hear(self) -> None:
        if self.up.rest:  # the buffer is full, and the host has hung up
            self._leave_soon(listening=True)
        elif not self.up.read():
            self._leave_soon(listening=False)
            try:
                self.sock.shutdown(_socket.SHUT_WR)
            except OSError:  # the app was faster
                return

    def _leave_soon(self, *, listening: bool) -> None:
        self.listening = listening
        self.limit = self.limit or time.monotonic() + FAREWELL
