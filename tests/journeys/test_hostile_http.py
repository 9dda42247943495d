"""Servers over HTTP that mean harm: each call ends in words within its limit; others are served meanwhile.

One app has all of them at once, and one host calls them all at once; each row of ENDS is one of the tricks of
tests/fixtures/hostile_http_server.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.journeys.app_under_test import (
    WAIT,
    App,
    Person,
    asking,
    environment,
    fixture,
    of_home,
    server,
    until,
)
from tests.journeys.hosts import HttpHost, Json, said_in

HONEST = "honest"  # the result that the server meant to give
TOO_LONG = "its headers are too long"
SLOW = "did not answer within 1 seconds"
MOVED = "If you trust that address, edit the server and enter it."
NO_ADDRESS = "redirects to an invalid address"
NO_HTTP = "it is no HTTP"
ENDS = {  # trick → how its call ends
    "endless_header": TOO_LONG,
    "endless_headers": TOO_LONG,
    "endless_interim": TOO_LONG,
    "endless_trailers": TOO_LONG,
    "drip_head": SLOW,
    "drip_body": SLOW,
    "drip_events": SLOW,
    "silence": SLOW,
    "endless_events": SLOW,
    "endless_comments": SLOW,
    "endless_packed_comments": SLOW,
    "gzip_bomb": "answered with more than 64 MiB",
    "gzip_bomb_events": "an event of more than 64 MiB",
    "gzip_lie": "badly packed",
    "redirect_to_a_file": NO_ADDRESS,
    "redirect_to_a_script": NO_ADDRESS,
    "redirect_to_no_address": NO_ADDRESS,
    "redirect_to_another_port": MOVED,
    "redirect_to_a_private_address": MOVED,
    "redirect_to_the_cloud": MOVED,
    "redirect_of_a_post": MOVED,
    "redirect_to_itself": "redirects in circles",
    "web_page": "answered with text/html",
    "no_type": "answered with no Content-Type",
    "page_called_json": "an answer that is not MCP",
    "not_http": NO_HTTP,
    "too_long_a_length": "broke off its answer",
    "too_short_a_length": "there is more than one",
    "two_lengths": NO_HTTP,
    "length_and_chunks": NO_HTTP,
    "chunk_that_ends_early": "broke off its answer",
    "chunk_without_a_size": NO_HTTP,
    "long_session": HONEST,
    "session_with_a_header": NO_HTTP,
    "session_forgotten": "no longer knows this connection",
    "cookies": HONEST,
    "same_answer_twice": HONEST,
    "question_after_the_result": HONEST,
    "answers_to_others": "ended its answer before the result",
    "answer_to_another": "answered another request",
    "challenges": "The sign-in to challenges failed",
    "metadata_in_a_file": "file:/etc/passwd is not an https address",
    "metadata_elsewhere": "The sign-in to metadata_elsewhere failed",
    "metadata_of_another": "bank.example/mcp does not match",
    "metadata_in_circles": "The sign-in to metadata_in_circles failed",
    "metadata_without_end": "sent too much",
    "login_by_a_script": "The sign-in to login_by_a_script failed",
    "login_without_encryption": "http://login.example/authorize is not an https address",
    "every_token": "wants you to sign in",
}
MACHINE = 'oauth = { grant = "client_credentials", client_id = "x", client_secret = "y" }'
ROOM = 400 * 2**20  # bytes; a body may unpack to 64 MiB, and is held a few times over


class Seen(NamedTuple):
    """What is known when every call has ended."""

    ends: dict[str, str]
    others: int  # calls of another host that were answered meanwhile
    visits: Json  # of the hostile server, by path
    asked: list[Json]  # of the person
    peak: int  # bytes of the app's memory


def table(trick: str, address: str) -> str:
    lines = [f"[servers.{trick}]", f'url = "{address}/{trick}"']
    lines += ["timeout = 1"] if ENDS[trick] == SLOW else []
    lines += [MACHINE] if trick == "every_token" else []
    return "\n".join([*lines, ""])


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    """The address of the server."""
    with subprocess.Popen(fixture("hostile_http_server.py"), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().split()[0]
        finally:
            process.kill()


@pytest.fixture(scope="module")
def seen(hostile: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    folder = tmp_path_factory.mktemp("hostile-http")
    home, person = folder / "home", Person(folder)
    home.mkdir()
    (home / "config.toml").write_text(
        server("quiz", asking("legacy")) + "".join(table(trick, hostile) for trick in ENDS)
    )
    env = {**environment(home), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    app = App(home, env, person.says("decline"))
    try:
        yield everything_called(app, hostile, person)
    finally:
        app.stop()
    until(lambda: not of_home(home))


def everything_called(app: App, hostile: str, person: Person) -> Seen:
    with (
        closing(HttpHost(app.port, app.token, path="/mcp/quiz", name="other")) as other,
        closing(HttpHost(app.port, app.token)) as host,
    ):
        other.open()
        host.open()
        calls = {trick: host.begin_call(f"{trick}_go") for trick in ENDS}
        served = 0
        while not all(call.done() for call in calls.values()):
            served += 1
            assert said_in(other.call("count"))["calls"] == served
        ends = {trick: outcome(call.result(WAIT)) for trick, call in calls.items()}
        with urllib.request.urlopen(f"{hostile}/seen", timeout=WAIT) as said:
            return Seen(ends, served, json.load(said), person.asked, peak(app))


def outcome(reply: Json) -> str:
    return str(reply["error"]["message"] if "error" in reply else reply["result"]["content"][0]["text"])


def peak(app: App) -> int:
    status = Path(f"/proc/{app.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.mark.parametrize("trick", ENDS)
def test_a_call_to_a_hostile_server_ends_in_words(trick: str, seen: Seen):
    assert ENDS[trick] in seen.ends[trick]


def test_others_are_served_meanwhile_in_bounded_memory(seen: Seen):
    assert seen.others > 0
    assert seen.peak < ROOM


def test_no_address_of_another_server_is_visited_and_no_loop_is_followed_for_long(seen: Seen):
    assert "forbidden" not in seen.visits
    assert seen.visits["/redirect_to_itself"] < 20
    assert seen.visits["initialize session_forgotten"] == 2  # one new session, and no third one
    assert seen.visits["/token"] <= 3


def test_the_person_is_asked_nothing_by_a_sign_in_that_is_none(seen: Seen):
    assert [one for one in seen.asked if one["server"] != "question_after_the_result"] == []
