"""An independent peer, the mcp SDK, as a host of either era."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bridge.transports.http import legacy_link
from bridge.transports.http.server import HttpServer
from tests.bridge.transports.http.http_rig import (
    INITIALIZED,
    LEGACY,
    MODERN,
    TOKEN,
    Heard,
    Host,
    Recorder,
    start,
)
from tests.fixtures.patience import NEVER, WITHIN

TOOLS = [{"name": "greet", "description": "d", "inputSchema": {"type": "object"}}]
CACHED = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


class Desk(Recorder):
    """Answers by hand what the SDK asks. `greet` reports progress; `ask` puts a question in the middle."""

    def host_sent(self, link: int, message: bytes) -> None:
        super().host_sent(link, message)
        heard = self.heard[-1]
        method = heard.message.get("method")
        if method == "server/discover":
            found = {"supportedVersions": [MODERN, LEGACY], "capabilities": {"tools": {}}, **CACHED}
            self.reply(heard, result={**found, "serverInfo": INITIALIZED["serverInfo"]})
        elif method == "tools/list":
            self.reply(heard, result={"tools": TOOLS, **CACHED})
        elif method == "tools/call":
            self._call(heard)
        elif "result" in heard.message:
            calls = [h for h in self.heard if h.message.get("method") == "tools/call"]
            self._done(calls[-1], heard.message["result"]["content"]["name"])

    def _call(self, heard: Heard) -> None:
        params: dict[str, Any] = heard.message["params"]
        if params["name"] == "greet":
            token = params.get("_meta", {}).get("progressToken")
            if token is not None:
                progress = {"progressToken": token, "progress": 0.5}
                self.say(heard.link, "notifications/progress", heard.message["id"], params=progress)
            self._done(heard, params["arguments"]["name"])
        elif params["name"] == "ask":
            schema = {"type": "object", "properties": {"name": {"type": "string"}}}
            asked = {"message": "Who?", "requestedSchema": schema}
            self.say(heard.link, "elicitation/create", heard.message["id"], id=1, params=asked)

    def _done(self, heard: Heard, name: str) -> None:
        content = [{"type": "text", "text": f"Hello {name}"}]
        self.reply(heard, result={"resultType": "complete", "content": content})


@pytest.fixture
async def front() -> Desk:
    return Desk()


@pytest.fixture
async def host(front: Desk) -> AsyncIterator[Host]:
    transport = HttpServer(front, TOKEN, lambda: {"github"})
    yield Host(await start(transport))
    await transport.stop()


@asynccontextmanager
async def _peer(host: Host, mode: Any, path: str = "/mcp", **callbacks: Any) -> AsyncIterator[Client]:
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=WITHIN) as web:
        wire = streamable_http_client(f"http://127.0.0.1:{host.port}{path}", http_client=web)
        async with Client(wire, mode=mode, **callbacks) as peer:
            yield peer


def _text(result: types.CallToolResult) -> str:
    block = result.content[0]
    assert isinstance(block, types.TextContent)
    return block.text


@pytest.mark.parametrize("mode", ["legacy", "auto", MODERN])
async def test_the_sdk_lists_and_calls_tools(host: Host, front: Desk, mode: str) -> None:
    async with _peer(host, mode, "/mcp/github") as peer:
        assert [tool.name for tool in (await peer.list_tools()).tools] == ["greet"]
        assert _text(await peer.call_tool("greet", {"name": "Grüße 🛎"})) == "Hello Grüße 🛎"
    methods = [h.message.get("method") for h in front.heard]
    assert ("initialize" in methods) == (mode == "legacy")
    await front.until(lambda: sorted(front.closed) == sorted(front.callers))  # DELETE, or one POST each
    assert {caller.server for caller in front.callers.values()} == {"github"}


@pytest.mark.parametrize("mode", ["legacy", MODERN])
async def test_the_sdk_sees_progress_before_the_reply(host: Host, mode: str) -> None:
    seen: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    async with _peer(host, mode) as peer:
        result = await peer.call_tool("greet", {"name": "x"}, progress_callback=note)
    assert (seen, _text(result)) == ([0.5], "Hello x")


async def test_the_sdk_answers_a_question_in_the_middle_of_a_call(host: Host, front: Desk) -> None:
    async def elicit(context: Any, params: Any) -> types.ElicitResult:
        assert params.message == "Who?"
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async with _peer(host, "legacy", elicitation_callback=elicit) as peer:
        assert _text(await peer.call_tool("ask", {})) == "Hello Ada"


@pytest.mark.parametrize("mode", ["legacy", MODERN])
async def test_a_call_the_sdk_gives_up_is_cancelled(host: Host, front: Desk, mode: str) -> None:
    async with _peer(host, mode) as peer:
        call = asyncio.create_task(peer.call_tool("never", {}))
        heard = await front.hears("tools/call")
        call.cancel()
        if mode == "legacy":
            cancelled = await front.hears("notifications/cancelled")
            assert cancelled.message["params"]["requestId"] == heard.message["id"]
        else:
            await front.until(lambda: heard.link in front.closed)
        assert _text(await peer.call_tool("greet", {"name": "again"})) == "Hello again"


async def test_the_sdk_resumes_a_stream_that_broke(
    host: Host, front: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is cut in the middle of a call; the SDK comes back with Last-Event-ID by itself."""
    monkeypatch.setattr(legacy_link, "GRACE", NEVER)
    relay_port, cut = await _relay(host.port)
    async with _peer(Host(relay_port), "legacy") as peer:
        call = asyncio.create_task(peer.call_tool("never", {}))
        heard = await front.hears("tools/call")
        front.say(
            heard.link, "notifications/message", heard.message["id"], params={"level": "info", "data": 1}
        )
        await cut(b"notifications/message")
        front.reply(heard, result={"content": [{"type": "text", "text": json.dumps("resumed")}]})
        assert _text(await asyncio.wait_for(call, WITHIN)) == '"resumed"'
    assert not any(h.message.get("method") == "notifications/cancelled" for h in front.heard)


async def _relay(port: int) -> tuple[int, Any]:
    """A plain TCP relay in between, whose connections can be cut once a text has passed."""
    passed: dict[asyncio.StreamWriter, bytes] = {}
    news = asyncio.Event()

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter, port_text: bytes) -> None:
        while data := await source.read(65536):
            passed[target] = passed.get(target, b"") + data
            news.set()
            target.write(data.replace(port_text, b"127.0.0.1:%d" % port) if port_text else data)
        target.close()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", port)
        down = asyncio.create_task(copy(up_reader, writer, b""))
        await copy(reader, up_writer, b"127.0.0.1:%d" % relay_port)
        await down

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    relay_port: int = server.sockets[0].getsockname()[1]

    async def cut(text: bytes) -> None:
        async with asyncio.timeout(WITHIN):
            while not (found := [writer for writer, seen in passed.items() if text in seen]):
                news.clear()
                await news.wait()
        found[0].transport.abort()

    return relay_port, cut
