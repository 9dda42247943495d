"""Find the program that listens on a TCP port, where the system tells (Linux: /proc)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc")
_LISTEN = "0A"  # state of a listening socket in /proc/net/tcp


def port_owner(port: int, proc: Path = _PROC) -> str:
    """Return name and id of the process that listens on this port; "" if that cannot be known."""
    wanted = {f"socket:[{inode}]" for inode in _listening_inodes(port, proc)}
    for folder in proc.glob("[0-9]*/fd") if wanted else ():
        try:
            held = any(str(file.readlink()) in wanted for file in folder.iterdir())
            name = (folder.parent / "comm").read_text(errors="replace").strip()
        except OSError:  # the process ended, or belongs to another user
            continue
        if held:
            return f"{name} ({folder.parent.name})"
    return ""


def _listening_inodes(port: int, proc: Path) -> Iterator[str]:
    for table in ("tcp", "tcp6"):
        try:
            rows = (proc / "net" / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for row in rows:
            local, state, inode = (row.split()[at] for at in (1, 3, 9))
            if state == _LISTEN and int(local.rpartition(":")[2], 16) == port:
                yield inode
