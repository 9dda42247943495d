"""Unix: the app is met at its socket, and handed the host's own pipes.

The app itself reads what the host says then, and writes what it is told: a copy of each message, and a
process to wake for it, less. What cannot be handed over is copied (`unix_copying`).
"""

import _socket
import posix
import sys

from bridge.shim import CHUNK, FAREWELL, Finished, digest

assert sys.platform != "win32"  # noqa: S101 - for the type checker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

Connected = _socket.socket
ABSENT = (FileNotFoundError, ConnectionRefusedError)
LONGEST_PATH = 100  # bytes; sun_path holds 104 on macOS, 108 on Linux
_KIND, _PIPE, _SOCKET = 0o170000, 0o010000, 0o140000  # of a file, as `stat` names them
_WANTED, _UNWANTED = b"hands\n", b"copy\n"  # as bridge/transports/fd_passing.py answers


def environment() -> dict[str, str]:
    def text(value: bytes) -> str:
        return value.decode(sys.getfilesystemencoding(), "surrogateescape")

    env = {text(name): text(value) for name, value in posix.environ.items()}
    if hasattr(sys, "frozen"):  # PyInstaller points this at its own copies and keeps the old value
        env.pop("LD_LIBRARY_PATH", None)
        if "LD_LIBRARY_PATH_ORIG" in env:
            env["LD_LIBRARY_PATH"] = env.pop("LD_LIBRARY_PATH_ORIG")
    return env


def folder_now() -> str:
    try:
        return posix.getcwd()
    except FileNotFoundError:  # it was deleted
        return ""


def data_folder(env: "Mapping[str, str]") -> str:
    if sys.platform == "darwin":
        return _own_folder(env) + "/Library/Application Support"
    data = env.get("XDG_DATA_HOME", "")  # the XDG specification: ignore a relative one
    return data if data.startswith("/") else _own_folder(env) + "/.local/share"


def _own_folder(env: "Mapping[str, str]") -> str:
    if home := env.get("HOME"):
        return home
    import pwd

    return pwd.getpwuid(posix.getuid()).pw_dir


def absolute(folder: str, env: "Mapping[str, str]") -> str:
    if folder.startswith("~/"):  # a host's config has no shell to expand it
        folder = _own_folder(env) + folder[1:]
    return (folder if folder.startswith("/") else posix.getcwd() + "/" + folder).rstrip("/")


def socket_path(home: str) -> str:
    path = home + "/deskbell.sock"
    if len(path.encode("utf-8", "surrogateescape")) <= LONGEST_PATH:
        return path
    return f"/tmp/deskbell-{posix.getuid()}/{digest(home)}.sock"  # noqa: S108 - both ends check its owner


# ---- the app -----------------------------------------------------------------------------------------


def peer_uid(sock: _socket.socket) -> int:
    """Whose process is at the other end of a Unix socket; -1 where the system does not tell."""
    if sys.platform == "linux":  # struct ucred: pid, uid, gid
        ucred = sock.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    elif sys.platform == "darwin":  # SOL_LOCAL, LOCAL_PEERCRED; struct xucred: version, uid, ...
        ucred = sock.getsockopt(0, 1, 76)
    else:
        return -1
    return int.from_bytes(ucred[4:8], sys.byteorder)


def connected(path: str) -> _socket.socket:
    while (fd := posix.open("/dev/null", posix.O_RDWR)) <= 2:
        pass  # else the socket takes a closed stdin's place
    posix.close(fd)
    sock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        sock.connect(path)
    except OSError:
        sock.close()
        raise
    if peer_uid(sock) not in (-1, posix.getuid()):  # we are about to tell it our environment
        raise Finished(f"deskbell: {path} belongs to another user; remove it and try again\n", 5)
    sock.setblocking(False)
    return sock


# ---- the host's pipes --------------------------------------------------------------------------------


def can_hand_over() -> bool:
    """Pipes and local sockets can be, if they are two; a terminal or a file is copied."""
    try:
        ends = [posix.fstat(fd) for fd in (0, 1)]
    except OSError:
        return False
    return (ends[0].st_dev, ends[0].st_ino) != (ends[1].st_dev, ends[1].st_ino) and all(
        end.st_mode & _KIND == _PIPE or (end.st_mode & _KIND == _SOCKET and _is_local(fd))
        for fd, end in enumerate(ends)
    )


def _is_local(fd: int) -> bool:
    sock = _socket.socket(fileno=posix.dup(fd))
    try:
        return sock.family == _socket.AF_UNIX
    finally:
        sock.close()


def hand_over(sock: _socket.socket, first: bytes) -> None:
    sock.setblocking(True)
    try:
        sock.sendall(first)
        heard = _first_line(sock)
        if heard == _WANTED:
            heard = _handed_over(sock)
    except OSError:  # a reset is an end like any other
        return
    if heard:  # it rather has them copied, they did not get through, or it refuses us and says why
        sock.setblocking(False)
        copy(sock, b"", heard.removeprefix(_UNWANTED))


def _handed_over(sock: _socket.socket) -> bytes:
    """What the app says to it, if anything, once it is done with them."""
    was_blocking = [posix.get_blocking(fd) for fd in (0, 1)]
    ends = b"".join(fd.to_bytes(4, sys.byteorder) for fd in (0, 1))
    sock.sendmsg([b"\n"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, ends)])
    if not _app_spoke(sock):
        return b""  # what is left to say, it says without us; a write that blocks would stop all of it
    try:
        return sock.recv(CHUNK)
    finally:
        for fd, blocking in enumerate(was_blocking):  # should it have been killed
            posix.set_blocking(fd, blocking)


def _first_line(sock: _socket.socket) -> bytes:
    """Of the app, and what came with it; less if it hung up."""
    heard = b""
    while b"\n" not in heard:
        if not _app_spoke(sock):
            raise Finished("", 0)
        more = sock.recv(CHUNK)
        if not more:
            break
        heard += more
    return heard


def _app_spoke(sock: _socket.socket) -> bool:
    """False: the host is gone. If it only closed our stdin, the app may take a moment to answer."""
    import select  # only now: the app has heard our hello and works on its answer meanwhile

    poll = select.poll()
    poll.register(sock.fileno(), select.POLLIN)
    poll.register(0, getattr(select, "POLLRDHUP", 0))
    poll.register(1, 0)
    wait = None
    while True:
        events = dict(poll.poll(wait))
        if set(events) != {0}:
            return sock.fileno() in events
        poll.unregister(0)
        wait = FAREWELL * 1000


def copy(sock: _socket.socket, first: bytes, heard: bytes = b"") -> None:
    from bridge.shim.unix_copy import copy_both_ways

    copy_both_ways(sock, first, heard)
