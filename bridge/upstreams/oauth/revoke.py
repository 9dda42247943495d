"""Revoke a server's tokens (RFC 7009), if the server has an endpoint for it. It may fail."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from bridge.errors import DeskbellError
from bridge.http_client.client import HttpClient
from bridge.http_client.urls import may_carry_secrets
from bridge.upstreams.oauth.saved_tokens import SavedTokens

REVOKED, FAILED, NO_ENDPOINT = "revoked", "unheard", ""
_LIMIT = 10.0  # seconds, for all of it


async def revoke(text: str) -> str:
    """Revoke the tokens in `text`, the item of the vault; return REVOKED, FAILED or NO_ENDPOINT."""
    try:
        saved = msgspec.json.decode(text, type=SavedTokens)
    except msgspec.MsgspecError:
        return NO_ENDPOINT
    endpoint = str(saved.metadata.get("revocation_endpoint") or "")
    if not endpoint or not may_carry_secrets(endpoint):
        return NO_ENDPOINT
    # The refresh token first: a server that ends one with the other has then ended both (section 2.1).
    kinds = ("refresh_token", "access_token")
    tokens = [(kind, str(saved.tokens[kind])) for kind in kinds if saved.tokens.get(kind)]
    try:
        async with asyncio.timeout(_LIMIT):
            return await _send(endpoint, saved.client, tokens)
    except (DeskbellError, TimeoutError):
        return FAILED


async def _send(endpoint: str, client: Mapping[str, Any], tokens: list[tuple[str, str]]) -> str:
    revoked = bool(tokens)
    async with HttpClient() as http:
        for kind, token in tokens:
            form, auth = _credentials(client)
            form |= {"token": token, "token_type_hint": kind}
            reply = await http.request("POST", endpoint, form=form, headers=auth)
            revoked = revoked and reply.status == 200
    return REVOKED if revoked else FAILED


def _credentials(client: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the client's credentials for the form and the headers (RFC 6749, section 2.3.1)."""
    name, secret = str(client.get("client_id", "")), str(client.get("client_secret") or "")
    if secret and client.get("token_endpoint_auth_method") == "client_secret_basic":
        from base64 import b64encode
        from urllib.parse import quote

        pair = f"{quote(name, safe='')}:{quote(secret, safe='')}"
        return {"client_id": name}, {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}
    return {"client_id": name, **({"client_secret": secret} if secret else {})}, {}
