"""SealedRefresh: the token refreshes of one sign-in, and the reply that the Vault may not have yet."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from bridge.errors import NetworkError, TimeoutError_
from bridge.http_client.client import HttpReply
from bridge.i18n import say
from bridge.system.daemon_thread import in_daemon_thread
from bridge.token_refresh.sealed import RefreshRequest, fingerprint, unseal
from bridge.token_refresh.worker import Again, is_free, run_worker

_TRIES = 6  # each waits ten seconds for the lock
_THREAD = "deskbell-token-refresh"


class SealedRefresh:
    """`path`: where the sealed reply is kept; its lock is beside it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = path.with_suffix(".lock")

    async def unsaved(self, key: str, token: str) -> HttpReply | None:
        """Return the reply to an earlier refresh with this refresh token that was cut short, if any.

        Waits for a worker that an earlier Deskbell left behind. Raises TimeoutError_.
        """
        if not self._lock.exists():
            return None
        for _ in range(_TRIES):
            if await in_daemon_thread(lambda: is_free(self._lock), _THREAD):
                return unseal(self._path, key, fingerprint(token))
        hint = say("An earlier renewal is still under way. Try again in a minute.")
        raise TimeoutError_(say("The sign-in could not be renewed"), hint)

    async def send(self, request: RefreshRequest, again: Again | None = None) -> HttpReply:
        """Return the server's reply, sealed on disk if it is a success. Raises NetworkError."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        outcome = await in_daemon_thread(lambda: run_worker(self._path, request, again), _THREAD)
        if outcome.reply is None:
            raise NetworkError(
                outcome.title or say("The sign-in could not be renewed"), outcome.message or say("Try again.")
            )
        return outcome.reply

    def settle(self) -> None:
        """Remove the sealed reply: the Vault has it."""
        with contextlib.suppress(OSError):
            self._path.unlink()

    def forget(self) -> None:
        """Remove everything: the sign-in is gone."""
        self.settle()
        with contextlib.suppress(OSError):
            self._lock.unlink()

    def move_to(self, other: SealedRefresh) -> None:
        """Keep the sealed reply as that of another sign-in, whose name changed."""
        with contextlib.suppress(OSError):
            os.replace(self._path, other._path)
