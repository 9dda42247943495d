"""Where a browser comes back to after a sign-in: one address on 127.0.0.1, open for one answer.

Only a visit that brings the `state` it waits for counts; anything else on this machine may knock in vain.
"""

from __future__ import annotations

import asyncio
import hmac
from urllib.parse import parse_qs, urlsplit

_PATH = "/callback"
_LARGEST = 16 * 1024
_PATIENCE = 10.0  # seconds for a browser to say what it wants
_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Deskbell</title>'
    '<body style="font: 1.1em system-ui; margin: 4em auto; max-width: 30em"><h1>{}</h1><p>{}</p>'
)


class Callback:
    """`address` is what the browser is sent back to. Use it as an async context."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self._wanted: asyncio.Future[dict[str, str]] | None = None
        self._state = ""

    async def __aenter__(self) -> Callback:
        """At the port of last time, which the server may have been told; any other if it is taken."""
        try:
            self._server = await asyncio.start_server(self._visit, "127.0.0.1", self.port)
        except OSError:
            self._server = await asyncio.start_server(self._visit, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{_PATH}"

    def expect(self, state: str) -> None:
        """From now on: a fast browser is back before anybody asks for its answer."""
        self._state = state
        self._wanted = asyncio.get_running_loop().create_future()

    async def answer(self, patience: float) -> dict[str, str]:
        """The parameters that the browser brings. Raises TimeoutError."""
        assert self._wanted is not None, "nobody is expected"  # noqa: S101
        return await asyncio.wait_for(self._wanted, patience)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
            writer.write(self._response(head[:_LARGEST].decode("latin-1")))
            await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    def _response(self, head: str) -> bytes:
        method, _, rest = head.partition(" ")
        hosts = [line[5:].strip() for line in head.split("\r\n")[1:] if line.lower().startswith("host:")]
        if hosts != [f"127.0.0.1:{self.port}"]:  # a web page that calls us by another name
            return _page("421 Misdirected Request", "This is not the address Deskbell waits at", "")
        try:
            target = urlsplit(rest.partition(" ")[0])
        except ValueError:
            return _page("400 Bad Request", "This is no address", "")
        given = {key: values[0] for key, values in parse_qs(target.query).items()}
        if method != "GET" or target.path != _PATH:
            return _page("404 Not Found", "Nothing here", "")
        state = given.get("state", "").encode()
        if self._wanted is None or not hmac.compare_digest(state, self._state.encode()):
            return _page("400 Bad Request", "This is not the sign-in Deskbell waits for", "Start it again.")
        if not self._wanted.done():
            self._wanted.set_result(given)
        if "error" in given:
            return _page("200 OK", "Not signed in", "You can close this tab.")
        return _page("200 OK", "Thank you", "Deskbell has what it needs. You can close this tab.")


def _page(status: str, title: str, text: str) -> bytes:
    body = _PAGE.format(title, text).encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n"
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n"
        "X-Content-Type-Options: nosniff\r\n\r\n"
    )
    return head.encode() + body
