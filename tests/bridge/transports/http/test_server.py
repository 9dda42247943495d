"""The HTTP server: authentication, refusals, limits of connections, start and stop."""

from __future__ import annotations

import asyncio
import socket

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from bridge import __version__
from bridge.errors import NetworkError
from bridge.transports.http import response as http_response
from bridge.transports.http import server as http_server
from bridge.transports.http.server import HttpServer
from tests.bridge.transports.http.conftest import reply_with_length
from tests.bridge.transports.http.http_rig import (
    LEGACY,
    MODERN,
    TOKEN,
    Host,
    Recorder,
    modern,
    pack,
    start,
)
from tests.fixtures.patience import NEVER, WITHIN

ECHO = pack({"id": 5, "method": "echo/it", "params": {"a": 1}})


@pytest.fixture(autouse=True)
def _replies_are_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_response, "STREAM_AFTER", NEVER)


async def test_health_tells_the_version_to_anybody(host: Host) -> None:
    response = await host.ask("GET", "/health", headers={"Authorization": None})
    assert (response.status, response.json) == (200, {"status": "ok", "version": __version__})
    assert "server" not in response.headers


@pytest.mark.parametrize(
    "given", [None, "Bearer wrong", f"Bearer {TOKEN}x", "Bearer", f"Basic {TOKEN}", TOKEN, "Bearer \xff"]
)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/github", "/length", "/anything"])
async def test_without_the_token_nothing_is_served(
    host: Host, front: Recorder, path: str, given: str | None
) -> None:
    response = await host.ask("POST", path, ECHO, {"Authorization": given})
    assert response.status == 401
    assert response.headers["www-authenticate"] == "Bearer"
    assert "token" in str(response.json["error"])
    assert front.heard == []


async def test_the_word_bearer_may_be_written_in_any_case(host: Host) -> None:
    body, headers = modern()
    response = await host.ask("POST", "/mcp", body, headers | {"Authorization": f"bearer  {TOKEN}"})
    assert response.status == 200


async def test_models_have_tokens_of_their_own_which_open_nothing_else(front: Recorder) -> None:
    def user(headers: dict[bytes, bytes]) -> str:
        return "quiz" if headers.get(b"authorization") == b"Bearer of quiz" else ""

    extra = [Route("/models/length", reply_with_length, methods=["POST"])]
    transport = HttpServer(front, TOKEN, set, lambda: extra, model_user=user)
    host = Host(await start(transport))
    own = {"Authorization": "Bearer of quiz"}
    assert (await host.ask("POST", "/models/length", ECHO)).status == 401
    assert (await host.ask("POST", "/models/length", ECHO, own)).json == {"result": len(ECHO)}
    assert (await host.ask("POST", "/mcp", ECHO, own)).status == 401
    assert front.heard == []
    host.leave()
    await transport.stop()


def test_an_empty_token_is_refused() -> None:
    with pytest.raises(ValueError, match="token"):
        HttpServer(Recorder(), "", set)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
async def test_our_own_names_are_answered_to_with_and_without_the_port(host: Host, name: str) -> None:
    assert (await host.ask("GET", "/health", headers={"Host": name})).status == 200
    assert (await host.ask("GET", "/health", headers={"Host": f"{name}:{host.port}"})).status == 200


@pytest.mark.parametrize(
    "name", ["evil.example", "127.0.0.1:1", "127.0.0.1.evil.example", "localhost@evil", "", None]
)
async def test_another_name_is_refused_even_for_health(host: Host, front: Recorder, name: str | None) -> None:
    for method, path in (("GET", "/health"), ("POST", "/mcp"), ("GET", "/mcp")):
        assert (await host.ask(method, path, ECHO if method == "POST" else b"", {"Host": name})).status == 421
    assert front.heard == []


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:3000", "https://localhost", "http://[::1]:8080", "http://LOCALHOST"]
)
async def test_pages_of_this_computer_may_ask(host: Host, origin: str) -> None:
    response = await host.ask("GET", "/health", headers={"Origin": origin})
    assert response.status == 200
    assert not any(name.startswith("access-control") for name in response.headers)


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://localhost.evil.example", "http://evil.example/?http://localhost",
     "file://", "http://127.0.0.1:80@evil.example", "http://localhost:99999999", ""],
)  # fmt: skip
async def test_pages_from_elsewhere_are_refused_even_with_the_token(
    host: Host, front: Recorder, origin: str
) -> None:
    body, headers = modern()
    assert (await host.ask("POST", "/mcp", body, headers | {"Origin": origin})).status == 403
    assert (await host.ask("GET", "/health", headers={"Origin": origin})).status == 403
    assert front.heard == []


