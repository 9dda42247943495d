"""The PATH of the person's login shell: asked for at most once per start, remembered for the next one.

An app started from a dock or a menu inherits a poor PATH, on which `npx` and `uvx` are missing. Shells set
theirs in profile files (login) and rc files (interactive; nvm lives there, and Debian's .bashrc returns at
once unless `-i`), so one shell is asked that is both: `-ilc`. zsh and fish then read all their files; bash
reads its profile, which most distributions let read .bashrc in turn. Only if that shell ends without an
answer (an rc file that says `exec tmux`) is `-lc` asked, afterwards: two at once wait for each other's locks.

The shell is never killed: SIGKILL in the middle of `pyenv rehash` leaves a lock behind that delays every
later shell by a minute. Its output goes to a file, because a closed pipe would end it by SIGPIPE; a thread
waits for it, not the event loop, so that Deskbell can end while the shell works on. Never on Windows; never
changes our own PATH.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import cached_property
from pathlib import Path

import msgspec

from bridge.errors import SettingsError
from bridge.system.atomic_file import write

log = logging.getLogger(__name__)
LIMIT = 10.0  # seconds after the shell's start, in which the start of a server may wait for its answer
PATIENCE = 120.0  # seconds until SIGHUP, and again until SIGTERM; pyenv waits 60 for a lock
_LARGEST = 1 << 20  # bytes of output that are searched
_PAUSE = 0.1  # seconds between two looks at the output
_SENTINEL = "__deskbell_path__"
# `env printenv` is the one spelling that bash, zsh, fish and csh all understand.
_COMMAND = f"echo {_SENTINEL}; /usr/bin/env printenv PATH; echo {_SENTINEL}"
_NO_SHELLS = ("", "nologin", "false")


class _Remembered(msgspec.Struct, frozen=True):
    shell: str
    home: str
    path: str


class LoginPath:
    """`file`: where the answer is remembered. All methods belong to one thread."""

    def __init__(self, file: Path, limit: float = LIMIT) -> None:
        self._file = file
        self._limit = limit
        self._shell = _shell()
        self._deadline = 0.0  # of the monotonic clock; 0: not asked yet
        self._answer: Future[str] = Future()
        self._answer.set_running_or_notify_cancel()  # a waiting task that is cancelled must not cancel this

    def ask(self) -> None:
        """Start the login shell, unless it was started before; returns at once."""
        if self.asked:
            return
        self._deadline = time.monotonic() + self._limit
        if os.path.basename(self._shell) in _NO_SHELLS:
            self._answer.set_result("")
        else:
            threading.Thread(
                target=_run, args=(self._shell, self._answer), name="deskbell-login-shell", daemon=True
            ).start()

    @property
    def asked(self) -> bool:
        return self._deadline > 0.0

    @property
    def answered(self) -> bool:
        return self._answer.done()

    @property
    def known(self) -> str:
        """PATH as the login shell sets it, or until its answer as it did at the last start; "" if unknown."""
        return (self._answer.result() if self.answered else "") or self._remembered

    async def answer(self) -> str:
        """Wait for the login shell, but not past the limit; return the PATH that is known then."""
        self.ask()
        if not self.answered:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._deadline - time.monotonic()):
                    await asyncio.wrap_future(self._answer)
        return self.known

    async def remember(self) -> None:
        """Write the answer to the file as soon as there is one."""
        path = await asyncio.wrap_future(self._answer)
        if path and path != self._remembered:
            await asyncio.to_thread(self._write, path)

    @cached_property
    def _remembered(self) -> str:
        try:
            saved = msgspec.json.decode(self._file.read_bytes(), type=_Remembered)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return ""
        return saved.path if (saved.shell, saved.home) == (self._shell, os.path.expanduser("~")) else ""

    def _write(self, path: str) -> None:
        try:
            write(
                self._file,
                msgspec.json.encode(_Remembered(self._shell, os.path.expanduser("~"), path)),
                0o600,
            )
        except SettingsError as error:
            log.warning("%s", error)


def joined(first: str, second: str) -> str:
    """Two PATHs as one: `first` wins, each directory once."""
    parts = [part for part in f"{first}{os.pathsep}{second}".split(os.pathsep) if part]
    return os.pathsep.join(dict.fromkeys(parts))


def _shell() -> str:
    if sys.platform == "win32":
        return ""
    import pwd

    with contextlib.suppress(KeyError):  # a user id without an entry: containers
        return os.environ.get("SHELL") or pwd.getpwuid(os.getuid()).pw_shell
    return ""


# --- in a thread of its own --------------------------------------------------------------------------------


def _run(shell: str, answer: Future[str]) -> None:
    # csh takes `-l` only when it stands alone.
    ways = ("-ic", "-c") if os.path.basename(shell) in ("csh", "tcsh") else ("-ilc", "-lc")
    try:
        for way in ways:
            _ask(shell, way, answer)
            if answer.done():
                return
        log.warning("%s does not say what its PATH is", shell)
    finally:
        if not answer.done():
            answer.set_result("")


def _ask(shell: str, way: str, answer: Future[str]) -> None:
    if sys.platform == "win32":  # Windows has no login shell
        return
    # DISABLE_AUTO_UPDATE: oh-my-zsh would stop to ask whether it may update itself.
    env = {**os.environ, "DISABLE_AUTO_UPDATE": "true"}
    null = subprocess.DEVNULL
    with contextlib.suppress(OSError), tempfile.TemporaryFile() as output:

        def look() -> None:
            path = _between(os.pread(output.fileno(), _LARGEST, 0).decode("utf-8", "replace"))
            if path and not answer.done():
                answer.set_result(path)

        process = subprocess.Popen(
            [shell, way, _COMMAND], stdin=null, stdout=output, stderr=null, env=env, start_new_session=True
        )
        wait_gently(process, look)
        look()


def wait_gently(
    process: subprocess.Popen[bytes], look: Callable[[], None] = lambda: None, patience: float = PATIENCE
) -> None:
    """Wait until the shell has ended; hang up on its process group after `patience`, and terminate it after
    as long again. `look` is called meanwhile."""
    if sys.platform == "win32":
        return
    # SIGHUP first: an interactive bash ignores SIGTERM.
    for number in (signal.SIGHUP, signal.SIGTERM):
        if _ends_within(process, patience, look):
            return
        log.warning("The login shell (process %d) does not end: it gets %s", process.pid, number.name)
        with contextlib.suppress(OSError):  # macOS says EPERM when only zombies are left
            os.killpg(process.pid, number)
    process.wait()


def _ends_within(process: subprocess.Popen[bytes], seconds: float, look: Callable[[], None]) -> bool:
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(min(left, _PAUSE))
            return True
        look()
    return False


def _between(output: str) -> str:
    parts = output.split(_SENTINEL)
    return parts[1].strip() if len(parts) >= 3 else ""
