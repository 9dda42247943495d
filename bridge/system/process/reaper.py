"""End all servers when Deskbell dies, even by SIGKILL.

This file is two things. Run as `python -I -S reaper.py` (in a bundle: `deskbell reaper`) it is one small
process for the whole app. It reads
lines on stdin: `+PGID` a process group was started, `-PGID` it has ended, `=PATH` servers run this program,
`quit` the app ends in order. If
stdin ends without `quit`, the app has died: the groups get SIGTERM, one second later SIGKILL. Imported, it
is `Reaper`, the app's end of that pipe. POSIX only; Windows has job objects (windows_job.py).

The app's end of the pipe is close-on-exec: a server that inherited it would keep the pipe open.

A server's daemons leave its group. On Linux they are found by a variable that the server was started with
(`MARK`), and ended if they run the server's own program: a browser that a server opened is the person's.
"""

from __future__ import annotations

import os
import signal
import sys
import time

TYPE_CHECKING = False  # importing `typing` would cost the reaper process milliseconds
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

GRACE = 1.0
VERB = "reaper"  # of a bundle's program
MARK = "DESKBELL_STARTED"  # environment variable of servers: pid of the app, a dot, a number of its own


class Reaper:
    """Starts the reaper process with the first group, and again if that process has died. One per engine."""

    def __init__(self) -> None:
        self._groups: set[int] = set()
        self._programs: set[str] = set()
        self._process: subprocess.Popen[bytes] | None = None

    def add(self, group: int) -> None:
        self._groups.add(group)
        if not self._write(f"+{group}\n"):
            self._start()
            known = [f"={path}\n" for path in sorted(self._programs)]
            self._write("".join([*known, *(f"+{each}\n" for each in sorted(self._groups))]))

    def add_program(self, path: str) -> None:
        """Add a program that a server runs: its daemons run it too."""
        if path and path not in self._programs and "\n" not in path:
            self._programs.add(path)
            self._write(f"={path}\n")

    def remove(self, group: int) -> None:
        if group in self._groups:
            self._groups.discard(group)
            self._write(f"-{group}\n")

    def close(self) -> None:
        """End the reaper process; all servers have ended before."""
        self._groups.clear()
        self._end_process(in_order=self._write("quit\n"))

    def _write(self, text: str) -> bool:
        if self._process is None or self._process.poll() is not None:
            return False
        try:
            os.write(_pipe(self._process), os.fsencode(text))
        except OSError:  # the reaper has died, or was stopped until the pipe was full
            return False
        return True

    def _start(self) -> None:
        if sys.platform == "win32":  # job objects end the servers
            return
        import subprocess  # here: the reaper process must stay small

        self._end_process(in_order=False)
        # The reaper process inherits the mask and ignores these signals from its first instruction.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        try:
            self._process = subprocess.Popen(
                _command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
                start_new_session=True,
            )
        except OSError:  # no more processes: servers still end when their stdin closes
            return
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.set_blocking(_pipe(self._process), False)

    def _end_process(self, *, in_order: bool) -> None:
        import subprocess

        process, self._process = self._process, None
        if process is None:
            return
        if not in_order:  # kill it before its pipe closes, or it would end the groups
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _command() -> list[str]:
    if getattr(sys, "frozen", False):  # a bundle has no other Python than its program
        return [sys.executable, VERB]
    return [sys.executable, "-I", "-S", __file__]


def _pipe(process: subprocess.Popen[bytes]) -> int:
    assert process.stdin is not None  # noqa: S101 - it was started with one
    return process.stdin.fileno()


def watch(fd: int) -> int:
    """Run the reaper process; return its exit code."""
    groups: set[int] = set()
    programs: set[str] = set()
    app = os.getppid()
    for line in _lines(fd):
        if line == b"quit":
            return 0
        if line[:1] == b"=":
            programs.add(os.fsdecode(line[1:]))
        elif (
            line[1:].isdigit() and (group := int(line[1:])) > 1
        ):  # killpg(0) is our own group, killpg(1) may be everyone
            (groups.add if line[:1] == b"+" else groups.discard)(group)
    _end(groups)
    kill_daemons(f"{app}.", programs)
    return 0


def _lines(fd: int) -> Iterator[bytes]:
    rest = b""
    while data := os.read(fd, 4096):
        *lines, rest = (rest + data).split(b"\n")
        yield from lines


def _end(groups: set[int]) -> None:
    if sys.platform == "win32":
        return
    deadline = time.monotonic() + GRACE
    alive = {group for group in groups if _signalled(group, signal.SIGTERM)}
    while alive and time.monotonic() < deadline:
        time.sleep(0.02)
        alive = {group for group in alive if _signalled(group, 0)}
    for group in alive:
        _signalled(group, signal.SIGKILL)


def _signalled(group: int, number: int) -> bool:
    if sys.platform == "win32":
        return False
    try:
        os.killpg(group, number)
    except OSError:
        return False
    return True


# --- daemons ------------------------------------------------------------------------------------------


def kill_daemons(mark: str, programs: set[str]) -> None:
    """Kill what servers with this mark have left and what runs one of these programs. Blocks: reads /proc."""
    if sys.platform == "win32":  # a job object has ended them
        return
    wanted = f"{MARK}={mark}".encode()
    for pid in _pids():
        if program_of(pid) in programs - {""} and _is_marked(pid, wanted):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:  # the process has just ended
                continue


def programs_of_group(group: int) -> set[str]:
    """Return the paths of the programs that a group's processes run; none if the system does not tell."""
    return {program_of(pid) for pid in _pids() if _group_of(pid) == group} - {""}


def _group_of(pid: int) -> int:
    if sys.platform == "win32":
        return 0
    try:
        return os.getpgid(pid)
    except OSError:  # the process has just ended
        return 0


def program_of(pid: int) -> str:
    """Return the path of the program that a process runs; "" if the system does not tell."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def _is_marked(pid: int, wanted: bytes) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            variables = file.read().split(b"\0")
    except OSError:
        return False
    whole = not wanted.endswith(b".")
    return any(one == wanted if whole else one.startswith(wanted) for one in variables)


def _pids() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:  # not Linux
        return []


if __name__ == "__main__":
    watch(0)
