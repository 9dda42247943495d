"""Encrypt what Deskbell saves of people's words: AES-256-GCM by a key of its own in the Vault.

Without a usable Vault nothing can be sealed; whoever saves it keeps it in memory only.
"""

from __future__ import annotations

import base64
import logging
import os

from bridge.errors import DeskbellError
from bridge.vault.base import Vault

log = logging.getLogger(__name__)
_NONCE = 12  # bytes


class SealingKey:
    """`name`: of the key in the Vault."""

    def __init__(self, vault: Vault, name: str) -> None:
        self._vault = vault
        self._name = name
        self._key = b""  # empty: not known

    def __bool__(self) -> bool:
        return bool(self._key)

    async def find(self, *, make: bool = False) -> None:
        """Fetch the key, or put one there. The person is not asked for a passphrase."""
        try:
            encoded = await self._vault.do(lambda: self._vault.store.get(self._name), ask=False)
            if encoded is None and make:
                fresh = encoded = base64.b64encode(os.urandom(32)).decode()
                await self._vault.do(lambda: self._vault.store.set(self._name, fresh), ask=False)
        except DeskbellError as error:
            log.info("%s cannot be used, so that what it encrypts is kept in memory: %s", self._name, error)
            return
        self._key = base64.b64decode(encoded or "")

    def seal(self, data: bytes, about: str) -> bytes:
        """Return `data` encrypted, bound to `about`; b"" without a key."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # here: most runs never need it

        if not self._key or not data:
            return b""
        nonce = os.urandom(_NONCE)
        return nonce + AESGCM(self._key).encrypt(nonce, data, about.encode())

    def open(self, sealed: bytes, about: str) -> bytes:
        """Return what was sealed; b"" if it cannot be opened."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            return AESGCM(self._key).decrypt(sealed[:_NONCE], sealed[_NONCE:], about.encode())
        except (ValueError, InvalidTag):
            return b""
