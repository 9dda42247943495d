"""A Front that records what it receives, and a host that sends HTTP by hand: real sockets, real bytes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bridge.core.ports import Caller, DeliverCallback, HangUpCallback
from bridge.transports.http.lazy_server import listen
from bridge.transports.http.server import HttpServer
from tests.fixtures.patience import WITHIN

TOKEN = "open-sesame"
LEGACY = "2025-11-25"
MODERN = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
INITIALIZED = {
    "protocolVersion": LEGACY,
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "x", "version": "1"},
}


async def start(server: HttpServer, port: int = 0) -> int:
    listener = listen(port)
    await server.serve(listener)
    bound: int = listener.getsockname()[1]
    return bound


class Heard(NamedTuple):
    link: int
    raw: bytes
    message: dict[str, Any]


class Recorder:
    """Answers `initialize` and `echo/*` by itself; everything else waits for the test."""

    def __init__(self) -> None:
        self.callers: dict[int, Caller] = {}
        self.deliver: dict[int, DeliverCallback] = {}
        self.hang_up: dict[int, HangUpCallback] = {}
        self.heard: list[Heard] = []
        self.closed: list[int] = []
        self.why: list[str] = []
        self.initialize: dict[str, Any] = {"result": INITIALIZED}
        self._changed = asyncio.Event()

    def open_link(self, caller: Caller, deliver: DeliverCallback, hang_up: HangUpCallback) -> int:
        link = len(self.callers) + 1
        self.callers[link] = caller
        self.deliver[link] = deliver
        self.hang_up[link] = hang_up
        self._changed.set()
        return link

    def host_sent(self, link: int, message: bytes) -> None:
        assert link not in self.closed
        heard = Heard(link, message, json.loads(message))
        self.heard.append(heard)
        self._changed.set()
        method = heard.message.get("method", "")
        if method == "initialize" and self.initialize:
            self.reply(heard, **self.initialize)
        elif method.startswith("echo/"):
            self.reply(heard, result=heard.message.get("params"))

    def close_link(self, link: int, why: str = "") -> None:
        assert link not in self.closed
        self.closed.append(link)
        self.why.append(why)
        self._changed.set()

    def reply(self, heard: Heard, **outcome: Any) -> None:
        about = json.dumps(heard.message["id"]).encode()
        self.deliver[heard.link](pack({"id": heard.message["id"], **outcome}), about, True)

    def say(self, link: int, method: str, about: object = None, **fields: Any) -> None:
        raw = b"" if about is None else json.dumps(about).encode()
        self.deliver[link](pack({"method": method, **fields}), raw, False)

    async def until(self, done: Callable[[], object]) -> None:
        async with asyncio.timeout(WITHIN):
            while not done():
                self._changed.clear()
                await self._changed.wait()

    async def hears(self, method: str) -> Heard:
        await self.until(lambda: any(h.message.get("method") == method for h in self.heard))
        return [h for h in self.heard if h.message.get("method") == method][-1]


def pack(fields: Mapping[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **fields}, separators=(",", ":")).encode()


class Event(NamedTuple):
    id: str
    data: str

    @property
    def message(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.data)
        return found


class Response(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes = b""

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def code(self) -> int:
        code: int = self.json["error"]["code"]
        return code


class Wire:
    """One connection of a host."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        self.reader = reader
        self.writer = writer
        self.port = port
        self._text = b""

    def write(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str | None] | None = None
    ) -> None:
        fields: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {TOKEN}",
            "Accept": "application/json, text/event-stream",
        }
        if method == "POST":
            fields |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        fields |= headers or {}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)

    async def head(self) -> Response:
        async with asyncio.timeout(WITHIN):
            lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        pairs = (line.split(": ", 1) for line in lines[1:] if line)
        return Response(int(lines[0].split()[1]), {name.lower(): value for name, value in pairs})

    async def response(self) -> Response:
        head = await self.head()
        async with asyncio.timeout(WITHIN):
            if "content-length" in head.headers:
                body = await self.reader.readexactly(int(head.headers["content-length"]))
            elif head.headers.get("transfer-encoding") == "chunked":
                body = b""
                while chunk := await self._chunk():
                    body += chunk
            else:
                body = b""
        return head._replace(body=body)

    async def event(self) -> Event:
        """The next server-sent event; comments are skipped."""
        async with asyncio.timeout(WITHIN):
            while True:
                while b"\n\n" not in self._text:
                    chunk = await self._chunk()
                    if not chunk:
                        raise EOFError("the stream ended")
                    self._text += chunk
                block, self._text = self._text.split(b"\n\n", 1)
                fields = [line.split(b":", 1) for line in block.split(b"\n") if not line.startswith(b":")]
                if fields:
                    value = {name: text.strip().decode() for name, text in fields if name != b"data"}
                    data = b"\n".join(text.strip() for name, text in fields if name == b"data")
                    return Event(value.get(b"id", ""), data.decode())

    async def ended(self) -> bool:
        """Whether the stream is over, or the connection was dropped, without another event."""
        try:
            event = await self.event()
        except (EOFError, asyncio.IncompleteReadError, ConnectionError):
            return True
        raise AssertionError(f"one more event: {event}")

    async def breaks_off(self) -> bool:
        """Whether the connection is dropped in the middle of its stream."""
        try:
            while True:
                await self.event()
        except EOFError as end:
            return isinstance(end, asyncio.IncompleteReadError)
        except ConnectionError:
            return True

    async def _chunk(self) -> bytes:
        size = int(await self.reader.readuntil(b"\r\n"), 16)
        return (await self.reader.readexactly(size + 2))[:-2]

    def drop(self) -> None:
        self.writer.transport.abort()


