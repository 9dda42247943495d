"""The browser's way back: one listener on 127.0.0.1, on a free port, for one sign-in.

It hears GET /callback with the right state, once; everything else gets a short no and changes nothing. The
page the person sees is held back until it is known how the sign-in ended, and then says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import html
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from bridge.errors import NetworkError

_LARGEST = 16384  # bytes of a request's head
_HASTE = 10.0  # seconds for a browser to say what it wants
_HOLD = 45.0  # seconds a page may wait for the outcome
_STYLE = (
    "body{font:16px system-ui,sans-serif;margin:20vh auto;max-width:30rem;padding:0 1rem;text-align:center}"
)
_PAGE = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Deskbell</title>"
    "<meta name=viewport content='width=device-width'><meta name=color-scheme content='light dark'>"
    "<style>{style}</style><h1>{title}</h1><p>{text}</p>"
)


@dataclass(frozen=True, slots=True)
class Callback:
    """What the browser brought back."""

    code: str = ""
    issuer: str = ""
    error: str = ""
    words: str = ""

    def __repr__(self) -> str:
        return f"Callback({self.error or 'code'})"


class Loopback:
    def __init__(self) -> None:
        self.state = ""  # set before the browser can know the address
        self._server: asyncio.Server | None = None
        self._heard: asyncio.Future[Callback] = asyncio.get_running_loop().create_future()
        self._outcome: asyncio.Future[tuple[str, str]] = asyncio.get_running_loop().create_future()
        self._pages: set[asyncio.Task[None]] = set()

    async def open(self) -> str:
        """Listen; the redirect_uri."""
        try:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_LARGEST)
        except OSError as error:
            hint = (
                f"{error.strerror or error}. Your browser could not report back; use an app password instead."
            )
            raise NetworkError("Deskbell cannot listen on 127.0.0.1", hint) from error
        self.port = self._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{self.port}/callback"

    async def wait(self, seconds: float) -> Callback:
        """Raises TimeoutError."""
        return await asyncio.wait_for(asyncio.shield(self._heard), seconds)

    def conclude(self, title: str, text: str) -> None:
        """What the waiting page says."""
        if not self._outcome.done():
            self._outcome.set_result((title, text))

    async def close(self) -> None:
        """The last page is let out first."""
        self.conclude("Sign-in stopped", "Deskbell is no longer waiting. You can close this page.")
        if self._server is not None:
            self._server.close()
        if self._pages:
            await asyncio.wait(self._pages, timeout=1.0)
        for page in tuple(self._pages):
            page.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._pages.add(task)
            task.add_done_callback(self._pages.discard)
        with contextlib.suppress(
            OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError
        ):
            async with asyncio.timeout(_HASTE):
                head = await reader.readuntil(b"\r\n\r\n")
            writer.write(await self._answer(head.decode("latin-1")))
            async with asyncio.timeout(_HASTE):
                await writer.drain()
        writer.close()

    async def _answer(self, head: str) -> bytes:
        first, *lines = head.split("\r\n")
        words = first.split(" ")
        hosts = [line.partition(":")[2].strip() for line in lines if line.lower().startswith("host:")]
        if hosts != [f"127.0.0.1:{self.port}"]:  # a web page that calls us by another name
            return _page(421, "Wrong address", "This is not the address Deskbell waits at.")
        if len(words) != 3 or words[0] != "GET" or urlsplit(words[1]).path != "/callback":
            return _page(404, "Nothing here", "Deskbell waits for a sign-in at another address.")
        asked = dict(parse_qsl(urlsplit(words[1]).query, keep_blank_values=True))
        if not self.state or not hmac.compare_digest(asked.get("state", "").encode(), self.state.encode()):
            return _page(400, "Not this sign-in", "This page belongs to another sign-in. Please start again.")
        if self._heard.done():
            return _page(409, "Already done", "This sign-in has been used. You can close this page.")
        self._heard.set_result(
            Callback(
                asked.get("code", ""),
                asked.get("iss", ""),
                asked.get("error", ""),
                asked.get("error_description", "")[:300],
            )
        )
        return _page(200, *await self._verdict())

    async def _verdict(self) -> tuple[str, str]:
        try:
            return await asyncio.wait_for(asyncio.shield(self._outcome), _HOLD)
        except TimeoutError:
            return "Almost done", "Deskbell is still working on it. You can close this page."


def _page(status: int, title: str, text: str) -> bytes:
    body = _PAGE.format(style=_STYLE, title=html.escape(title), text=html.escape(text)).encode()
    head = (
        f"HTTP/1.1 {status} {'OK' if status == 200 else 'No'}\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\nCache-Control: no-store\r\n"
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n"
        "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\r\n"
    )
    return head.encode() + body
