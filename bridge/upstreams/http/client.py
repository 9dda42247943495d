"""OriginClient: HTTP to one server, with sign-in, redirects, cookies, and failures in words. Knows no MCP.

Redirects are followed within the origin only: another host must not get this one's headers. There is no
total timeout, the core owns time. Header values appear in no message.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from time import time
from typing import Protocol
from urllib.parse import urljoin, urlsplit

from bridge.core.ports import ServerSpec
from bridge.http_client.proxy_and_tls import UnusableProxy
from bridge.i18n import say
from bridge.upstreams.http.failures import (
    ConnectionLost,
    ReplyBrokenOff,
    ReplyTooLarge,
    RequestFailed,
    UnreadableReply,
    unreachable,
)
from bridge.upstreams.http.fast.http1 import ConnectionPool, Response, prepare

MAX_BYTES = 64 << 20  # of one message
# (url, headers of every request) → a function that makes pools for that origin. Blocks; raises UnusableProxy.
Prepare = Callable[[str, Mapping[str, str]], Callable[[], ConnectionPool]]
_SCHEMES = ("http", "https")
_MAX_REDIRECTS = 5
_MAX_QUOTED = 200  # characters of a server's text in a message for a person
_MAX_TOKENS = 3  # tried with one request, each after the last was refused
_MAX_COOKIES = 50
_MAX_COOKIE = 4096  # bytes, as in browsers
_MAX_AGE = re.compile(r";\s*max-age\s*=\s*([^;]*)", re.IGNORECASE)
_EXPIRES = re.compile(r";\s*expires\s*=\s*([^;]*)", re.IGNORECASE)
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+").fullmatch
_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]").search


def config_problem(spec: ServerSpec) -> str:
    """Return why this server can never be reached, in words for a person; "" if it can."""
    try:
        parts = urlsplit(spec.url)
        usable = parts.scheme in _SCHEMES and _is_unambiguous(parts.hostname or "") and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        return say(
            "The address of {server} is not a web address. Edit it so that it begins with https://.",
            server=spec.name,
        )
    for name, value in spec.headers.items():
        if not _TOKEN(name) or _UNSENDABLE(value):
            return say(
                "The header {header} of {server} cannot be sent. Edit it.",
                header=repr(name),
                server=spec.name,
            )
    return ""


def _is_unambiguous(host: str) -> bool:
    """True unless programs map the host differently (ß in IDNA 2003 and 2008): headers may hold secrets."""
    return bool(host) and (host.isascii() or host.encode("idna").decode("idna") == host)


class Auth(Protocol):
    """Signs in to a server that wants it (upstreams/oauth/sign_in.py)."""

    async def token(self) -> str:
        """Return the access token to send; "" if there is none."""

    async def renew(self, used: str, revision: str, status: int, challenge: list[str], may_ask: bool) -> bool:
        """After a refusal: True if there is another token to try. `may_ask`: the person may be asked."""

    def give_up(self) -> None:
        """Every token was refused."""


class OriginClient:
    def __init__(self, spec: ServerSpec, auth: Auth | None = None, prepare: Prepare = prepare) -> None:
        self._spec = spec
        has_own = any(name.lower() == "authorization" for name in spec.headers)
        self._auth = None if has_own else auth
        self._prepare = prepare
        self._new_pool: Callable[[], ConnectionPool] | None = None
        self._pool: ConnectionPool | None = None
        self._retired: list[ConnectionPool] = []  # with replies that were under way when the machine slept
        self._cookies = Cookies()

    async def open(self, spec: ServerSpec) -> None:
        """Prepare connections. `spec` has its secrets filled in. Raises RequestFailed."""
        try:
            self._new_pool = await asyncio.to_thread(self._prepare, self._spec.url, spec.headers)
        except UnusableProxy as error:
            raise RequestFailed(unreachable(spec.name, error, self._spec.url)) from error
        self._pool = self._new_pool()

    def refresh(self) -> None:
        """Use new connections from now on; replies under way on the old ones may still end well."""
        if self._pool is not None and self._new_pool is not None:
            self._pool.retire()
            self._retired.append(self._pool)
            self._pool = self._new_pool()

    def close(self) -> None:
        for pool in (*self._retired, self._pool):
            if pool is not None:
                pool.close()

    async def request(self, method: str, headers: Mapping[str, str], body: bytes | None = None) -> Response:
        """Send a request; return its reply, the body still to be read. Raises RequestFailed."""
        if self._auth is None:
            return await self._within_origin(method, headers, body)
        revision, may_ask = headers.get("MCP-Protocol-Version", ""), method == "POST"
        for attempt in range(_MAX_TOKENS):
            token = await self._auth.token()
            signed = {**headers, "Authorization": f"Bearer {token}"} if token else headers
            response = await self._within_origin(method, signed, body)
            challenge = response.headers("www-authenticate")
            if not _refused(response.status, challenge) or method == "DELETE":
                break
            if attempt == _MAX_TOKENS - 1:
                self._auth.give_up()
            elif await self._auth.renew(token, revision, response.status, challenge, may_ask):
                response.close()
                continue
            break
        return response

    async def _within_origin(self, method: str, headers: Mapping[str, str], body: bytes | None) -> Response:
        url = self._spec.url
        for _ in range(_MAX_REDIRECTS):
            response = await self._once(method, url, headers, body)
            if response.status not in (301, 302, 303, 307, 308):
                return response
            response.close()
            url = self._redirect(method, url, response)
        raise RequestFailed(say("{server} redirects in circles.", server=self._spec.name), response.status)

    async def body(self, response: Response) -> bytes:
        """Return the whole body. Raises RequestFailed if it breaks off or is too large."""
        if response.is_at_hand:  # the body arrived with the head, as most do
            return response.take()
        parts, size = [], 0
        async for part in self.parts(response):
            size += len(part)
            if size > MAX_BYTES:
                words = say("{server} answered with more than 64 MiB.", server=self._spec.name)
                raise ReplyTooLarge(words, response.status)
            parts.append(part)
        return b"".join(parts)

    async def parts(self, response: Response) -> AsyncGenerator[bytes, None]:
        """Yield the body as it arrives. Raises ReplyBrokenOff."""
        try:
            async for part in response.parts():
                yield part
        except UnreadableReply as error:
            name = self._spec.name
            raise ReplyBrokenOff(
                say("The answer of {server} cannot be read: {why}.", server=name, why=error.args[0])
            ) from error
        except ConnectionLost as error:
            raise ReplyBrokenOff(say("{server} broke off its answer.", server=self._spec.name)) from error

    async def finish(self, response: Response) -> None:
        """Read an unneeded body to its end, so that the connection can be used again; 1 s at most."""
        try:
            async with asyncio.timeout(1.0):
                async for _ in self.parts(response):
                    pass
        except (ReplyBrokenOff, TimeoutError):
            pass
        finally:
            response.close()

    async def _once(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Response:
        if self._pool is None:
            raise RequestFailed(say("{server} is closed.", server=self._spec.name))
        try:
            response = await self._pool.request(method, url, self._cookies.added_to(headers), body)
        except (OSError, ValueError) as error:
            raise RequestFailed(unreachable(self._spec.name, error, url)) from error
        self._cookies.learn(response.headers("set-cookie"))
        return response

    def _redirect(self, method: str, url: str, response: Response) -> str:
        """Return where a redirect leads; not after a POST by 301 to 303, which would make it a GET."""
        try:
            target = urljoin(url, response.header("location"))
            if _origin(target) == _origin(url) and (method == "GET" or response.status in (307, 308)):
                return target
            parts = urlsplit(target)
            place = parts._replace(query="", fragment="").geturl() if parts.scheme in _SCHEMES else ""
        except ValueError:
            place = ""
        if not place:
            words = say("{server} redirects to an invalid address.", server=self._spec.name)
            raise RequestFailed(words, response.status)
        words = say(
            "{server} has moved to {address}. If you trust that address, edit the server and enter it.",
            server=self._spec.name,
            address=shortened(place),
        )
        raise RequestFailed(words, response.status)


def _refused(status: int, challenge: list[str]) -> bool:
    """True if another token may help (RFC 6750 §3.1)."""
    return status == 401 or (status == 403 and any("insufficient_scope" in each for each in challenge))


def shortened(text: str) -> str:
    """Return a server's text, cut for a message to a person."""
    return text if len(text) <= _MAX_QUOTED else text[: _MAX_QUOTED - 1] + "…"


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


# --- cookies ---------------------------------------------------------------------------------------------


class Cookies:
    """The cookies of one origin while it is connected: a load balancer may need them. Paths are ignored."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def learn(self, set_cookie: list[str]) -> None:
        """Take over Set-Cookie headers, parsed by RFC 6265 §5.2: values are sent back unchanged."""
        for header in set_cookie:
            pair, _, attributes = header.partition(";")
            name, equals, value = (part.strip() for part in pair.partition("="))
            if not equals or not name or len(pair) > _MAX_COOKIE:
                continue
            self._values.pop(name, None)
            if len(self._values) < _MAX_COOKIES and not _has_expired(f";{attributes}"):
                self._values[name] = value

    def added_to(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        if not self._values:
            return headers
        return {**headers, "Cookie": "; ".join(f"{name}={value}" for name, value in self._values.items())}


def _has_expired(attributes: str) -> bool:
    try:
        if found := _MAX_AGE.search(attributes):
            return int(found[1]) <= 0
        if not (found := _EXPIRES.search(attributes)):
            return False
        from email.utils import parsedate_to_datetime  # late: few servers name a date

        return parsedate_to_datetime(found[1]).timestamp() <= time()
    except (ValueError, OverflowError):
        return False
