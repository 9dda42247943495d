"""What every secret store promises, and the Vault that uses one of them without blocking the loop.

A Store is synchronous and may be slow, locked or gone: only the Vault's own thread touches it. Names are
paths by owner: `secret/NAME` for `${vault:NAME}`, `upstream/SERVER` for a server's tokens, `account/DID` for
a Bluesky account. Values are text and are never logged.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from bridge.errors import VaultError

T = TypeVar("T")
PATIENCE = 30.0  # seconds; a locked keyring may be asking the person for its password


class Store(ABC):
    """One place that keeps secrets. Every failure is a VaultError, in words."""

    kind = ""  # "keyring" | "file" | "memory" | "refuse"
    limits = ""  # what this store does and does not protect, for a person

    @abstractmethod
    def get(self, name: str) -> str | None:
        """The secret of this name; None if there is none."""

    @abstractmethod
    def set(self, name: str, value: str) -> None:
        """Keep it; when this returns, it survives a crash (save for a store that says it does not)."""

    @abstractmethod
    def delete(self, name: str) -> bool:
        """Forget it; False if there was none."""

    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Every name there is, sorted."""


class Vault:
    """One Store, used from the engine's loop: each call runs in one thread of its own, and not for ever."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="deskbell-vault")

    async def get(self, name: str) -> str | None:
        return await self._do(lambda: self.store.get(name))

    async def set(self, name: str, value: str) -> None:
        await self._do(lambda: self.store.set(name, value))

    async def delete(self, name: str) -> bool:
        return await self._do(lambda: self.store.delete(name))

    async def names(self) -> tuple[str, ...]:
        return await self._do(self.store.names)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _do(self, work: Callable[[], T]) -> T:
        """A write that was begun is finished even when nobody waits for it any more."""
        job = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            return await asyncio.wait_for(asyncio.shield(job), PATIENCE)
        except TimeoutError as error:
            hint = "Unlock it, and try again."
            raise VaultError(f"The {self.store.kind} did not answer", hint) from error