class Host:
    """Opens connections and says what hosts of either era say."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._wires: list[Wire] = []

    async def wire(self) -> Wire:
        wire = Wire(*await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20), self.port)
        self._wires.append(wire)
        return wire

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str | None] | None = None
    ) -> Response:
        """One request, one whole response."""
        wire = await self.wire()
        wire.write(method, path, body, headers)
        return await wire.response()

    async def initialize(self, path: str = "/mcp") -> dict[str, str]:
        """The headers that every later request carries."""
        params = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "h", "version": "1"}}
        body = pack({"id": 0, "method": "initialize", "params": params})
        response = await self.ask("POST", path, body)
        assert response.status == 200, response
        return {"Mcp-Session-Id": response.headers["mcp-session-id"], "MCP-Protocol-Version": LEGACY}

    async def post(self, body: bytes, headers: Mapping[str, str | None], path: str = "/mcp") -> Wire:
        """A POST whose response is still to be read."""
        wire = await self.wire()
        wire.write("POST", path, body, headers)
        return wire

    async def get(self, headers: Mapping[str, str | None], path: str = "/mcp") -> Wire:
        wire = await self.wire()
        wire.write("GET", path, headers=headers)
        return wire

    def leave(self) -> None:
        for wire in self._wires:
            wire.writer.close()


def modern(
    method: str = "echo/it",
    params: Mapping[str, Any] | None = None,
    *,
    request_id: object = 1,
    **changes: str | None,
) -> tuple[bytes, dict[str, str | None]]:
    """Body and headers of a modern request; `changes` are headers, with underscores."""
    meta = {
        PREFIX + "protocolVersion": MODERN,
        PREFIX + "clientCapabilities": {},
        PREFIX + "clientInfo": {"name": "tester", "version": "3"},
    }
    fields = {"id": request_id, "method": method, "params": {"_meta": meta, **(params or {})}}
    if request_id is None:
        del fields["id"]
    headers: dict[str, str | None] = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    headers |= {name.replace("_", "-"): value for name, value in changes.items()}
    return pack(fields), headers
