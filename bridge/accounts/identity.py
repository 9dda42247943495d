"""Resolve identities: handle → DID → DID document → current handle and server (PDS).

The DID is the account; handle and server may change. A handle is valid only if the document names it too.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from bridge.errors import DeskbellError, NetworkError, NotFoundError, UsageError
from bridge.http_client.client import HttpClient, later
from bridge.http_client.urls import check_named_by
from bridge.i18n import failure_text, say

_HANDLE = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
_DID = re.compile(r"did:(?:plc:[a-z2-7]{24}|web:[a-z0-9.-]+(?:%3[Aa][0-9]{1,5})?)")
_SHORT_DID = re.compile(r"[a-z2-7]{24}")  # a did:plc without its beginning
_NO_HANDLES = (
    "alt",
    "arpa",
    "example",
    "internal",
    "invalid",
    "local",
    "localhost",
    "onion",
)  # TLDs, by atproto
_PROFILE = re.compile(r"https?://[^/]+/profile/([^/?#]+)")
_TIMEOUT = 5.0  # seconds for one method of looking up a handle

FindText = Callable[[str], Awaitable[list[str]]]


@dataclass(frozen=True, slots=True)
class Identity:
    did: str
    handle: str  # "handle.invalid" if the document names none
    pds: str


def reference(text: str) -> str:
    """Return the handle or DID in `handle`, `@handle`, a DID, its last 24 letters, or a profile's address."""
    word = text.strip()
    page = _PROFILE.match(word)
    word = unquote(page[1]) if page else word.removeprefix("at://").removeprefix("@")
    if _DID.fullmatch(word):
        return word
    if _SHORT_DID.fullmatch(word):
        return f"did:plc:{word}"
    handle = word.lower().rstrip(".")
    if len(handle) <= 253 and _HANDLE.fullmatch(handle) and handle.rpartition(".")[2] not in _NO_HANDLES:
        return handle
    hint = say(
        "A handle looks like alice.bsky.social; a DID (did:plc:…) or the address of a profile page works too."
    )
    raise UsageError(say("{text} is not a Bluesky account", text=repr(text[:100])), hint)


