"""Sign in by app password, the fallback. A main password is recognised by its shape and never sent.

The app password is stored in the Vault: it gets new tokens if the old ones are lost. Tokens are refreshed
first, because servers limit the number of sign-ins.
"""

from __future__ import annotations

import base64
import re
import time

import msgspec

from bridge.accounts import texts
from bridge.accounts.account import Tokens
from bridge.errors import AccountError, NetworkError, SignInAgain, UsageError
from bridge.http_client.client import HttpClient, HttpReply, later
from bridge.http_client.urls import host
from bridge.i18n import say

_SHAPE = re.compile(r"[a-z0-9]{4}(?:-[a-z0-9]{4}){3}", re.IGNORECASE)
_GONE = ("ExpiredToken", "InvalidToken", "AuthenticationRequired", "AuthMissing")


def app_password(text: str) -> str:
    """Return the app password in `text`. Raises UsageError, which does not repeat the text."""
    word = text.strip()
    if not _SHAPE.fullmatch(word):
        raise UsageError(texts.NOT_AN_APP_PASSWORD, texts.REFUSED)
    return word.lower()


async def sign_in(http: HttpClient, pds: str, did: str, password: str) -> Tokens:
    body = msgspec.json.encode({"identifier": did, "password": password})
    reply = await _post(http, pds, "com.atproto.server.createSession", body=body)
    if reply.status == 401:
        title = say("The handle and the app password do not belong together")
        raise AccountError(title, texts.refused_password())
    return _tokens(reply, did)


async def renew(http: HttpClient, pds: str, did: str, refresh: str) -> Tokens:
    """Return new tokens. Raises SignInAgain if the refresh token has expired."""
    reply = await _post(http, pds, "com.atproto.server.refreshSession", refresh)
    if reply.status in (400, 401) and reply.error in _GONE:
        raise SignInAgain(say("The sign-in has ended"), f"{reply.words}.")
    return _tokens(reply, did)


async def revoke(http: HttpClient, pds: str, refresh: str) -> None:
    reply = await _post(http, pds, "com.atproto.server.deleteSession", refresh)
    if not reply.ok and reply.error not in _GONE:
        raise AccountError(say("{host} did not end the sign-in", host=host(pds)), f"{reply.words}.")


async def _post(
    http: HttpClient, pds: str, nsid: str, token: str = "", body: bytes | None = None
) -> HttpReply:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    return await http.request("POST", f"{pds}/xrpc/{nsid}", content=body, headers=headers)


def _tokens(reply: HttpReply, did: str) -> Tokens:
    body = reply.json()
    access, refresh = body.get("accessJwt"), body.get("refreshJwt")
    if reply.status == 429:
        title = say("{host} wants you to wait", host=host(reply.url))
        raise NetworkError(title, say("Too many sign-ins. Try again later."))
    if not reply.ok or not isinstance(access, str) or not isinstance(refresh, str):
        title = say("{host} did not sign you in", host=host(reply.url))
        raise NetworkError(title, later(reply.words))
    if body.get("did") != did:
        hint = say("{host} signed in {did}.", host=host(reply.url), did=body.get("did"))
        raise AccountError(say("Another account answered"), hint)
    return Tokens(access, refresh, did, lifetime=_lifetime(access))


def _lifetime(token: str) -> float:
    """Return the seconds until the `exp` claim of a token; 0 if it has none."""
    try:
        middle = token.split(".")[1]
        claims = msgspec.json.decode(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
        return max(0.0, float(claims["exp"]) - time.time())
    except (IndexError, KeyError, TypeError, ValueError, msgspec.DecodeError):
        return 0.0
