"""Connect to one origin, directly or through a proxy, and write the heads of requests to it.

Proxies and certificates are those of http_client/proxy_and_tls.py.
"""

from __future__ import annotations

import asyncio
import base64
import re
import socket
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar
from urllib.parse import SplitResult, quote, unquote, urlsplit

import aiohappyeyeballs

from bridge.http_client.proxy_and_tls import (
    CONNECT_TIMEOUT,
    USER_AGENT,
    UnusableProxy,
    proxy_for,
    tls_context,
)
from bridge.i18n import say
from bridge.upstreams.http.failures import ProxyRefused

_NEXT_ADDRESS = 0.25  # seconds until the next address of the host is tried too (RFC 8305)
_PLAIN = "/?%:@!$&'()*+,;=~-._"  # not escaped in a path or a query
_PORTS = {"http": 80, "https": 443}
_MAX_HEAD = 1 << 16  # bytes of a proxy's reply

P = TypeVar("P", bound=asyncio.BaseProtocol)


class Dialer:
    """Connects to the origin of `url`. Slow to make: reads certificates. Raises UnusableProxy."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        parts = urlsplit(url)
        self._tls = tls_context() if parts.scheme == "https" else None
        self._host, self._port = _host_and_port(parts)
        self._proxy = _proxy(url)
        fixed = {"Host": _host_header(parts), "User-Agent": USER_AGENT, "Accept-Encoding": "gzip"}
        if parts.username:
            fixed["Authorization"] = _basic(parts)
        if self._proxy and not self._tls and self._proxy.username:
            fixed["Proxy-Authorization"] = _basic(self._proxy)
        self._fixed = _lines(fixed) | _lines(headers)
        self._target = lru_cache(100)(self._new_target)  # few: the address, and where it redirects to

    def head(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
        """Return the head of a request. Raises ValueError for a header that cannot be sent."""
        lines = self._fixed | _lines(headers)
        if body is not None:
            lines["content-length"] = f"Content-Length: {len(body)}\r\n"
        head = f"{method} {self._target(url)} HTTP/1.1\r\n{''.join(lines.values())}\r\n"
        if head.count("\n") != len(lines) + 2 or head.count("\r") != len(lines) + 2:
            raise ValueError("a header holds a line break")
        return head.encode()

    async def connect(self, protocol: Callable[[], P]) -> P:
        """Return the protocol of a new connection. Raises OSError."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_TIMEOUT):
            sock = await self._socket()
            try:
                name = self._host if self._tls is not None else None
                _, connection = await loop.create_connection(
                    protocol, sock=sock, ssl=self._tls, server_hostname=name
                )
            except BaseException:
                sock.close()
                raise
        return connection

    async def _socket(self) -> socket.socket:
        if self._proxy is None:
            return await _dial(self._host, self._port)
        try:
            sock = await _dial(*_host_and_port(self._proxy))
        except OSError as error:
            raise ProxyRefused(str(error)) from error
        if self._tls is not None:
            try:
                await self._tunnel(sock, self._proxy)
            except BaseException:
                sock.close()
                raise
        return sock

    async def _tunnel(self, sock: socket.socket, proxy: SplitResult) -> None:
        loop = asyncio.get_running_loop()
        host = f"[{self._host}]" if ":" in self._host else self._host
        place = f"{host}:{self._port}"
        login = f"Proxy-Authorization: {_basic(proxy)}\r\n" if proxy.username else ""
        await loop.sock_sendall(sock, f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{login}\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            data = await loop.sock_recv(sock, 4096)
            head += data
            if not data or len(head) > _MAX_HEAD:
                raise ProxyRefused("it broke off")
        if not re.match(rb"HTTP/1\.[01] 2\d\d\b", head):
            raise ProxyRefused(head.partition(b"\r\n")[0].decode("latin-1"))

    def _new_target(self, url: str) -> str:
        parts = urlsplit(url)
        target = quote(parts.path or "/", _PLAIN) + ("?" + quote(parts.query, _PLAIN) if parts.query else "")
        if self._proxy is None or self._tls is not None:
            return target
        return f"{parts.scheme}://{_host_header(parts)}{target}"


async def _dial(host: str, port: int) -> socket.socket:
    loop = asyncio.get_running_loop()
    places = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return await aiohappyeyeballs.start_connection(places, happy_eyeballs_delay=_NEXT_ADDRESS, interleave=1)


def _lines(headers: Mapping[str, str]) -> dict[str, str]:
    """Return header lines by their name in lower case, so that the last one of a name wins."""
    return {name.lower(): f"{name}: {value}\r\n" for name, value in headers.items()}


def _host_and_port(parts: SplitResult) -> tuple[str, int]:
    host = parts.hostname or ""
    host = host if host.isascii() else host.encode("idna").decode()
    return host, parts.port or _PORTS.get(parts.scheme, 80)


def _host_header(parts: SplitResult) -> str:
    host, port = _host_and_port(parts)
    host = f"[{host}]" if ":" in host else host
    return host if port == _PORTS.get(parts.scheme) else f"{host}:{port}"


def _basic(parts: SplitResult) -> str:
    pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode()


def _proxy(url: str) -> SplitResult | None:
    proxy = proxy_for(url)
    if proxy is None:
        return None
    if proxy.lower().startswith("https:"):
        raise UnusableProxy(
            say("the proxy is reached by https, which Deskbell cannot do. Give its address as http://…")
        )
    return urlsplit(proxy)
