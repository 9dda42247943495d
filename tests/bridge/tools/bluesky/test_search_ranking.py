"""Which posts a search finds, their order, and the tool that searches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.accounts.service import AccountService
from bridge.tools.base import BadArguments
from bridge.tools.bluesky import toolbox
from bridge.tools.bluesky.text import search_query
from tests.bridge.accounts.accounts_rig import Browser, signed_in
from tests.bridge.tools.bluesky.search_samples import filled, found
from tests.fixtures import fake_pds as skies
from tests.fixtures import pds_repository
from tests.fixtures.account_owner import book_in
from tests.fixtures.fake_pds import DID, Sky
from tests.fixtures.pds_repository import POSTS, Repository
from tests.fixtures.toolbox_host import Talk

HASHED = "app.bsky.richtext.facet#tag"


def test_a_whole_word_comes_before_a_beginning_an_end_and_an_inside(tmp_path: Path) -> None:
    texts: dict[str, Any] = {
        "3whole": "a cat sat",
        "3beginning": "catalogue",
        "3end": "tomcat",
        "3inside": "location",
        "3none": "dog",
    }
    assert found(filled(tmp_path, pds_repository.posts(texts)), "cat") == [
        "3whole",
        "3beginning",
        "3end",
        "3inside",
    ]


def test_phrases_must_match_and_of_equals_the_newest_comes_first(tmp_path: Path) -> None:
    texts: dict[str, Any] = {
        "3a": "sea level rise",
        "3b": "level sea",
        "3c": "the Sea\nLevel",
        "3d": "ｓｅａ　level",  # noqa: RUF001 - NFKC
    }
    index = filled(tmp_path, pds_repository.posts(texts))
    assert found(index, '"sea level"') == ["3d", "3c", "3a"]
    assert found(index, '"sea level" rise') == ["3a"]
    assert found(index, "rise level") == ["3a"]
    assert found(index, "rise nowhere") == ["3a"], "all words first; any of them if no post has all"
    assert found(index, "se") == ["3d", "3c", "3b", "3a"], "short words too"


def test_filters_narrow_it_down_and_alt_texts_count(tmp_path: Path) -> None:
    image = {
        "$type": "app.bsky.embed.images",
        "images": [{"alt": "A tabby", "image": {"ref": pds_repository.cid(b"")}}],
    }
    card = {"$type": "app.bsky.embed.external", "external": {"uri": "https://a.test", "title": "Tabby cats"}}
    quote = {
        "$type": "app.bsky.embed.recordWithMedia",
        "media": image,
        "record": {"record": {"uri": "at://x"}},
    }
    tag = {"index": {"byteStart": 0, "byteEnd": 4}, "features": [{"$type": HASHED, "tag": "tea"}]}
    texts: dict[str, Any] = {
        "3image": {"text": "one", "embed": image},
        "3card": {"text": "two", "embed": card},
        "3quote": {"text": "three", "embed": quote},
        "3tag": {"text": "#tea", "facets": [tag], "reply": {"parent": {"uri": "at://x"}}},
    }
    index = filled(tmp_path, pds_repository.posts(texts))
    assert found(index, "tabby") == ["3quote", "3card", "3image"]
    assert found(index, "has:image") == ["3quote", "3image"]
    assert found(index, "has:quote") == ["3quote"]
    assert found(index, "has:link") == ["3card"]
    assert found(index, "has:tag has:reply") == ["3tag"]
    assert found(index, "tabby before:2024-01-02") == ["3image"]
    assert found(index, "after:2024-01-03 before:2024-01-04") == ["3quote"]


@pytest.mark.parametrize("query", ["cat", "cat sat", "cat nowhere", "has:reply", "2024"])
def test_page_after_page_gives_all_of_it_once_and_in_the_same_order(tmp_path: Path, query: str) -> None:
    reply = {"reply": {"parent": {"uri": "at://x"}}}
    words = ("cat sat 2024", "tomcat 2024", "concatenated 2024 2024", "sat 2024")
    made = {f"3k{n:03}": {"text": words[n % 4], **(reply if n % 2 else {})} for n in range(60)}
    index = filled(tmp_path, pds_repository.posts(made))
    whole, pages, cursor = found(index, query, 100), [], ""
    while True:
        hits = index.search(search_query.parse(query), 7, cursor)
        pages += [rkey for rkey, _ in hits.posts]
        assert hits.total >= len(whole)
        if not (cursor := hits.more):
            break
        made[f"3z{len(pages):03}"] = {"text": "cat sat 2024", **reply}  # what is new meanwhile shifts nothing
        filled(tmp_path, pds_repository.posts(made), cursor)
    assert pages == whole


@pytest.mark.parametrize("cursor", ["3gone", "3dog", "3k' OR 1", "\x00"])
async def test_a_cursor_that_leads_nowhere_is_said_in_words(sky: Sky, talk: Talk, cursor: str) -> None:
    Served(sky, pds_repository.posts({"3k": "cat", "3dog": "dog"}))
    said = await talk.call("search", query="cat", cursor=cursor, **{"from": DID})
    assert (text(said), said["isError"]) == (
        "⚠️ This cursor is no longer valid. Search again without it.",
        True,
    )


@pytest.mark.parametrize("bad", ["has:wings", "before:soon", "after:2024-13x"])
def test_filters_that_make_no_sense_are_explained(bad: str) -> None:
    with pytest.raises(BadArguments, match="⚠️"):
        search_query.parse(bad)


def test_words_with_colons_that_are_no_filters_stay_words() -> None:
    assert search_query.parse('re:zero "a b" https://x.test/').terms == ("a b", "re:zero", "https://x.test/")


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=40), st.text(max_size=60))
def test_any_query_can_be_asked_and_bold_adds_nothing_but_stars(query: str, text: str) -> None:
    try:
        wanted = search_query.parse(query)
    except BadArguments:
        return
    assert search_query.bold(search_query.term_pattern(wanted), text).replace("*", "") == text.replace(
        "*", ""
    )
    assert search_query.Ranker(wanted).rank(search_query.folded(text)) >= 0


@pytest.mark.parametrize("query", ['"', "a*", "NEAR(x y)", "x AND y", "(", "-x", "日本", "💥", "''", "a:b"])
def test_no_query_breaks_the_index(tmp_path: Path, query: str) -> None:
    index = filled(tmp_path, pds_repository.posts({"3k": f"so {query} then"}))
    assert index.search(search_query.parse(query), 5).total <= 1


# --- the tool --------------------------------------------------------------------------------------------


@pytest.fixture
async def sky():
    async with skies.sky_at() as sky:
        yield sky


class Served:
    """A repository at the stand-in, and what was asked of it."""

    def __init__(self, sky: Sky, made: Repository) -> None:
        self.rev, self.made, self.before = "r1", made, made
        self.asked: list[str] = []
        sky.public["com.atproto.sync.getLatestCommit"] = lambda query: {"rev": self.rev, "cid": "c"}
        sky.public["com.atproto.sync.getRepo"] = self._repo

    def _repo(self, query: dict[str, str]) -> bytes:
        self.asked.append(query.get("since", "all"))
        return self.made.car(without=self.before if "since" in query else None)

    def becomes(self, made: Repository, *, difference: bool = True) -> None:
        self.rev, self.before, self.made = self.rev + "+", self.made if difference else made, made


@pytest.fixture
async def talk(sky: Sky, tmp_path: Path):
    """Without an account: a repository is public."""
    office = AccountService(
        book_in(tmp_path, sky.places), tmp_path / "pictures", Browser().open, lambda: None
    )
    talk = Talk(toolbox(office, tmp_path / "repositories"))
    yield talk
    await office.close()


def text(result: Any) -> str:
    (block,) = result["content"]
    return block["text"]


async def test_a_search_downloads_once_then_refreshes_by_difference(sky: Sky, talk: Talk) -> None:
    texts: dict[str, Any] = {"3a": "Climate is\nnot weather", "3b": "acclimate"}
    served = Served(sky, pds_repository.posts(texts))
    said = text(await talk.call("search", **{"from": "@alice.test"}, query="climate", limit=1))
    assert said == (
        '# Search: "climate" in @alice.test\n\n'
        "Found 2 posts\n\n---\n\n"
        "## Post 1 · 1 Jan 2024 · @alice.test/3a\n\n> **Climate** is\n> not weather\n\n"
        "→ More (cursor: 3a)"
    )
    await talk.call("search", query="from:alice.test climate")
    assert served.asked == ["all"]
    served.becomes(pds_repository.posts(texts | {"3c": "climate too"}))
    assert "@alice.test/3c" in text(await talk.call("search", query="climate", **{"from": DID}))
    assert served.asked == ["all", "r1"]
    served.becomes(pds_repository.posts({"3d": "new climate"}), difference=False)
    again = text(await talk.call("search", query="climate", **{"from": DID}))
    assert "@alice.test/3d" in again
    assert "@alice.test/3a" not in again
    assert served.asked == ["all", "r1", "r1+", "all"], "a difference that does not fit is no reason to fail"


async def test_posts_of_an_author_have_counts_if_an_account_is_signed_in(sky: Sky, tmp_path: Path) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    office = AccountService(registry, tmp_path / "pictures", Browser().open, lambda: None)
    talk = Talk(toolbox(office, tmp_path / "repositories"))
    Served(sky, pds_repository.posts({"3a": "climate", "3b": "climate too"}))
    known = {"uri": f"at://{DID}/{POSTS}/3a", "record": {}, "likeCount": 1234, "replyCount": 2}
    sky.answers["app.bsky.feed.getPosts"] = {"posts": [known]}
    said = text(await talk.call("search", query="climate", **{"from": DID}))
    assert "> **climate**\n\n👍 1.2K  💬 2" in said
    assert len([nsid for nsid, _ in sky.asks if nsid.endswith("getPosts")]) == 1, (
        "one request for all of them"
    )
    del sky.answers["app.bsky.feed.getPosts"]
    assert "👍" not in text(await talk.call("search", query="climate", **{"from": DID}))
    await office.close()


async def test_a_server_out_of_reach_leaves_what_is_here_and_says_so(sky: Sky, talk: Talk) -> None:
    Served(sky, pds_repository.posts({"3a": "climate"}))
    await talk.call("search", query="climate", **{"from": DID})
    sky.homes[DID] = "http://localhost:9"
    said = text(await talk.call("search", query="climate", **{"from": DID}))
    assert "@alice.test/3a" in said
    assert "⚠️ localhost:9 cannot be reached; these are the posts as of 20" in said


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"error": "RepoTakendown", "message": "x"}, "⚠️ This account is suspended."),
        ({"error": "RepoDeactivated", "message": "x"}, "⚠️ This account is deactivated."),
        (b"nonsense", "cannot be read"),
    ],
)
async def test_what_cannot_be_downloaded_is_said_in_words(
    sky: Sky, talk: Talk, answer: Any, words: str
) -> None:
    Served(sky, pds_repository.posts({}))
    sky.public["com.atproto.sync.getRepo"] = lambda query: answer
    said = await talk.call("search", query="x", **{"from": "alice.test"})
    assert said["isError"]
    assert words in text(said)


async def test_without_from_the_network_searches(sky: Sky, tmp_path: Path) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    office = AccountService(registry, tmp_path / "pictures", Browser().open, lambda: None)
    talk = Talk(toolbox(office, tmp_path / "repositories"))
    author = {"handle": "bob.test"}
    plain = {"uri": f"at://did:x/{POSTS}/3k", "author": author, "record": {"text": "Cats"}}
    quote = {"$type": "app.bsky.embed.record", "record": {"uri": "at://x"}}
    quoting = {**plain, "record": {"text": "cats", "embed": quote}}
    sky.answers["app.bsky.feed.searchPosts"] = {"posts": [plain, quoting]}
    said = text(await talk.call("search", query='cats "so good" after:2024-05'))
    assert said.startswith(
        '# Search: "so good" cats\n\nFound 2 posts\n\n---\n\n## Post 1 · @bob.test/3k\n\n> **Cats**'
    )
    assert sky.asks[-1][1] == {"q": '"so good" cats', "limit": "50", "since": "2024-05-01T00:00:00Z"}
    told = await talk.call("search", query="cats has:quote", format="json")
    assert [one["text"] for one in json.loads(text(told))["posts"]] == ["cats"]
    nothing = await talk.call("search")
    assert nothing["isError"]
    await office.close()


async def test_the_network_is_searched_page_after_page_and_what_it_cannot_filter_is_filtered_here(
    sky: Sky, tmp_path: Path
) -> None:
    registry, _ = await signed_in(sky, tmp_path)
    office = AccountService(registry, tmp_path / "pictures", Browser().open, lambda: None)
    talk = Talk(toolbox(office, tmp_path / "repositories"))
    quote = {"$type": "app.bsky.embed.record", "record": {"uri": "at://x"}}

    def pages(query: dict[str, str], _: object) -> dict[str, Any]:
        """Thirty posts by tens; every third one has a quote."""
        begin = int(query.get("cursor", "0"))
        made = [
            {
                "uri": f"at://did:plc:x/{POSTS}/3k{number:02}",
                "author": {"handle": "bob.test"},
                "record": {"text": f"cats {number}", **({"embed": quote} if number % 3 == 0 else {})},
            }
            for number in range(begin, begin + min(10, int(query["limit"])))
        ]
        end = begin + len(made)
        return {"posts": made, **({"cursor": str(end)} if end < 30 else {})}

    sky.answers["app.bsky.feed.searchPosts"] = pages
    first = text(await talk.call("search", query="cats", limit=2))
    assert first.endswith("\n\n## Post 2 · @bob.test/3k01\n\n> **cats** 1\n\n→ More (cursor: 2)")
    lines = text(await talk.call("search", query="cats", limit=1, cursor="2", format="compact"))
    assert lines.splitlines()[1:] == ["@bob.test/3k02 — cats 2", "→ More (cursor: 3)"]
    seen, cursor = [], ""
    while True:
        said = await talk.call("search", query="cats has:quote", limit=3, cursor=cursor, format="json")
        told = json.loads(text(said))
        assert len(told["posts"]) <= 3
        seen += [one["text"] for one in told["posts"]]
        if not (cursor := told.get("cursor", "")):
            break
    assert seen == [f"cats {number}" for number in range(0, 30, 3)]
    await office.close()
