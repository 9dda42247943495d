"""Receive one OAuth redirect: a listener on 127.0.0.1 that accepts the first request with the expected
`state`.

The page in the browser is held back until the outcome of the sign-in is known, and then shows it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
from http import HTTPStatus
from urllib.parse import parse_qsl, urlsplit

from bridge.errors import NetworkError
from bridge.i18n import say

_PATH = "/callback"
_LARGEST = 16384  # bytes of a request's head
_HASTE = 10.0  # seconds for a browser to send a request or read a page
_HOLD = 45.0  # seconds a page may wait for the outcome
_STYLE = (
    "body{font:16px system-ui,sans-serif;margin:20vh auto;max-width:30rem;padding:0 1rem;text-align:center}"
)
_PAGE = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Deskbell</title>"
    "<meta name=viewport content='width=device-width'><meta name=color-scheme content='light dark'>"
    "<style>{style}</style><h1>{title}</h1><p>{text}</p>"
)


class OAuthCallback:
    """Listens while its async context is open. `address` is the redirect URI."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self._state = ""
        self._redirect: asyncio.Future[dict[str, str]] | None = None
        self._outcome: asyncio.Future[tuple[str, str]] | None = None
        self._awaited = False
        self._pages: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> OAuthCallback:
        """Listen on the port of last time, which may be registered; on any other if it is taken."""
        try:
            self._server = await self._listen(self.port)
        except OSError:
            try:
                self._server = await self._listen(0)
            except OSError as error:
                hint = say("{why}. Your browser could not report back.", why=error.strerror or str(error))
                raise NetworkError(say("Deskbell cannot listen on 127.0.0.1"), hint) from error
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def _listen(self, port: int) -> asyncio.Server:
        return await asyncio.start_server(self._visit, "127.0.0.1", port, limit=_LARGEST)

    async def __aexit__(self, *_: object) -> None:
        """Stop listening; wait up to 1 s for the last page to be sent."""
        self.show_outcome("Sign-in stopped", "Deskbell is no longer waiting.")
        self._server.close()
        if self._pages:
            await asyncio.wait(self._pages, timeout=1.0)
        for page in tuple(self._pages):
            page.cancel()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{_PATH}"

    def expect(self, state: str) -> None:
        """Accept a request with this `state` from now on; a browser may be faster than `answer`."""
        self._state = state
        self._redirect = asyncio.get_running_loop().create_future()
        self._outcome = asyncio.get_running_loop().create_future()

    @property
    def arrived(self) -> bool:
        """True if the redirect has arrived."""
        return self._redirect is not None and self._redirect.done()

    async def answer(self, patience: float) -> dict[str, str]:
        """Return the redirect's query parameters. Raises TimeoutError after `patience` seconds."""
        assert self._redirect is not None, "nobody is expected"  # noqa: S101
        self._awaited = True
        return await asyncio.wait_for(asyncio.shield(self._redirect), patience)

    def show_outcome(self, title: str, text: str = "") -> None:
        """Show the outcome on the page that is held back. The first call counts."""
        if self._outcome is not None and not self._outcome.done():
            self._outcome.set_result((title, f"{text} You can close this page.".strip()))

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
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
        hosts = [line.partition(":")[2].strip() for line in lines if line.lower().startswith("host:")]
        if hosts != [f"127.0.0.1:{self.port}"]:  # DNS rebinding: a web page under another host name
            return _page(421, "Wrong address", "This is not the address Deskbell waits at.")
        method, _, rest = first.partition(" ")
        try:
            target = urlsplit(rest.partition(" ")[0])
        except ValueError:
            return _page(400, "Nothing here", "This is no address.")
        if method != "GET" or target.path != _PATH:
            return _page(404, "Nothing here", "Deskbell waits for a sign-in at another address.")
        return await self._redirected(dict(parse_qsl(target.query, keep_blank_values=True)))

    async def _redirected(self, params: dict[str, str]) -> bytes:
        state = params.get("state", "").encode()
        if self._redirect is None or not hmac.compare_digest(state, self._state.encode()):
            return _page(400, "Not this sign-in", "This page belongs to another sign-in. Please start again.")
        if not self._redirect.done():
            self._redirect.set_result(params)
        elif self._redirect.cancelled() or self._redirect.result() != params:
            return _page(409, "Already done", "This sign-in has been used. You can close this page.")
        return _page(200, *await self._page_text())

    async def _page_text(self) -> tuple[str, str]:
        """Return the page's text: the outcome, or a neutral text while nobody awaits the redirect."""
        assert self._outcome is not None, "nobody is expected"  # noqa: S101
        if not self._awaited:
            return "Thank you", "Deskbell has what it needs. You can close this page."
        try:
            return await asyncio.wait_for(asyncio.shield(self._outcome), _HOLD)
        except TimeoutError:
            return "Almost done", "Deskbell is still working on it. You can close this page."


def _page(status: int, title: str, text: str) -> bytes:
    import html  # here: 0.3 MB for a page that is rarely shown

    body = _PAGE.format(style=_STYLE, title=html.escape(title), text=html.escape(text)).encode()
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\nCache-Control: no-store\r\n"
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n"
        "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\r\n"
    )
    return head.encode() + body
