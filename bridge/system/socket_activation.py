"""Take a listening socket from systemd, which started us for its first caller: sd_listen_fds(3)."""

from __future__ import annotations

import os
import socket

_FIRST = 3  # descriptors begin after stderr


def inherited_socket(path: str) -> socket.socket | None:
    """Return the socket that systemd listens with at `path`; None if it did not start us for that one.

    The variables are removed: a server that we start must not take them for its own.
    """
    pid, count = os.environ.pop("LISTEN_PID", ""), os.environ.pop("LISTEN_FDS", "")
    os.environ.pop("LISTEN_FDNAMES", None)
    if pid != str(os.getpid()) or not count.isdigit():
        return None
    for fd in range(_FIRST, _FIRST + int(count)):
        sock = socket.socket(fileno=fd)
        if sock.getsockname() == path:  # a string for Unix sockets only
            os.set_inheritable(fd, False)
            return sock
        sock.detach()
    return None
