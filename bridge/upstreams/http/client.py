"""HTTP to one server: its sign-in, its redirects, its cookies, its troubles in words. Knows nothing of MCP.

Redirects are followed within the origin only: another host must not get this one's headers. There is no
total timeout, the core owns time. Header values appear in no message.
"""

from __future__ import annotations

import asyncio
import errno
import re
import socket
import ssl
from collections.abc import AsyncGenerator, Mapping
from typing import Protocol
from urllib.parse import urljoin, urlsplit

from bridge.core.ports import ServerSpec
from bridge.http_client.policy import CONNECT_TIMEOUT, UnusableProxy
from bridge.i18n import Words, say
from bridge.upstreams.http.cookies import Cookies
from bridge.upstreams.http.fast.dialer import ProxyRefuses, Route
from bridge.upstreams.http.fast.http1 import Lost, Pool, Response, Unreadable

LIMIT = 64 * 1024 * 1024
_HOPS = 5
_LONGEST_WORDS = 200
_TOKENS = 3  # tried with one request, each after the refusal of the last
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+").fullmatch
_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]").search


class Trouble(Exception):
    """What went wrong, for a person. `status` is the HTTP status, 0 where there was no answer."""

    def __init__(self, words: str, status: int = 0) -> None:
        super().__init__(words)
        self.words = words
        self.status = status


class Broken(Trouble):
    """The connection was lost in the middle of an answer."""


class TooMuch(Trouble):
    """More than anybody can want: worth a line in the history."""


def config_problem(spec: ServerSpec) -> str:
    """Why this server can never be reached, for a person; "" if it can."""
    try:
        parts = urlsplit(spec.url)
        usable = (
            parts.scheme in ("http", "https") and _reads_one_way(parts.hostname or "") and parts.port != 0
        )
    except ValueError:
        usable = False
    if not usable:
        return say(
            "The address of {server} is not an http address. Correct `url` in config.toml.", server=spec.name
        )
    for name, value in spec.headers.items():
        if not _TOKEN(name) or _UNSENDABLE(value):
            return say(
                "The header {header} of {server} cannot be sent. Correct it in config.toml.",
                header=repr(name),
                server=spec.name,
            )
    return ""


def _reads_one_way(host: str) -> bool:
    """Not ß and its like: what is another host for some programs than for others gets nobody's headers."""
    return bool(host) and (host.isascii() or host.encode("idna").decode("idna") == host)


class Auth(Protocol):
    """Signs in where the server wants it (upstreams/oauth/sign_in.py)."""

    async def token(self) -> str: ...
    async def renew(
        self, used: str, revision: str, status: int, challenge: list[str], asks: bool
    ) -> bool: ...
    def give_up(self) -> None: ...


