"""Bluesky through an AI application, on the real network (tests/rigs/atproto): PLC, PDS and AppView.

A host calls the tools; another program, the `atproto` SDK, reads back what was written.
"""

from __future__ import annotations

import asyncio
import base64
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.app_under_test import DESKBELL, ROOT, App, environment, until
from tests.journeys.app_under_test import Person as Desk
from tests.journeys.hosts import LEGACY, MODERN, Json, StdioHost, a_moment
from tests.live.test_accounts import PNG
from tests.rigs.atproto.network import Network, Person, lack, network
from tests.rigs.atproto.person import sign_in

pytestmark = [
    pytest.mark.skipif(bool(lack()), reason=f"no Bluesky network: {lack()}"),
    pytest.mark.timeout(300),
]
URL: Json = {"elicitation": {"url": {}, "form": {}}}


@pytest.fixture(scope="module")
def net() -> Iterator[Network]:
    with network(appview=True) as net:
        yield net


class Somebody:
    """An AI application and the person before it, who signs in there and agrees to everything on the desk."""

    def __init__(self, net: Network, home: Path, person: Person, revision: str = LEGACY) -> None:
        self.net, self.person = net, person
        home.mkdir()
        (home / "config.toml").write_text(f'vault = "file"\n{net.settings()}')
        env = environment(home)
        self.desk = Desk(home)
        self.app = App(home, env, self.desk.says("accept", {}))
        self.host = StdioHost(
            [*DESKBELL, "stdio", "--server", "bluesky"],
            env,
            cwd=str(ROOT),
            revision=revision,
            capabilities=URL,
            answer=self._answer,
        )
        self.host.open()

    def _answer(self, params: Json) -> Json:
        assert params.get("mode") == "url", "the desk is asked before something is written"
        page = sign_in(params["url"], self.person)
        threading.Thread(target=lambda: asyncio.run(page), daemon=True).start()
        time.sleep(a_moment())
        return {"action": "accept"}

    @property
    def previews(self) -> list[str]:
        return [asked["message"] for asked in self.desk.asked]

    def does(self, tool: str, **arguments: Any) -> str:
        result = self.host.call(tool, **arguments)
        (block,) = result["content"]
        assert not result.get("isError"), block["text"]
        self.net.ask("/sync")
        return str(block["text"])

    def close(self) -> None:
        self.host.close()
        self.app.stop()


@pytest.fixture
def somebody(net: Network, tmp_path: Path) -> Iterator[Any]:
    made: list[Somebody] = []

    def make(name: str, revision: str = LEGACY) -> Somebody:
        made.append(Somebody(net, tmp_path / f"{name}{len(made)}", net.people[name], revision))
        return made[-1]

    yield make
    for one in made:
        one.close()


def reader(net: Network, person: Person) -> Any:
    """Another program that looks at what is there now."""
    from atproto import Client  # type: ignore[import-untyped]

    client = Client(base_url=net.pds)
    client.login(person.handle, person.password)
    return client


