"""OAuthFlow: which addresses get a request, which credentials go with it, and what counts as an answer."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.exceptions import OAuthFlowError
from mcp.client.auth.extensions.client_credentials import (
    ClientCredentialsOAuthProvider,
    PrivateKeyJWTOAuthProvider,
)
from mcp.shared.auth import OAuthClientInformationFull

from bridge.core.ports import ServerSpec
from bridge.http_client.client import HttpClient
from bridge.system.oauth_callback import OAuthCallback
from bridge.upstreams.oauth.flow import OAuthFlow, _reason
from bridge.upstreams.oauth.saved_tokens import SavedTokens

FAR = "https://mcp.example.com/mcp"
METADATA = {
    "issuer": "https://example.com/",
    "authorization_endpoint": "https://example.com/authorize",
    "token_endpoint": "https://example.com/token",
}
RESOURCE = {"resource": FAR, "authorization_servers": ["https://example.com/"]}


async def nothing(*_: Any) -> None:
    return None


def flow(saved: SavedTokens | None = None, url: str = FAR, **oauth: str) -> OAuthFlow:
    return OAuthFlow(ServerSpec("club", url=url, oauth=oauth), saved or SavedTokens(), nothing, nothing)


def provider(made: OAuthFlow) -> OAuthClientProvider:
    return made._provider(OAuthCallback(0))


class Answers(BaseHTTPRequestHandler):
    """Replies with the status in the path, and with the headers and the body of the request."""

    def _reply(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(int(self.path[1:4]))
        self.send_header("X-Sent", ",".join(sorted(name.lower() for name in self.headers)))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = _reply  # noqa: N815 - the names that the base class calls

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("url", ["http://example.com/token", "https://192.168.1.1/token"])
async def test_no_request_goes_to_an_address_that_is_not_allowed(url: str):
    async with HttpClient() as http:
        with pytest.raises(OAuthFlowError, match="is not"):
            await flow()._sent(http, httpx2.Request("GET", url))


@pytest.mark.parametrize("url", ["http://example.com/authorize?state=s", "https://10.0.0.1/?state=s"])
async def test_no_page_is_opened_at_an_address_that_is_not_allowed(url: str):
    show = provider(flow()).context.redirect_handler
    assert show is not None
    with pytest.raises(OAuthFlowError):
        await show(url)


async def test_a_request_is_sent_without_the_headers_of_another_connection(address: str):
    request = httpx2.Request(
        "POST", f"{address}/200", content=b"a=b", headers={"X-Own": "1", "Connection": "close"}
    )
    async with HttpClient() as http:
        reply = await flow(url=address)._sent(http, request)
    assert (reply.status_code, reply.content) == (200, b"a=b")
    assert "x-own" in reply.headers["X-Sent"]


@pytest.mark.parametrize(("method", "refused"), [("POST", True), ("GET", False)])
async def test_a_failure_after_which_tokens_may_be_used_up_ends_the_flow(
    address: str, method: str, refused: bool
):
    async with HttpClient() as http:
        sending = flow(url=address)._sent(http, httpx2.Request(method, f"{address}/500"))
        if refused:
            with pytest.raises(OAuthFlowError, match="answered HTTP 500"):
                await sending
        else:
            assert (await sending).status_code == 500
        taken = await flow(url=address)._sent(http, httpx2.Request("POST", f"{address}/400"))
    assert taken.status_code == 400


@pytest.mark.parametrize(
    ("oauth", "method"),
    [
        ({"client_id": "me"}, "none"),
        ({"client_id": "me", "client_secret": "s"}, "client_secret_basic"),
        (
            {"client_id": "me", "client_secret": "s", "auth_method": "client_secret_post"},
            "client_secret_post",
        ),
    ],
)
def test_a_registered_client_is_used_in_the_way_that_was_agreed(oauth: dict[str, str], method: str):
    saved = SavedTokens()
    provider(flow(saved, **oauth))
    known = OAuthClientInformationFull.model_validate(saved.client)
    assert (known.client_id, known.client_secret) == ("me", oauth.get("client_secret"))
    assert known.token_endpoint_auth_method == method


def test_without_a_registered_client_none_is_stored():
    saved = SavedTokens()
    provider(flow(saved))
    assert not saved.client


@pytest.mark.filterwarnings("ignore:Omitting `issuer`")
def test_client_credentials_are_a_secret_or_a_key():
    grant: dict[str, Any] = {"grant": "client_credentials", "client_id": "me"}
    assert type(provider(flow(**grant, private_key="pem"))) is PrivateKeyJWTOAuthProvider
    for given, method in (("", "client_secret_basic"), ("client_secret_post", "client_secret_post")):
        made = provider(flow(**grant, client_secret="s", auth_method=given))
        assert type(made) is ClientCredentialsOAuthProvider
        assert made._fixed_client_info.token_endpoint_auth_method == method


def test_what_was_discovered_is_known_after_a_restart():
    made = flow(SavedTokens(metadata=METADATA, resource=RESOURCE))
    restored = provider(made)
    made._restore_metadata(restored)
    assert restored.context.oauth_metadata is not None
    assert str(restored.context.oauth_metadata.token_endpoint) == METADATA["token_endpoint"]
    assert restored.context.auth_server_url == "https://example.com/"
    made = flow()
    fresh = provider(made)
    made._restore_metadata(fresh)
    assert fresh.context.oauth_metadata is None
    assert fresh.context.protected_resource_metadata is None


def test_the_reason_of_a_failure_is_one_sentence():
    assert (
        _reason(OAuthFlowError("State parameter mismatch: a != b")) == "the answer was not for this sign-in."
    )
    assert _reason(OAuthFlowError("No tea\nand more")) == "No tea."
    assert _reason(ValueError()) == "."
    with pytest.raises(ValueError) as invalid:  # noqa: PT011 - pydantic's
        OAuthClientInformationFull.model_validate({"redirect_uris": 1})
    assert _reason(invalid.value) == "the server's answer is not valid."
