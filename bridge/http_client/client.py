"""The HTTP client for rare requests, on httpx: bounded in size and time, with failures in words.

Only https, or http to this machine. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Self

import msgspec

from bridge.errors import NetworkError, TimeoutError_
from bridge.http_client.content_encoding import ENCODINGS, BadEncoding, Decoder
from bridge.http_client.proxy_and_tls import (
    CONNECT_TIMEOUT,
    USER_AGENT,
    UnusableProxy,
    proxy_for,
    tls_context,
)
from bridge.http_client.urls import check, host
from bridge.i18n import Words, say, together

if TYPE_CHECKING:
    import httpx

TIMEOUT = 20.0  # seconds for one reply
MAX_BYTES = 5 << 20
_TRY_LATER = say("Check your connection, and try again.")

Progress = Callable[[int, int], Awaitable[object]]  # bytes so far, bytes in all (0: unknown)


@dataclass(frozen=True, slots=True)
class HttpReply:
    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    def json(self) -> dict[str, Any]:
        """Return the JSON object in the body; an empty one if there is none."""
        try:
            value = msgspec.json.decode(self.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def error(self) -> str:
        """The name of the failure, in the member that OAuth and XRPC share; "" if there is none."""
        value = self.json().get("error")
        return value if isinstance(value, str) else ""

    @property
    def words(self) -> str:
        """The server's description of the failure, on one line."""
        value = self.json()
        text = value.get("error_description") or value.get("message") or value.get("error")
        text = text if isinstance(text, str) and text else f"HTTP {self.status}"
        return " ".join(text.split())[:300]


class HttpStream:
    """A reply whose body is still coming."""

    def __init__(self, url: str, reply: httpx.Response) -> None:
        self.status = reply.status_code
        self.headers: Mapping[str, str] = reply.headers
        self._url = url
        self._reply = reply

    async def read(self) -> HttpReply:
        return await _read(self._url, self._reply, MAX_BYTES)

    def chunks(self) -> AsyncIterator[bytes]:
        return _decoded(self._url, self._reply)


class HttpClient:
    """A pool of connections. Made on first use, in a thread: httpx takes its time to load."""

    def __init__(self) -> None:
        self._http: httpx.AsyncClient | None = None
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        form: Mapping[str, str] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        max_bytes: int = MAX_BYTES,
        timeout: float = TIMEOUT,  # noqa: ASYNC109 - callers have no scope of their own
    ) -> HttpReply:
        """Return the reply, whatever its status. Raises NetworkError, and TimeoutError_ after `timeout`."""
        check(url)
        http = await self._client()
        request = http.build_request(method, url, params=params, data=form, content=content, headers=headers)
        try:
            async with asyncio.timeout(timeout), _sent(http, request) as reply:
                return await _read(url, reply, max_bytes)
        except TimeoutError as error:
            raise _timed_out(url) from error

    @asynccontextmanager
    async def stream(
        self, url: str, content: bytes, headers: Mapping[str, str], silence: float
    ) -> AsyncIterator[HttpStream]:
        """POST `content`, and yield the reply before its body has come; leaving closes the connection.

        Raises NetworkError, and TimeoutError_ after `silence` seconds without a byte.
        """
        check(url)
        http = await self._client()
        request = http.build_request("POST", url, content=content, headers=headers)
        request.extensions["timeout"] |= {"read": silence, "write": silence}
        async with _sent(http, request) as reply:
            yield HttpStream(url, reply)

    async def download(
        self, url: str, params: Mapping[str, Any], file: IO[bytes], max_bytes: int, progress: Progress
    ) -> HttpReply:
        """Write the body of a 200 reply to `file` as it comes; return any other reply with its body."""
        check(url)
        http = await self._client()
        request = http.build_request("GET", url, params=params, headers={"Accept": "*/*"})
        async with _sent(http, request) as reply:
            if reply.status_code != 200:
                return await _read(url, reply, MAX_BYTES)
            length = reply.headers.get("Content-Length", "")
            total, size = int(length) if length.isdigit() else 0, 0
            async for part in _decoded(url, reply):
                size += len(part)
                if size > max_bytes:
                    raise _too_much(url, say("More than {count} MiB.", count=max_bytes >> 20))
                file.write(part)
                await progress(size, total)
            return HttpReply(url, reply.status_code, reply.headers, b"")

    async def close(self) -> None:
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    async def _client(self) -> httpx.AsyncClient:
        async with self._lock:
            if self._http is None:
                self._http = await asyncio.to_thread(_new)
            return self._http


