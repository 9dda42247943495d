"""Bluesky without MCP, on the real network: REST by curl's rules, CGI by a web server's, the command line.

Each surface signs in nobody: `deskbell accounts login` has. The person agrees to what is shown by a program,
and the `atproto` SDK reads back what was written.
"""

from __future__ import annotations

import json
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.journeys.app_under_test import DESKBELL, ROOT, App, Person, environment, until
from tests.live.test_bluesky import reader
from tests.rigs.atproto.network import Network, lack, network
from tests.rigs.atproto.network import Person as Member

pytestmark = [
    pytest.mark.skipif(bool(lack()), reason=f"no Bluesky network: {lack()}"),
    pytest.mark.timeout(240),
]
POSTED = "✓ Posted at://"


class Said(NamedTuple):
    """`status` by HTTP; of the command line its exit code."""

    status: int
    body: dict[str, Any]

    @property
    def text(self) -> str:
        return str(self.body["result"])


class House:
    """A Deskbell with one account, and the three ways to call its functions."""

    def __init__(self, net: Network, home: Path) -> None:
        home.mkdir()
        (home / "config.toml").write_text(f'vault = "file"\n{net.settings()}')
        self.env = environment(home)
        self.person = Person(home)
        self.app = App(home, self.env, self.person.says("accept", {}))
        login = self._run("accounts", "login", "alice.test", "--app-password", fed=net.alice.app_password)
        assert login.stdout == "✓ Logged in as @alice.test\n", login.stderr

    def rest(self, tool: str, **arguments: Any) -> Said:
        url = f"http://127.0.0.1:{self.app.port}/functions/bluesky_{tool}"
        headers = {"Authorization": f"Bearer {self.app.token}", "Content-Type": "application/json"}
        asked = urllib.request.Request(url, json.dumps(arguments).encode(), headers)
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return Said(answer.status, json.load(answer))
        except urllib.error.HTTPError as error:
            return Said(error.code, json.load(error))

    def cgi(self, tool: str, **arguments: Any) -> Said:
        body = json.dumps(arguments)
        request = {
            "GATEWAY_INTERFACE": "CGI/1.1",
            "REQUEST_METHOD": "POST",
            "PATH_INFO": f"/bluesky_{tool}",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body.encode())),
            "SERVER_PROTOCOL": "HTTP/1.1",
        }
        head, _, said = self._run("cgi", fed=body, **request).stdout.partition("\n\n")
        lines = dict(line.split(": ", 1) for line in head.replace("\r", "").splitlines())
        assert lines["Content-Type"] == "application/json"
        return Said(int(lines.get("Status", "200").split()[0]), json.loads(said))

    def cli(self, tool: str, **arguments: Any) -> Said:
        done = self._run("call", f"bluesky_{tool}", "--json", json.dumps(arguments), "--format", "json")
        assert not done.returncode or done.stderr.startswith("deskbell: ")
        return Said(done.returncode, json.loads(done.stdout))

    def _run(self, *words: str, fed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*DESKBELL, *words],
            env={**self.env, **more},
            cwd=ROOT,
            input=fed,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@pytest.fixture(scope="module")
def net() -> Iterator[Network]:
    with network(appview=True) as net:
        yield net


