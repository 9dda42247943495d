"""Save calls whose hosts stopped waiting, and their replies, until the hosts ask again (core HeldCalls).

    held.json   which calls there are, so that none is made twice after a restart; each reply encrypted with
                AES-256-GCM by a key in the Vault

Without a usable Vault only the calls are saved; their replies then end with Deskbell.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from bridge.core.ports import HeldCall
from bridge.errors import DeskbellError
from bridge.system.atomic_file import write_private
from bridge.system.background_tasks import BackgroundTasks
from bridge.vault.base import Vault
from bridge.vault.sealing import SealingKey

log = logging.getLogger(__name__)
KEY = "held/key"  # name in the Vault
CLOSING = 2.0  # seconds
Calls = tuple[HeldCall, ...]


class HeldResults:
    """`calls`: what is to be saved now."""

    def __init__(self, path: Path, vault: Vault, calls: Callable[[], Calls]) -> None:
        self._path = path
        self._calls = calls
        self._key = SealingKey(vault, KEY)
        self._tasks = BackgroundTasks()
        self._asked = False  # for the key
        self._thread = ThreadPoolExecutor(1, "deskbell-held")  # one: two must not write the same file at once

    async def restore(self) -> Calls:
        """Return the calls of the last run. A reply that cannot be decrypted is left out."""
        try:
            calls = msgspec.json.decode(self._path.read_bytes(), type=Calls)
        except FileNotFoundError:
            return ()
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            log.warning("%s cannot be read: %s", self._path, error)
            return ()
        if any(call.reply for call in calls):
            await self._key.find()
        opened = ((call, self._key.open(call.reply, call.ticket)) for call in calls)
        return tuple(msgspec.structs.replace(call, reply=reply) for call, reply in opened)

    def save(self, done: Callable[[], object] | None = None) -> None:
        """Save soon, and then call `done` in another thread. The first time, the key is fetched meanwhile: no
        reply is there yet."""
        if not self._key and not self._asked:
            self._asked = True
            self._tasks.start(self._make_key())
        self._write(done)

    async def close(self) -> None:
        """Return when everything is saved; the key may come CLOSING seconds late."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._tasks.wait(), CLOSING)
        await self._tasks.cancel()
        self._thread.shutdown()

    def _write(self, done: Callable[[], object] | None = None) -> None:
        written = self._thread.submit(_save, self._path, self._key, self._calls())
        if done is not None:
            written.add_done_callback(lambda _: done())

    async def _make_key(self) -> None:
        await self._key.find(make=True)
        self._write()


def _save(path: Path, key: SealingKey, calls: Calls) -> None:
    try:
        if calls:
            replies = ((call, key.seal(call.reply, call.ticket)) for call in calls)
            sealed = [msgspec.structs.replace(call, reply=reply) for call, reply in replies]
            write_private(path, msgspec.json.encode(sealed))
        else:
            path.unlink(missing_ok=True)
    except (OSError, DeskbellError) as error:
        log.warning("%s cannot be written: %s", path, error)
