"""Signing in to a server: what may be visited, who may come back, and what is refused."""

from __future__ import annotations

import asyncio
import html
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.shared.auth import OAuthClientMetadata
from pydantic import AnyUrl

from bridge.core.ports import ServerSpec
from bridge.core.questions.question import CANCEL, DECLINE, Answer
from bridge.core.routing.connections.sign_in_state import NEEDED, SETTLED, UNDER_WAY
from bridge.system.oauth_callback import OAuthCallback
from bridge.upstreams import unchanged
from bridge.upstreams.http.failures import RequestFailed
from bridge.upstreams.oauth.flow import OAuthFlow, Storage
from bridge.upstreams.oauth.saved_tokens import SavedTokens
from bridge.upstreams.oauth.sign_in import PREFIX, SignIn, SignIns
from bridge.vault.base import Vault
from bridge.vault.memory import MemoryStore
from tests.fixtures.patience import WITHIN

SPEC = ServerSpec("club", url="http://127.0.0.1:9/mcp")


async def visit(callback: OAuthCallback, path: str) -> tuple[int, str]:
    def fetch() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{callback.port}{path}", timeout=WITHIN) as page:
                return page.status, page.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    return await asyncio.to_thread(fetch)


# --- coming back ------------------------------------------------------------------------------------------


async def test_only_the_visit_that_is_expected_counts():
    async with OAuthCallback() as callback:
        assert callback.address == f"http://127.0.0.1:{callback.port}/callback"
        assert (await visit(callback, "/callback?state=early"))[0] == 400
        callback.expect("right")
        assert (await visit(callback, "/elsewhere"))[0] == 404
        assert (await visit(callback, "/callback?state=wrong&code=evil"))[0] == 400
        status, page = await visit(callback, "/callback?state=right&code=good&iss=x")
        assert (status, "close this page" in page) == (200, True)
        assert (await visit(callback, "/callback?state=right&code=good&iss=x"))[0] == 200
        assert (await visit(callback, "/callback?state=right&code=late"))[0] == 409
        assert await callback.answer(1.0) == {"state": "right", "code": "good", "iss": "x"}


@pytest.mark.parametrize("said", [("Signed in to <club>", ""), ("Not signed in", "You did not allow it.")])
async def test_the_page_waits_for_how_it_ends_and_says_so(said: tuple[str, str]):
    async with OAuthCallback() as callback:
        callback.expect("right")
        answer = asyncio.create_task(callback.answer(5))
        page = asyncio.create_task(visit(callback, "/callback?state=right&code=x"))
        await answer
        assert not page.done()
        callback.show_outcome(*said)
        callback.show_outcome("Too late")
        assert (
            f"<h1>{html.escape(said[0])}</h1><p>{said[1]} You can close".replace("> ", ">") in (await page)[1]
        )


@pytest.mark.parametrize(
    ("target", "host", "status"),
    [
        ("/callback?state=%C3%A9", "127.0.0.1:{}", b"400"),
        ("http://[", "127.0.0.1:{}", b"400"),
        ("/callback?state=right", "evil.example:{}", b"421"),
        ("/callback?state=right", "127.0.0.1:{}", b"200"),
    ],
)
async def test_every_visitor_gets_an_answer_and_a_page_that_can_do_nothing(
    target: str, host: str, status: bytes
):
    async with OAuthCallback() as callback:
        callback.expect("right")
        reader, writer = await asyncio.open_connection("127.0.0.1", callback.port)
        writer.write(f"GET {target} HTTP/1.1\r\nHost: {host.format(callback.port)}\r\n\r\n".encode())
        said = await asyncio.wait_for(reader.read(), WITHIN)
        writer.close()
    assert said.split(b" ")[1] == status
    assert b"Content-Security-Policy: default-src 'none'" in said


async def test_a_browser_that_never_comes_back_is_not_waited_for_for_ever():
    async with OAuthCallback() as callback:
        callback.expect("right")
        with pytest.raises(TimeoutError):
            await callback.answer(0.01)


