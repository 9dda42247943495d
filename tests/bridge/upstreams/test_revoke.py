"""Signing out revokes both tokens at the server that gave them, with the client's own credentials."""

from __future__ import annotations

import json
import threading
from base64 import b64decode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs

import pytest

from bridge.upstreams.oauth.revoke import FAILED, NO_ENDPOINT, REVOKED, revoke

TOKENS = {"access_token": "short", "refresh_token": "long"}


class Server(HTTPServer):
    status = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[dict[str, str], str]] = []  # form, Authorization

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/revoke"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self.server.asked.append((form, self.headers.get("Authorization", "")))
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def saved(endpoint: str, **client: str) -> str:
    metadata = {"revocation_endpoint": endpoint}
    return json.dumps({"tokens": TOKENS, "client": {"client_id": "me:1", **client}, "metadata": metadata})


@pytest.mark.parametrize(
    ("client", "secret_sent", "authorization"),
    [
        ({}, None, ""),
        ({"token_endpoint_auth_method": "client_secret_basic"}, None, ""),
        ({"client_secret": "s/1"}, "s/1", ""),
        ({"client_secret": "s/1", "token_endpoint_auth_method": "client_secret_post"}, "s/1", ""),
        (
            {"client_secret": "s/1", "token_endpoint_auth_method": "client_secret_basic"},
            None,
            "me%3A1:s%2F1",
        ),
    ],
)
async def test_a_client_proves_itself_as_it_was_registered(
    client: dict[str, str], secret_sent: str | None, authorization: str, server: Server
):
    assert await revoke(saved(server.address, **client)) == REVOKED
    hints = [(form["token"], form["token_type_hint"]) for form, _ in server.asked]
    assert hints == [("long", "refresh_token"), ("short", "access_token")]
    for form, header in server.asked:
        assert (form["client_id"], form.get("client_secret")) == ("me:1", secret_sent)
        assert b64decode(header.removeprefix("Basic ")).decode() == authorization


async def test_a_server_that_refuses_has_not_revoked(server: Server):
    server.status = 503
    assert await revoke(saved(server.address)) == FAILED


@pytest.mark.parametrize("endpoint", ["", "http://example.org/revoke"])
async def test_no_token_is_sent_where_others_can_read_it(endpoint: str):
    assert await revoke(saved(endpoint)) == NO_ENDPOINT
