"""What a sign-in server says is believed only as far as it is its own business."""

from __future__ import annotations

import msgspec
import pytest
from aiohttp import web

from bridge.accounts import app_password, oauth
from bridge.accounts.account import AccountSecret
from bridge.accounts.dpop import DpopKey, Nonces
from bridge.errors import AccountError, NetworkError, UsageError
from bridge.http_client.client import HttpClient, HttpReply
from tests.fixtures.fake_pds import APP_PASSWORD, DID, OTHER
from tests.fixtures.scripted_http_server import Stage, json_answer

TOKENS = {
    "access_token": "a",
    "refresh_token": "r",
    "sub": DID,
    "scope": "atproto transition:generic",
    "token_type": "DPoP",
}


def reply(body: dict[str, str]) -> HttpReply:
    return HttpReply("https://sky.example/token", 200, {}, msgspec.json.encode(body))


def test_tokens_that_are_bound_to_our_key_are_taken():
    assert oauth.tokens_in(reply(TOKENS)).did == DID


@pytest.mark.parametrize(
    "change",
    [
        {"token_type": "Bearer"},
        {"token_type": ""},
        {"scope": "transition:generic"},
        {"scope": "notatproto"},
        {"sub": None},
        {"access_token": None},
        {"refresh_token": None},
    ],
)
def test_tokens_of_another_kind_or_for_nobody_are_refused(change: dict[str, str]):
    with pytest.raises(AccountError, match="did not finish the sign-in"):
        oauth.tokens_in(reply(TOKENS | change))


async def revoked_at(own: bool) -> list[str]:
    """The paths asked at a foreign server, or at the issuer itself, when tokens are revoked."""
    other = await Stage(lambda request, body: answered(request, "")).open()
    place = ["" if own else other.url.removesuffix("/mcp")]

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return await answered(request, place[0])

    issuer = await Stage(answer).open()
    try:
        here = issuer.url.removesuffix("/mcp")
        secret = AccountSecret(DID, here, "our refresh token", here, key=DpopKey.new().text)
        async with HttpClient() as http:
            await oauth.revoke(http, secret, Nonces())
        return [asked.path for asked in (issuer if own else other).asked if asked.method == "POST"]
    finally:
        await issuer.close()
        await other.close()


async def answered(request: web.Request, elsewhere: str) -> web.StreamResponse:
    here = f"http://127.0.0.1:{request.url.port}"
    if request.method == "POST":
        return json_answer(b"{}")
    ends = ("authorization", "token", "pushed_authorization_request")
    described = {"issuer": here, **{f"{end}_endpoint": f"{here}/{end}" for end in ends}}
    return json_answer(
        msgspec.json.encode(described | {"revocation_endpoint": f"{elsewhere or here}/revoke"})
    )


async def test_a_refresh_token_is_revoked_where_it_comes_from():
    assert await revoked_at(own=True) == ["/revoke"]


async def test_a_refresh_token_is_never_sent_to_a_foreign_revocation_endpoint():
    assert await revoked_at(own=False) == []


@pytest.mark.parametrize("did", [OTHER, None, ""])
async def test_a_session_of_another_account_is_refused(did: str | None):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return json_answer(msgspec.json.encode({"accessJwt": "a", "refreshJwt": "r", "did": did}))

    server = await Stage(answer).open()
    try:
        async with HttpClient() as http:
            with pytest.raises(AccountError, match="Another account answered"):
                await app_password.sign_in(http, server.url.removesuffix("/mcp"), DID, APP_PASSWORD)
    finally:
        await server.close()


async def test_a_session_in_an_answer_that_says_failure_is_none():
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        session = {"accessJwt": "a", "refreshJwt": "r", "did": DID}
        return json_answer(msgspec.json.encode(session), status=500)

    server = await Stage(answer).open()
    try:
        async with HttpClient() as http:
            with pytest.raises(NetworkError, match="did not sign you in"):
                await app_password.sign_in(http, server.url.removesuffix("/mcp"), DID, APP_PASSWORD)
    finally:
        await server.close()


@pytest.mark.parametrize("text", [f"{APP_PASSWORD}-more", f"{APP_PASSWORD} x", f"my-{APP_PASSWORD}"])
def test_a_main_password_that_only_begins_or_ends_like_an_app_password_is_refused(text: str):
    with pytest.raises(UsageError):
        app_password.app_password(text)
