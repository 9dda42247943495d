"""Unix: connect to the app's socket and pass it the host's own pipes (SCM_RIGHTS).

The app then reads the host's stdin and writes its stdout itself, which saves one copy and one process switch
per message. Other files and terminals are copied (`unix_copy`).
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
    except FileNotFoundError:  # the folder was deleted
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
    """Return the user id of the process at the other end of a Unix socket; -1 if the system cannot tell."""
    if sys.platform == "linux":  # struct ucred: pid, uid, gid
        ucred = sock.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    elif sys.platform == "darwin":  # SOL_LOCAL, LOCAL_PEERCRED; struct xucred: version, uid, ...
        ucred = sock.getsockopt(0, 1, 76)
    else:
        return -1
    return int.from_bytes(ucred[4:8], sys.byteorder)


def connect(path: str) -> _socket.socket:
    while (fd := posix.open("/dev/null", posix.O_RDWR)) <= 2:
        pass  # fill closed descriptors 0 to 2, or the socket would become stdin
    posix.close(fd)
    sock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        sock.connect(path)
    except OSError:
        sock.close()
        raise
    if peer_uid(sock) not in (-1, posix.getuid()):  # the peer is about to receive our environment
        raise Finished(f"deskbell: {path} belongs to another user; remove it and try again\n", 5)
    sock.setblocking(False)
    return sock


def pause(seconds: float) -> None:
    """Wait for the app; raise Finished if the host is gone."""
    import select

    host = select.poll()
    host.register(1, 0)
    if host.poll(seconds * 1000):
        raise Finished("", 0)


# ---- the host's pipes --------------------------------------------------------------------------------


def can_pass_pipes() -> bool:
    """True if stdin and stdout are two different pipes or local sockets; terminals and files are copied."""
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


def pass_pipes(sock: _socket.socket, first: bytes) -> None:
    sock.setblocking(True)
    try:
        sock.sendall(first)
        received = _first_line(sock)
        if received == _WANTED:
            received = _pass_and_wait(sock)
    except OSError:  # a reset connection counts as closed
        return
    if received.startswith(b'{"jsonrpc"'):
        from bridge.shim.unix_copy import pass_refusal

        pass_refusal(received)
    elif received:  # the app wants bytes copied, or did not get the pipes
        sock.setblocking(False)
        copy(sock, b"", received.removeprefix(_UNWANTED))


def _pass_and_wait(sock: _socket.socket) -> bytes:
    """Pass the pipes; return what the app sends when it is done with them."""
    was_blocking = [posix.get_blocking(fd) for fd in (0, 1)]
    ends = b"".join(fd.to_bytes(4, sys.byteorder) for fd in (0, 1))
    sock.sendmsg([b"\n"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, ends)])
    if not wait_for_app(sock):
        return b""  # the app writes the rest itself; a blocking pipe would block the app
    try:
        return sock.recv(CHUNK)
    finally:
        for fd, blocking in enumerate(was_blocking):  # the app may have been killed before it could
            posix.set_blocking(fd, blocking)


def _first_line(sock: _socket.socket) -> bytes:
    """Return the app's first line and what came with it; less if it closed the connection."""
    received = b""
    while b"\n" not in received:
        if not wait_for_app(sock):
            raise Finished("", 0)
        more = sock.recv(CHUNK)
        if not more:
            break
        received += more
    return received


def wait_for_app(sock: _socket.socket) -> bool:
    """Wait for data from the app; False if the host is gone. After the host closed only our stdin, the app
    has FAREWELL seconds to reply."""
    import select  # here: the app already handles our hello meanwhile

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


def copy(sock: _socket.socket, first: bytes, received: bytes = b"") -> None:
    from bridge.shim.unix_copy import copy_both_ways

    copy_both_ways(sock, first, received)