class Resolver:
    """`service` resolves handles: first if the person chose it (`chosen`), else after DNS and HTTPS."""

    def __init__(
        self, http: HttpClient, plc: str, service: str, *, chosen: bool, find_text: FindText | None = None
    ):
        self._http = http
        self._plc = plc.rstrip("/")
        self._service = service.rstrip("/")
        self._chosen = chosen
        self._find_text = find_text or dns_text

    async def resolve(self, who: str) -> Identity:
        """Return the identity of a handle or DID, as `reference` returns it."""
        if who.startswith("did:"):
            return await self.follow(who)
        found = await self.follow(await self._did_of(who))
        if found.handle != who:
            hint = say(
                "It leads to {did}, which calls itself @{handle}. Use that handle, or the DID.",
                did=found.did,
                handle=found.handle,
            )
            raise NotFoundError(say("@{handle} is not the handle of an account", handle=who), hint)
        return found

    async def follow(self, did: str) -> Identity:
        """Return the current handle and server of a DID, by its document."""
        document = await self._document(did)
        names = [name.removeprefix("at://") for name in _texts(document.get("alsoKnownAs"))]
        handle = next((name.lower() for name in names if _HANDLE.fullmatch(name.lower())), "handle.invalid")
        pds = next((one["serviceEndpoint"] for one in _services(document, did)), "")
        if not pds:
            hint = say("Its document names no PDS; the account may be closed.")
            raise NotFoundError(say("{did} has no server", did=did), hint)
        return Identity(did, handle, self._allowed(pds).rstrip("/"))

    # --- handle → DID ------------------------------------------------------------------------------------

    async def _did_of(self, handle: str) -> str:
        ways = [self._by_service, self._by_itself] if self._chosen else [self._by_itself, self._by_service]
        problem: DeskbellError | None = None
        for way in ways:
            try:
                did = await way(handle)
            except DeskbellError as error:
                problem, did = problem or error, ""
            if _DID.fullmatch(did):
                return did
        if problem is not None:  # then it is unknown whether there is one
            words = say("@{handle} cannot be looked up", handle=handle)
            raise NetworkError(words, failure_text(problem)) from problem
        hint = say("Check how it is spelled.")
        raise NotFoundError(say("There is no account @{handle}", handle=handle), hint)

    async def _by_service(self, handle: str) -> str:
        url = f"{self._service}/xrpc/com.atproto.identity.resolveHandle"
        reply = await self._http.request("GET", url, params={"handle": handle}, timeout=_TIMEOUT)
        return str(reply.json().get("did", "")) if reply.ok else ""

    async def _by_itself(self, handle: str) -> str:
        """Look the handle up by DNS and at its own web server at once; DNS wins."""
        by_dns, by_web = await asyncio.gather(self._by_dns(handle), self._by_web(handle))
        return by_dns or by_web

    async def _by_dns(self, handle: str) -> str:
        with contextlib.suppress(DeskbellError):
            texts = await self._find_text(f"_atproto.{handle}")
            dids = {text[4:] for text in texts if text.startswith("did=")}
            return dids.pop() if len(dids) == 1 else ""
        return ""

    async def _by_web(self, handle: str) -> str:
        url = f"https://{handle}/.well-known/atproto-did"
        with contextlib.suppress(DeskbellError):
            reply = await self._http.request("GET", url, max_bytes=4096, timeout=_TIMEOUT)
            return reply.body.decode("ascii", "replace").strip() if reply.ok else ""
        return ""

    # --- DID → document ----------------------------------------------------------------------------------

    async def _document(self, did: str) -> dict[str, Any]:
        if not _DID.fullmatch(did):
            hint = say("It supports did:plc and did:web.")
            raise NotFoundError(say("Deskbell does not support the DID {did}", did=repr(did[:100])), hint)
        reply = await self._http.request("GET", self._address(did), max_bytes=1 << 20)
        document = reply.json()
        if reply.status in (404, 410):
            hint = say("It may have been closed.")
            raise NotFoundError(say("There is no account {did}", did=did), hint)
        if not reply.ok or document.get("id") != did:
            words = say("The document of {did} cannot be read", did=did)
            raise NetworkError(words, later(reply.words))
        return document

    def _address(self, did: str) -> str:
        if did.startswith("did:plc:"):
            return f"{self._plc}/{did}"
        host = unquote(did.removeprefix("did:web:"))
        scheme = "http" if urlsplit(f"//{host}").hostname == "localhost" else "https"
        return self._allowed(f"{scheme}://{host}/.well-known/did.json")

    def _allowed(self, url: str) -> str:
        """Check an address named by a document: only a private directory may name private addresses."""
        with contextlib.suppress(NetworkError):
            return check_named_by(self._service, url)
        return check_named_by(self._plc, url)


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _services(document: dict[str, Any], did: str) -> list[dict[str, Any]]:
    listed = document.get("service")
    ids = ("#atproto_pds", f"{did}#atproto_pds")
    return [
        one
        for one in (listed if isinstance(listed, list) else [])
        if isinstance(one, dict)
        and one.get("id") in ids
        and one.get("type") == "AtprotoPersonalDataServer"
        and isinstance(one.get("serviceEndpoint"), str)
    ]


async def dns_text(name: str) -> list[str]:
    """Return the TXT records of a name, [] if there are none. Raises NetworkError."""
    import dns.asyncresolver
    import dns.exception

    try:
        found = await dns.asyncresolver.Resolver().resolve(name, "TXT", lifetime=_TIMEOUT)
    except (dns.exception.DNSException, OSError) as error:
        raise NetworkError(f"{name} cannot be looked up", f"{type(error).__name__}.") from error
    return [b"".join(record.strings).decode("utf-8", "replace") for record in found]
