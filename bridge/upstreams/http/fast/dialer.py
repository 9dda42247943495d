"""How one origin is reached: by which address, through which proxy, with which headers always.

Proxies and certificates are those of http_client/policy.py.
"""

from __future__ import annotations

import asyncio
import base64
import re
import socket
from collections.abc import Callable, Mapping
from typing import TypeVar
from urllib.parse import SplitResult, quote, unquote, urlsplit

import aiohappyeyeballs

from bridge.http_client.policy import CONNECT_TIMEOUT, USER_AGENT, UnusableProxy, proxy_for, tls_context
from bridge.i18n import say

_NEXT_ADDRESS = 0.25  # seconds after which another address of the same host is tried beside
_PLAIN = "/?%:@!$&'()*+,;=~-._"  # in a path or a query, stands for itself
_PORTS = {"http": 80, "https": 443}
_LARGEST_HEAD = 1 << 16  # bytes

P = TypeVar("P", bound=asyncio.BaseProtocol)


class ProxyRefuses(OSError):
    """The proxy does not let us through."""


class Route:
    """To the origin of `url`. Slow to make: reads certificates. Raises UnusableProxy."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        parts = urlsplit(url)
        self._tls = tls_context() if parts.scheme == "https" else None
        self._host, self._port = _place(parts)
        self._proxy = _proxy(url)
        always = {"Host": _shown(parts), "User-Agent": USER_AGENT, "Accept-Encoding": "gzip"}
        if parts.username:
            always["Authorization"] = _basic(parts)
        if self._proxy and not self._tls and self._proxy.username:
            always["Proxy-Authorization"] = _basic(self._proxy)
        self._always = _lines(always) | _lines(headers)
        self._targets: dict[str, str] = {}

    def head(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
        """Of a request. Raises ValueError for what no header may hold."""
        lines = self._always | _lines(headers)
        if body is not None:
            lines["content-length"] = f"Content-Length: {len(body)}\r\n"
        head = f"{method} {self._target(url)} HTTP/1.1\r\n{''.join(lines.values())}\r\n"
        if head.count("\n") != len(lines) + 2 or head.count("\r") != len(lines) + 2:
            raise ValueError("a header holds a line break")
        return head.encode()

    async def connect(self, protocol: Callable[[], P]) -> P:
        """Raises OSError."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_TIMEOUT):
            sock = await self._socket()
            try:
                name = self._host if self._tls is not None else None
                _, made = await loop.create_connection(
                    protocol, sock=sock, ssl=self._tls, server_hostname=name
                )
            except BaseException:
                sock.close()
                raise
        return made

    async def _socket(self) -> socket.socket:
        if self._proxy is None:
            return await _dial(self._host, self._port)
        try:
            sock = await _dial(*_place(self._proxy))
        except OSError as error:
            raise ProxyRefuses(str(error)) from error
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
        known = f"Proxy-Authorization: {_basic(proxy)}\r\n" if proxy.username else ""
        await loop.sock_sendall(sock, f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{known}\r\n".encode())
        said = b""
        while b"\r\n\r\n" not in said:
            more = await loop.sock_recv(sock, 4096)
            said += more
            if not more or len(said) > _LARGEST_HEAD:
                raise ProxyRefuses("it broke off")
        if not re.match(rb"HTTP/1\.[01] 2\d\d\b", said):
            raise ProxyRefuses(said.partition(b"\r\n")[0].decode("latin-1"))

    def _target(self, url: str) -> str:
        known = self._targets.get(url)
        if known is None:  # few: the address itself, and where it redirects to
            if len(self._targets) > 100:
                self._targets.clear()
            known = self._targets[url] = self._made(urlsplit(url))
        return known

    def _made(self, parts: SplitResult) -> str:
        target = quote(parts.path or "/", _PLAIN) + ("?" + quote(parts.query, _PLAIN) if parts.query else "")
        if self._proxy is None or self._tls is not None:
            return target
        return f"{parts.scheme}://{_shown(parts)}{target}"


async def _dial(host: str, port: int) -> socket.socket:
    loop = asyncio.get_running_loop()
    places = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return await aiohappyeyeballs.start_connection(places, happy_eyeballs_delay=_NEXT_ADDRESS, interleave=1)


def _lines(headers: Mapping[str, str]) -> dict[str, str]:
    """By name in lower case: what is said last counts, however it is spelt."""
    return {name.lower(): f"{name}: {value}\r\n" for name, value in headers.items()}


def _place(parts: SplitResult) -> tuple[str, int]:
    host = parts.hostname or ""
    return _ascii(host), parts.port or _PORTS.get(parts.scheme, 80)


def _shown(parts: SplitResult) -> str:
    """As a Host header says it."""
    host, port = _place(parts)
    host = f"[{host}]" if ":" in host else host
    return host if port == _PORTS.get(parts.scheme) else f"{host}:{port}"


def _ascii(host: str) -> str:
    return host if host.isascii() else host.encode("idna").decode()


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
