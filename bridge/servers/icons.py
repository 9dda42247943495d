"""Keep the icons of servers on disk, one file for each server, named by its identity and the icon's source.

core/policy/server_icons.py chooses the icon. A picture is bytes here; windows decode it. Without a picture
the windows draw a monogram, so failures are only logged.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from bridge.core.policy.server_icons import MAX_BYTES, ServerIcon, choose_icon, is_picture
from bridge.core.ports import ServerSpec
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.routing.state import RoutingState
from bridge.errors import DeskbellError
from bridge.http_client.client import HttpClient
from bridge.system.atomic_file import write_private
from bridge.system.background_tasks import BackgroundTasks
from bridge.system.public_suffix import registrable

log = logging.getLogger(__name__)
_MAX_AGE = 7 * 86400.0  # seconds until an icon is downloaded again
_MOST = 100  # files


class ServerIconFiles:
    """`on_change`: called when a server has a new icon, or has one no longer."""

    def __init__(self, folder: Path, state: RoutingState, on_change: Callable[[], None]) -> None:
        self._folder = folder
        self._state = state
        self._on_change = on_change
        self._tasks = BackgroundTasks()
        self._read: set[int] = set()  # connections whose introductions were read
        self._failed: set[str] = set()  # URLs; not tried again before the next start
        self._paths = {path.name.partition("-")[0]: path for path in _oldest_first(folder)}  # by identity

    async def close(self) -> None:
        await self._tasks.cancel()

    def path(self, name: str) -> str:
        """Return the file with the icon of the server of this name; "" if it has none.

        AI apps may have wrapped different servers under one name; then none is shown for the other.
        """
        identities = {conn.identity for conn in self._state.conns.values() if conn.spec.name == name}
        if name in self._state.servers:
            identities.add(self._state.servers[name].identity)
        found = self._paths.get(identities.pop()) if len(identities) == 1 else None
        return str(found) if found else ""

    def read_introductions(self) -> None:
        """Fetch the icons of servers that have connected since the last call."""
        connections = self._state.conns
        self._read &= connections.keys()
        for number, conn in connections.items():
            if number not in self._read and conn.introduction is not None:
                self._read.add(number)
                if not conn.spec.builtin:
                    self._tasks.start(self._fetch(conn.spec, conn.introduction))

    async def _fetch(self, spec: ServerSpec, introduction: ServerIdentity) -> None:
        icon = await asyncio.to_thread(choose_icon, introduction, spec.url, registrable)
        before = self._paths.get(spec.identity)
        try:
            path = await self._file(spec.identity, icon) if icon is not None else None
        except (DeskbellError, OSError) as error:
            log.info("Could not fetch the icon of %s: %s", spec.name, error)
            return
        if path == before:
            return
        if path is None:
            self._paths.pop(spec.identity, None)
        else:
            self._paths[spec.identity] = path
        if before is not None:
            await asyncio.to_thread(before.unlink, missing_ok=True)
        self._on_change()

    async def _file(self, identity: str, icon: ServerIcon) -> Path | None:
        """Return the file with this icon, which is written first if it is due; None if it is no picture."""
        digest = sha256(icon.url.encode() or icon.data).hexdigest()[:16]
        path = self._folder / f"{identity}-{digest}"
        if await asyncio.to_thread(_is_fresh, path):
            return path
        data = icon.data or await self._download(icon.url)
        if not is_picture(data):
            return path if path == self._paths.get(identity) else None
        await asyncio.to_thread(_save, path, data)
        return path

    async def _download(self, url: str) -> bytes:
        if url in self._failed:
            return b""
        self._failed.add(url)
        async with HttpClient() as http:
            reply = await http.request("GET", url, max_bytes=MAX_BYTES)
        if not reply.ok:
            return b""
        self._failed.discard(url)
        return reply.body


def _is_fresh(path: Path) -> bool:
    return path.exists() and time.time() - path.stat().st_mtime < _MAX_AGE


def _oldest_first(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)
    except OSError:
        return []


def _save(path: Path, data: bytes) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    write_private(path, data)
    for old in _oldest_first(path.parent)[:-_MOST]:
        old.unlink(missing_ok=True)
