"""What every secret store promises, and the Vault that uses one of them without blocking the loop.

A Store is synchronous and may be slow, locked or gone: only the Vault's own thread touches it. Names are
paths by owner: `secret/NAME` for `${vault:NAME}`, `upstream/SERVER` for a server's tokens, `account/DID` for
a Bluesky account. Values are text and are never logged.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from bridge.core.status import called
from bridge.errors import VaultError, VaultLocked
from bridge.i18n import say
from bridge.vault.unlock_dialog import UnlockDialog

T = TypeVar("T")
PATIENCE = 30.0  # seconds of the machine's time
PERSON = 600.0  # seconds for a person whom a keyring asks for its password
LONGEST_NAME = 255
_UNLOCK = "`deskbell secrets unlock`"


class Store(ABC):
    """One place that keeps secrets. Every failure is a VaultError, in words."""

    kind = ""  # "keyring" | "file" | "memory" | "refuse"
    limits = ""  # what this store does and does not protect, for a person
    asking = UnlockDialog()  # most never show a dialog

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

    def may_have(self, name: str) -> bool:
        """False if there is surely no such secret, as far as can be told without asking the person."""
        return self.get(name) is not None

    def empty(self) -> None:
        """Forget all of it."""
        for name in self.names():
            self.delete(name)

    def unlock(self, passphrase: str) -> None:  # noqa: B027 - most are never locked
        """Open a store that raised VaultLocked; VaultLocked again if this is not its passphrase."""

    def probe(self) -> None:
        """Keep, read and forget something: a store may be there and yet unusable. Raises VaultError."""
        name, value = probe_name(), secrets.token_hex(16)
        self.set(name, value)
        try:
            if self.get(name) != value:
                words = say("The {store} does not keep what it is given", store=called(self.kind))
                raise VaultError(words)
        finally:
            self.delete(name)


def probe_name() -> str:
    """One of a few for all time, so that what a killed probe left is found and overwritten by another."""
    return f"probe/{os.getpid() % 100}"


def checked(name: str) -> str:
    """The name, if it can be one. For stores, before they touch anything."""
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        hint = say("{name} is empty, long or unprintable.", name=repr(name[:40]))
        raise VaultError(say("This cannot be the name of a secret"), hint)
    return name


Passphrase = Callable[[str], Awaitable[str | None]]  # what went wrong before, or "" → what the person typed
Waits = Callable[[str, bool], None]  # a server waits for its secrets, or does not any more


class Vault:
    """One Store, used from the engine's loop: each call runs in one thread of its own, and not for ever.

    `passphrase` asks the person when the store is locked by one; None: the caller gets VaultLocked. `waits`
    hears for which server the person may be busy.
    """

    def __init__(
        self, store: Store, passphrase: Passphrase | None = None, waits: Waits = lambda server, waits: None
    ) -> None:
        self.store = store
        self._passphrase = passphrase
        self._waits = waits
        self._thread = _Thread()
        self._unlocking: asyncio.Task[None] | None = None
        self._waiting = 0  # callers

    async def get(self, name: str) -> str | None:
        return await self.do(lambda: self.store.get(name))

    async def get_for(self, server: str, name: str) -> str | None:
        """The same for a server, whose clocks stand meanwhile."""
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
        self.store.asking.take_back()
        self._thread.end()

    @contextlib.contextmanager
    def _persons_time(self, server: str) -> Iterator[None]:
        """Passphrase or keyring: nobody can tell whether the person is being asked."""
        self._waits(server, True)
        try:
            yield
        finally:
            self._waits(server, False)

    async def do(self, work: Callable[[], T], *, patience: float = PATIENCE, ask: bool = True) -> T:
        """Any work with the store, in its thread. `ask`: for the passphrase, if it is locked by one."""
        try:
            return await self._run(work, patience)
        except VaultLocked:
            if self._passphrase is None or not ask:
                raise
            await self._unlocked(self._passphrase)
            return await self._run(work, patience)

    async def _unlocked(self, passphrase: Passphrase) -> None:
        """The person is asked once, however many wait."""
        if self._unlocking is None:
            self._unlocking = asyncio.ensure_future(self._unlock(passphrase))
            self._unlocking.add_done_callback(self._asked)
        await asyncio.shield(self._unlocking)

    def _asked(self, task: asyncio.Task[None]) -> None:
        self._unlocking = None
        if not task.cancelled():
            task.exception()  # whoever waits for it hears of it; if nobody does, that is no fault

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
        """A write that was begun is finished even when nobody waits for it any more; a dialog is not."""
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
                job.cancel()  # behind the dialog, and nobody's any more: it would open another
            if not self._waiting:
                self.store.asking.take_back()

    async def _waited(self, answer: asyncio.Future[Any], patience: float) -> bool:
        """Until it is there, or the machine has taken too long, or the person has."""
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


class _Thread:
    """Started by its first job. A keyring that never answers must not keep Deskbell from ending: it is a
    daemon, and nobody joins it (which rules out ThreadPoolExecutor)."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._thread: Thread | None = None

    def submit(self, work: Callable[[], T]) -> Future[T]:
        if self._thread is None:
            self._thread = Thread(target=self._live, name="deskbell-vault", daemon=True)
            self._thread.start()
        job: Future[T] = Future()
        self._jobs.put((job, work))
        return job

    def end(self) -> None:
        self._jobs.put(None)
        self._thread = None

    def _live(self) -> None:
        while (given := self._jobs.get()) is not None:
            job, work = given
            if not job.set_running_or_notify_cancel():
                continue
            try:
                job.set_result(work())
            except BaseException as error:
                job.set_exception(error)
