"""OAuth as atproto profiles it: pushed request (PAR), PKCE, DPoP. One request each; what comes when is
sign_in.py's.

Deskbell is a public application without a web site of its own: its client_id describes it (RFC 8252,
atproto "localhost clients"). The port is not part of it, so that any free one will do.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from bridge.accounts.account import Secret, Tokens
from bridge.accounts.dpop import Key, Nonces, b64, post_form
from bridge.errors import AccountError, NetworkError
from bridge.http_client.client import HttpClient, Reply, later
from bridge.http_client.urls import check_named_by, host, origin
from bridge.i18n import Words, say

SCOPE = "atproto transition:generic"
CLIENT_ID = "http://localhost?redirect_uri=http://127.0.0.1/callback&scope=atproto+transition:generic"


class Server(msgspec.Struct, frozen=True):
    """An authorisation server, as it describes itself."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    pushed_authorization_request_endpoint: str
    revocation_endpoint: str = ""
    authorization_response_iss_parameter_supported: bool = False


@dataclass(frozen=True, slots=True)
class Pushed:
    """A request the authorisation server holds for us, for five minutes."""

    url: str  # for the browser
    state: str
    verifier: str
    redirect: str

    def __repr__(self) -> str:
        return "Pushed()"


async def issuer_of(http: HttpClient, pds: str) -> str:
    """Who signs people in for this PDS; a service that is no PDS may be such a server itself."""
    reply = await http.request("GET", f"{pds.rstrip('/')}/.well-known/oauth-protected-resource")
    named = reply.json().get("authorization_servers")
    if reply.ok and isinstance(named, list) and len(named) == 1 and isinstance(named[0], str):
        return check_named_by(pds, named[0]).rstrip("/")
    if reply.status in (404, 405):
        return pds.rstrip("/")
    hint = say("It does not say where to sign in with a browser. Use an app password there.")
    raise NetworkError(say("{host} does not offer OAuth", host=host(pds)), hint)


async def describe(http: HttpClient, issuer: str) -> Server:
    reply = await http.request("GET", f"{issuer}/.well-known/oauth-authorization-server")
    try:
        if not reply.ok:
            raise ValueError(reply.words)
        server = msgspec.convert(reply.json(), Server)
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
    http: HttpClient, server: Server, key: Key, nonces: Nonces, redirect: str, hint: str
) -> Pushed:
    """`hint`: the handle or DID the sign-in page shows; may be empty."""
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
    return Pushed(f"{server.authorization_endpoint}{joint}{asked}", state, verifier, redirect)


async def redeem(
    http: HttpClient, server: Server, key: Key, nonces: Nonces, pushed: Pushed, code: str
) -> Tokens:
    """The code from the browser, for tokens."""
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


def tokens_in(reply: Reply) -> Tokens:
    said: dict[str, Any] = reply.json()
    access, refresh, did = (said.get(name) for name in ("access_token", "refresh_token", "sub"))
    scope, kind = str(said.get("scope", "")), str(said.get("token_type", ""))
    good = isinstance(access, str) and isinstance(refresh, str) and isinstance(did, str)
    if not good or kind.lower() != "dpop" or "atproto" not in scope.split():
        hint = say("Its answer makes no sense to Deskbell. Try again; if it stays so, tell whoever runs it.")
        raise AccountError(_not_finished(reply.url), hint)
    lifetime = said.get("expires_in")
    return Tokens(
        str(access),
        str(refresh),
        str(did),
        scope,
        float(lifetime) if isinstance(lifetime, int | float) else 0.0,
    )


async def revoke(http: HttpClient, secret: Secret, nonces: Nonces) -> None:
    """The server forgets the tokens. Raises a DeskbellError if it does not hear us."""
    server = await describe(http, secret.issuer)
    place = server.revocation_endpoint
    if place and origin(place) == origin(server.issuer):
        form = {"client_id": CLIENT_ID, "token": secret.refresh}
        reply = await post_form(http, place, form, Key.load(secret.key), nonces)
        if not reply.ok:
            words = say("{host} did not end the sign-in", host=host(place))
            raise AccountError(words, f"{reply.words}.")
