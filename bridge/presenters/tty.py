"""Read and write lines on the controlling terminal.

While it is open, Ctrl+C ends the input instead of the program, and input typed before the question is
dropped. A Wake from another thread interrupts reading.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import time

from bridge.system.foreign_text import strip_deceptive

# Terminal control sequences: a server's text must not move the cursor and forge ours.
_SEQUENCES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]?|\x9b[0-?]*[ -/]*[@-~]",
    re.DOTALL,
)


def plain(text: str) -> str:
    """Remove control sequences, and characters that ring, reorder text or are invisible."""
    return strip_deceptive(_SEQUENCES.sub("", text.replace("\r\n", "\n")))


def one_line(text: str) -> str:
    return " ".join(plain(text).split())


def has_terminal() -> bool:
    """True if this process has a controlling terminal."""
    if sys.platform == "win32":
        return sys.stdin is not None
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return False
    return True


class Withdrawn(Exception):
    """The Question was withdrawn: stop reading."""


class HungUp(Exception):
    """Ctrl+C, Ctrl+D, or the terminal went away."""


if sys.platform == "win32":
    import msvcrt

    class Wake(threading.Event):
        """Interrupts a Console that reads in another thread."""

        def close(self) -> None:
            """No-op: nothing is open."""

    class Console:
        def __init__(self, wake: Wake) -> None:
            self._wake = wake

        def __enter__(self) -> Console:
            self._out = open("CONOUT$", "w", encoding="utf-8")
            while msvcrt.kbhit():
                msvcrt.getwch()
            return self

        def __exit__(self, *_: object) -> None:
            self._out.close()

        def write(self, text: str) -> None:
            self._out.write(text)
            self._out.flush()

        def ask(self, invitation: str, *, secret: bool = False) -> str:
            self.write(invitation)
            typed = ""
            while (key := self._key()) != "\r":
                if key in "\x03\x04\x1a":
                    raise HungUp
                if key in "\x00\xe0":  # the first half of an arrow or function key
                    self._key()
                elif key != "\b":
                    typed += key
                    self.write("" if secret else key)
                elif typed:
                    typed = typed[:-1]
                    self.write("" if secret else "\b \b")
            self.write("\n")
            return typed

        def _key(self) -> str:
            while not msvcrt.kbhit():
                if self._wake.is_set():
                    raise Withdrawn
                time.sleep(0.02)  # a console cannot be polled together with an event
            return msvcrt.getwch()

else:
    import select
    import termios

    _LONGEST_LINE = (
        1024 if sys.platform == "darwin" else 4096
    )  # bytes; the terminal drops the rest of a longer line

    class Wake:
        """Interrupts a Console that reads in another thread."""

        def __init__(self) -> None:
            self.reader, self._writer = os.pipe()
            self._lock = threading.Lock()
            self._open = True

        def set(self) -> None:
            with self._lock:
                if self._open:
                    os.write(self._writer, b"!")

        def close(self) -> None:
            with self._lock:
                self._open = False
                os.close(self.reader)
                os.close(self._writer)

    class Console:
        """Raises OSError on entering, if there is no terminal or another program owns it."""

        def __init__(self, wake: Wake) -> None:
            self._wake = wake

        def __enter__(self) -> Console:
            self._tty = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
            try:
                if os.tcgetpgrp(self._tty) != os.getpgrp():  # reading would stop this process (SIGTTIN)
                    raise OSError("Deskbell runs in the background of its terminal")
                self._before = termios.tcgetattr(self._tty)
                self._interrupt = self._before[6][termios.VINTR]
                self._set(termios.TCSAFLUSH, secret=False)
            except BaseException as error:
                os.close(self._tty)
                if isinstance(error, termios.error):
                    raise OSError(*error.args) from error
                raise
            return self

        def __exit__(self, *_: object) -> None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._tty, termios.TCSAFLUSH, self._before)
            os.close(self._tty)

        def write(self, text: str) -> None:
            data = text.encode("utf-8", "replace")
            try:
                while data:
                    data = data[os.write(self._tty, data) :]
            except OSError as error:
                raise HungUp from error

        def ask(self, invitation: str, *, secret: bool = False) -> str:
            """Print the prompt and return the line typed. Echo is off for a secret."""
            try:
                self._set(termios.TCSADRAIN, secret=secret)
                while True:
                    self.write(invitation)
                    line = self._line()
                    if line is not None:
                        return line.decode("utf-8", "surrogateescape")
                    self.write("  ! A terminal cuts lines this long. Please shorten it.\n")
            except (OSError, termios.error) as error:
                raise HungUp from error

        def _line(self) -> bytes | None:
            """Return the line typed; None if the terminal may have cut it."""
            line, whole = b"", True
            while not line.endswith(b"\n"):
                piece = self._piece()
                if not piece or piece.endswith(self._interrupt):
                    raise HungUp
                line += piece
                whole = whole and len(piece) < _LONGEST_LINE
            return line[:-1] if whole else None

        def _piece(self) -> bytes:
            """Read input up to Enter, Ctrl+D or Ctrl+C."""
            if self._wake.reader in _ready(self._tty, self._wake.reader):
                raise Withdrawn
            return os.read(self._tty, 65536)

        def _set(self, when: int, *, secret: bool) -> None:
            """Set echo; make Ctrl+C end the line instead of sending a signal."""
            attributes = [*self._before[:6], list(self._before[6])]
            attributes[3] |= termios.ICANON | termios.ECHO | termios.ECHONL
            if secret:
                attributes[3] &= ~termios.ECHO
            attributes[6][termios.VINTR] = bytes([os.fpathconf(self._tty, "PC_VDISABLE") & 0xFF])
            attributes[6][termios.VEOL] = self._interrupt
            termios.tcsetattr(self._tty, when, attributes)

    def _ready(*files: int) -> list[int]:
        if sys.platform == "darwin":  # poll() does not support terminals there
            return select.select(files, [], [])[0]
        waiting = select.poll()
        for file in files:
            waiting.register(file, select.POLLIN)
        return [file for file, _ in waiting.poll()]
