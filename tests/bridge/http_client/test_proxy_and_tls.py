"""Every HTTP client goes through the configured proxy, trusts the system's store, and never avoids either."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from bridge.core.ports import ServerSpec
from bridge.errors import NetworkError
from bridge.http_client.client import HttpClient
from bridge.http_client.proxy_and_tls import UnusableProxy, proxy_for
from bridge.updates.source import Source, latest
from bridge.upstreams.http.connection import RemoteConnection
from bridge.upstreams.http.failures import RequestFailed
from bridge.upstreams.http.fast.dialer import Dialer
from bridge.upstreams.http.fast.http1 import ConnectionPool
from bridge.upstreams.oauth import revoke
from bridge.upstreams.oauth.flow import OAuthFlow
from bridge.upstreams.oauth.saved_tokens import SavedTokens
from tests.fixtures.http_proxy import HttpProxy
from tests.fixtures.private_ca import private_ca
from tests.fixtures.recording_back import Recorder

FAR = "mcp.example.invalid"
VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "REQUEST_METHOD")


@pytest.fixture(autouse=True)
def no_proxy_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


class Origin:
    """A TLS server for FAR and localhost; its certificate is signed by a private authority."""

    def __init__(self, port: int, ca: Path) -> None:
        self.port = port
        self.ca = ca
        self.paths: list[str] = []


@pytest.fixture
async def origin(tmp_path: Path) -> AsyncIterator[Origin]:
    async def serve(request: web.Request) -> web.Response:
        made.paths.append(request.path)
        return web.json_response({"version": "9.0"})

    ca, tls = private_ca(tmp_path, FAR, "localhost")
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", serve)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
    made = Origin(runner.addresses[0][1], ca)
    yield made
    await runner.cleanup()


@pytest.fixture
async def proxy(origin: Origin, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[HttpProxy]:
    monkeypatch.setenv("SSL_CERT_FILE", str(origin.ca))
    async with HttpProxy(origin.port) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        yield proxy


# --- the clients: each sends one request, and raises what its user would see ------------------------------


async def by_fast_client(url: str) -> None:
    pool = ConnectionPool(await asyncio.to_thread(Dialer, url, {}))
    try:
        (await pool.request("GET", url, {})).close()
    finally:
        pool.close()


async def by_rare_client(url: str) -> None:
    async with HttpClient() as http:
        await http.request("GET", url)


async def by_update_check(url: str) -> None:
    assert await latest(Source(url), 0) == ("9.0", None)


async def by_sign_in(url: str) -> None:
    async def nothing(*_: Any) -> None:
        return None

    await OAuthFlow(ServerSpec("club", url=url), SavedTokens(url=url), nothing, nothing).sign_in("", 401, [])


async def by_revocation(url: str) -> None:
    kept = SavedTokens(tokens={"access_token": "a"}, metadata={"revocation_endpoint": url})
    if await revoke.revoke(msgspec.json.encode(kept).decode()) != revoke.REVOKED:
        raise OSError("not revoked")


Client = Callable[[str], Awaitable[None]]
CLIENTS = [by_fast_client, by_rare_client, by_update_check, by_sign_in, by_revocation]
every_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)


@every_client
async def test_a_request_goes_through_the_proxy_by_connect(client: Client, origin: Origin, proxy: HttpProxy):
    try:
        await client(f"https://{FAR}/latest")
    except RequestFailed:  # this origin is no authorization server; the request arrived there all the same
        assert client is by_sign_in
    assert set(proxy.requests) == {f"CONNECT {FAR}:443".encode()}
    assert origin.paths


@every_client
async def test_no_proxy_is_honoured(
    client: Client, origin: Origin, proxy: HttpProxy, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NO_PROXY", "example.invalid")
    with pytest.raises((OSError, NetworkError, RequestFailed)):  # FAR has no address
        await client(f"https://{FAR}/latest")
    assert (proxy.heads, origin.paths) == ([], [])


@every_client
async def test_this_machine_is_reached_directly(client: Client, origin: Origin, proxy: HttpProxy):
    try:
        await client(f"https://localhost:{origin.port}/latest")
    except RequestFailed:
        assert client is by_sign_in
    assert origin.paths
    assert proxy.heads == []


@pytest.mark.parametrize("kind", ["socks5://127.0.0.1:9", "socks5h://127.0.0.1:9", "socks4://127.0.0.1:9"])
@pytest.mark.parametrize("client", CLIENTS[:-1], ids=lambda client: client.__name__)
async def test_a_socks_proxy_is_refused_in_words(
    client: Client, kind: str, origin: Origin, proxy: HttpProxy, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("HTTPS_PROXY")
    monkeypatch.setenv("ALL_PROXY", kind)
    with pytest.raises((OSError, NetworkError, RequestFailed), match=r"ALL_PROXY names a SOCKS.*HTTPS_PROXY"):
        await client(f"https://{FAR}/latest")


async def test_revocation_stays_away_from_a_socks_proxy_too(
    origin: Origin, proxy: HttpProxy, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HTTPS_PROXY", "socks5://127.0.0.1:9")
    with pytest.raises(OSError, match="not revoked"):
        await by_revocation(f"https://{FAR}/revoke")


async def test_a_server_behind_a_socks_proxy_says_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    back = Recorder()
    connection = RemoteConnection(1, ServerSpec("probe", url=f"https://{FAR}/mcp"), back)
    await connection.closed()
    assert (await back.ending()).startswith("Could not reach probe: ALL_PROXY names a SOCKS proxy")


async def test_plain_http_goes_through_the_proxy_in_absolute_form(monkeypatch: pytest.MonkeyPatch):
    async def serve(request: web.Request) -> web.Response:
        return web.Response(text=str(request.url))

    app = web.Application()
    app.router.add_get("/mcp", serve)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with HttpProxy(runner.addresses[0][1]) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        await by_fast_client(f"http://{FAR}/mcp")
        assert proxy.requests == [f"GET http://{FAR}/mcp".encode()]
    await runner.cleanup()


# --- certificates -----------------------------------------------------------------------------------------


@every_client
async def test_a_private_authority_is_trusted_once_it_is_in_the_store(
    client: Client, origin: Origin, monkeypatch: pytest.MonkeyPatch
):
    url = f"https://localhost:{origin.port}/latest"
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with pytest.raises((OSError, NetworkError, RequestFailed)):
        await client(url)
    assert origin.paths == []
    monkeypatch.setenv("SSL_CERT_FILE", str(origin.ca))
    try:
        await client(url)
    except RequestFailed:
        assert client is by_sign_in
    assert origin.paths


# --- which proxy ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("no_proxy", "url", "direct"),
    [
        ("", "https://example.org", False),
        ("*", "https://example.org", True),
        ("example.org", "https://example.org", True),
        ("example.org", "https://a.EXAMPLE.org./x", True),
        (".example.org", "https://a.example.org", True),
        ("*.example.org", "https://a.example.org", True),
        ("example.org", "https://badexample.org", False),
        ("a.org, example.org", "https://example.org", True),
        ("example.org:8443", "https://example.org:8443", True),
        ("example.org:8443", "https://example.org", False),
        ("example.org:443", "https://example.org", True),
        ("192.0.2.7", "https://192.0.2.7", True),
        ("192.0.2.0/24", "https://192.0.2.7", True),
        ("192.0.2.0/24", "https://192.0.3.7", False),
        ("2001:db8::1", "https://[2001:db8::1]/", True),
        ("[2001:db8::1]:8443", "https://[2001:db8::1]:8443/", True),
        ("[2001:db8::1]:8443", "https://[2001:db8::1]/", False),
        ("2001:db8::/32", "https://[2001:db8::1]", True),
        (".", "https://example.org", False),
    ],
)
def test_exceptions_to_the_proxy(monkeypatch: pytest.MonkeyPatch, no_proxy: str, url: str, direct: bool):
    monkeypatch.setenv("ALL_PROXY", "proxy.example.net:3128")
    monkeypatch.setenv("NO_PROXY", no_proxy)
    assert proxy_for(url) == (None if direct else "http://proxy.example.net:3128")


@pytest.mark.parametrize("host", ["localhost", "a.localhost", "127.0.0.1", "127.8.0.1", "[::1]"])
def test_loopback_is_never_sent_through_a_proxy(monkeypatch: pytest.MonkeyPatch, host: str):
    monkeypatch.setenv("ALL_PROXY", "socks5://proxy.example.net")
    assert proxy_for(f"http://{host}:8080/") is None


@pytest.mark.parametrize(
    ("variables", "proxy"),
    [
        ({}, None),
        ({"HTTP_PROXY": "http://a"}, None),
        ({"HTTPS_PROXY": "http://a"}, "http://a"),
        ({"HTTPS_PROXY": "http://a", "https_proxy": "http://b"}, "http://b"),
        ({"HTTPS_PROXY": "http://a", "https_proxy": ""}, None),
        ({"ALL_PROXY": "http://a"}, "http://a"),
        ({"ALL_PROXY": "socks5://a", "HTTPS_PROXY": "http://b"}, "http://b"),
    ],
)
def test_which_variable_counts(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], proxy: str | None):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert proxy_for("https://example.org/") == proxy


def test_a_header_of_a_cgi_request_is_no_proxy(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("REQUEST_METHOD", "GET")
    monkeypatch.setenv("HTTP_PROXY", "http://evil.example")
    assert proxy_for("http://example.org/") is None


def test_an_unknown_kind_of_proxy_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTPS_PROXY", "quic://proxy.example.net")
    with pytest.raises(UnusableProxy, match="HTTPS_PROXY"):
        proxy_for("https://example.org/")
