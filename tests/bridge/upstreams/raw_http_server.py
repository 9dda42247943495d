"""A server that writes every byte itself, as odd ones do, and our HTTP/1.1 to it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping

from bridge.upstreams.http.fast.dialer import Dialer
from bridge.upstreams.http.fast.http1 import ConnectionPool, Response


class Server:
    """Answers each request by the next of `answers`; None: hangs up instead."""

    def __init__(self, *answers: bytes | None) -> None:
        self.answers = list(answers)
        self.heads: list[bytes] = []
        self.bodies: list[bytes] = []
        self.connections = 0
        self.left = asyncio.Event()  # a connection was closed by the other side

    async def __aenter__(self) -> Server:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self.pool = ConnectionPool(Dialer(self.url, {"X-Always": "yes"}))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.pool.close()
        self._server.close()

    def hang_up(self) -> None:
        self._writer.close()

    async def ask(
        self, method: str = "GET", body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        return await self.pool.request(method, self.url, headers or {}, body)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writer = writer
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while self.answers:
                head = await reader.readuntil(b"\r\n\r\n")
                self.heads.append(head)
                length = [line for line in head.split(b"\r\n") if line.startswith(b"Content-Length: ")]
                self.bodies.append(await reader.readexactly(int(length[0][16:])) if length else b"")
                answer = self.answers.pop(0)
                if answer is None:
                    break
                writer.write(answer)
                if b"Connection: close" in answer or answer.endswith(b"..."):
                    break
            else:
                await reader.read()
                self.left.set()
        writer.close()


def answer(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


async def whole(response: Response) -> bytes:
    return b"".join([part async for part in response.parts()])
