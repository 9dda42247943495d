"""Each application's own token, over HTTP: it proves who asks, and can be revoked."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bridge.settings.host_tokens import RevokedToken
from bridge.transports.http import response as http_response
from bridge.transports.http.server import HttpServer
from tests.bridge.transports.http.http_rig import TOKEN, Host, Recorder, modern, pack, start
from tests.fixtures.patience import NEVER

PING = pack({"id": 9, "method": "echo/ping", "params": {}})
MINE = {"Authorization": "Bearer mine"}


class Tokens:
    """Cursor has a token, until it is revoked."""

    revoked = False

    def host(self, token: str) -> str:
        if token == "mine" and self.revoked:
            raise RevokedToken("Cursor")
        return {"mine": "Cursor", "his": "Zed"}.get(token, "")


@pytest.fixture
def tokens() -> Tokens:
    return Tokens()


@pytest.fixture
async def front() -> Recorder:
    return Recorder()


@pytest.fixture(params=[True, False])
async def host(
    front: Recorder, tokens: Tokens, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Host]:
    monkeypatch.setattr(HttpServer, "fast", request.param)
    monkeypatch.setattr(http_response, "STREAM_AFTER", NEVER)
    transport = HttpServer(front, TOKEN, set, identify=tokens.host)
    host = Host(await start(transport))
    yield host
    host.leave()
    await transport.stop()


async def test_a_modern_request_is_of_the_application_whose_token_it_has(host: Host, front: Recorder) -> None:
    body, headers = modern()
    await host.ask("POST", "/mcp", body, {**headers, **MINE})
    await host.ask("POST", "/mcp", body, headers)
    callers = list(front.callers.values())
    assert [caller.identity for caller in callers] == ["Cursor", ""]
    assert callers[0].tenant != callers[1].tenant


async def test_a_session_is_for_the_token_that_began_it(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    assert (await host.ask("POST", "/mcp", PING, session)).status == 200
    assert (await host.ask("POST", "/mcp", PING, {**session, **MINE})).status == 404


async def test_a_revoked_token_and_an_unknown_one_are_refused(host: Host, tokens: Tokens) -> None:
    body, headers = modern()
    tokens.revoked = True
    refused = await host.ask("POST", "/mcp", body, {**headers, **MINE})
    assert refused.status == 401
    assert "revoked" in refused.json["error"]["message"]
    unknown = await host.ask("POST", "/mcp", body, {**headers, "Authorization": "Bearer nobody"})
    assert (unknown.status, "revoked" in unknown.json["error"]["message"]) == (401, False)
    assert (await host.ask("POST", "/mcp", body, headers)).status == 200
