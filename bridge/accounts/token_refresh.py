"""A renewal that no crash can interrupt. Rule 1: whoever asks for new tokens outlives whoever wanted them.

A refresh token can be used once: the server answers with its successor, and takes a second use of the old
one for a theft that ends the sign-in. So the moment between the server's answer and our saving it must not
be lost, whatever happens to Deskbell. Therefore:

1. A small process of its own (token_refresh_process.py) asks. It holds a lock, and outlives Deskbell.
2. It seals the answer and writes it down beside the account book before it tells anybody.
3. Deskbell puts the new token into the Vault, then removes the sealed answer, then uses the token.
4. Whoever opens the account next waits for the lock, and finds: no sealed answer (the old token is good),
   one that follows on what the Vault has (it is put into the Vault), or one that is already there (it is
   removed).

The seal's key comes from the account's DPoP key, which is in the Vault only. A Vault that is locked at the
wrong moment costs nothing either. What is left is the renewer itself being killed, or the power going,
within the few milliseconds after the server's answer: then the person signs in again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bridge.accounts.account import Secret, Tokens
from bridge.accounts.dpop import unb64
from bridge.errors import NetworkError, SignInAgain, TimeoutError_
from bridge.system.private_file import write
from bridge.token_refresh.worker import in_thread, is_free, told_apart

VERB = "renew-token"
T = TypeVar("T")
_TRIES = 6  # each waits ten seconds for the lock


class Order(msgspec.Struct, frozen=True):
    """What the renewer is told, on its stdin."""

    secret: Secret
    endpoint: str
    nonce: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """What it says, on its stdout. All empty: it was not told anything."""

    tokens: Tokens | None = None
    nonce: str = ""
    over: str = ""  # the server's words: the sign-in has ended
    title: str = ""  # it did not work this time
    message: str = ""


class Renewals:
    """The sealed answers in `folder`, and the renewers that write them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def unsaved(self, secret: Secret) -> Tokens | None:
        """The tokens that follow on this secret, if a renewal was cut short after the server's answer."""
        place = self._place(secret.did)
        if not place.with_suffix(".lock").exists():
            return None
        await self._wait_for_renewer(secret.did)
        try:
            of, tokens = unseal(place.read_bytes(), secret)
        except (OSError, ValueError):
            return None
        return tokens if of == _mark(secret.refresh) else None

    async def renew(self, order: Order) -> Outcome:
        """New tokens, sealed on the disk. Raises SignInAgain, or NetworkError when it may be tried again."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        outcome = await in_thread(lambda: self._ran(order))
        if outcome.over:
            raise SignInAgain("The sign-in has ended", outcome.over)
        if outcome.tokens is None:
            raise NetworkError(
                outcome.title or "The sign-in could not be renewed", outcome.message or "Try again."
            )
        return outcome

    def settled(self, did: str) -> None:
        """The Vault has it."""
        with contextlib.suppress(OSError):
            self._place(did).unlink()

    def forget(self, did: str) -> None:
        self.settled(did)
        with contextlib.suppress(OSError):
            self._place(did).with_suffix(".lock").unlink()

    def _place(self, did: str) -> Path:
        return self._folder / f"{re.sub(r'[^a-z0-9.]', '-', did)}.sealed"

    async def _wait_for_renewer(self, did: str) -> None:
        """One that an earlier Deskbell has left behind."""
        lock = self._place(did).with_suffix(".lock")
        for _ in range(_TRIES):
            if await in_thread(lambda: is_free(lock)):
                return
        hint = "An earlier renewal is still under way. Try again in a minute."
        raise TimeoutError_("The sign-in could not be renewed", hint)

    def _ran(self, order: Order) -> Outcome:
        try:
            told = msgspec.json.encode(order)
            return read_outcome(told_apart(VERB, self._place(order.secret.did), told))
        except OSError as error:
            return Outcome(title="The sign-in could not be renewed", message=f"{error}.")


def read_outcome(said: bytes) -> Outcome:
    try:
        return msgspec.json.decode(said, type=Outcome)
    except msgspec.MsgspecError:
        return Outcome()


# --- the seal --------------------------------------------------------------------------------------------


class _Sealed(msgspec.Struct, frozen=True):
    of: str  # which refresh token was used up
    tokens: Tokens


def seal(path: Path, secret: Secret, tokens: Tokens) -> None:
    nonce = os.urandom(12)
    plain = msgspec.json.encode(_Sealed(_mark(secret.refresh), tokens))
    write(path, nonce + _cipher(secret).encrypt(nonce, plain, secret.did.encode()))


def unseal(data: bytes, secret: Secret) -> tuple[str, Tokens]:
    """Raises ValueError for what this account's key has not sealed."""
    from cryptography.exceptions import InvalidTag

    try:
        plain = _cipher(secret).decrypt(data[:12], data[12:], secret.did.encode())
    except InvalidTag as error:
        raise ValueError("not sealed by this account") from error
    kept = msgspec.json.decode(plain, type=_Sealed)
    return kept.of, kept.tokens


def _mark(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def _cipher(secret: Secret) -> Any:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    derived = HKDF(hashes.SHA256(), 32, salt=None, info=b"deskbell sealed renewal")
    return AESGCM(derived.derive(unb64(secret.key)))
