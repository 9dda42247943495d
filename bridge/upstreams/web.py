"""HTTP to one server: its connections, its origin, its troubles in words. Knows nothing of MCP.

Redirects are followed within the origin only: another host must not get this one's headers. Certificates are
verified. A proxy from the environment is used, but not for this machine itself. There is no total timeout,
the core owns time. Header values appear in no message.
"""

from __future__ import annotations

import asyncio
import errno
import io
import re
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urljoin, urlsplit

from bridge.core.hostnames import is_loopback
from bridge.core.ports import ServerSpec

if TYPE_CHECKING:
    import aiohttp

LIMIT = 64 * 1024 * 1024
_CONNECT = 10.0
_KEEP = 4.0  # uvicorn and Node drop an idle connection after 5 s; a POST that meets that moment is lost
_HOPS = 5
_TOKENS = 3  # tried with one request, each after the refusal of the last
_LARGE = 2**20  # aiohttp copies larger bytes at once; a file is sent in pieces
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
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        return f"The address of {spec.name} is not an http address. Correct `url` in config.toml."
    for name, value in spec.headers.items():
        if not _TOKEN(name) or _UNSENDABLE(value):
            return f"The header {name!r} of {spec.name} cannot be sent. Correct it in config.toml."
    return ""


class Auth(Protocol):
    """Signs in where the server wants it (signin.py)."""

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
        self._proxy: str | None = None
        self._http: aiohttp.ClientSession | None = None
        self._before: list[aiohttp.ClientSession] = []  # what was under way when the machine slept

    async def open(self, spec: ServerSpec) -> None:
        """`spec`: the same, with its secrets filled in."""
        self._proxy = await asyncio.to_thread(_prepare, self._spec.url)
        self._headers = spec.headers
        self._http = self._fresh()

    def refresh(self) -> None:
        """No request goes out on a connection from before; what is under way there may still end well."""
        if self._http is not None:
            self._before.append(self._http)
            self._http = self._fresh()

    def _fresh(self) -> aiohttp.ClientSession:
        import aiohttp

        return aiohttp.ClientSession(
            # Unlimited: the answer to a server's question must not queue behind the calls that wait for it.
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEP),
            headers={"User-Agent": "deskbell", **self._headers},
            timeout=aiohttp.ClientTimeout(total=None, connect=_CONNECT),
        )

    async def close(self) -> None:
        if self._http is not None:
            self._before.append(self._http)
        for opened in self._before:
            await opened.close()

    async def request(
        self, method: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> aiohttp.ClientResponse:
        """The response, its body still to be read. Raises Trouble."""
        if self._auth is None:
            return await self._within_origin(method, headers, body)
        revision, asks = headers.get("MCP-Protocol-Version", ""), method == "POST"
        for attempt in range(_TOKENS):
            token = await self._auth.token()
            shown = {**headers, "Authorization": f"Bearer {token}"} if token else headers
            response = await self._within_origin(method, shown, body)
            challenge = response.headers.getall("WWW-Authenticate", [])
            if not _refused(response.status, challenge) or method == "DELETE":
                break
            if attempt == _TOKENS - 1:
                self._auth.give_up()
            elif await self._auth.renew(token, revision, response.status, challenge, asks):
                response.release()
                continue
            break
        return response

    async def _within_origin(
        self, method: str, headers: Mapping[str, str], body: bytes | None
    ) -> aiohttp.ClientResponse:
        url = self._spec.url
        for _ in range(_HOPS):
            response = await self._once(method, url, headers, body)
            if response.status not in (301, 302, 303, 307, 308):
                return response
            response.release()
            url = self._next(method, url, response)
        raise Trouble(f"{self._spec.name} redirects in circles.", response.status)

    async def body(self, response: aiohttp.ClientResponse) -> bytes:
        """The whole body. Raises Trouble when it breaks off or is too large."""
        content = response.content
        if content.is_eof() and content.exception() is None:  # it came with its head, as most do
            return content.read_nowait()
        parts, size = [], 0
        async for part in self.parts(response):
            size += len(part)
            if size > LIMIT:
                raise TooMuch(f"{self._spec.name} answered with more than 64 MiB.", response.status)
            parts.append(part)
        return b"".join(parts)

    async def parts(self, response: aiohttp.ClientResponse) -> AsyncGenerator[bytes, None]:
        """The body as it comes. Raises Broken."""
        import aiohttp

        try:
            async for part in response.content.iter_any():
                yield part
        except (aiohttp.ClientError, OSError) as error:
            raise Broken(f"{self._spec.name} broke off its answer.") from error

    async def finish(self, response: aiohttp.ClientResponse) -> None:
        """Reads a body nobody needs to its end, so that its connection can be used again; 1 s at most."""
        try:
            async with asyncio.timeout(1.0):
                async for _ in self.parts(response):
                    pass
        except (Broken, TimeoutError):
            pass
        finally:
            response.release()

    async def _once(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> aiohttp.ClientResponse:
        if self._http is None:
            raise Trouble(f"{self._spec.name} is closed.")
        import aiohttp

        data = io.BytesIO(body) if body is not None and len(body) > _LARGE else body
        try:
            return await self._http.request(
                method, url, headers=headers, data=data, proxy=self._proxy, allow_redirects=False
            )
        except (OSError, ValueError, aiohttp.ClientError) as error:
            raise Trouble(f"Could not reach {self._spec.name}: {_words(error, url)}") from error

    def _next(self, method: str, url: str, response: aiohttp.ClientResponse) -> str:
        """Where a redirect leads. 301–303 would turn a POST into a GET."""
        target = urljoin(url, response.headers.get("Location", ""))
        if _origin(target) == _origin(url) and (method == "GET" or response.status in (307, 308)):
            return target
        place = urlsplit(target)._replace(query="", fragment="").geturl()
        raise Trouble(
            f"{self._spec.name} has moved to {place}. If you trust that address, put it into config.toml.",
            response.status,
        )


def _refused(status: int, challenge: list[str]) -> bool:
    """Would another token help? (RFC 6750 §3.1)"""
    return status == 401 or (status == 403 and any("insufficient_scope" in each for each in challenge))


def _prepare(url: str) -> str | None:
    """The slow part, in a thread: loads aiohttp, and finds the proxy (Windows may ask the DNS for that)."""
    import urllib.request

    import aiohttp  # noqa: F401

    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host) or urllib.request.proxy_bypass(host):
        return None
    return urllib.request.getproxies().get(parts.scheme)


def may_be_told(url: str) -> bool:
    """May a secret go there? Only encrypted, or to this machine."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _words(error: Exception, url: str) -> str:
    import aiohttp

    host = urlsplit(url).hostname or ""
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return f"the certificate of {host} is not trusted."
        case aiohttp.ClientSSLError():
            return f"no secure connection to {host} could be made."
        case aiohttp.ClientConnectorDNSError():
            return f"{host} was not found. Check the address and the network."
        case aiohttp.ClientProxyConnectionError() | aiohttp.ClientHttpProxyError():
            return "the proxy does not let us through. Check HTTP_PROXY and HTTPS_PROXY."
        case TimeoutError():
            return f"{host} did not accept a connection within {_CONNECT:.0f} s."
        case aiohttp.ClientConnectorError():
            return _refusal(error.os_error, url)
        case ValueError():
            return "the request could not be made. Check `url`, its headers and the proxy."
        case _:
            return f"{host} broke off the connection."


def _refusal(error: OSError, url: str) -> str:
    host = urlsplit(url).netloc.rpartition("@")[2]  # with its port, if that was given
    if error.errno == errno.ECONNREFUSED:
        return f"nothing listens at {host}. Is it running?"
    return f"{host} is out of reach ({error.strerror or 'no route'})."
