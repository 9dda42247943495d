"""Keep unsent answers, across restarts too: in drafts.bin, encrypted.

Without a usable Vault drafts end with Deskbell.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from pathlib import Path

import msgspec

from bridge.core.questions.draft import AnswerDraft
from bridge.errors import DeskbellError
from bridge.system.atomic_file import write_private
from bridge.system.background_tasks import BackgroundTasks
from bridge.vault.base import Vault
from bridge.vault.sealing import SealingKey

log = logging.getLogger(__name__)
KEY = "drafts/key"  # name in the Vault
MOST = 50
LONGEST = 100_000  # characters of one draft
CLOSING = 2.0  # seconds
_ABOUT = "drafts"
Drafts = tuple[AnswerDraft, ...]


class AnswerDrafts:
    """`on_change`: called when `drafts` has changed."""

    def __init__(self, path: Path, vault: Vault, on_change: Callable[[], None]) -> None:
        self.drafts: Drafts = ()
        self._path = path
        self._key = SealingKey(vault, KEY)
        self._on_change = on_change
        self._tasks = BackgroundTasks()
        self._saving = asyncio.Lock()

    def restore(self) -> None:
        """Start reading the drafts of the last run."""
        if self._path.exists():
            self._tasks.start(self._read())

    def keep(self, draft: AnswerDraft) -> None:
        """Keep a draft, in place of an earlier one for the same Question."""
        short = msgspec.structs.replace(draft, text=draft.text[:LONGEST])
        self._set((*(one for one in self.drafts if one.id != draft.id), short)[-MOST:])

    def discard(self, question_id: str) -> None:
        self._set(tuple(one for one in self.drafts if one.id != question_id))

    async def close(self) -> None:
        """Return when everything is saved; the key may come CLOSING seconds late."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._tasks.wait(), CLOSING)
        await self._tasks.cancel()

    def _set(self, drafts: Drafts) -> None:
        if drafts != self.drafts:
            self.drafts = drafts
            self._on_change()
            self._tasks.start(self._save())

    async def _read(self) -> None:
        async with self._saving:
            await self._key.find()
            try:
                opened = self._key.open(await asyncio.to_thread(self._path.read_bytes), _ABOUT)
                drafts = msgspec.json.decode(opened, type=Drafts) if opened else ()
            except (OSError, msgspec.MsgspecError, RecursionError) as error:
                log.warning("%s cannot be read: %s", self._path, error)
                return
        if drafts:
            known = {one.id for one in self.drafts}
            self.drafts = (*(one for one in drafts if one.id not in known), *self.drafts)[-MOST:]
            self._on_change()

    async def _save(self) -> None:
        async with self._saving:
            if not self._key and self.drafts:
                await self._key.find(make=True)
            sealed = self._key.seal(msgspec.json.encode(self.drafts), _ABOUT) if self.drafts else b""
            try:
                if sealed:
                    await asyncio.to_thread(write_private, self._path, sealed)
                else:
                    await asyncio.to_thread(self._path.unlink, missing_ok=True)
            except (OSError, DeskbellError) as error:
                log.warning("%s cannot be written: %s", self._path, error)
