"""Verify signatures of minisign (https://jedisct1.github.io/minisign/): Ed25519 over a BLAKE2b digest."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable

from bridge.i18n import say

_KEY = b"Ed"
_HASHED = b"ED"  # the older kind, "Ed", signs the file itself
_COMMENT = "trusted comment: "


class NotSigned(ValueError):
    """A file does not count as signed; the argument says why."""


def verify(content: bytes, signature: str, keys: Iterable[str]) -> str:
    """Return the trusted comment of a signature by one of the public keys. Raises NotSigned."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    number, proof, comment, proof_of_all = _parts(signature)
    key = next((key for found, key in map(public_key, keys) if found == number), None)
    if key is None:
        raise NotSigned(say("it is signed with another key"))
    signer = Ed25519PublicKey.from_public_bytes(key)
    try:
        signer.verify(proof, hashlib.blake2b(content).digest())
        signer.verify(proof_of_all, proof + comment.encode())
    except InvalidSignature as error:
        raise NotSigned(say("its signature does not fit: somebody has changed it")) from error
    return comment


def public_key(text: str) -> tuple[bytes, bytes]:
    """Return the number and the bytes of a public key, as minisign prints it. Raises NotSigned."""
    raw = _decoded(text.strip().splitlines()[-1] if text.strip() else "")
    if len(raw) != 42 or raw[:2] != _KEY:
        raise NotSigned(say("this is not a public key of minisign"))
    return raw[2:10], raw[10:]


def _parts(signature: str) -> tuple[bytes, bytes, str, bytes]:
    lines = signature.splitlines()
    if len(lines) < 4 or not lines[2].startswith(_COMMENT):
        raise NotSigned(say("its signature cannot be read"))
    first, last = _decoded(lines[1]), _decoded(lines[3])
    if len(first) != 74 or first[:2] != _HASHED or len(last) != 64:
        raise NotSigned(say("its signature cannot be read"))
    return first[2:10], first[10:], lines[2].removeprefix(_COMMENT), last


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return b""
