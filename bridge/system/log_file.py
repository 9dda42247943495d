"""Log to a file that stays small and holds no secrets, and to the terminal.

The log holds messages of Deskbell itself; calls, questions and servers' output go to the history (journal/).
In a process that an AI host started, stderr is this same file: then each message is written once, not twice.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

from bridge.system.foreign_text import mark_deceptive

LARGEST = 1 << 20  # bytes; a larger file is cut to its last KEPT bytes
KEPT = 256 << 10
SHOWN = 200_000  # bytes of it that a window shows
_OURS = ("bridge", "desktop")
_FORM = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")


def log_to_terminal(level: str) -> None:
    """Set the level of messages on stderr (DESKBELL_LOG)."""
    known = level.upper() if level.upper() in logging.getLevelNamesMapping() else "WARNING"
    logging.basicConfig(level=known)
    for handler in logging.getLogger().handlers:
        handler.setLevel(known)


class LogFile(logging.Handler):
    """A log handler. `redact` masks secrets in each message."""

    def __init__(self, path: Path, redact: Callable[[str], str]) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(_FORM)
        self._redact = redact
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = mark_deceptive(self._redact(self.format(record))) + "\n"
            os.write(self._file, text.encode(errors="backslashreplace"))
            if os.fstat(self._file).st_size > LARGEST:
                self._shorten()
        except Exception:  # a full disk must not stop the work that is logged
            self.handleError(record)

    def close(self) -> None:
        super().close()
        with contextlib.suppress(OSError):
            os.close(self._file)

    def _shorten(self) -> None:
        """Cut the file in place: other processes have it open for appending."""
        os.lseek(self._file, -KEPT, os.SEEK_END)
        end = os.read(self._file, KEPT)
        os.ftruncate(self._file, 0)
        os.write(self._file, b"(older messages were removed)\n" + end.partition(b"\n")[2])


def log_to_file(path: Path, redact: Callable[[str], str]) -> Callable[[], None]:
    """Log to this file, if it can be written; return a function that stops it."""
    try:
        handler = LogFile(path, redact)
    except OSError as error:
        logging.getLogger(__name__).warning("%s cannot be written: %s", path, error)
        return lambda: None
    root = logging.getLogger()
    before = {name: logging.getLogger(name).level for name in _OURS}
    doubled = [other for other in root.handlers if _is_stderr(other)] if _stderr_is(path) else []
    for other in doubled:
        root.removeHandler(other)
    root.addHandler(handler)
    for name in _OURS:
        logging.getLogger(name).setLevel(min(logging.INFO, root.level))

    def end() -> None:
        root.removeHandler(handler)
        handler.close()
        for other in doubled:
            root.addHandler(other)
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)

    return end


def read_tail(path: Path, most: int = SHOWN) -> str:
    """Return the last lines of the log; "" if there is none."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - most))
            text = file.read(most).decode(errors="replace")
    except OSError:
        return ""
    return text if size <= most else text.partition("\n")[2]


def _is_stderr(handler: logging.Handler) -> bool:
    return isinstance(handler, logging.StreamHandler) and handler.stream is sys.stderr


def _stderr_is(path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(2), path.stat())
    except OSError:
        return False
