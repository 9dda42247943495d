"""Unix: start the app as a child process, and release it once it listens."""

import posix
import select
import sys
from os import makedirs

from bridge.shim import Finished

assert sys.platform != "win32"  # noqa: S101 - for the type checker


def spawn(command: list[str], place: str, folder: str, log: str, env: dict[str, str]) -> int:
    makedirs(folder, 0o700, exist_ok=True)
    posix.chdir(place or folder)  # do not keep the host's folder in use
    _close_inherited()
    streams = [
        (posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDONLY, 0),
        (posix.POSIX_SPAWN_OPEN, 1, log, posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND, 0o600),
        (posix.POSIX_SPAWN_DUP2, 1, 2),
    ]
    return posix.posix_spawn(command[0], command, env, file_actions=streams, setsid=True)


def _close_inherited() -> None:
    """Close descriptors the host leaked to us, or they would stay open as long as the app runs."""
    for fd in map(int, posix.listdir("/dev/fd")):
        try:
            if fd > 2:
                posix.close(fd)
        except OSError:  # the descriptor of the listing itself
            continue


def pause(seconds: float) -> None:
    host = select.poll()
    host.register(1, 0)
    if host.poll(seconds * 1000):
        raise Finished("", 0)  # the host has gone


def ended(child: int) -> int:
    """Return the exit code, negative for a signal; 0 while it runs and after success."""
    try:
        pid, status = posix.waitpid(child, posix.WNOHANG)
    except ChildProcessError:  # already reaped
        return 0
    return posix.waitstatus_to_exitcode(status) if pid else 0


def disown(child: int) -> None:
    """Let the system reap the child, so that it does not become a zombie when it ends."""
    import _signal  # type: ignore[import-not-found]  # `signal` would bring enum along

    _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)
    ended(child)
