"""Tell whether the process at the other end of a Unix socket was started on a terminal."""

from __future__ import annotations

import os
import socket
import sys

_TERMINALS = ("/dev/pts/", "/dev/tty", "/dev/console")


def lacks_terminal(sock: socket.socket | None) -> bool:
    """True if the peer's stdin is no terminal; False where the system does not tell (macOS, Windows)."""
    if sys.platform != "linux" or sock is None:
        return False
    pid = int.from_bytes(sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[:4], sys.byteorder)
    try:
        return not os.readlink(f"/proc/{pid}/fd/0").startswith(_TERMINALS)
    except OSError:  # the process has ended, has no stdin, or hides it
        return True
