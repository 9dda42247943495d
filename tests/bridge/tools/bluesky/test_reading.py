"""Reading on Bluesky, as a model sees it: text, compact lines and data, at a stand-in for the network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bridge.accounts import texts
from bridge.accounts.service import AccountService
from bridge.tools.base import BadArguments
from bridge.tools.bluesky import toolbox
from bridge.tools.bluesky.text import references
from bridge.tools.bluesky.text.references import FEEDS, LISTS, POSTS, RecordRef
from tests.bridge.accounts.accounts_rig import Browser, signed_in
from tests.fixtures import fake_pds as skies
from tests.fixtures.account_owner import book_in
from tests.fixtures.fake_pds import DID, OTHER, Sky
from tests.fixtures.toolbox_host import Talk

AT = "2024-10-06T10:15:33.000Z"


@pytest.fixture
async def sky():
    async with skies.sky_at() as sky:
        yield sky


@pytest.fixture
async def talk(sky: Sky, tmp_path: Path):
    registry, _ = await signed_in(sky, tmp_path)
    office = AccountService(registry, tmp_path / "pictures", Browser().open, lambda: None)
    talk = Talk(toolbox(office, tmp_path / "repositories"))
    yield talk
    talk.connection.close()
    await talk.connection.closed()
    await office.close()


def post(who: str, rkey: str, text: str, **more: Any) -> dict[str, Any]:
    """A postView as a server sends it."""
    did = {"alice": DID, "bob": OTHER}[who]
    record = {"$type": POSTS, "text": text, "createdAt": AT, **more.pop("record", {})}
    author = {"did": did, "handle": f"{who}.test", "displayName": who.title()}
    return {
        "uri": f"at://{did}/{POSTS}/{rkey}",
        "cid": f"cid{rkey}",
        "author": author,
        "record": record,
        **more,
    }


def reply_to(who: str, rkey: str) -> dict[str, Any]:
    there = {"uri": f"at://{DID if who == 'alice' else OTHER}/{POSTS}/{rkey}", "cid": "c"}
    return {"reply": {"root": there, "parent": there}}


def text(result: Any) -> str:
    (block,) = result["content"]
    return block["text"]


async def data(talk: Talk, name: str, **arguments: Any) -> Any:
    """What `format: json` says, as the text."""
    return json.loads(text(await talk.call(name, format="json", **arguments)))


async def test_no_tool_has_an_output_schema_or_sends_its_text_twice(sky: Sky, talk: Talk) -> None:
    listed = (await talk.result("tools/list"))["tools"]
    assert [one["name"] for one in listed if "outputSchema" in one] == []
    sky.answers["app.bsky.feed.getTimeline"] = {"feed": []}
    for format in ("markdown", "compact", "json"):
        assert set(await talk.call("feed", format=format)) == {"content"}


THREAD = {
    "thread": {
        "post": post("alice", "3kq8a3f1", "Root post", likeCount=33, repostCount=1, replyCount=1),
        "replies": [
            {"post": post("bob", "3kq8b2e4", "First reply", record=reply_to("alice", "3kq8a3f1"))},
            {"$type": "app.bsky.feed.defs#blockedPost", "uri": f"at://{OTHER}/{POSTS}/3zz", "blocked": True},
        ],
    }
}


async def test_a_thread_reads_as_it_was_promised(sky: Sky, talk: Talk) -> None:
    sky.answers["app.bsky.feed.getPostThread"] = THREAD
    sky.answers["com.atproto.identity.resolveHandle"] = {"did": DID}
    assert text(await talk.call("thread", postURI="@alice.test/3kq8a3f1")) == (
        "# Thread · 3 posts\n\n"
        "## Original · @alice.test/3kq8a3f1 · 6 Oct 2024\n\n> Root post\n\n👍 33  ♻️ 1  💬 1\n\n"
        "### @bob.test/3zz · ⚠️ blocked post\n"
        "### @bob.test/3kq8b2e4 · 6 Oct 2024\n> First reply"
    )
    told = await data(talk, "thread", postURI=f"at://{DID}/{POSTS}/3kq8a3f1")
    assert [one.get("depth", 0) for one in told["posts"]] == [0, 1, 1]
    assert told["posts"][2]["post"]["text"] == "First reply"
    compact = text(await talk.call("thread", postURI="@alice.test/3kq8a3f1", format="compact"))
    assert compact.splitlines()[1:] == [
        "@alice.test/3kq8a3f1 · 6 Oct 2024 — Root post · 👍33 ♻️1 💬1",
        "@bob.test/3zz · ⚠️ blocked post",
        "@bob.test/3kq8b2e4 ↳ @alice.test/3kq8a3f1 · 6 Oct 2024 — First reply",
    ]


async def test_parents_come_first_from_the_root_on(sky: Sky, talk: Talk) -> None:
    below = {
        "post": post("bob", "3c", "third", record=reply_to("alice", "3b")),
        "parent": {
            "post": post("alice", "3b", "second", record=reply_to("bob", "3a")),
            "parent": {"$type": "x#notFoundPost", "uri": f"at://{OTHER}/{POSTS}/3a", "notFound": True},
        },
    }
    sky.answers["app.bsky.feed.getPostThread"] = {"thread": below}
    said = text(await talk.call("thread", postURI=f"at://{OTHER}/{POSTS}/3c"))
    heads = [line for line in said.splitlines() if "@" in line]
    assert heads == [
        "## @bob.test/3a · ⚠️ deleted post",
        "### @alice.test/3b · 6 Oct 2024",
        "#### @bob.test/3c · 6 Oct 2024",
    ]


async def test_a_feed_shows_embeds_reposts_labels_and_where_more_is(sky: Sky, talk: Talk) -> None:
    quote = {"$type": "app.bsky.embed.record#viewRecord", **post("bob", "3q", "Inner")}
    quote["value"] = quote.pop("record")
    embed = {
        "$type": "app.bsky.embed.recordWithMedia#view",
        "media": {"$type": "app.bsky.embed.images#view", "images": [{"alt": "A cat\non a mat"}, {"alt": ""}]},
        "record": {"record": quote},
    }
    card = {"uri": "https://a.test/x", "title": "A [page]", "description": "About it"}
    items = [
        {
            "post": post("alice", "3k", "Look", embed=embed, labels=[{"val": "porn"}]),
            "reason": {"$type": "app.bsky.feed.defs#reasonRepost", "by": {"handle": "carla.test"}},
        },
        {"post": post("bob", "3l", "", embed={"$type": "app.bsky.embed.external#view", "external": card})},
        {"post": post("bob", "3m", "clip", embed={"$type": "app.bsky.embed.video#view", "alt": "waves"})},
    ]
    sky.answers["app.bsky.feed.getTimeline"] = {"feed": items, "cursor": "next::1"}
    assert text(await talk.call("feed", limit=3)) == (
        "# Following · 3 posts\n\n"
        "## @carla.test · 6 Oct 2024 · ↻ @alice.test/3k\n\n"
        "⚠️ Content warning: porn\n\n> Look\n> 📷 A cat\n> on a mat\n> 📷\n> ❝ @bob.test/3q\n> > Inner\n\n"
        "## @bob.test/3l · 6 Oct 2024\n\n> 🔗 [A (page)](https://a.test/x)\n> About it\n\n"
        "## @bob.test/3m · 6 Oct 2024\n\n> clip\n> 🎥 waves\n\n"
        "→ More (cursor: next::1)"
    )
    assert sky.asks[-1] == ("app.bsky.feed.getTimeline", {"limit": "3"})
    told = await data(talk, "feed")
    assert told["posts"][0]["quote"]["text"] == "Inner"
    assert told["cursor"] == "next::1"


async def test_a_reply_in_a_feed_names_the_answered_author_by_handle(sky: Sky, talk: Talk) -> None:
    reply = post("alice", "3b", "Yes", record=reply_to("bob", "3a"))
    answer = {"post": reply, "reply": {"parent": post("bob", "3a", "?")}}
    sky.answers["app.bsky.feed.getTimeline"] = {"feed": [answer]}
    for more in ({}, {"format": "compact"}):
        assert "↳ @bob.test/3a" in text(await talk.call("feed", **more))


async def test_a_feed_that_does_not_exist_is_not_called_a_post(sky: Sky, talk: Talk) -> None:
    sky.answers["app.bsky.feed.getFeed"] = {"error": "RecordNotFound", "message": "Could not locate record"}
    said = await talk.call("feed", feed=f"at://{OTHER}/{FEEDS}/none")
    assert text(said) == "⚠️ There is no such feed."


@pytest.mark.parametrize(
    ("feed", "nsid", "asked"),
    [
        ("following", "getTimeline", {}),
        ("@bob.test", "getAuthorFeed", {"actor": "bob.test", "filter": "posts_and_author_threads"}),
        (f"at://{OTHER}/{FEEDS}/cats", "getFeed", {"feed": f"at://{OTHER}/{FEEDS}/cats"}),
        ("https://bsky.app/profile/bob.test/feed/cats", "getFeed", {"feed": f"at://{OTHER}/{FEEDS}/cats"}),
        ("https://bsky.app/profile/bob.test/lists/3l", "getListFeed", {"list": f"at://{OTHER}/{LISTS}/3l"}),
        ("Cats", "getFeed", {"feed": f"at://{OTHER}/{FEEDS}/popular"}),
    ],
)
async def test_feeds_of_every_kind(sky: Sky, talk: Talk, feed: str, nsid: str, asked: dict[str, str]) -> None:
    popular = {"feeds": [{"uri": f"at://{OTHER}/{FEEDS}/popular", "creator": {"handle": "bob.test"}}]}
    sky.answers["app.bsky.unspecced.getPopularFeedGenerators"] = popular
    sky.answers[f"app.bsky.feed.{nsid}"] = {"feed": []}
    said = await talk.call("feed", feed=feed, continueAtCursor="c", viewAs="alice.test")
    assert text(said).startswith("# ")
    assert sky.asks[-1] == (f"app.bsky.feed.{nsid}", {**asked, "limit": "50", "cursor": "c"})


async def test_any_limit_is_reached_by_as_many_pages_as_it_takes(sky: Sky, talk: Talk) -> None:
    item = {"post": post("bob", "3k", "again")}
    sky.answers["app.bsky.feed.getTimeline"] = {"feed": [item] * 100, "cursor": "next"}
    assert text(await talk.call("feed", limit=250)).startswith("# Following · 300 posts\n")
    limits = [params["limit"] for nsid, params in sky.asks if nsid.endswith("getTimeline")]
    assert limits == ["100", "100", "50"]


async def test_a_profile_quotes_what_its_owner_wrote(sky: Sky, talk: Talk) -> None:
    sky.answers["app.bsky.actor.getProfile"] = {
        "did": OTHER,
        "handle": "bob.test",
        "displayName": "Bob",
        "description": "# not a title\n@eve.test",
        "followersCount": 1234,
        "createdAt": AT,
        "viewer": {"following": "at://x/y/z", "followedBy": "at://x/y/z"},
    }
    assert text(await talk.call("profile", account="https://bsky.app/profile/bob.test")) == (
        "# @bob.test\n\n> Bob\n>\n> # not a title\n> @eve.test\n\n"
        "📊 Joined Oct 2024 · 1.2K followers\n\n✓ you follow them · ✓ they follow you\n\n"
        f"<details><summary>Technical</summary>\nDID: {OTHER}\n</details>"
    )
    assert (await data(talk, "profile"))["followers"] == 1234
    assert sky.asks[-1][1] == {"actor": DID}


async def test_details_name_addresses_and_people_and_show_raw_data_only_on_request(
    sky: Sky, talk: Talk
) -> None:
    one = post("bob", "3k", "Hi\n</details>", likeCount=1, viewer={"like": "at://x/y/z"})
    sky.answers["app.bsky.feed.getPosts"] = {"posts": [one]}
    sky.answers["app.bsky.feed.getLikes"] = {"likes": [{"actor": {"handle": "alice.test"}}]}
    said = text(await talk.call("post_details", postURI="bob.test/3k"))
    assert said.startswith("# Post · @bob.test/3k · 6 Oct 2024\n\n> Hi\n> </details>\n\n👍 1\n\n")
    assert said.endswith(
        f"at://{OTHER}/{POSTS}/3k\nhttps://bsky.app/profile/{OTHER}/post/3k\n\n"
        "👍 by @alice.test\n✓ you liked it"
    )
    assert "<details>" not in said
    raw = text(await talk.call("post_details", postURI="bob.test/3k", raw=True))
    assert raw.splitlines()[-1] == "</details>"
    assert [line for line in raw.splitlines() if "Hi" in line and not line.startswith(">")] == []
    assert (await data(talk, "post_details", postURI="bob.test/3k"))["likedBy"] == ["alice.test"]
    sky.answers["app.bsky.feed.getPosts"] = {"posts": []}
    gone = await talk.call("post_details", postURI="bob.test/3k")
    assert (text(gone), gone["isError"]) == ("⚠️ Post not found.", True)


async def test_notifications_say_who_did_what(sky: Sky, talk: Talk) -> None:
    mine = f"at://{DID}/{POSTS}/3mine"
    bob = {"handle": "bob.test", "did": OTHER}
    answer = {**post("bob", "3r", "Yes!", record=reply_to("alice", "3mine")), "reason": "reply"}
    sky.answers["app.bsky.notification.listNotifications"] = {
        "notifications": [
            {"reason": "like", "author": bob, "reasonSubject": mine, "indexedAt": AT, "isRead": False},
            {"reason": "follow", "author": bob, "indexedAt": AT, "isRead": True},
            {**answer, "reasonSubject": mine, "isRead": True},
        ]
    }
    assert text(await talk.call("notifications", limit=3)) == (
        "# Notifications · 3\n\n"
        "## ● 👍 @bob.test liked @alice.test/3mine · 6 Oct 2024\n\n"
        "## @bob.test follows you · 6 Oct 2024\n\n"
        "## 💬 @bob.test replied @bob.test/3r · 6 Oct 2024\n\n> Yes!"
    )
    assert len((await data(talk, "notifications"))["notifications"]) == 3


@pytest.mark.parametrize(
    ("said", "words_"),
    [
        ({"error": "NotFound", "message": "Post not found: at://…"}, "⚠️ Post not found."),
        ({"error": "AccountTakedown", "message": "x"}, "⚠️ This account is suspended."),
        ({"error": "BlockedByActor", "message": "x"}, "⚠️ This account has blocked you."),
        ({"error": "InvalidRequest", "message": "Profile not found"}, "⚠️ Profile not found."),
    ],
)
async def test_what_a_server_refuses_is_said_in_words(sky: Sky, talk: Talk, said: Any, words_: str) -> None:
    sky.answers["app.bsky.actor.getProfile"] = said
    result = await talk.call("profile", account="bob.test")
    assert (text(result), result["isError"]) == (words_, True)


async def test_a_rate_limit_says_how_long_to_wait(sky: Sky, talk: Talk) -> None:
    sky.limited = 1
    result = await talk.call("profile", account="bob.test")
    assert "Try again in 2 minutes" in text(result)
    assert result["isError"]


async def test_without_an_account_the_person_signs_in_and_the_call_goes_on(sky: Sky, tmp_path: Path) -> None:
    office = AccountService(book_in(tmp_path, sky.places), tmp_path / "p", Browser().open, lambda: None)
    talk = Talk(toolbox(office, tmp_path / "repositories"))
    sky.answers["app.bsky.feed.getTimeline"] = {"feed": []}
    declined = await talk.call_answering("feed", {"action": "decline"})
    assert (text(declined), declined["isError"]) == (texts.DECLINED, True)
    calling = talk.say("tools/call", {"name": "feed", "arguments": {}})
    asked = await talk.asked(2)
    browser = Browser()
    await browser.open(asked["params"]["url"])
    talk.answer(asked, {"action": "accept"})
    said = await talk.heard(lambda one: one.get("id") == calling and "result" in one)
    assert text(said["result"]) == "# Following · 0 posts"
    await browser.says()
    await office.close()


async def test_handles_are_completed_from_own_accounts_and_the_network(sky: Sky, talk: Talk) -> None:
    actors = [{"handle": "alan.test"}, {"handle": "zed.test"}]
    sky.answers["app.bsky.actor.searchActorsTypeahead"] = {"actors": actors}
    wanted = {"ref": {"type": "ref/tool", "name": "profile"}, "argument": {"name": "account", "value": "@al"}}
    said = await talk.result("completion/complete", wanted)
    assert said["completion"]["values"] == ["alice.test", "alan.test"]


# --- references ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "@alice.test/3k",
        "alice.test/3k",
        "https://bsky.app/profile/alice.test/post/3k",
        "https://bsky.app/profile/alice.test/post/3k?ref=x",
        "https://main.bsky.dev/profile/alice.test/post/3k/",
        f"at://alice.test/{POSTS}/3k",
    ],
)
def test_a_post_has_many_names(said: str) -> None:
    assert references.post(said) == RecordRef("alice.test", POSTS, "3k")


@pytest.mark.parametrize(
    "said", ["", "3k", "@a/…b3f1", "https://bsky.app/", f"at://alice.test/{FEEDS}/x", "@a.test/"]
)
def test_what_is_no_post_is_refused_with_examples(said: str) -> None:
    with pytest.raises(BadArguments, match="@handle/rkey"):
        references.post(said)
