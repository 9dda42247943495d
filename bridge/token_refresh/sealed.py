"""Encrypt the reply to a token refresh on disk, until the Vault has its tokens (AES-256-GCM)."""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path

import msgspec

from bridge.http_client.client import HttpReply
from bridge.system.atomic_file import write_private

_PURPOSE = b"token-refresh"  # authenticated with each seal


class RefreshRequest(msgspec.Struct, frozen=True):
    """A POST to a token endpoint, and how its reply is sealed."""

    url: str
    headers: dict[str, str]
    body: bytes
    key: str  # of the seal; base64, 256 bits
    token: str  # fingerprint of the refresh token in it

    def __repr__(self) -> str:
        return f"RefreshRequest({self.url})"


def fingerprint(token: str) -> str:
    """Return what tells one refresh token from another without revealing it."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def new_key() -> str:
    return base64.b64encode(os.urandom(32)).decode()


class _Contents(msgspec.Struct, frozen=True):
    token: str  # fingerprint of the refresh token that was used up
    reply: HttpReply


def seal(path: Path, request: RefreshRequest, reply: HttpReply) -> None:
    """Write the encrypted reply to `path`. Raises VaultError."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(12)
    plain = msgspec.json.encode(_Contents(request.token, reply))
    write_private(path, nonce + AESGCM(base64.b64decode(request.key)).encrypt(nonce, plain, _PURPOSE))


def unseal(path: Path, key: str, token: str) -> HttpReply | None:
    """Return the sealed reply to the refresh token with this fingerprint; None if there is no such reply."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        data = path.read_bytes()
        plain = AESGCM(base64.b64decode(key)).decrypt(data[:12], data[12:], _PURPOSE)
        contents = msgspec.json.decode(plain, type=_Contents)
    except (OSError, ValueError, InvalidTag):
        return None
    return contents.reply if contents.token == token else None
