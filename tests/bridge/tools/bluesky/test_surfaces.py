"""Bluesky's tools by REST, CGI and the command line: the words of earlier versions are understood."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from bridge.cli import cgi
from bridge.cli.parser import main
from tests.bridge.running_app import House, house
from tests.fixtures.fake_pds import APP_PASSWORD, OTHER, Sky, sky_apart

POSTS = "app.bsky.feed.post"
BOB = {"did": OTHER, "handle": "bob.test", "displayName": "Bob", "followersCount": 1}
POST = {"uri": f"at://{OTHER}/{POSTS}/3k", "cid": "thecidof3k", "author": BOB, "record": {"text": "Hello"}}
OLD_CALLS = [
    ("profile", {"handle": "bob.test"}, "# @bob.test"),
    ("thread", {"uri": "@bob.test/3k"}, "# Thread · 1 post"),
    ("accounts", {"action": "list"}, "# Accounts"),
]


@pytest.fixture(scope="module")
def sky() -> Iterator[Sky]:
    with sky_apart() as sky:
        _answers(sky)
        yield sky


@pytest.fixture(scope="module")
def deskbell(sky: Sky, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("DESKBELL_PORT", "0")
        patch.setenv("DESKBELL_HOME", str(home))
        with house(home, f'vault = "file"\n{sky.settings}') as built:
            assert built.post("login", {"handle": "alice.test", "password": APP_PASSWORD}).status == 200
            yield built


def _answers(sky: Sky) -> None:
    sky.answers["app.bsky.actor.getProfile"] = BOB
    sky.answers["com.atproto.identity.resolveHandle"] = {"did": OTHER}
    sky.answers["app.bsky.feed.getPostThread"] = {"thread": {"post": POST, "replies": []}}


@pytest.mark.parametrize(("tool", "old", "begins"), OLD_CALLS)
def test_old_parameter_words_are_understood_as_aliases_over_rest_and_cgi(
    deskbell: House, tool: str, old: dict[str, Any], begins: str
) -> None:
    said = deskbell.post(tool, old)
    assert said.status == 200, said.json
    assert said.json["result"].startswith(begins)
    body = json.dumps(old).encode()
    env = {"REQUEST_METHOD": "POST", "PATH_INFO": f"/bluesky_{tool}", "CONTENT_LENGTH": str(len(body))}
    reply = cgi._answer(env, io.BytesIO(body), deskbell.home)
    assert (reply.status, json.loads(reply.body)) == (200, said.json)


@pytest.mark.parametrize(("tool", "old", "begins"), OLD_CALLS)
def test_old_parameter_words_are_understood_as_aliases_on_the_command_line(
    deskbell: House, tool: str, old: dict[str, Any], begins: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", f"bluesky_{tool}", *(f"{name}={value}" for name, value in old.items())]) == 0
    assert capsys.readouterr().out.startswith(begins)
    assert main(["call", f"bluesky_{tool}", "--json", json.dumps(old)]) == 0
    assert capsys.readouterr().out.startswith(begins)


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        ("NotFound", 3, "Post not found."),
        ("BlockedActor", 5, "You have blocked this account."),
    ],
)
def test_deskbell_call_exits_3_for_a_post_that_is_not_found(
    deskbell: House, sky: Sky, capsys: pytest.CaptureFixture[str], error: str, code: int, text: str
) -> None:
    sky.answers["app.bsky.feed.getPostThread"] = {"error": error, "message": "no"}
    assert main(["call", "bluesky_thread", "postURI=@bob.test/3k"]) == code
    assert text in capsys.readouterr().err


@pytest.mark.parametrize(
    ("nsid", "message", "words", "text"),
    [
        ("actor.getProfile", "Profile not found", ["profile", "account=nobody.test"], "Profile not found."),
        ("feed.getFeed", "could not find feed", ["feed", "feed=discover"], "There is no such feed."),
    ],
)
def test_deskbell_call_exits_3_for_an_account_or_a_feed_that_does_not_exist(
    deskbell: House,
    sky: Sky,
    capsys: pytest.CaptureFixture[str],
    nsid: str,
    message: str,
    words: list[str],
    text: str,
) -> None:
    sky.answers[f"app.bsky.{nsid}"] = {"error": "InvalidRequest", "message": message}
    tool, argument = words
    assert main(["call", f"bluesky_{tool}", argument]) == 3
    assert text in capsys.readouterr().err


def test_deskbell_call_exits_3_for_an_account_that_is_not_signed_in(
    deskbell: House, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", "bluesky_login", "command=default", "account=nobody.test"]) == 3
    assert "nobody.test is not signed in here" in capsys.readouterr().err


def test_deskbell_call_exits_2_for_a_network_failure(
    deskbell: House, sky: Sky, capsys: pytest.CaptureFixture[str]
) -> None:
    sky.homes[OTHER] = "http://127.0.0.1:1"
    assert main(["call", "bluesky_login", "account=bob.test", f"password={APP_PASSWORD}"]) == 2
    assert "127.0.0.1:1 cannot be reached" in capsys.readouterr().err