async def test_a_preflight_gets_no_permission(host: Host) -> None:
    asked = {
        "Origin": "http://localhost:3000",
        "Access-Control-Request-Method": "POST",
        "Authorization": None,
    }
    response = await host.ask("OPTIONS", "/mcp", headers=asked)
    assert response.status == 405
    assert not any(name.startswith("access-control") for name in response.headers)


@pytest.mark.parametrize(
    "twice", ["Host", "Authorization", "Mcp-Session-Id", "MCP-Protocol-Version", "Mcp-Method"]
)
async def test_a_header_that_decides_something_may_come_only_once(
    host: Host, front: Recorder, twice: str
) -> None:
    body, headers = modern()
    first = {
        "Host": f"127.0.0.1:{host.port}",
        "Authorization": f"Bearer {TOKEN}",
        "Mcp-Session-Id": "k",
    } | headers
    wire = await host.post(body, first | {twice.lower(): first[twice]})
    response = await wire.response()
    assert (response.status, response.code) == (400, -32020)
    assert front.heard == []


async def test_other_headers_may_come_twice(host: Host) -> None:
    body, headers = modern()
    assert (await host.ask("POST", "/mcp", body, headers | {"X-Trace": "a", "x-trace": "b"})).status == 200


@pytest.mark.parametrize("path", ["/", "/nothing", "/mcpx", "/health/more"])
async def test_an_unknown_path_is_said_in_json(host: Host, path: str) -> None:
    response = await host.ask("GET", path)
    assert (response.status, response.json) == (404, {"error": "Not Found"})


@pytest.mark.parametrize("path", ["/mcp/gitlab", "/mcp/github/more", "/mcp/%2e%2e"])
async def test_an_unknown_server_is_named(host: Host, path: str) -> None:
    response = await host.ask("POST", path, ECHO)
    assert response.status == 404
    assert "no server named" in response.json["error"]["message"]


async def test_a_known_server_is_told_to_the_engine(host: Host, front: Recorder) -> None:
    body, headers = modern()
    assert (await host.ask("POST", "/mcp/github", body, headers)).status == 200
    assert (await host.ask("POST", "/mcp/", body, headers)).status == 200
    assert [caller.server for caller in front.callers.values()] == ["github", ""]
    assert {caller.wire for caller in front.callers.values()} == {"http"}


@pytest.mark.parametrize("method", ["PUT", "PATCH", "HEAD"])
async def test_other_methods_hear_which_ones_exist(host: Host, method: str) -> None:
    wire = await host.wire()
    wire.write(method, "/mcp")
    head = await wire.head()
    assert (head.status, head.headers["allow"]) == (405, "GET, POST, DELETE")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_a_modern_host_has_only_post(host: Host, method: str) -> None:
    response = await host.ask(method, "/mcp", headers={"MCP-Protocol-Version": MODERN})
    assert (response.status, response.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("accept", "status"),
    [("application/json", 406), ("text/event-stream", 406), ("text/html", 406), ("*/*", 200), (None, 200),
     ("application/*, text/*;q=0.5", 200), ("Text/Event-Stream, APPLICATION/JSON;q=1", 200)],
)  # fmt: skip
async def test_a_host_must_take_both_kinds_of_answer(host: Host, accept: str | None, status: int) -> None:
    body, headers = modern()
    assert (await host.ask("POST", "/mcp", body, headers | {"Accept": accept})).status == status


