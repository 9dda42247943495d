"""Sign-ins and refreshes from the first request to the last, at a server whose addresses are odd."""

from __future__ import annotations

import asyncio
import json
import socket
import urllib.request
from collections.abc import AsyncIterator, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import pytest

from bridge.core.ports import ServerSpec
from bridge.errors import NetworkError
from bridge.system.oauth_callback import OAuthCallback
from bridge.token_refresh.refresh import SealedRefresh
from bridge.upstreams.http.failures import RequestFailed
from bridge.upstreams.oauth.flow import OAuthFlow
from bridge.upstreams.oauth.saved_tokens import SavedTokens
from tests.fixtures.patience import WITHIN


class Answers(BaseHTTPRequestHandler):
    club: Club

    def do_GET(self) -> None:
        known = self.path.startswith("/.well-known/oauth-authorization-server")
        self._say(200, self.club.metadata) if known else self._say(404, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.club.posts.append(self.path)
        if self.path == "/odd/register":
            self._say(201, {**json.loads(body), "client_id": f"client {len(self.club.posts)}"})
        elif self.path == "/odd/token" and not self.club.refuses:
            number = len(self.club.posts)
            self._say(
                200, {"access_token": f"a{number}", "refresh_token": f"r{number}", "token_type": "Bearer"}
            )
        else:
            self._say(400, {"error": "invalid_grant"})

    def _say(self, status: int, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@dataclass
class Club:
    base: str
    posts: list[str] = field(default_factory=list)
    refuses: bool = False
    visits: list[str] = field(default_factory=list)
    saved: SavedTokens = field(default_factory=SavedTokens)
    saves: list[SavedTokens] = field(default_factory=list)
    at_visit: list[SavedTokens] = field(default_factory=list)
    pages: list[asyncio.Task[str]] = field(default_factory=list)

    @property
    def metadata(self) -> dict[str, Any]:
        ways = {"authorization": "authorize", "token": "token", "registration": "register"}
        ends = {f"{name}_endpoint": f"{self.base}/odd/{path}" for name, path in ways.items()}
        return {"issuer": self.base, "response_types_supported": ["code"], **ends}

    async def save(self) -> None:
        self.saves.append(deepcopy(self.saved))

    async def browse(self, url: str, _: object) -> None:
        self.visits.append(url)
        self.at_visit.append(deepcopy(self.saved))
        asked = parse_qs(urlsplit(url).query)
        back = f"{asked['redirect_uri'][0]}?code=c&state={asked['state'][0]}"

        def read() -> str:
            return str(urllib.request.urlopen(back, timeout=WITHIN).read().decode())

        self.pages.append(asyncio.create_task(asyncio.to_thread(read)))

    def flow(self, sealed: object = None, **oauth: str) -> OAuthFlow:
        spec = ServerSpec("club", url=f"{self.base}/mcp", oauth=oauth)
        return OAuthFlow(spec, self.saved, self.save, self.browse, cast(SealedRefresh, sealed))


@pytest.fixture
async def club() -> AsyncIterator[Club]:
    with serving() as server:
        made = Club(f"http://127.0.0.1:{server.server_port}")
        server.RequestHandlerClass.club = made  # type: ignore[attr-defined]
        yield made
        await asyncio.gather(*made.pages, return_exceptions=True)


class serving:  # noqa: N801 - a context manager
    def __enter__(self) -> ThreadingHTTPServer:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Answers,), {}))
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self._server

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def taken() -> Iterator[int]:
    """A port of this machine that is in use."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        yield held.getsockname()[1]


class Worker:
    """Sends no refresh in a process of its own, and notes what it is asked for."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.settled = 0
        self.seal_was_saved = False

    async def unsaved(self, *_: object) -> None:
        self.seal_was_saved = bool(self.club.saves and self.club.saves[-1].seal)

    async def send(self, request: Any) -> Any:
        from bridge.http_client.client import HttpClient

        async with HttpClient() as http:
            return await http.request("POST", request.url, content=request.body, headers=request.headers)

    def settle(self) -> None:
        self.settled += 1


async def test_a_sign_in_keeps_all_that_a_refresh_after_a_restart_needs(club: Club):
    await club.flow().sign_in("2025-11-25", 401, [])
    assert club.saved.token == "a2"
    assert "Signed in to club" in await club.pages[0]
    assert club.saves[0].client  # before the person comes: the registration is not lost if they never do
    assert not club.saves[0].tokens
    assert await club.flow().refresh("2025-11-25")
    assert club.posts == ["/odd/register", "/odd/token", "/odd/token"]
    assert club.saves[-1].token == "a3"


@pytest.mark.parametrize("lost", ["client", "tokens"])
async def test_without_a_refresh_token_or_a_client_nothing_is_sent(club: Club, lost: str):
    await club.flow().sign_in("", 401, [])
    setattr(club.saved, lost, {})
    sent = len(club.posts)
    assert not await club.flow().refresh("")
    assert len(club.posts) == sent


async def test_a_refused_refresh_is_none_and_its_answer_stays_sealed(club: Club):
    await club.flow().sign_in("", 401, [])
    worker = Worker(club)
    assert await club.flow(worker).refresh("")
    assert (worker.settled, worker.seal_was_saved) == (1, True)
    club.refuses = True
    assert not await club.flow(worker).refresh("")
    assert worker.settled == 1


async def test_another_redirect_address_is_registered_anew_and_the_same_one_is_not(club: Club, taken: int):
    await club.flow().sign_in("", 401, [])
    await club.flow().sign_in("", 401, [])
    assert club.posts.count("/odd/register") == 1
    club.saved.port = taken
    await club.flow().sign_in("", 401, [])
    assert club.posts.count("/odd/register") == 2
    assert club.saved.port != taken


async def test_a_refused_token_is_forgotten_and_one_that_lacks_a_scope_is_kept(club: Club):
    await club.flow().sign_in("", 401, [])
    await club.flow().sign_in("", 401, [])
    assert not club.at_visit[-1].tokens
    club.saved.metadata = {
        **club.saved.metadata,
        "authorization_endpoint": f"{club.base}/as/it/was/discovered",
    }
    await club.flow().sign_in("", 403, ['Bearer error="insufficient_scope", scope="more"'])
    assert club.at_visit[-1].tokens
    assert club.visits[-1].startswith(f"{club.base}/as/it/was/discovered?")


async def test_a_sign_in_that_the_server_ends_fails_in_words_and_saves_no_success(club: Club):
    club.refuses = True
    with pytest.raises(RequestFailed, match="sign-in to club failed"):
        await club.flow().sign_in("", 401, [])
    assert "Not signed in" in await club.pages[0]
    assert not club.saved.token


async def test_where_no_browser_can_come_back_to_nobody_is_asked(club: Club, monkeypatch: pytest.MonkeyPatch):
    async def no_port(_: OAuthCallback) -> OAuthCallback:
        raise NetworkError("No port is free")

    monkeypatch.setattr(OAuthCallback, "__aenter__", no_port)
    with pytest.raises(RequestFailed, match="Could not sign in to club: No port is free"):
        await club.flow().sign_in("", 401, [])
    assert not club.visits
