"""Where requests of a remote connection go: redirects, cookies, other origins; servers that others wrote."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from aiohttp import web

from tests.bridge.upstreams.http.conftest import (
    INITIALIZED,
    Connect,
    Open,
    accept,
    errors,
    id_of,
    reply,
)
from tests.bridge.upstreams.raw_http_server import Server as Raw
from tests.bridge.upstreams.raw_http_server import answer as raw_answer
from tests.contracts.upstreams import call, finished
from tests.fixtures.peers import EVERYTHING, NODE, needs_everything
from tests.fixtures.recording_back import Recorder
from tests.fixtures.scripted_http_server import Stage

FIXTURES = Path(__file__).parents[3] / "fixtures"


async def test_a_redirect_within_the_server_is_followed(play: Open, connect: Connect, back: Recorder):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if request.path == "/mcp":
            return web.Response(status=307, headers={"Location": "/mcp/"})
        return await accept(request, body)

    stage = await play(answer)
    connect(stage.url).send(call(1))
    assert await back.message() == reply(1)
    assert [asked.path for asked in stage.asked] == ["/mcp", "/mcp/"]
    assert stage.bodies() == [call(1), call(1)]


@pytest.mark.parametrize("status", [302, 307])
async def test_a_redirect_elsewhere_is_not_followed(
    play: Open, connect: Connect, back: Recorder, status: int
):
    other = await play(accept)

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return web.Response(status=status, headers={"Location": other.url + "?key=secret"})

    connect((await play(answer)).url, headers={"Authorization": "Bearer t0ken"}).send(call(1))
    await back.message()
    assert f"probe has moved to {other.url}." in errors(back)[0]["message"]
    assert b"secret" not in back.messages[0]
    assert other.asked == []


@pytest.mark.parametrize(
    "place",
    ["http://[::1/mcp", "http://127.0.0.1:99999999/mcp", "file:///etc/passwd", "javascript:alert(1)"],
)
async def test_a_redirect_to_what_is_no_address_becomes_an_error(
    play: Open, connect: Connect, back: Recorder, place: str
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return web.Response(status=307, headers={"Location": place})

    connect((await play(answer)).url).send(call(1))
    await back.message()
    assert errors(back)[0]["message"] == "probe redirects to an invalid address."


async def test_a_message_for_a_person_repeats_no_more_of_a_server_than_one_can_read(
    play: Open, connect: Connect, back: Recorder
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if id_of(body) == 1:
            return web.Response(status=307, headers={"Location": "http://a.example/" + "x" * 5000})
        return web.Response(headers={"Content-Type": "text/" + "x" * 5000})

    connection = connect((await play(answer)).url)
    for number in (1, 2):
        connection.send(call(number))
        await back.message(number)
    assert all(200 < len(error["message"]) < 400 for error in errors(back))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            b"SSH-2.0-OpenSSH_9.6\r\n",
            "Could not reach probe: the answer of 127.0.0.1 cannot be read: it is no HTTP.",
        ),
        (
            raw_answer(b"[]", "Content-Encoding: gzip", "Content-Type: application/json"),
            "The answer of probe cannot be read: it is badly packed.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"
            b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"[]")[:-5],
            "The answer of probe cannot be read: it broke off.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n[...",
            "probe broke off its answer.",
        ),
    ],
)
async def test_an_answer_that_cannot_be_read_is_told_from_one_that_broke_off(
    connect: Connect, back: Recorder, said: bytes, words: str
):
    async with Raw(said) as server:
        connect(server.url).send(call(1))
        await back.message()
    assert errors(back)[0]["message"] == words


async def test_a_redirect_in_circles_ends(play: Open, connect: Connect, back: Recorder):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return web.Response(status=308, headers={"Location": "/mcp"})

    connect((await play(answer)).url).send(call(1))
    await back.message()
    assert errors(back)[0]["message"] == "probe redirects in circles."


async def test_a_proxy_is_used_for_other_machines_but_not_for_this_one(
    play: Open, connect: Connect, back: Recorder, monkeypatch: pytest.MonkeyPatch
):
    proxy, local = await play(accept), await play(accept)
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    connect("http://mcp.example.invalid/mcp").send(call(1))
    connect(local.url).send(call(2))
    await back.message(2)
    assert [asked.body for asked in proxy.asked] == [call(1)]
    assert [asked.body for asked in local.asked] == [call(2)]


async def test_a_certificate_nobody_vouches_for_is_refused(connect: Connect, back: Recorder, tmp_path: Path):
    stage = await Stage(accept).open(tls=self_signed(tmp_path))
    connect(stage.url).send(call(1))
    await back.message()
    assert errors(back)[0]["message"] == "Could not reach probe: the certificate of 127.0.0.1 is not trusted."
    assert stage.asked == []
    await stage.close()


def self_signed(place: Path):
    import datetime
    import ssl

    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (place / "pem").write_bytes(plain + certificate.public_bytes(pem))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(place / "pem")
    return context


# --- servers others wrote ----------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["stream", "json"])
def sdk(request: pytest.FixtureRequest) -> Iterator[str]:
    command = [sys.executable, str(FIXTURES / "sdk_server.py"), f"--{request.param}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    process.kill()
    process.communicate()


def hello(capabilities: dict[str, object]) -> bytes:
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": {"name": "t", "version": "1"},
    }
    return json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).encode()


def tool(
    number: int, name: str, arguments: dict[str, object], meta: Mapping[str, object] | None = None
) -> bytes:
    params = {"name": name, "arguments": arguments, "_meta": meta or {"progressToken": number}}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()


def result(message: bytes) -> str:
    found: str = json.loads(message)["result"]["content"][0]["text"]
    return found


async def replied(back: Recorder, number: int) -> bytes:
    def found() -> list[bytes]:
        messages = [(json.loads(message), message) for message in back.messages]
        return [raw for read, raw in messages if read.get("id") == number and "method" not in read]

    await back.until(lambda: bool(found()))
    return found()[0]


async def test_the_sdks_server_works_in_the_legacy_era(sdk: str, connect: Connect, back: Recorder):
    connection = connect(sdk)
    connection.send(hello({"elicitation": {}}))
    connection.send(INITIALIZED)
    connection.send(tool(1, "add", {"a": 2, "b": 3}))
    assert result(await replied(back, 1)) == "5"
    connection.send(tool(2, "count", {"to": 3}))
    assert result(await replied(back, 2)) == "done"
    await finished(connection)
    assert back.endings == []


@pytest.mark.parametrize("sdk", ["stream"], indirect=True)  # in JSON it has no way to ask
async def test_the_sdks_server_asks_mid_call_in_the_legacy_era(sdk: str, connect: Connect, back: Recorder):
    connection = connect(sdk)
    connection.send(hello({"elicitation": {}}))
    connection.send(INITIALIZED)
    connection.send(tool(1, "order", {}))
    await back.until(lambda: any(b"elicitation/create" in message for message in back.messages))
    asked = next(json.loads(message) for message in back.messages if b"elicitation/create" in message)
    answer = {
        "jsonrpc": "2.0",
        "id": asked["id"],
        "result": {"action": "accept", "content": {"drink": "tea"}},
    }
    connection.send(json.dumps(answer).encode())
    assert result(await replied(back, 1)) == "one tea"


async def test_the_sdks_server_works_in_the_modern_era(sdk: str, connect: Connect, back: Recorder):
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "progressToken": "p",
    }
    connection = connect(sdk)
    connection.send(tool(1, "add", {"a": 2, "b": 3}, meta))
    connection.send(tool(2, "größer – naïve", {"a": 1}, meta))
    connection.send(tool(3, "count", {"to": 3}, meta))
    assert [result(await replied(back, number)) for number in (1, 2, 3)] == ["5", "2", "done"]
    await finished(connection)


@needs_everything
async def test_the_official_everything_server_answers_over_http(connect: Connect, back: Recorder):
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    command = (str(NODE), str(EVERYTHING), "streamableHttp")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command, env={"PORT": str(port)}, stderr=pipe, stdout=pipe
    )
    try:
        assert process.stderr is not None
        while f"port {port}".encode() not in await process.stderr.readline():
            pass
        connection = connect(f"http://127.0.0.1:{port}/mcp")
        connection.send(hello({"elicitation": {}}))
        connection.send(INITIALIZED)
        connection.send(tool(1, "echo", {"message": "hi"}))
        assert result(await replied(back, 1)) == "Echo: hi"
        connection.send(tool(2, "trigger-long-running-operation", {"duration": 0.2, "steps": 2}))
        await replied(back, 2)
        progress = [
            at for m, at in zip(back.messages, back.about, strict=True) if b"notifications/progress" in m
        ]
        assert progress == [b"2", b"2"]
        await finished(connection)
    finally:
        process.kill()
        await process.communicate()