async def test_a_body_that_does_not_claim_to_be_json_is_refused(host: Host) -> None:
    body, headers = modern()
    assert (await host.ask("POST", "/mcp", body, headers | {"Content-Type": "text/plain"})).status == 415
    with_charset = {"Content-Type": "application/json; charset=utf-8"}
    assert (await host.ask("POST", "/mcp", body, headers | with_charset)).status == 200


@pytest.mark.parametrize("path", ["/mcp", "/length"])
async def test_a_body_that_announces_too_much_is_refused_unread(
    host: Host, front: Recorder, path: str
) -> None:
    wire = await host.wire()
    wire.write("POST", path, headers={"Content-Length": str(65 * 1024 * 1024)})
    assert (await wire.response()).status == 413
    assert front.why == ["It sent a message of more than 64 MiB."] * (path == "/mcp")


@pytest.mark.parametrize("path", ["/mcp", "/length"])
async def test_a_body_that_grows_too_long_is_refused(
    host: Host, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "BODY_LIMIT", 300_000)
    wire = await host.wire()
    wire.write("POST", path, headers={"Content-Length": None, "Transfer-Encoding": "chunked"})
    for _ in range(5):
        wire.writer.write(b"%x\r\n%b\r\n" % (100_000, b" " * 100_000))
        await wire.writer.drain()
    assert (await wire.response()).status == 413


async def test_65_mib_are_too_much_in_chunks_too(host: Host, front: Recorder) -> None:
    wire = await host.wire()
    wire.write("POST", "/mcp", headers={"Content-Length": None, "Transfer-Encoding": "chunked"})
    chunk = b"%x\r\n%b\r\n" % (1 << 20, b" " * (1 << 20))
    for _ in range(65):
        wire.writer.write(chunk)
        await wire.writer.drain()
    assert (await wire.response()).status == 413
    assert front.heard == []
    assert front.why == ["It sent a message of more than 64 MiB."]


async def test_a_large_body_arrives_whole(host: Host, front: Recorder) -> None:
    body, headers = modern(params={"text": "x" * 3_000_000})
    response = await host.ask("POST", "/mcp", body, headers)
    assert response.status == 200
    assert front.heard[0].raw == body
    assert len(response.body) > 3_000_000


async def test_a_body_cut_off_by_a_disconnect_is_ignored(host: Host, front: Recorder) -> None:
    body, headers = modern()
    wire = await host.wire()
    wire.write("POST", "/mcp", body[:-20], headers | {"Content-Length": str(len(body))})
    await wire.writer.drain()
    wire.drop()
    assert (await host.ask("POST", "/mcp", body, headers)).status == 200
    assert len(front.heard) == 1


@pytest.mark.parametrize("version", [None, LEGACY, MODERN])
@pytest.mark.parametrize(
    ("body", "code"),
    [(b"{", -32700), (b"", -32700), (b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":"\xff"}}', -32700),
     (b'{"id":1}{"id":2}', -32700), (b'{"params":' + b"[" * 100_000 + b"]" * 100_000 + b"}", -32700),
     (b'"text"', -32600), (b"{}", -32600), (b'{"id":1}', -32600), (b'{"id":{},"method":"a"}', -32600),
     (b'{"id":true,"method":"a"}', -32600), (b'{"id":1,"method":5}', -32600), (b"null", -32600)],
)  # fmt: skip
async def test_a_body_that_is_not_a_message_is_refused_in_both_eras(
    host: Host, front: Recorder, body: bytes, code: int, version: str | None
) -> None:
    response = await host.ask("POST", "/mcp", body, {"MCP-Protocol-Version": version})
    assert (response.status, response.code, response.json["id"]) == (400, code, None)
    assert front.heard == []


async def test_a_message_on_many_lines_reaches_the_engine_on_one(host: Host, front: Recorder) -> None:
    body, headers = modern(params={"text": "a\\nb"})
    assert (await host.ask("POST", "/mcp", body.replace(b",", b",\r\n\t"), headers)).status == 200
    assert front.heard[0].raw == body.replace(b",", b",  \t")


async def test_what_a_host_writes_reaches_the_engine_byte_for_byte(host: Host, front: Recorder) -> None:
    odd = b'"big":123456789012345678901234567890,"\\u00e9":"\xc3\xa9 \\ud83d\\ude00","z":{"b":1E400,"a":-0.0}'
    body, headers = modern()
    body = body[:-2] + b"," + odd + b"}} "
    assert (await host.ask("POST", "/mcp", body, headers)).status == 200
    assert front.heard[0].raw == body


async def test_one_connection_serves_many_requests(host: Host, front: Recorder) -> None:
    wire = await host.wire()
    for number in range(50):
        body, headers = modern(request_id=number)
        wire.write("POST", "/mcp", body, headers)
        response = await wire.response()
        assert response.json["id"] == number
    assert len(front.closed) == 50


async def test_a_taken_port_is_explained() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            NetworkError, match=f"Port {port} cannot be used: Another program uses it. .*--port"
        ):
            await start(HttpServer(Recorder(), TOKEN, set), port)


