"""The PATH of the person's login shell. Reads it, once; never on Windows; never changes our own.

An app started from a dock or a menu inherits a poor PATH, on which `npx` and `uvx` are missing. Shells set
theirs in two kinds of files: profile files (login) and rc files (interactive; nvm lives there, and Debian's
.bashrc returns at once unless `-i`). An interactive shell may hang (an rc file that starts tmux) or print
greetings, hence: both kinds at the same time, sentinels around the answer, a limit, no terminal to grab.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from weakref import WeakKeyDictionary

LIMIT = 3.0
_SENTINEL = "__deskbell_path__"
# `env printenv` is the one spelling that bash, zsh, fish and csh all understand.
_COMMAND = f"echo {_SENTINEL}; /usr/bin/env printenv PATH; echo {_SENTINEL}"
_NO_SHELLS = ("", "nologin", "false")
_reading: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[str]] = WeakKeyDictionary()


async def login_path() -> str:
    """PATH as the login shell sets it, "" if it cannot be told within 3 s. Read once per loop."""
    loop = asyncio.get_running_loop()
    if loop not in _reading:
        _reading[loop] = loop.create_task(_read(_shell()))
    return await asyncio.shield(_reading[loop])


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


async def _read(shell: str) -> str:
    name = os.path.basename(shell)
    if name in _NO_SHELLS:
        return ""
    # csh takes `-l` only when it stands alone.
    ways = ("-ic", "-c") if name in ("csh", "tcsh") else ("-ilc", "-lc")
    interactive, plain = await asyncio.gather(*(_ask(shell, way) for way in ways))
    return joined(interactive, plain)


async def _ask(shell: str, way: str) -> str:
    pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    # DISABLE_AUTO_UPDATE: oh-my-zsh would stop to ask whether it may update itself.
    env = {**os.environ, "DISABLE_AUTO_UPDATE": "true"}
    try:
        process = await asyncio.create_subprocess_exec(
            shell, way, _COMMAND, stdin=null, stdout=pipe, stderr=null, env=env, start_new_session=True
        )
    except OSError:
        return ""
    try:
        async with asyncio.timeout(LIMIT):
            output, _ = await process.communicate()
    except TimeoutError:
        return ""
    finally:
        _end(process.pid)
    return _between(output.decode("utf-8", "replace"))


def _end(group: int) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)


def _between(output: str) -> str:
    parts = output.split(_SENTINEL)
    return parts[1].strip() if len(parts) >= 3 else ""
