"""Save calls whose hosts stopped waiting, and their replies, until the hosts ask again (core HeldCalls).

    held.json   which calls there are, so that none is made twice after a restart; each reply encrypted with
                AES-256-GCM by a key in the Vault

Without a usable Vault only the calls are saved; their replies then end with Deskbell.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from bridge.core.ports import HeldCall
from bridge.errors import DeskbellError
from bridge.system.atomic_file import write_private
from bridge.system.background_tasks import BackgroundTasks
from bridge.vault.base import Vault

log = logging.getLogger(__name__)
KEY = "held/key"  # name in the Vault
CLOSING = 2.0  # seconds
_NONCE = 12  # bytes
Calls = tuple[HeldCall, ...]


class HeldResults:
    """`calls`: what is to be saved now."""

    def __init__(self, path: Path, vault: Vault, calls: Callable[[], Calls]) -> None:
        self._path = path
        self._vault = vault
        self._calls = calls
        self._key = b""  # empty: not known
        self._tasks = BackgroundTasks()
        self._asked = False  # for the key
        self._thread = ThreadPoolExecutor(1, "deskbell-held")  # one: two must not write the same file at once

    async def restore(self) -> Calls:
        """Return the calls of the last run. A reply that cannot be decrypted is left out."""
        try:
            calls = msgspec.json.decode(self._path.read_bytes(), type=Calls)
        except FileNotFoundError:
            return ()
        except (OSError, msgspec.MsgspecError) as error:
            log.warning("%s cannot be read: %s", self._path, error)
            return ()
        if any(call.reply for call in calls):
            await self._find_key()
        return tuple(msgspec.structs.replace(call, reply=_opened(self._key, call)) for call in calls)

    def save(self) -> None:
        """Save soon. The first time, the key is fetched meanwhile: no reply is there yet."""
        if not self._key and not self._asked:
            self._asked = True
            self._tasks.start(self._make_key())
        self._write()

    async def close(self) -> None:
        """Return when everything is saved; the key may come CLOSING seconds late."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._tasks.wait(), CLOSING)
        await self._tasks.cancel()
        self._thread.shutdown()

    def _write(self) -> None:
        self._thread.submit(_save, self._path, self._key, self._calls())

    async def _make_key(self) -> None:
        await self._find_key(make=True)
        self._write()

    async def _find_key(self, make: bool = False) -> None:
        """Fetch the key from the Vault, or put one there. The person is not asked for a passphrase."""
        try:
            kept = await self._vault.do(lambda: self._vault.store.get(KEY), ask=False)
            if kept is None and make:
                kept = base64.b64encode(os.urandom(32)).decode()
                await self._vault.set(KEY, kept)
        except DeskbellError as error:
            log.info("Replies for hosts that stopped waiting are kept in memory only: %s", error)
            return
        self._key = base64.b64decode(kept or "")


def _save(path: Path, key: bytes, calls: Calls) -> None:
    try:
        if calls:
            sealed = [msgspec.structs.replace(call, reply=_sealed(key, call)) for call in calls]
            write_private(path, msgspec.json.encode(sealed))
        else:
            path.unlink(missing_ok=True)
    except (OSError, DeskbellError) as error:
        log.warning("%s cannot be written: %s", path, error)


def _sealed(key: bytes, call: HeldCall) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # here: most runs never need it

    if not key or not call.reply:
        return b""
    nonce = os.urandom(_NONCE)
    return nonce + AESGCM(key).encrypt(nonce, call.reply, call.ticket.encode())


def _opened(key: bytes, call: HeldCall) -> bytes:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(key).decrypt(call.reply[:_NONCE], call.reply[_NONCE:], call.ticket.encode())
    except (ValueError, InvalidTag):
        return b""
