"""Web pages in the person's own browser: whatever a page can send, no tool is called and nothing is told.

A page chooses method, body, some headers and the name it reached us by; it cannot choose Origin, which
browsers add. Each is tried without a token and with one, as if the page had got hold of it.
"""

from __future__ import annotations

import http.client
import json
from pathlib import Path

import pytest

from tests.journeys.app_under_test import WAIT, App, asking, server
from tests.journeys.conftest import Start

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "count", "arguments": {}}}
EVIL = {"Origin": "https://evil.example"}
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TEXT = {"Content-Type": "text/plain", "Accept": "*/*"}
SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "eA==",
}
PAGES: dict[str, tuple[str, str, dict[str, str]]] = {
    "fetch with JSON": ("POST", "/mcp/quiz", EVIL | JSON),
    "a simple request": ("POST", "/mcp/quiz", EVIL | TEXT),
    "a form": ("POST", "/mcp/quiz", EVIL | FORM),
    "a sandboxed frame": ("POST", "/mcp/quiz", {"Origin": "null"} | TEXT),
    "a page in a file": ("POST", "/mcp/quiz", {"Origin": "file://"} | JSON),
    "a name that points here": (
        "POST",
        "/mcp/quiz",
        {"Host": "evil.example", "Origin": "http://evil.example"} | JSON,
    ),
    "such a name without Origin": ("POST", "/mcp/quiz", {"Host": "evil.example"} | JSON),
    "a name that begins like ours": ("POST", "/mcp/quiz", {"Origin": "http://localhost.evil.example"} | JSON),
    "our name as a user": ("POST", "/mcp/quiz", {"Origin": "http://127.0.0.1@evil.example"} | JSON),
    "two origins": ("POST", "/mcp/quiz", {"Origin": "http://127.0.0.1 https://evil.example"} | JSON),
    "another site's fetch": ("POST", "/mcp/quiz", EVIL | {"Sec-Fetch-Site": "cross-site"} | JSON),
    "a preflight": (
        "OPTIONS",
        "/mcp/quiz",
        EVIL | {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"},
    ),
    "an event stream": ("GET", "/mcp/quiz", EVIL | {"Accept": "text/event-stream"}),
    "a web socket": ("GET", "/mcp/quiz", EVIL | SOCKET),
    "a function": ("POST", "/functions/quiz_count", EVIL | TEXT),
    "a script tag": (
        "GET",
        "/openapi.json",
        {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
    ),
    "the end of a session": ("DELETE", "/mcp/quiz", EVIL | {"Mcp-Session-Id": "1"}),
}


def sent(app: App, page: str, token: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    method, path, headers = PAGES[page]
    wire = http.client.HTTPConnection("127.0.0.1", app.port, timeout=WAIT)
    try:
        more = {"Authorization": f"Bearer {token}"} if token else {}
        wire.request(method, path, json.dumps(CALL) if method == "POST" else None, headers | more)
        answer = wire.getresponse()
        return answer.status, answer.headers, answer.read(10_000)
    finally:
        wire.close()


def test_no_web_page_calls_a_tool(start: Start, tmp_path: Path):
    log = tmp_path / "heard"
    app = start(config=server("quiz", asking("legacy"), log))
    for page in PAGES:
        for token in ("", "guessed", app.token):
            status, headers, body = sent(app, page, token)
            assert status in (400, 401, 403, 404, 405, 421), (page, token, status, body)
            assert b"pid" not in body, page
            assert not [name for name in headers if name.lower().startswith("access-control-allow")], page
    assert not log.exists() or "tools/call" not in log.read_text()


@pytest.mark.parametrize("path", ["/health", "/health?callback=steal"])
def test_all_that_is_told_to_anybody_is_the_version(start: Start, path: str):
    app = start()
    wire = http.client.HTTPConnection("127.0.0.1", app.port, timeout=WAIT)
    wire.request("GET", path)
    answer = wire.getresponse()
    assert set(json.loads(answer.read())) <= {"status", "version", "name"}
    wire.close()
