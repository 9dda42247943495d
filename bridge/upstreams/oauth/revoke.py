"""Ending a sign-in at the server too (RFC 7009), where it has a place for that. It may fail."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from bridge.errors import DeskbellError
from bridge.http_client.client import HttpClient
from bridge.http_client.urls import may_carry_secrets
from bridge.upstreams.oauth.saved_tokens import Kept

REVOKED, UNHEARD, NOWHERE = "revoked", "unheard", ""  # "": the server has no place to say it
_LIMIT = 10.0  # seconds, for all of it


async def revoke(text: str) -> str:
    """REVOKED, UNHEARD or NOWHERE. `text`: what the vault had; its tokens are of no use to anybody then."""
    try:
        kept = msgspec.json.decode(text, type=Kept)
    except msgspec.MsgspecError:
        return NOWHERE
    endpoint = str(kept.metadata.get("revocation_endpoint") or "")
    if not endpoint or not may_carry_secrets(endpoint):
        return NOWHERE
    # The refresh token first: a server that ends one with the other has then ended both (section 2.1).
    kinds = ("refresh_token", "access_token")
    tokens = [(kind, str(kept.tokens[kind])) for kind in kinds if kept.tokens.get(kind)]
    try:
        async with asyncio.timeout(_LIMIT):
            return await _told(endpoint, kept.client, tokens)
    except (DeskbellError, TimeoutError):
        return UNHEARD


async def _told(endpoint: str, client: Mapping[str, Any], tokens: list[tuple[str, str]]) -> str:
    revoked = bool(tokens)
    async with HttpClient() as http:
        for kind, token in tokens:
            form, auth = _credentials(client)
            form |= {"token": token, "token_type_hint": kind}
            reply = await http.request("POST", endpoint, form=form, headers=auth)
            revoked = revoked and reply.status == 200
    return REVOKED if revoked else UNHEARD


def _credentials(client: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Who says so, as it was agreed on for tokens: in the form, or in a header (RFC 6749, section 2.3.1)."""
    name, secret = str(client.get("client_id", "")), str(client.get("client_secret") or "")
    if secret and client.get("token_endpoint_auth_method") == "client_secret_basic":
        from base64 import b64encode
        from urllib.parse import quote

        pair = f"{quote(name, safe='')}:{quote(secret, safe='')}"
        return {"client_id": name}, {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}
    return {"client_id": name, **({"client_secret": secret} if secret else {})}, {}
