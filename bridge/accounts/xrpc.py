"""AccountCalls: send XRPC requests as one account, for tools; PublicCalls: as nobody.

AccountCalls adds DPoP proofs, and repeats a request with a newer nonce, with refreshed tokens, and at the
server the account has moved to; other failures become errors in words.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import msgspec

from bridge.accounts.account import Access
from bridge.accounts.dpop import DpopKey
from bridge.accounts.registry import AccountRegistry
from bridge.errors import AccountError, DeskbellError, NetworkError, RateLimited, RequestRefused
from bridge.http_client.client import MAX_BYTES, HttpClient, HttpReply
from bridge.http_client.urls import host

_EXPIRED = ("ExpiredToken", "InvalidToken", "invalid_token")
_ELSEWHERE = ("AccountDeactivated", "AccountNotFound", "RepoDeactivated", "RepoNotFound", "AccountMigrated")
_ATTEMPTS = 4  # first, with a nonce, with new tokens, with a nonce for those


class AccountCalls:
    """Requests as one account."""

    def __init__(self, registry: AccountRegistry, did: str) -> None:
        self._registry = registry
        self._keys: dict[str, DpopKey] = {}
        self.did = did

    async def get(self, nsid: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return (await self.fetch("GET", nsid, params=params)).json()

    async def post(
        self, nsid: str, body: Mapping[str, Any] | None = None, *, params: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        content = None if body is None else msgspec.json.encode(body)
        return (await self.fetch("POST", nsid, params=params, content=content)).json()

    async def upload(self, nsid: str, data: bytes, mime: str) -> dict[str, Any]:
        return (await self.fetch("POST", nsid, content=data, mime=mime)).json()

    async def fetch(
        self,
        method: str,
        nsid: str,
        *,
        params: Mapping[str, Any] | None = None,
        content: bytes | None = None,
        mime: str = "application/json",
        max_bytes: int = MAX_BYTES,
    ) -> HttpReply:
        """Return a successful reply. Raises DeskbellError."""
        query = _query(params)

        async def send(access: Access) -> HttpReply:
            url = f"{access.pds}/xrpc/{nsid}"
            headers = self._headers(method, url, access)
            if content is not None:
                headers["Content-Type"] = mime
            reply = await self._registry.http.request(
                method, url, params=query or None, content=content, headers=headers, max_bytes=max_bytes
            )
            return reply

        reply = await self._send_repeatedly(send)
        if not reply.ok:
            raise refusal(reply)
        self._registry.used(self.did)
        return reply

    async def _send_repeatedly(self, send: Any) -> HttpReply:
        """Send, and repeat after each failure that can be repaired; each at most once."""
        access = await self._registry.access(self.did)
        renewed = moved = False
        for _ in range(_ATTEMPTS):
            try:
                reply: HttpReply = await send(access)
            except NetworkError:
                if moved or not await self._has_moved(access):
                    raise
                moved, access = True, await self._registry.access(self.did)
                continue
            if self._registry.nonces.learn(reply):
                continue
            if not renewed and reply.status in (400, 401) and _expired(reply):
                renewed, access = True, await self._registry.access(self.did, refused=access.token)
            elif (
                not moved
                and reply.status >= 400
                and reply.error in _ELSEWHERE
                and await self._has_moved(access)
            ):
                moved, access = True, await self._registry.access(self.did)
            else:
                break
        return reply

    async def _has_moved(self, access: Access) -> bool:
        account = self._registry.get(self.did)
        return account is not None and (await self._registry.follow(account)).pds != access.pds

    def _headers(self, method: str, url: str, access: Access) -> dict[str, str]:
        if not access.key:
            return {"Authorization": f"Bearer {access.token}"}
        if access.key not in self._keys:
            self._keys = {access.key: DpopKey.load(access.key)}
        proof = self._keys[access.key].proof(method, url, self._registry.nonces.of(url), access.token)
        return {"Authorization": f"DPoP {access.token}", "DPoP": proof}


class NotPublic(AccountError):
    """The network shows this only to accounts."""


class PublicCalls:
    """Requests as nobody, to the public AppView at `url`."""

    def __init__(self, http: HttpClient, url: str) -> None:
        self._http = http
        self._url = url.rstrip("/")

    async def get(self, nsid: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        query = _query(params)
        reply = await self._http.request("GET", f"{self._url}/xrpc/{nsid}", params=query or None)
        if reply.status in (401, 403):
            raise NotPublic(f"{host(self._url)} shows this only to accounts", "Sign in first.")
        if not reply.ok:
            raise refusal(reply)
        return reply.json()


def _query(params: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: _plain(value) for name, value in (params or {}).items() if value is not None}


def _expired(reply: HttpReply) -> bool:
    return reply.error in _EXPIRED or "invalid_token" in reply.headers.get("WWW-Authenticate", "")


def _plain(value: Any) -> Any:
    """Return a query parameter; XRPC writes booleans as JSON does."""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def refusal(reply: HttpReply) -> DeskbellError:
    """Return the error for a reply that is not a success, in words."""
    server = host(reply.url)
    if reply.status == 429:
        wait = _wait(reply)
        hint = f"Too many requests in a short time. Try again in {_span(wait)}."
        return RateLimited(f"{server} wants you to wait", hint, retry_after=wait)
    if reply.status >= 500:
        return NetworkError(f"{server} has a problem of its own", f"{reply.words}. Try again later.")
    if reply.status == 401:
        return AccountError(f"{server} does not accept the sign-in", f"{reply.words}. Sign in again.")
    return RequestRefused(
        f"{server} refused the request", f"{reply.words}.", name=reply.error, status=reply.status
    )


def _wait(reply: HttpReply) -> float:
    """Return the seconds to wait, by Retry-After or RateLimit-Reset; 60 without either."""
    for name, since in (("Retry-After", 0.0), ("RateLimit-Reset", time.time())):
        text = reply.headers.get(name, "")
        if text.isdigit():
            return max(1.0, float(text) - since)
    return 60.0


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 90 else f"{round(minutes / 60)} hours"
