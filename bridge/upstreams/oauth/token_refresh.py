"""A refresh whose answer cannot be lost: a process of its own asks, and seals it before it tells anybody.

Many servers take a refresh token once, and a crash between their answer and its save would end the sign-in.
The same way as for Bluesky (accounts/token_refresh.py says why): whoever refreshes next with the same token
waits for that process, and finds its answer. The seal's key is in the vault only.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import re
from pathlib import Path

import msgspec

from bridge.system.private_file import write
from bridge.token_refresh.worker import in_thread, is_free, told_apart

VERB = "refresh-token"
_TRIES = 6  # each waits ten seconds for the lock


class Order(msgspec.Struct, frozen=True):
    """What the process is told: the request, and how its answer is sealed."""

    key: str
    of: str  # which refresh token is used up
    url: str
    headers: dict[str, str]
    body: bytes


class Said(msgspec.Struct, frozen=True):
    """What the server answered; status 0: nothing."""

    status: int = 0
    headers: list[tuple[str, str]] = []
    body: bytes = b""


class _Sealed(msgspec.Struct, frozen=True):
    of: str
    said: Said


def _place(folder: Path, server: str) -> Path:
    return folder / f"upstream-{re.sub(r'[^A-Za-z0-9._-]', '-', server)}.sealed"


def move(folder: Path, old: str, new: str) -> None:
    """A server has another name: an answer that the vault does not have yet goes with it."""
    with contextlib.suppress(OSError):
        os.replace(_place(folder, old), _place(folder, new))


class Refreshes:
    """Of one server."""

    def __init__(self, folder: Path, server: str) -> None:
        self._place = _place(folder, server)

    async def said(self, order: Order) -> Said:
        """The server's answer, perhaps to an earlier Deskbell's request with the same token."""
        lock = self._place.with_suffix(".lock")
        if lock.exists():
            for _ in range(_TRIES):
                if await in_thread(lambda: is_free(lock)):
                    break
            if (found := unseal(self._place, order)) is not None:
                return found
        return await in_thread(lambda: self._ask(order))

    def settled(self) -> None:
        """The vault has it."""
        with contextlib.suppress(OSError):
            self._place.unlink()

    def _ask(self, order: Order) -> Said:
        try:
            return msgspec.json.decode(told_apart(VERB, self._place, msgspec.json.encode(order)), type=Said)
        except (OSError, msgspec.MsgspecError):
            return Said()


def mark(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def new_key() -> str:
    return base64.b64encode(os.urandom(32)).decode()


def seal(place: Path, order: Order, said: Said) -> None:
    """Raises VaultError."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(12)
    plain = msgspec.json.encode(_Sealed(order.of, said))
    write(place, nonce + AESGCM(base64.b64decode(order.key)).encrypt(nonce, plain, VERB.encode()))


def unseal(place: Path, order: Order) -> Said | None:
    """The answer to this very request, if there is one."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        data = place.read_bytes()
        plain = AESGCM(base64.b64decode(order.key)).decrypt(data[:12], data[12:], VERB.encode())
        kept = msgspec.json.decode(plain, type=_Sealed)
    except (OSError, ValueError, InvalidTag):
        return None
    return kept.said if kept.of == order.of else None
