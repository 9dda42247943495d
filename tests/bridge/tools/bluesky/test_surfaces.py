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
def deskbell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with sky_apart() as sky, pytest.MonkeyPatch.context() as patch:
        _answers(sky)
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
