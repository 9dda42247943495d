"""A refresh token that can be used once: whoever dies with the answer in hand has lost nothing."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bridge.core.ports import ServerSpec
from bridge.http_client.client import HttpReply
from bridge.token_refresh.sealed import RefreshRequest, fingerprint, new_key, seal, unseal
from bridge.upstreams.http.failures import RequestFailed
from bridge.upstreams.oauth.flow import OAuthFlow
from bridge.upstreams.oauth.saved_tokens import SavedTokens, sealed_refresh
from tests.fixtures.patience import WITHIN

FIXTURES = Path(__file__).parents[2] / "fixtures"
ROOT = FIXTURES.parent.parent


async def nothing(*_: Any) -> None:
    return None


@pytest.fixture
def address() -> Iterator[str]:
    command = [sys.executable, str(FIXTURES / "oauth_server.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.terminate()


def counts(address: str) -> dict[str, int]:
    with urllib.request.urlopen(f"{address.removesuffix('/mcp')}/told", timeout=WITHIN) as said:
        return dict(json.load(said))


def sealed(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.glob("*.sealed")]


async def signed_in(address: str) -> SavedTokens:
    async def visit(url: str, *_: Any) -> None:
        await asyncio.to_thread(lambda: urllib.request.urlopen(url, timeout=WITHIN).read())

    kept = SavedTokens(url=address)
    await OAuthFlow(ServerSpec("club", url=address), kept, nothing, visit).sign_in("", 401, [])
    return kept


@pytest.mark.skipif(sys.platform == "win32", reason="kills itself by a signal")
async def test_the_answer_of_one_who_was_killed_before_saving_is_found(address: str, tmp_path: Path):
    kept = await signed_in(address)
    kept.seal = new_key()
    given = {"kept": msgspec.to_builtins(kept), "folder": str(tmp_path)}
    command = [sys.executable, "-m", "tests.fixtures.refresh_owner", json.dumps(given)]
    killed = await asyncio.create_subprocess_exec(*command, cwd=ROOT)
    assert await asyncio.wait_for(killed.wait(), 45) == -9
    assert counts(address)["refreshed"] == 1
    (left,) = sealed(tmp_path)
    assert b"access" not in left
    refreshes = sealed_refresh(tmp_path, "club")
    flow = OAuthFlow(ServerSpec("club", url=address), kept, nothing, nothing, refreshes)
    before = kept.token
    assert await flow.refresh("")
    assert kept.token != before
    assert counts(address)["refreshed"] == 1
    assert sealed(tmp_path) == []
    assert await flow.refresh("")
    assert counts(address)["refreshed"] == 2


async def test_a_server_that_does_not_answer_uses_nothing_up(tmp_path: Path):
    kept = SavedTokens(
        url="http://127.0.0.1:9/mcp",
        tokens={"access_token": "a", "refresh_token": "r", "token_type": "Bearer"},
        client={"client_id": "me", "redirect_uris": ["http://127.0.0.1/callback"]},
    )
    flow = OAuthFlow(
        ServerSpec("club", url=kept.url), kept, nothing, nothing, sealed_refresh(tmp_path, "club")
    )
    with pytest.raises(RequestFailed, match="cannot be reached"):
        await flow.refresh("")
    assert kept.tokens["refresh_token"] == "r"


def test_a_sealed_answer_opens_for_its_own_key_and_token_only(tmp_path: Path):
    place = tmp_path / "x.sealed"
    key, token = new_key(), fingerprint("one")
    reply = HttpReply("https://x", 200, {}, b"tokens")
    assert unseal(place, key, token) is None
    seal(place, RefreshRequest("https://x", {}, b"", key, token), reply)
    assert unseal(place, key, token) == reply
    assert unseal(place, key, fingerprint("two")) is None
    assert unseal(place, new_key(), token) is None