def _new() -> httpx.AsyncClient:
    """Return a client under Deskbell's policy for proxies and certificates, in place of httpx's own."""
    import httpx

    tls = tls_context()
    limits = httpx.Limits(max_connections=32, max_keepalive_connections=8, keepalive_expiry=20)

    class ByProxy(httpx.AsyncBaseTransport):
        def __init__(self) -> None:
            self._transports: dict[str | None, httpx.AsyncHTTPTransport] = {}

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            proxy = proxy_for(str(request.url))
            if proxy not in self._transports:
                transport = httpx.AsyncHTTPTransport(verify=tls, limits=limits, proxy=proxy, trust_env=False)
                self._transports[proxy] = transport
            return await self._transports[proxy].handle_async_request(request)

        async def aclose(self) -> None:
            for transport in self._transports.values():
                await transport.aclose()

    return httpx.AsyncClient(
        transport=ByProxy(),
        headers={"User-Agent": USER_AGENT, "Accept-Encoding": "gzip, deflate"},
        timeout=httpx.Timeout(TIMEOUT, connect=CONNECT_TIMEOUT),
        follow_redirects=False,
        trust_env=False,
    )


@asynccontextmanager
async def _sent(http: httpx.AsyncClient, request: httpx.Request) -> AsyncIterator[httpx.Response]:
    """Send `request`, and translate what httpx raises, also while the body is read."""
    import httpx

    url = str(request.url)
    try:
        reply = await http.send(request, stream=True)
        try:
            yield reply
        finally:
            await reply.aclose()
    except httpx.TimeoutException as error:
        raise _timed_out(url) from error
    except UnusableProxy as error:
        raise NetworkError(_unreachable(url), error.words) from error
    except TimeoutError:
        raise
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise NetworkError(_unreachable(url), together(_reason(error), _TRY_LATER)) from error


async def _read(url: str, reply: httpx.Response, max_bytes: int) -> HttpReply:
    parts, size = [], 0
    async for part in _decoded(url, reply):
        parts.append(part)
        size += len(part)
        if size > max_bytes:
            raise _too_much(url, say("More than {count} KiB.", count=max_bytes >> 10))
    return HttpReply(url, reply.status_code, reply.headers, b"".join(parts))


async def _decoded(url: str, reply: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the body in bounded pieces. httpx unpacks a whole packet at once, also zstd and layers of gzip:
    50 KB from a hostile server would become gigabytes before anybody could count them."""
    encoding = reply.headers.get("Content-Encoding", "identity").lower()
    if encoding not in (*ENCODINGS, "identity"):
        raise _unreadable(url, say("it is badly packed"))
    decoder = Decoder()
    try:
        async for part in reply.aiter_raw():
            for piece in (part,) if encoding == "identity" else decoder.pieces(part):
                yield piece
    except BadEncoding as error:
        raise _unreadable(url, error.args[0]) from error
    if decoder.is_truncated:
        raise _unreadable(url, say("it broke off"))


def _unreadable(url: str, why: str) -> NetworkError:
    return NetworkError(say("The answer of {server} cannot be read: {why}.", server=host(url), why=why))


def _too_much(url: str, limit: str) -> NetworkError:
    return NetworkError(say("{host} sent too much", host=host(url)), limit)


def _timed_out(url: str) -> TimeoutError_:
    return TimeoutError_(say("{host} did not answer", host=host(url)), _TRY_LATER)


def _unreachable(url: str) -> Words:
    return say("{host} cannot be reached", host=host(url))


def _reason(error: Exception) -> str:
    causes = (error, error.__cause__, error.__context__)
    if any(isinstance(one, socket.gaierror) for one in causes) or "[Errno -" in str(error):
        return say("There is no such address, or no connection to the internet.")
    text = " ".join(str(error).split())
    return f"{text.rstrip('.')}." if text else f"{type(error).__name__}."


def later(reason: str) -> Words:
    """Return the words for a server's temporary refusal."""
    return say("{said}. Try again later.", said=reason)