async def test_a_port_that_does_not_exist_is_explained_too() -> None:
    with pytest.raises(
        NetworkError, match=r"Port 70000 cannot be used: .*0-65535.*under Advanced, or by --port"
    ):
        await start(HttpServer(Recorder(), TOKEN, set), 70000)


async def test_a_port_can_be_taken_again_right_after_it_was_given_back(front: Recorder) -> None:
    first = HttpServer(front, TOKEN, set)
    port = await start(first)
    assert (await Host(port).ask("GET", "/health")).status == 200
    await first.stop()
    again = HttpServer(front, TOKEN, set)
    assert await start(again, port) == port
    await again.stop()


async def test_only_the_loopback_address_listens(host: Host) -> None:
    with socket.socket() as elsewhere:
        elsewhere.bind(("127.0.0.2", host.port))  # would clash with a wildcard listener


async def test_stop_ends_every_request_and_stream(front: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "SHUTDOWN_TIMEOUT", NEVER)
    transport = HttpServer(front, TOKEN, set)
    host = Host(await start(transport))
    session = await host.initialize()
    stream = await host.get(session)
    assert (await stream.head()).status == 200
    call = await host.post(pack({"id": 1, "method": "slow"}), session)
    body, headers = modern("slow", request_id=2)
    modern_call = await host.post(body, headers)
    await front.until(lambda: len(front.heard) == 3)
    idle = await host.wire()

    async with asyncio.timeout(WITHIN):
        await transport.stop()
    for wire in (call, modern_call):
        response = await wire.response()
        assert (response.status, response.code) == (503, -32603)
    assert (await stream.event()).data == ""
    assert await stream.ended()
    assert await asyncio.wait_for(idle.reader.read(), WITHIN) == b""
    assert sorted(front.closed) == sorted(front.callers)
    with pytest.raises(ConnectionRefusedError):
        await host.wire()


async def test_stop_drops_a_host_that_does_not_read(front: Recorder) -> None:
    transport = HttpServer(front, TOKEN, set)
    host = Host(await start(transport))
    wire = await host.post(*modern("slow"))
    heard = await front.hears("slow")
    for _ in range(20):
        front.say(heard.link, "notifications/progress", 1, params={"message": "x" * 1_000_000})
    assert (await wire.head()).status == 200
    async with asyncio.timeout(WITHIN):
        await transport.stop()
    assert front.closed == [heard.link]


async def test_stop_does_not_wait_for_a_route_that_hangs(front: Recorder) -> None:
    cancelled = asyncio.Event()

    async def hang(request: Request) -> JSONResponse:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return JSONResponse({})

    transport = HttpServer(front, TOKEN, set, lambda: [Route("/hang", hang)])
    host = Host(await start(transport))
    wire = await host.wire()
    wire.write("GET", "/hang")
    assert (await host.ask("GET", "/health")).status == 200
    async with asyncio.timeout(WITHIN):
        await transport.stop()
    assert cancelled.is_set()


async def test_stop_without_start_is_nothing(front: Recorder) -> None:
    await HttpServer(front, TOKEN, set).stop()
    assert front.closed == []