async def test_the_port_of_last_time_is_used_again_if_it_is_free():
    async with OAuthCallback() as first, OAuthCallback(first.port) as second:
        assert second.port != first.port
    async with OAuthCallback(first.port) as again:
        assert again.port == first.port


# --- where it may go --------------------------------------------------------------------------------------


async def nothing(*_: Any) -> None:
    return None


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://login.example.com/authorize", True),
        ("http://127.0.0.1:9000/authorize", True),
        ("http://localhost/authorize", True),
        ("http://login.example.com/authorize", False),
        ("file:///etc/passwd", False),
        ("a:$(touch /tmp/x)?x=1", False),
    ],
)
def test_only_encrypted_addresses_and_this_machine_are_visited(url: str, allowed: bool):
    """An address is data, whatever it looks like (CVE-2025-6514)."""
    flow = OAuthFlow(SPEC, SavedTokens(), nothing, nothing)
    if allowed:
        flow._check(url)
    else:
        with pytest.raises(OAuthFlowError, match="not an https address"):
            flow._check(url)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:9000",
        "localhost",
        "x.LOCALHOST.",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "[fe80::1]",
        "[fd00::1]",
        "0.0.0.0",
        "127.1",
        "2130706433",
        "0x7f.1",
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_on_the_internet_sends_nobody_into_the_house(scheme: str, host: str):
    far = OAuthFlow(ServerSpec("far", url="https://mcp.example.com/mcp"), SavedTokens(), nothing, nothing)
    with pytest.raises(OAuthFlowError):
        far._check(f"{scheme}://{host}/token")


@pytest.mark.parametrize("own", ["http://localhost:1/mcp", "https://10.0.0.2/mcp"])
def test_a_server_of_the_house_may_name_another_one_there(own: str):
    OAuthFlow(ServerSpec("near", url=own), SavedTokens(), nothing, nothing)._check("https://10.0.0.1/token")


@pytest.mark.parametrize("host", ["login.example.com", "93.184.215.14", "[2606:4700::1111]"])
def test_a_server_on_the_internet_may_name_another_one_there(host: str):
    far = OAuthFlow(ServerSpec("far", url="https://mcp.example.com/mcp"), SavedTokens(), nothing, nothing)
    far._check(f"https://{host}/token")


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"error": "access_denied", "state": "s"}, RequestFailed, "You did not allow"),
        ({"error": "server_error", "error_description": "out of tea"}, OAuthFlowError, "out of tea"),
    ],
)
def test_a_refusal_in_the_browser_is_told_in_words(given: dict[str, str], error: type, words: str):
    with pytest.raises(error, match=words):
        OAuthFlow(SPEC, SavedTokens(), nothing, nothing)._result(given)


# --- when the person is asked -----------------------------------------------------------------------------


class Server:
    """An authorisation server in this process, as far as it gets before the person is asked."""

    def __init__(self, answers: list[Answer]) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self.told: list[tuple[str, str]] = []
        self.vault = Vault(MemoryStore())
        self.opened: list[str] = []
        self.meanwhile: Callable[[], None] = lambda: None
        self.sign_in = SignIn(SPEC, self.vault, unchanged, self._ask, self._tell, self._show)

    async def _ask(self, spec: ServerSpec, url: str) -> Answer:
        self.asked.append(url)
        self.meanwhile()
        return self.answers.pop(0)

    async def _show(self, url: str) -> bool:
        self.opened.append(url)
        return True

    def _tell(self, server: str, state: str) -> None:
        self.told.append((server, state))

    async def refused(self) -> str:
        with pytest.raises(RequestFailed) as raised:
            await self.sign_in.renew("", "", 401, [], True)
        return raised.value.words


async def answered(self: OAuthFlow, http: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
    origin = "http://127.0.0.1:9"
    known: dict[str, dict[str, Any]] = {
        "/.well-known/oauth-protected-resource/mcp": {
            "resource": SPEC.url,
            "authorization_servers": [origin],
        },
        "/.well-known/oauth-authorization-server": {
            "issuer": origin,
            "authorization_endpoint": f"{origin}/authorize",
            "token_endpoint": f"{origin}/token",
            "registration_endpoint": f"{origin}/register",
            "response_types_supported": ["code"],
        },
        "/register": {"client_id": "me", "redirect_uris": ["http://127.0.0.1/callback"]},
    }
    found = known.get(request.url.path)
    return httpx2.Response(404 if found is None else 200, json=found or {}, request=request)


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OAuthFlow, "_sent", answered)


