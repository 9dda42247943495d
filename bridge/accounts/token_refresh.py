"""Refresh an account's OAuth tokens, with DPoP proofs. Why no crash can lose them: token_refresh/__init__.py.

The key of the seal is derived from the account's DPoP key, which is in the Vault only.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path
from urllib.parse import urlencode

from bridge.accounts import oauth
from bridge.accounts.account import AccountSecret, Tokens
from bridge.accounts.dpop import DpopKey, Nonces, unb64
from bridge.errors import AccountError, SignInAgain
from bridge.http_client.client import HttpReply, later
from bridge.http_client.urls import host
from bridge.i18n import say
from bridge.token_refresh.refresh import SealedRefresh
from bridge.token_refresh.sealed import RefreshRequest, fingerprint

_ENDED = ("invalid_grant",)


class AccountRefreshes:
    """The refreshes of all accounts; their sealed replies are in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def unsaved(self, secret: AccountSecret) -> Tokens | None:
        """Return the tokens that follow on this secret, if a refresh was cut short after the reply."""
        reply = await self._sealed(secret.did).unsaved(seal_key(secret), secret.refresh)
        try:
            return _tokens_of(secret, reply) if reply is not None else None
        except AccountError:
            return None

    async def refresh(self, secret: AccountSecret, endpoint: str, nonces: Nonces) -> Tokens:
        """Return new tokens, sealed on disk. Raises SignInAgain, AccountError and NetworkError."""
        key = DpopKey.load(secret.key)

        def request() -> RefreshRequest:
            headers = {
                "Content-Type": "application/x-www-form-urlencoded",
                "DPoP": key.proof("POST", endpoint, nonces.of(endpoint)),
            }
            body = urlencode(oauth.refresh_form(secret.refresh)).encode()
            return RefreshRequest(endpoint, headers, body, seal_key(secret), fingerprint(secret.refresh))

        def again(reply: HttpReply) -> RefreshRequest | None:
            return request() if nonces.learn(reply) else None

        reply = await self._sealed(secret.did).send(request(), again)
        nonces.learn(reply)
        return _tokens_of(secret, reply)

    def settle(self, did: str) -> None:
        """Remove the sealed reply: the Vault has its tokens."""
        self._sealed(did).settle()

    def forget(self, did: str) -> None:
        self._sealed(did).forget()

    def _sealed(self, did: str) -> SealedRefresh:
        return SealedRefresh(self._folder / f"{re.sub(r'[^a-z0-9.]', '-', did)}.sealed")


def _tokens_of(secret: AccountSecret, reply: HttpReply) -> Tokens:
    if reply.error in _ENDED:
        raise SignInAgain(say("The sign-in has ended"), f"{reply.words}.")
    if not reply.ok:
        words = say("{host} did not renew the sign-in", host=host(reply.url))
        raise AccountError(words, later(reply.words))
    tokens = oauth.tokens_in(reply)
    if tokens.did != secret.did:
        why = say("{host} renewed {did}.", host=host(reply.url), did=tokens.did)
        raise AccountError(say("Another account answered"), why)
    return tokens


def seal_key(secret: AccountSecret) -> str:
    """Return the key that seals this account's replies."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    derived = HKDF(hashes.SHA256(), 32, salt=None, info=b"deskbell sealed renewal")
    return base64.b64encode(derived.derive(unb64(secret.key))).decode()
