"""DPoP (RFC 9449): each request proves possession of a key that was made for one account.

ES256 only, as atproto requires. A server may demand a newer nonce at any time; the request is then repeated
once.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import msgspec

from bridge.http_client.client import HttpClient, HttpReply
from bridge.http_client.urls import origin

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

_SIZE = 32  # bytes of a P-256 number


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class DpopKey:
    """A P-256 key. `text` is its private value, all that has to be stored."""

    def __init__(self, key: EllipticCurvePrivateKey) -> None:
        numbers = key.private_numbers()
        public = numbers.public_numbers
        self._key = key
        self.text = b64(numbers.private_value.to_bytes(_SIZE, "big"))
        self._jwk = {
            "kty": "EC",
            "crv": "P-256",
            "x": b64(public.x.to_bytes(_SIZE, "big")),
            "y": b64(public.y.to_bytes(_SIZE, "big")),
        }

    def __repr__(self) -> str:
        return "Key()"

    @classmethod
    def new(cls) -> DpopKey:
        from cryptography.hazmat.primitives.asymmetric import ec

        return cls(ec.generate_private_key(ec.SECP256R1()))

    @classmethod
    def load(cls, text: str) -> DpopKey:
        from cryptography.hazmat.primitives.asymmetric import ec

        return cls(ec.derive_private_key(int.from_bytes(unb64(text), "big"), ec.SECP256R1()))

    def proof(self, method: str, url: str, nonce: str = "", token: str = "") -> str:
        """Return the proof for one request. `token`: the access token sent with it."""
        parts = urlsplit(url)
        claims = {
            "jti": secrets.token_urlsafe(16),
            "htm": method,
            "htu": urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
            "iat": int(time.time()),
        }
        if nonce:
            claims["nonce"] = nonce
        if token:
            claims["ath"] = b64(hashlib.sha256(token.encode()).digest())
        head = {"typ": "dpop+jwt", "alg": "ES256", "jwk": self._jwk}
        signed = f"{b64(msgspec.json.encode(head))}.{b64(msgspec.json.encode(claims))}"
        return f"{signed}.{b64(self._sign(signed.encode()))}"

    def _sign(self, data: bytes) -> bytes:
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec, utils

        r, s = utils.decode_dss_signature(self._key.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(_SIZE, "big") + s.to_bytes(_SIZE, "big")


class Nonces:
    """The last nonce of each server."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}

    def of(self, url: str) -> str:
        return self._last.get(origin(url), "")

    def learn(self, reply: HttpReply) -> bool:
        """Store the nonce of a reply; True if the server refused the request only because of its nonce."""
        nonce = reply.headers.get("DPoP-Nonce", "")
        if nonce:
            self._last[origin(reply.url)] = nonce
        return bool(nonce) and reply.status in (400, 401) and _wants_nonce(reply)


def _wants_nonce(reply: HttpReply) -> bool:
    return reply.error == "use_dpop_nonce" or "use_dpop_nonce" in reply.headers.get("WWW-Authenticate", "")


async def post_form(
    http: HttpClient, url: str, form: Mapping[str, str], key: DpopKey, nonces: Nonces
) -> HttpReply:
    """Send a form with a proof to an authorization server; once more if it wants a newer nonce."""
    for last in (False, True):
        proof = {"DPoP": key.proof("POST", url, nonces.of(url))}
        reply = await http.request("POST", url, form=form, headers=proof)
        if not nonces.learn(reply) or last:
            break
    return reply
