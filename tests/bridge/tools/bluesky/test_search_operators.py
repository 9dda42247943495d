"""Every operator of a search query, in an account's own posts and in the network's."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bridge.accounts.service import AccountService
from bridge.tools.base import BadArguments
from bridge.tools.bluesky import toolbox
from bridge.tools.bluesky.repo.search_index import SearchIndex
from bridge.tools.bluesky.text import search_filters, search_query, typing_errors
from tests.bridge.accounts.accounts_rig import Browser
from tests.fixtures import fake_pds as skies
from tests.fixtures import pds_repository
from tests.fixtures.account_owner import book_in
from tests.fixtures.fake_pds import DID, OTHER, Sky
from tests.fixtures.pds_repository import POSTS
from tests.fixtures.toolbox_host import Talk

PARENT = {"uri": f"at://{OTHER}/{POSTS}/3p", "cid": "c"}
MENTION = {"$type": "app.bsky.richtext.facet#mention", "did": OTHER}
MENTIONING = [{"index": {}, "features": [MENTION]}]
IMAGES = {"$type": "app.bsky.embed.images", "images": []}
VIDEO = {"$type": "app.bsky.embed.video"}


def record(text: str, at: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "createdAt": f"{at}:00Z", **more}


MADE: dict[str, str | dict[str, Any]] = {
    "3answer": record("cat, yes", "2024-05-31T12:00", reply={"root": PARENT, "parent": PARENT}),
    "3called": record("cat @bob.test", "2024-06-01T12:00", facets=MENTIONING),
    "3pic": record("cat 42", "2024-06-30T23:59", embed=IMAGES),
    "3film": record("climate cat", "2024-07-01T00:00", embed=VIDEO),
}


@pytest.fixture
async def sky() -> AsyncIterator[Sky]:
    async with skies.sky_at() as sky:
        sky.public["com.atproto.sync.getLatestCommit"] = lambda query: {"rev": "r1", "cid": "c"}
        sky.public["com.atproto.sync.getRepo"] = lambda query: pds_repository.posts(MADE).car()
        yield sky


@pytest.fixture
async def talk(sky: Sky, tmp_path: Path) -> AsyncIterator[Talk]:
    registry = book_in(tmp_path, sky.places)
    service = AccountService(registry, tmp_path / "pictures", Browser().open, lambda: None)
    yield Talk(toolbox(service, tmp_path / "repositories"))
    await service.close()


async def rkeys(talk: Talk, query: str, **more: Any) -> set[str]:
    (block,) = (await talk.call("search", query=query, format="json", **more))["content"]
    return {one["uri"].rpartition("/")[2] for one in json.loads(block["text"])["posts"]}


OPERATORS = [
    ("cat to:bob.test", {"3answer"}),
    ("cat mentions:@bob.test", {"3called"}),
    (f"cat to:{OTHER.removeprefix('did:plc:')}", {"3answer"}),
    ("cat has:media", {"3pic", "3film"}),
    (r"cat /\d\d/", {"3pic"}),
    (r"cat /CAT,\syes$/", {"3answer"}),
    ("cat date:2024-06", {"3called", "3pic"}),
    ("cat date:2024-05-31..2024-06-01", {"3answer", "3called"}),
    ("cat since:2024-06-30 until:2024-07", {"3pic"}),
    ("cat date:2023", set()),
]


@pytest.mark.parametrize(("query", "found"), OPERATORS)
async def test_every_operator_works_in_the_posts_of_an_account(
    talk: Talk, query: str, found: set[str]
) -> None:
    assert await rkeys(talk, query, **{"from": "alice.test"}) == found


@pytest.mark.parametrize(("query", "found"), [one for one in OPERATORS if ":2" not in one[0]])
async def test_every_operator_works_in_the_network(sky: Sky, talk: Talk, query: str, found: set[str]) -> None:
    views = [{"uri": f"at://{DID}/{POSTS}/{rkey}", "record": record} for rkey, record in MADE.items()]
    sky.public["app.bsky.feed.searchPosts"] = lambda query: {"posts": views}
    assert await rkeys(talk, query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("cat likes:10", {"3pic", "3film"}),
        ("cat likes:<10", {"3answer", "3called"}),
        ("cat likes:5..15", {"3called", "3pic"}),
        ("cat likes:>10", {"3film"}),
        ("cat reposts:1", set()),
    ],
)
async def test_counts_are_asked_for_and_filtered(sky: Sky, talk: Talk, query: str, found: set[str]) -> None:
    likes = {"3answer": 0, "3called": 5, "3pic": 10, "3film": 20}
    sky.public["app.bsky.feed.getPosts"] = lambda query: {
        "posts": [{"uri": f"at://{DID}/{POSTS}/{rkey}", "likeCount": n} for rkey, n in likes.items()]
    }
    assert await rkeys(talk, query, **{"from": "alice.test"}) == found


async def test_counts_page_by_page_lose_nothing(sky: Sky, talk: Talk) -> None:
    sky.public["app.bsky.feed.getPosts"] = lambda query: {
        "posts": [{"uri": f"at://{DID}/{POSTS}/{rkey}", "likeCount": 1} for rkey in MADE]
    }
    seen, cursor = [], ""
    while True:
        said = await talk.call(
            "search", query="cat likes:1", limit=1, cursor=cursor, format="json", **{"from": DID}
        )
        page = json.loads(said["content"][0]["text"])
        seen += [one["uri"].rpartition("/")[2] for one in page["posts"]]
        if not (cursor := page.get("cursor", "")):
            break
    assert sorted(seen) == sorted(MADE)


async def test_counts_that_cannot_be_had_are_a_failure_and_not_zero(talk: Talk) -> None:
    said = await talk.call("search", query="cat likes:<5", **{"from": "alice.test"})
    assert said["isError"]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_filters, "MAX_SECONDS", 0.1)


@pytest.mark.parametrize("evil", [r"(a+)+$", r"(a|aa)+$", r"((a{1,999}){1,999}){1,999}b", r"(.*a){40}b"])
@pytest.mark.usefixtures("hurried")
def test_a_regular_expression_cannot_take_forever(tmp_path: Path, evil: str) -> None:
    index = SearchIndex(tmp_path / "x.db")
    made = pds_repository.posts({f"3k{number}": "a" * 2900 + "!" for number in range(20)})
    index.fill(io.BytesIO(made.car()), "1", "now", lambda _: None)
    found: int | str
    try:
        found = index.search(search_query.parse(f"/{evil}/"), 50).total
    except search_filters.TooSlow:
        found = "given up"
    assert found in (0, "given up")


@pytest.mark.usefixtures("hurried")
async def test_a_regular_expression_that_takes_too_long_is_said_in_words(sky: Sky, talk: Talk) -> None:
    sky.public["com.atproto.sync.getRepo"] = lambda query: pds_repository.posts(
        {"3k": "a" * 2900 + "!"}
    ).car()
    said = await talk.call("search", query=r"/(a|aa)+$/", **{"from": "alice.test"})
    assert said["content"][0]["text"] == "⚠️ /(a|aa)+$/ takes too long. Use a simpler expression."


@pytest.mark.parametrize("bad", ["/(/", "/" + "a" * 201 + "/", "likes:many", "date:soon", "date:2024-13"])
async def test_an_operator_that_makes_no_sense_is_explained(talk: Talk, bad: str) -> None:
    said = await talk.call("search", query=f"cat {bad}", **{"from": "alice.test"})
    assert said["isError"]
    assert said["content"][0]["text"].startswith("⚠️")


@pytest.mark.parametrize("word", ["climte", "climmate", "clinate", "cilmate"])
async def test_a_typing_error_is_tolerated_when_nothing_matches(talk: Talk, word: str) -> None:
    said = await talk.call("search", query=word, **{"from": "alice.test"})
    assert 'Found 1 post with "climate" instead' in said["content"][0]["text"]
    assert "> **climate** cat" in said["content"][0]["text"]


@pytest.mark.parametrize("word", ["dog", "qqqq", "climaxing"])
async def test_a_word_that_resembles_none_finds_nothing(talk: Talk, word: str) -> None:
    said = await talk.call("search", query=word, **{"from": "alice.test"})
    assert "Found 0 posts" in said["content"][0]["text"]


def test_errors_are_counted_by_letters() -> None:
    pairs = {("cat", "cat"): 0, ("cat", "act"): 1, ("cat", "cats"): 1, ("cat", "ct"): 1, ("cat", "dog"): 3}
    assert {pair: typing_errors.errors(*pair) for pair in pairs} == pairs


def test_a_path_is_no_regular_expression() -> None:
    assert search_query.parse("/usr/bin/python").words == ("/usr/bin/python",)
    with pytest.raises(BadArguments):
        search_filters.BoundedPattern("[")