def rkey(said: str) -> str:
    found = re.fullmatch(r"✓ Posted at://did:plc:\w+/app\.bsky\.feed\.post/(\w+)", said)
    assert found, said
    return found[1]


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_the_whole_journey(net: Network, somebody: Any, revision: str) -> None:
    alice, bob = somebody("alice", revision), somebody("bob", revision)
    eye = reader(net, net.bob)
    # Nobody is signed in: the first tool asks to, and goes on.
    words = f"Hello @bob.test 🌍 see https://example.com/{revision} #tea"
    root = rkey(alice.does("post", text=words))
    assert alice.previews == [
        f"Send a post to Bluesky as @alice.test:\n\n> {words}\n\n"
        f"Links: @bob.test, https://example.com/{revision}, #tea"
    ]
    written = eye.get_post(root, net.alice.did).value
    raw = written.text.encode()
    spans = [(one.index.byte_start, one.index.byte_end, one.features[0]) for one in written.facets]
    assert [raw[start:end].decode() for start, end, _ in spans] == words.replace("Hello ", "").replace(
        "🌍 see ", ""
    ).split(" ")
    assert spans[0][2].did == net.bob.did

    # Reply, and reply to the reply: both belong to the true root.
    first = rkey(bob.does("post", text="Hello yourself", replyTo=f"@alice.test/{root}"))
    deep = rkey(alice.does("post", text="Deep", replyTo=f"https://bsky.app/profile/bob.test/post/{first}"))
    reply = eye.get_post(deep, net.alice.did).value.reply
    assert reply.root.uri == f"at://{net.alice.did}/app.bsky.feed.post/{root}"
    assert reply.parent.uri == f"at://{net.bob.did}/app.bsky.feed.post/{first}"

    # Quote with a picture.
    picture = {"data": base64.b64encode(PNG).decode(), "alt": "A dot"}
    quote = rkey(bob.does("post", text="Look", quote=f"@alice.test/{root}", images=[picture]))
    embed = eye.get_post(quote, net.bob.did).value.embed
    assert embed.record.record.uri.endswith(root)
    assert (embed.media.images[0].alt, embed.media.images[0].image.size) == ("A dot", len(PNG))

    # Like, repost, and take both back.
    mine = f"@alice.test/{root}"
    assert bob.does("react", like=[mine], repost=[mine]) == f"✓ Liked {mine}\n✓ Reposted {mine}"
    uri = f"at://{net.alice.did}/app.bsky.feed.post/{root}"
    seen = eye.get_posts([uri]).posts[0]
    assert (seen.like_count, seen.repost_count, bool(seen.viewer.like)) == (1, 1, True)

    thread = bob.does("thread", postURI=f"@alice.test/{deep}")
    heads = [line.rpartition(" · ")[0] for line in thread.splitlines() if line.startswith("#")]
    assert heads == [
        "# Thread",
        f"## Original · @alice.test/{root}",
        f"### @bob.test/{first}",
        f"#### @alice.test/{deep}",
    ]
    assert "\n👍 1  ♻️ 2  💬 1\n" in thread
    told = alice.does("notifications")
    assert f"@bob.test liked @alice.test/{root}" in told
    assert "💬 @bob.test replied" in told
    details = bob.does("post_details", postURI=mine)
    assert "👍 by @bob.test" in details
    assert bob.does("react", unlike=[mine], unrepost=[mine]) == f"✓ Unliked {mine}\n✓ Unreposted {mine}"
    seen = eye.get_posts([uri]).posts[0]
    assert (seen.like_count, seen.repost_count, seen.viewer.like) == (0, 0, None)

    # Follow, see it in the feed, unfollow.
    assert bob.does("follow", account="@alice.test") == "✓ Followed @alice.test"
    assert net.alice.did in [one.did for one in eye.get_follows(net.bob.did).follows]
    assert f"@alice.test/{root}" in bob.does("feed")
    assert "✓ you follow them" in bob.does("profile", account="alice.test")
    assert bob.does("follow", account="alice.test", action="unfollow") == "✓ Unfollowed @alice.test"
    assert net.alice.did not in [one.did for one in eye.get_follows(net.bob.did).follows]

    # Search her repository; delete; search again.
    where = {"from": "alice.test"}
    found = alice.does("search", query=f'"example.com/{revision}"', **where)
    assert f"@alice.test/{root}" in found
    assert f"**example.com/{revision}**" in found or f"https://example.com/{revision}" in found
    gone = alice.does("react", delete=[f"@alice.test/{deep}", f"@bob.test/{first}"])
    assert gone.splitlines() == [
        f"✓ Deleted @alice.test/{deep}",
        f"⚠️ Delete failed: It is somebody else's post (@bob.test/{first})",
    ]
    with pytest.raises(Exception, match=r"RecordNotFound|Could not locate"):
        eye.get_post(deep, net.alice.did)
    assert f"@alice.test/{deep}" not in alice.does("search", query="Deep", **where)
    assert f"@alice.test/{root}" in alice.does("search", query="hello", **where)


def test_a_long_text_becomes_a_thread_that_reads_back_in_order(net: Network, somebody: Any) -> None:
    alice = somebody("alice")
    words = "\n\n".join(f"Paragraph {number}. " + "word " * 40 for number in range(4))
    lines = alice.does("post", text=words).splitlines()
    assert "a thread of 4 posts" in alice.previews[0]
    last = lines[-1].rpartition("/")[2]
    seen = alice.does("thread", postURI=f"@alice.test/{last}")
    assert re.findall(r"^> Paragraph (\d)", seen, re.MULTILINE) == ["0", "1", "2", "3"]
    assert len(reader(net, net.bob).get_author_feed(net.alice.did).feed) >= 4


def test_the_network_searches_and_failures_are_in_words(net: Network, somebody: Any) -> None:
    alice = somebody("alice")
    rkey(alice.does("post", text="A very unusual pangolin"))
    rkey(alice.does("post", text="Another pangolin, as unusual"))
    until(lambda: alice.does("search", query="pangolin").count("@alice.test/") == 2)
    first = alice.does("search", query="pangolin", limit=1)
    (cursor,) = re.findall(r"^→ More \(cursor: (\S+)\)$", first, re.MULTILINE)
    second = alice.does("search", query="pangolin", limit=1, cursor=cursor)
    seen = [re.findall(r"^## .* · (@alice\.test/\w+)$", page, re.MULTILINE) for page in (first, second)]
    assert [len(one) for one in seen] == [1, 1]
    assert seen[0] != seen[1]
    for tool, arguments, said in (
        ("post_details", {"postURI": "@alice.test/3jzzzzzzzzz2z"}, "⚠️ Post not found."),
        ("thread", {"postURI": "@alice.test/3jzzzzzzzzz2z"}, "⚠️ Post not found."),
        ("profile", {"account": "nobody.test"}, "⚠️ Profile not found."),
    ):
        result = alice.host.call(tool, **arguments)
        assert (result["content"][0]["text"], result["isError"]) == (said, True)
