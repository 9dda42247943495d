"""Store, the interface of secret stores, and Vault, which uses one without blocking the event loop.

A Store is synchronous and may be slow, locked or unavailable: only the Vault's own thread calls it. Names
are paths: `secret/NAME` for `${vault:NAME}`, `upstream/SERVER` for a server's tokens, `account/DID` for a
Bluesky account. Values are text and are never logged.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

from bridge.core.status import called
from bridge.errors import VaultError, VaultLocked
from bridge.i18n import say
from bridge.system.background_tasks import SharedTask
from bridge.system.daemon_thread import DaemonThread
from bridge.vault.unlock_dialog import UnlockDialog

T = TypeVar("T")
PATIENCE = 30.0  # seconds for a store to answer
PERSON = 600.0  # seconds for the user to unlock a keyring
LONGEST_NAME = 255
_UNLOCK = "`deskbell secrets unlock`"


class Store(ABC):
    """A place that keeps secrets. Every failure is a VaultError."""

    kind = ""  # "keyring" | "file" | "memory" | "refuse"
    limits = ""  # what it protects against, for users
    asking = UnlockDialog()  # most stores never show a dialog

    @abstractmethod
    def get(self, name: str) -> str | None:
        """Return the secret of this name; None if there is none."""

    @abstractmethod
    def set(self, name: str, value: str) -> None:
        """Store the secret, durably unless `limits` says otherwise."""

    @abstractmethod
    def delete(self, name: str) -> bool:
        """Delete the secret; False if there was none."""

    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Return all names, sorted."""

    def may_have(self, name: str) -> bool:
        """False if there is surely no such secret; never shows a dialog."""
        return self.get(name) is not None

    def empty(self) -> None:
        """Delete all secrets."""
        for name in self.names():
            self.delete(name)

    def unlock(self, passphrase: str) -> None:  # noqa: B027 - most are never locked
        """Unlock the store. Raises VaultLocked for a wrong passphrase."""

    def probe(self) -> None:
        """Write, read and delete a test value: a store may exist and yet be unusable. Raises VaultError."""
        name, value = probe_name(), secrets.token_hex(16)
        self.set(name, value)
        try:
            if self.get(name) != value:
                words = say("The {store} does not return what is stored in it", store=called(self.kind))
                raise VaultError(words)
        finally:
            self.delete(name)


def probe_name() -> str:
    """Return one of a hundred names, so that a later probe overwrites what a killed one left."""
    return f"probe/{os.getpid() % 100}"


def checked(name: str) -> str:
    """Return the name if it is valid. Raises VaultError."""
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        hint = say("{name} is empty, long or unprintable.", name=repr(name[:40]))
        raise VaultError(say("This cannot be the name of a secret"), hint)
    return name


Passphrase = Callable[[str], Awaitable[str | None]]  # previous error, or "" → the passphrase typed
Waits = Callable[[str, bool], None]  # server, whether it waits for its secrets


class Vault:
    """Uses one Store from the engine's loop: calls run in one thread, with a time limit.

    `passphrase` asks the user if the store is locked; None: the caller gets VaultLocked. `waits` is called
    while a server waits for its secrets.
    """

    def __init__(
        self, store: Store, passphrase: Passphrase | None = None, waits: Waits = lambda server, waits: None
    ) -> None:
        self.store = store
        self._passphrase = passphrase
        self._waits = waits
        self._thread = DaemonThread("deskbell-vault")
        self._unlocking: SharedTask[None] = SharedTask()
        self._waiting = 0  # callers

    async def get(self, name: str) -> str | None:
        return await self.do(lambda: self.store.get(name))

    async def get_for(self, server: str, name: str) -> str | None:
        """Return a secret for a server, whose timeouts are paused meanwhile."""
        with self._persons_time(server):
            return await self.get(name)

    async def set(self, name: str, value: str) -> None:
        await self.do(lambda: self.store.set(name, value))

    async def set_for(self, server: str, name: str, value: str) -> None:
        with self._persons_time(server):
            await self.set(name, value)

    async def delete(self, name: str) -> bool:
        return await self.do(lambda: self.store.delete(name))

    async def names(self) -> tuple[str, ...]:
        return await self.do(self.store.names)

    async def may_have(self, name: str) -> bool:
        try:
            return await self.do(lambda: self.store.may_have(name), ask=False)
        except VaultError:
            return False

    def close(self) -> None:
        self.store.asking.request_close()
        self._thread.end()

    @contextlib.contextmanager
    def _persons_time(self, server: str) -> Iterator[None]:
        """Pause a server's timeouts: the user may be asked for a passphrase or to unlock a keyring."""
        self._waits(server, True)
        try:
            yield
        finally:
            self._waits(server, False)

    async def do(self, work: Callable[[], T], *, patience: float = PATIENCE, ask: bool = True) -> T:
        """Run `work` in the store's thread. `ask`: ask for the passphrase if the store is locked."""
        try:
            return await self._run(work, patience)
        except VaultLocked:
            if self._passphrase is None or not ask:
                raise
            ask_person = self._passphrase
            await self._unlocking.run(lambda: self._unlock(ask_person))
            return await self._run(work, patience)

    async def _unlock(self, passphrase: Passphrase) -> None:
        wrong = ""
        while True:
            typed = await passphrase(wrong)
            if typed is None:
                hint = say("The passphrase was not given. Give it by {command}.", command=_UNLOCK)
                raise VaultError(say("Your secrets are locked"), hint)
            try:
                return await self._run(lambda word=typed: self.store.unlock(word))  # type: ignore[misc]
            except VaultLocked as error:
                wrong = error.title

    async def _run(self, work: Callable[[], T], patience: float = PATIENCE) -> T:
        """Run `work`; if the caller leaves, finish a write that has begun, but close a dialog."""
        job = self._thread.submit(work)
        answer = asyncio.wrap_future(job)
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._waiting += 1
        try:
            if await self._waited(answer, patience):
                return answer.result()
            job.cancel()
            raise self._silence()
        finally:
            self._waiting -= 1
            if self.store.asking.since:
                job.cancel()  # queued behind the dialog: it would open another one
            if not self._waiting:
                self.store.asking.request_close()

    async def _waited(self, answer: asyncio.Future[Any], patience: float) -> bool:
        """Wait for the answer; False if the store, or the user in a dialog, takes too long."""
        asking, begun = self.store.asking, time.monotonic()
        while not answer.done():
            since = asking.since
            end = since + PERSON if since else max(begun, asking.until) + patience
            left = end - time.monotonic()
            if left <= 0:
                return False
            await asyncio.wait({answer}, timeout=min(left, PATIENCE))
        return True

    def _silence(self) -> VaultError:
        if self.store.asking.since:
            words = say("Nobody unlocked the {store}", store=called(self.store.kind or "keyring"))
            return VaultError(words, say("Unlock it, and try again."))
        store = called(self.store.kind) or say("secret store")
        hint = say("It may be asking you to unlock it. Unlock it, and try again.")
        return VaultError(say("The {store} did not answer", store=store), hint)