class Web:
    def __init__(self, spec: ServerSpec, auth: Auth | None = None) -> None:
        self._spec = spec
        own = any(name.lower() == "authorization" for name in spec.headers)
        self._auth = None if own else auth
        self._route: Route | None = None
        self._pool: Pool | None = None
        self._before: list[Pool] = []  # what was under way when the machine slept
        self._cookies = Cookies()

    async def open(self, spec: ServerSpec) -> None:
        """Prepare connections. `spec` has its secrets filled in. Raises Trouble."""
        try:
            self._route = await asyncio.to_thread(Route, self._spec.url, spec.headers)
        except UnusableProxy as error:
            raise Trouble(_unreachable(spec.name, error, self._spec.url)) from error
        self._pool = Pool(self._route)

    def refresh(self) -> None:
        """No request goes out on a connection from before; what is under way there may still end well."""
        if self._pool is not None and self._route is not None:
            self._pool.retire()
            self._before.append(self._pool)
            self._pool = Pool(self._route)

    def close(self) -> None:
        for pool in (*self._before, self._pool):
            if pool is not None:
                pool.close()

    async def request(self, method: str, headers: Mapping[str, str], body: bytes | None = None) -> Response:
        """The response, its body still to be read. Raises Trouble."""
        if self._auth is None:
            return await self._within_origin(method, headers, body)
        revision, asks = headers.get("MCP-Protocol-Version", ""), method == "POST"
        for attempt in range(_TOKENS):
            token = await self._auth.token()
            shown = {**headers, "Authorization": f"Bearer {token}"} if token else headers
            response = await self._within_origin(method, shown, body)
            challenge = response.headers("www-authenticate")
            if not _refused(response.status, challenge) or method == "DELETE":
                break
            if attempt == _TOKENS - 1:
                self._auth.give_up()
            elif await self._auth.renew(token, revision, response.status, challenge, asks):
                response.close()
                continue
            break
        return response

    async def _within_origin(self, method: str, headers: Mapping[str, str], body: bytes | None) -> Response:
        url = self._spec.url
        for _ in range(_HOPS):
            response = await self._once(method, url, headers, body)
            if response.status not in (301, 302, 303, 307, 308):
                return response
            response.close()
            url = self._next(method, url, response)
        raise Trouble(say("{server} redirects in circles.", server=self._spec.name), response.status)

    async def body(self, response: Response) -> bytes:
        """The whole body. Raises Trouble when it breaks off or is too large."""
        if response.whole:  # it came with its head, as most do
            return response.take()
        parts, size = [], 0
        async for part in self.parts(response):
            size += len(part)
            if size > LIMIT:
                words = say("{server} answered with more than 64 MiB.", server=self._spec.name)
                raise TooMuch(words, response.status)
            parts.append(part)
        return b"".join(parts)

    async def parts(self, response: Response) -> AsyncGenerator[bytes, None]:
        """The body as it comes. Raises Broken."""
        try:
            async for part in response.parts():
                yield part
        except Unreadable as error:
            name = self._spec.name
            raise Broken(
                say("The answer of {server} cannot be read: {why}.", server=name, why=error.args[0])
            ) from error
        except Lost as error:
            raise Broken(say("{server} broke off its answer.", server=self._spec.name)) from error

    async def finish(self, response: Response) -> None:
        """Reads a body nobody needs to its end, so that its connection can be used again; 1 s at most."""
        try:
            async with asyncio.timeout(1.0):
                async for _ in self.parts(response):
                    pass
        except (Broken, TimeoutError):
            pass
        finally:
            response.close()

    async def _once(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Response:
        if self._pool is None:
            raise Trouble(say("{server} is closed.", server=self._spec.name))
        try:
            response = await self._pool.request(method, url, self._cookies.added_to(headers), body)
        except (OSError, ValueError) as error:
            raise Trouble(_unreachable(self._spec.name, error, url)) from error
        self._cookies.learn(response.headers("set-cookie"))
        return response

    def _next(self, method: str, url: str, response: Response) -> str:
        """Where a redirect leads. 301–303 would turn a POST into a GET."""
        try:
            target = urljoin(url, response.header("location"))
            if _origin(target) == _origin(url) and (method == "GET" or response.status in (307, 308)):
                return target
            place = urlsplit(target)._replace(query="", fragment="").geturl()
        except ValueError as error:
            words = say("{server} redirects to an address that is none.", server=self._spec.name)
            raise Trouble(words, response.status) from error
        words = say(
            "{server} has moved to {address}. If you trust that address, put it into config.toml.",
            server=self._spec.name,
            address=shortened(place),
        )
        raise Trouble(words, response.status)


def _refused(status: int, challenge: list[str]) -> bool:
    """Would another token help? (RFC 6750 §3.1)"""
    return status == 401 or (status == 403 and any("insufficient_scope" in each for each in challenge))


def shortened(words: str) -> str:
    """What a server said, in a message for a person."""
    return words if len(words) <= _LONGEST_WORDS else words[: _LONGEST_WORDS - 1] + "…"


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _unreachable(server: str, error: Exception, url: str) -> Words:
    return say("Could not reach {server}: {why}", server=server, why=_words(error, url))


def _words(error: Exception, url: str) -> Words:
    host = urlsplit(url).hostname or ""
    match error:
        case ssl.SSLCertVerificationError():
            return say("the certificate of {host} is not trusted.", host=host)
        case ssl.SSLError():
            return say("no secure connection to {host} could be made.", host=host)
        case socket.gaierror():
            return say("{host} was not found. Check the address and the network.", host=host)
        case UnusableProxy():
            return error.words
        case ProxyRefuses():
            return say("the proxy does not let us through. Check HTTP_PROXY and HTTPS_PROXY.")
        case TimeoutError():
            limit = round(CONNECT_TIMEOUT)
            return say("{host} did not accept a connection within {limit} s.", host=host, limit=limit)
        case Unreadable():
            return say("the answer of {host} cannot be read: {why}.", host=host, why=error.args[0])
        case Lost() | ConnectionResetError() | BrokenPipeError():
            return say("{host} broke off the connection.", host=host)
        case OSError():
            return _refusal(error, url)
        case _:
            return say("the request could not be made. Check `url`, its headers and the proxy.")


def _refusal(error: OSError, url: str) -> Words:
    host = urlsplit(url).netloc.rpartition("@")[2]  # with its port, if that was given
    if error.errno == errno.ECONNREFUSED:
        return say("nothing listens at {host}. Is it running?", host=host)
    return say("{host} is out of reach ({why}).", host=host, why=error.strerror or say("no route"))