@pytest.mark.parametrize(("answer", "words"), [(DECLINE, "You declined"), (CANCEL, "was not approved")])
async def test_who_declines_is_left_alone_until_he_wants_it(answer: Answer, words: str, no_network: None):
    server = Server([answer, answer])
    for _ in range(3):
        assert words in await server.refused()
    assert len(server.asked) == 1
    assert server.told == [("club", UNDER_WAY), ("club", NEEDED)]
    server.sign_in.reread_vault()
    await server.refused()
    assert len(server.asked) == 2
    server.vault.close()


async def test_who_gives_a_server_another_secret_may_be_asked_again_at_once(no_network: None):
    server = Server([DECLINE, DECLINE])
    await server.refused()
    server.sign_in.end_pause()
    assert server.told[-1] == ("club", SETTLED)
    await server.refused()
    assert len(server.asked) == 2
    server.vault.close()


async def test_another_secret_does_not_disturb_a_sign_in_that_is_under_way(no_network: None):
    server = Server([DECLINE])
    server.meanwhile = server.sign_in.end_pause
    assert "You declined" in await server.refused()
    assert server.told == [("club", UNDER_WAY), ("club", NEEDED)]
    server.vault.close()


async def test_many_refusals_at_once_are_one_question(no_network: None):
    server = Server([DECLINE])
    said = await asyncio.gather(
        *(server.sign_in.renew("", "", 401, [], True) for _ in range(10)), return_exceptions=True
    )
    assert all(isinstance(one, RequestFailed) for one in said)
    assert len(server.asked) == 1
    server.vault.close()


async def test_a_stream_in_the_background_asks_nobody(no_network: None):
    server = Server([])
    assert await server.sign_in.renew("", "", 401, [], False) is False
    assert server.asked == []
    server.vault.close()


async def test_tokens_of_another_address_under_the_same_name_are_never_shown():
    server = Server([])
    kept = b'{"url":"http://127.0.0.1:10/mcp","tokens":{"access_token":"other"}}'
    await server.vault.set(PREFIX + "club", kept.decode())
    assert await server.sign_in.token() == ""
    await server.vault.set(PREFIX + "club", kept.replace(b":10/", b":9/").decode())
    server.sign_in.reread_vault()
    assert await server.sign_in.token() == "other"
    server.vault.close()


async def test_a_server_with_another_address_is_another_sign_in():
    ins = SignIns(Vault(MemoryStore()), unchanged, nothing, lambda *_: None)  # type: ignore[arg-type]
    one = ins.of(SPEC)
    assert ins.of(SPEC) is one
    assert ins.of(ServerSpec("club", url="https://other.example")) is not one
    ins.reread_vault("nobody")
    ins.end_pause("nobody")
    ins.end_pause("club")
    ins.close()


async def test_the_private_initialize_of_the_mcp_sdk_loads_what_is_stored():
    """pyproject.toml bounds mcp to the versions for which this was checked; flow.py calls it."""
    tokens = {"access_token": "a", "refresh_token": "r", "token_type": "Bearer"}
    client = {"client_id": "me", "redirect_uris": ["http://127.0.0.1/callback"]}
    saved = SavedTokens(url=SPEC.url, tokens=tokens, client=client)

    async def save() -> None:
        pass

    metadata = OAuthClientMetadata(redirect_uris=[AnyUrl("http://127.0.0.1/callback")])
    provider = OAuthClientProvider(SPEC.url, metadata, Storage(saved, save))
    await provider._initialize()
    assert provider.context.current_tokens is not None
    assert provider.context.current_tokens.refresh_token == "r"
    assert provider.context.client_info is not None
    assert provider.context.client_info.client_id == "me"
    provider.context.token_expiry_time = 1.0
    assert not provider.context.is_token_valid()
    assert provider.context.can_refresh_token()