@pytest.fixture(scope="module")
def deskbell(net: Network, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(net, tmp_path_factory.mktemp("surfaces") / "home")
    yield house
    house.app.stop()


@pytest.mark.parametrize("way", ["rest", "cgi", "cli"])
def test_each_way_posts_searches_reads_and_reacts(net: Network, deskbell: House, way: str) -> None:
    call, eye, asked = getattr(deskbell, way), reader(net, net.bob), len(deskbell.person.asked)
    good = {"rest": 200, "cgi": 200, "cli": 0}[way]

    made = call("post", text=f"An axolotl by {way} 🌍\n\n> not a quote")
    assert made.status == good
    assert made.text.startswith(POSTED), made
    uri = made.text.removeprefix("✓ Posted ")
    rkey = uri.rpartition("/")[2]
    assert eye.get_post(rkey, net.alice.did).value.text == f"An axolotl by {way} 🌍\n\n> not a quote"
    assert "as @alice.test" in deskbell.person.asked[asked]["message"]
    net.ask("/sync")

    found = call("search", query=f'"axolotl by {way}"', **{"from": "alice.test"})
    assert found.text.startswith(f'# Search: "axolotl by {way}" in @alice.test\n\nFound 1 post\n')
    assert f"@alice.test/{rkey}\n\n> An **axolotl by {way}** 🌍\n>\n> > not a quote" in found.text
    until(lambda: rkey in call("search", query="axolotl").text)
    told = call("search", query=f"axolotl {way}", format="json", **{"from": "@alice.test"})
    assert [one["uri"] for one in json.loads(told.text)["posts"]] == [uri]

    reacted = call("react", like=[uri], delete=["@bob.test/3jzzzzzzzzz2z"])
    assert reacted.text.splitlines() == [
        f"✓ Liked @alice.test/{rkey}",
        "⚠️ Delete failed: It is somebody else's post (@bob.test/3jzzzzzzzzz2z)",
    ]
    net.ask("/sync")
    assert eye.get_posts([uri]).posts[0].like_count == 1
    assert "👍 1" in call("thread", postURI=uri).text
    assert call("react", delete=[uri]).text == f"✓ Deleted @alice.test/{rkey}"


@pytest.mark.parametrize("way", ["rest", "cgi", "cli"])
@pytest.mark.parametrize(
    ("tool", "arguments", "status", "code", "words"),
    [
        ("thread", {"postURI": "@alice.test/3jzzzzzzzzz2z"}, 500, 3, "⚠️ Post not found."),
        ("thread", {"postURI": "@nobody.test/3k"}, 500, 3, "⚠️ There is no account @nobody.test."),
        ("profile", {"account": "nobody.test"}, 500, 3, "⚠️ Profile not found."),
        ("search", {"query": "has:wings x"}, 400, 1, "has:wings is not known"),
        ("search", {"limit": "many"}, 400, 1, "limit must be of type integer"),
        ("post", {"text": "x", "colour": "red"}, 400, 1, "colour"),
        ("thread", {}, 400, 1, "thread needs postURI."),
        ("nothing", {}, 404, 3, "Function not found: bluesky_nothing"),
    ],
    ids=[
        "no post",
        "nobody's post",
        "no profile",
        "bad query",
        "bad type",
        "unknown argument",
        "missing",
        "no tool",
    ],
)
def test_each_way_fails_in_the_same_words(
    deskbell: House, way: str, tool: str, arguments: dict[str, Any], status: int, code: int, words: str
) -> None:
    asked = len(deskbell.person.asked)
    said = getattr(deskbell, way)(tool, **arguments)
    assert said.status == (code if way == "cli" else status)
    assert list(said.body) == ["error"]
    assert words in said.body["error"]
    assert len(deskbell.person.asked) == asked, "nobody is asked about what cannot be done"


def test_all_three_say_the_same_bytes_and_openapi_knows_every_tool(deskbell: House) -> None:
    said = {way: getattr(deskbell, way)("profile", account="bob.test").body for way in ("rest", "cgi", "cli")}
    assert said["rest"] == said["cgi"] == said["cli"]
    url = f"http://127.0.0.1:{deskbell.app.port}/openapi.json"
    asked = urllib.request.Request(url, headers={"Authorization": f"Bearer {deskbell.app.token}"})
    with urllib.request.urlopen(asked, timeout=30) as answer:
        paths = json.load(answer)["paths"]
    tools = (
        "login profile search feed thread post react like delete post_details notifications follow accounts"
    )
    assert {f"/functions/bluesky_{name}" for name in tools.split()} <= set(paths)


def test_reading_tools_find_an_account_by_its_display_name_through_the_networks_actor_search(
    net: Network, deskbell: House
) -> None:
    """The search of this AppView looks for handles, the public one for names too: all three have "test"."""

    def call(one: Member, name: str) -> None:
        record = {"$type": "app.bsky.actor.profile", "displayName": name}
        where = {"repo": one.did, "collection": record["$type"], "rkey": "self"}
        reader(net, one).com.atproto.repo.put_record({**where, "record": record})
        net.ask("/sync")

    call(net.bob, "Test")
    assert deskbell.rest("profile", account="test").text.startswith("# @bob.test\n\n> Test\n")
    assert deskbell.rest("feed", feed="test").text.startswith("# Posts of @bob.test")
    call(net.people["carla"], "Test")
    said = deskbell.rest("profile", account="test")
    assert said.status == 400
    assert sorted(re.findall(r"@\w+\.test", said.body["error"])) == ["@bob.test", "@carla.test"]
    call(net.people["carla"], "Carla")
