"""The requests of atproto's OAuth profile: pushed request (PAR), PKCE, DPoP. sign_in.py puts them in order.

Deskbell is a public client without a web site: its client_id describes it (RFC 8252, atproto "localhost
clients"). The port is not part of the client_id, so that any free port will do.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from bridge.accounts.account import AccountSecret, Tokens
from bridge.accounts.dpop import DpopKey, Nonces, b64, post_form
from bridge.errors import AccountError, NetworkError
from bridge.http_client.client import HttpClient, HttpReply, later
from bridge.http_client.urls import check_named_by, host, origin
from bridge.i18n import Words, say

SCOPE = "atproto transition:generic"
CLIENT_ID = "http://localhost?redirect_uri=http://127.0.0.1/callback&scope=atproto+transition:generic"


class AuthServer(msgspec.Struct, frozen=True):
    """The metadata of an authorization server (RFC 8414)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    pushed_authorization_request_endpoint: str
    revocation_endpoint: str = ""


@dataclass(frozen=True, slots=True)
class PushedRequest:
    """A request that the authorization server holds for five minutes (RFC 9126)."""

    url: str  # for the browser
    state: str
    verifier: str
    redirect: str

    def __repr__(self) -> str:
        return "PushedRequest()"


async def issuer_of(http: HttpClient, pds: str) -> str:
    """Return the issuer that signs in for this PDS; a service without that metadata is its own issuer."""
    reply = await http.request("GET", f"{pds.rstrip('/')}/.well-known/oauth-protected-resource")
    named = reply.json().get("authorization_servers")
    if reply.ok and isinstance(named, list) and len(named) == 1 and isinstance(named[0], str):
        return check_named_by(pds, named[0]).rstrip("/")
    if reply.status in (404, 405):
        return pds.rstrip("/")
    hint = say("It does not say where to sign in with a browser. Use an app password there.")
    raise NetworkError(say("{host} does not offer OAuth", host=host(pds)), hint)


async def describe(http: HttpClient, issuer: str) -> AuthServer:
    reply = await http.request("GET", f"{issuer}/.well-known/oauth-authorization-server")
    try:
        if not reply.ok:
            raise ValueError(reply.words)
        server = msgspec.convert(reply.json(), AuthServer)
        if server.issuer != issuer:  # RFC 8414, 3.3
            raise ValueError(say("it calls itself {name}", name=server.issuer))
    except (ValueError, msgspec.ValidationError) as error:
        words = say("{host} cannot sign you in", host=host(issuer))
        raise NetworkError(words, later(error.args[0])) from error
    for place in (
        server.authorization_endpoint,
        server.token_endpoint,
        server.pushed_authorization_request_endpoint,
    ):
        check_named_by(issuer, place)
    return server


async def push(
    http: HttpClient, server: AuthServer, key: DpopKey, nonces: Nonces, redirect: str, hint: str
) -> PushedRequest:
    """Push the authorization request. `hint`: the handle or DID for the sign-in page; may be empty."""
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
    form = {
        "client_id": CLIENT_ID,
        "response_type": "code",
        "redirect_uri": redirect,
        "scope": SCOPE,
        "state": state,
        "code_challenge": b64(hashlib.sha256(verifier.encode()).digest()),
        "code_challenge_method": "S256",
    }
    if hint:
        form["login_hint"] = hint
    reply = await post_form(http, server.pushed_authorization_request_endpoint, form, key, nonces)
    place = reply.json().get("request_uri")
    if not reply.ok or not isinstance(place, str):
        words = say("{host} refused the sign-in", host=host(server.issuer))
        raise AccountError(words, f"{reply.words}.")
    asked = urlencode({"client_id": CLIENT_ID, "request_uri": place})
    joint = "&" if urlsplit(server.authorization_endpoint).query else "?"
    return PushedRequest(f"{server.authorization_endpoint}{joint}{asked}", state, verifier, redirect)


async def redeem(
    http: HttpClient, server: AuthServer, key: DpopKey, nonces: Nonces, pushed: PushedRequest, code: str
) -> Tokens:
    """Exchange the code from the browser for tokens."""
    form = {
        "client_id": CLIENT_ID,
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": pushed.redirect,
        "code_verifier": pushed.verifier,
    }
    reply = await post_form(http, server.token_endpoint, form, key, nonces)
    if not reply.ok:
        hint = say("{said}. Try again.", said=reply.words)
        raise AccountError(_not_finished(server.issuer), hint)
    return tokens_in(reply)


def _not_finished(url: str) -> Words:
    return say("{host} did not finish the sign-in", host=host(url))


def refresh_form(refresh: str) -> dict[str, str]:
    return {"client_id": CLIENT_ID, "grant_type": "refresh_token", "refresh_token": refresh}


def tokens_in(reply: HttpReply) -> Tokens:
    value: dict[str, Any] = reply.json()
    access, refresh, did = (value.get(name) for name in ("access_token", "refresh_token", "sub"))
    scope, kind = str(value.get("scope", "")), str(value.get("token_type", ""))
    good = isinstance(access, str) and isinstance(refresh, str) and isinstance(did, str)
    if not good or kind.lower() != "dpop" or "atproto" not in scope.split():
        hint = say(
            "Deskbell cannot understand its answer. Try again; if the problem stays, tell the people "
            "who run it."
        )
        raise AccountError(_not_finished(reply.url), hint)
    lifetime = value.get("expires_in")
    return Tokens(
        str(access),
        str(refresh),
        str(did),
        scope,
        float(lifetime) if isinstance(lifetime, int | float) else 0.0,
    )


async def revoke(http: HttpClient, secret: AccountSecret, nonces: Nonces) -> None:
    """Revoke the tokens at the server. Raises DeskbellError."""
    server = await describe(http, secret.issuer)
    place = server.revocation_endpoint
    if place and origin(place) == origin(server.issuer):
        form = {"client_id": CLIENT_ID, "token": secret.refresh}
        reply = await post_form(http, place, form, DpopKey.load(secret.key), nonces)
        if not reply.ok:
            words = say("{host} did not end the sign-in", host=host(place))
            raise AccountError(words, f"{reply.words}.")
