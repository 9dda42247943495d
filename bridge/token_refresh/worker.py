"""A process of its own for what must not be lost: it outlives whoever started it, and works alone.

It takes a lock, says `ready`, reads one line that says what to do, and does it. See
accounts/token_refresh.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from bridge.errors import VaultError
from bridge.shim.start_app import own_command
from bridge.system.private_file import alone

T = TypeVar("T")

_APART: dict[str, Any] = (
    {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | 0x08000000}  # CREATE_NO_WINDOW
    if sys.platform == "win32"
    else {"start_new_session": True}
)


def told_apart(verb: str, place: Path, order: bytes) -> bytes:
    """What `deskbell VERB PLACE` says when it is told this; b"" if it does not start. Raises OSError.

    Blocks. It says when it holds the lock; only then is it told what to do, so that one whose Deskbell died
    early does nothing.
    """
    argv, folder = own_command(verb, str(place))
    with subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder or None,
        **_APART,
    ) as process:
        told, says = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
        if says.readline() != b"ready\n":
            return b""
        told.write(order + b"\n")
        told.close()
        return says.read()


def obey(place: Path, work: Callable[[bytes], bytes]) -> int:
    """The process's own part: `work` gets the order, and its answer is said. Its exit code."""
    with alone(place.with_suffix(".lock")):
        _say(b"ready\n")
        told = sys.stdin.buffer.readline()
        if told.endswith(b"\n"):  # else whoever wanted this is gone, and nothing has been done yet
            _say(work(told))
    return 0


def _say(words: bytes) -> None:
    """To nobody, if Deskbell is gone."""
    with contextlib.suppress(OSError):
        sys.stdout.buffer.write(words)
        sys.stdout.buffer.flush()


def is_free(lock: Path) -> bool:
    """Blocks for some seconds if it is not."""
    try:
        with alone(lock):
            return True
    except VaultError:
        return False


async def in_thread(work: Callable[[], T]) -> T:
    """Not the loop's executor, for whose threads a program that ends would wait."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(said: T) -> None:
        if not done.done():
            done.set_result(said)

    def run() -> None:
        said = work()
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(tell, said)

    threading.Thread(target=run, name="deskbell-renewal", daemon=True).start()
    return await done
