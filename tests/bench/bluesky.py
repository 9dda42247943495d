"""What Bluesky's text costs a model, and how long a search takes.

Tokens by a real tokenizer (OpenAI's o200k_base), against what the server sends and against the trimmed JSON
an engineer would write by hand: on posts of the public network's shape, and on the rig if it is installed.
"""

from __future__ import annotations

import io
import json
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bridge.tools.bluesky import markdown, queries, views
from bridge.tools.bluesky.index import Index
from tests.fixtures import repository

POSTS = "app.bsky.feed.post"
SIZES = (1_000, 10_000, 100_000)
TEXTS = (
    "Shipped! 🚀 The new release is out, and it fixes the thing you all complained about.",
    "Reading about sea level rise this morning. The numbers are worse than I thought, the graphs clear.",
    "Does anybody know a good place for ramen near the station? Asking for a friend who is me.",
    "今日はいい天気ですね。散歩に行きましょう。",
    "A thread about how caches work, what we learned from last week's outage:\n\n1/ It was DNS.",
    "lol",
)


def raw_post(number: int) -> dict[str, Any]:
    """A feedViewPost with all that the public AppView sends."""
    did = f"did:plc:{number % 7:024d}".replace("0", "a").replace("1", "b")
    cdn = f"https://cdn.bsky.app/img/{{}}/plain/{did}/bafkreib{number:052d}"
    text = TEXTS[number % len(TEXTS)]
    record: dict[str, Any] = {
        "$type": POSTS,
        "createdAt": f"2025-03-0{number % 9 + 1}T10:15:33.123Z",
        "langs": ["en"],
    }
    post: dict[str, Any] = {
        "uri": f"at://{did}/{POSTS}/3lk{number:010d}",
        "cid": f"bafyreih{number:051d}",
        "author": {
            "did": did,
            "handle": f"person{number % 7}.bsky.social",
            "displayName": f"Person {number % 7}",
            "avatar": cdn.format("avatar"),
            "associated": {
                "chat": {"allowIncoming": "following"},
                "activitySubscription": {"allowSubscriptions": "followers"},
            },
            "viewer": {
                "muted": False,
                "blockedBy": False,
                "following": f"at://did:plc:me/app.bsky.graph.follow/3l{number}",
            },
            "labels": [],
            "createdAt": "2023-07-01T12:00:00.000Z",
        },
        "record": {**record, "text": text},
        "bookmarkCount": 0,
        "replyCount": number % 4,
        "repostCount": number % 3,
        "likeCount": number * 3 % 50,
        "quoteCount": number % 2,
        "indexedAt": "2025-03-01T10:15:34.456Z",
        "viewer": {"bookmarked": False, "threadMuted": False, "embeddingDisabled": False},
        "labels": [],
    }
    if number % 3 == 0:
        blob = {
            "$type": "blob",
            "ref": {"$link": f"bafkreib{number:052d}"},
            "mimeType": "image/jpeg",
            "size": 345678,
        }
        ratio = {"aspectRatio": {"height": 1500, "width": 2000}}
        alt = "A harbour at dusk, with boats"
        embed = {"$type": "app.bsky.embed.images", "images": [{"alt": alt, "image": blob, **ratio}]}
        post["record"]["embed"] = embed
        shown = {
            "thumb": cdn.format("feed_thumbnail"),
            "fullsize": cdn.format("feed_fullsize"),
            "alt": alt,
            **ratio,
        }
        post["embed"] = {"$type": "app.bsky.embed.images#view", "images": [shown]}
    if number % 5 == 1:
        card = {
            "uri": "https://example.com/news/sea-level",
            "title": "Sea level",
            "description": "What we know.",
        }
        post["record"]["embed"] = {"$type": "app.bsky.embed.external", "external": card}
        seen = {**card, "thumb": cdn.format("feed_thumbnail")}
        post["embed"] = {"$type": "app.bsky.embed.external#view", "external": seen}
    return {"post": post}


def trimmed(item: Any) -> dict[str, Any]:
    """What a careful engineer would keep of it."""
    one = views.feed_post(item)
    said: dict[str, Any] = {
        "uri": one.uri,
        "author": one.author.handle if one.author else "",
        "text": one.text,
        "createdAt": one.created,
        "likes": one.likes,
        "reposts": one.reposts + one.quotes,
        "replies": one.replies,
    }
    if one.images:
        said["images"] = [picture.alt for picture in one.images]
    if one.card:
        said["link"] = {"url": one.card.url, "title": one.card.title, "description": one.card.description}
    return said


def tokens(name: str, feed: list[Any]) -> None:
    try:
        import bpe_openai  # type: ignore[import-untyped]
    except ImportError:
        print("\nTokens were not counted: bpe-openai is not installed.")
        return
    encode = bpe_openai.get_encoding("o200k_base").encode
    posts = [views.feed_post(item) for item in feed]
    title = markdown.titled("Feed", posts)
    forms = {
        "raw JSON": json.dumps({"feed": feed}, ensure_ascii=False, separators=(",", ":")),
        "trimmed JSON": json.dumps([trimmed(one) for one in feed], ensure_ascii=False, separators=(",", ":")),
        "markdown": markdown.posts(title, posts),
        "compact": markdown.compact(title, posts, datetime(2025, 3, 10, tzinfo=UTC)),
    }
    sizes = {form: len(encode(text)) / len(feed) for form, text in forms.items()}
    print(f"\n| {name} | tokens a post | against raw JSON | against trimmed JSON |\n|---|---|---|---|")
    for form, size in sizes.items():
        raw, trim = (1 - size / sizes[other] for other in ("raw JSON", "trimmed JSON"))
        print(f"| {form} | {size:.1f} | {-raw:+.0%} | {-trim:+.0%} |")


def from_the_rig() -> list[Any]:
    """The same posts, written to a real PDS and read from a real AppView; nothing if there is none."""
    from tests.rigs.atproto.network import lack, network

    if lack():
        return []
    import httpx

    with network(appview=True) as net, httpx.Client(base_url=net.pds, timeout=30) as http:
        who = {"identifier": net.alice.handle, "password": net.alice.password}
        token = http.post("/xrpc/com.atproto.server.createSession", json=who).json()["accessJwt"]
        headers = {"Authorization": f"Bearer {token}"}
        for number in range(30):
            record = {
                "$type": POSTS,
                "text": TEXTS[number % len(TEXTS)],
                "createdAt": "2025-03-01T10:15:33.123Z",
            }
            wanted = {"repo": net.alice.did, "collection": POSTS, "record": record}
            http.post("/xrpc/com.atproto.repo.createRecord", json=wanted, headers=headers).raise_for_status()
        net.ask("/sync")
        asked: dict[str, str | int] = {"actor": net.alice.did, "limit": 30}
        feed: list[Any] = http.get("/xrpc/app.bsky.feed.getAuthorFeed", params=asked, headers=headers).json()[
            "feed"
        ]
        return feed


def searches() -> None:
    print("\n| posts | repository | cold: read and index | warm: a rare word | one in six posts | a phrase |")
    print("|---|---|---|---|---|---|")
    for size in SIZES:
        texts: dict[str, Any] = {f"3k{n:08}": f"{TEXTS[n % len(TEXTS)]} rare{n}" for n in range(size)}
        whole = repository.posts(texts).car()
        with tempfile.TemporaryDirectory() as folder:
            index = Index(Path(folder, "x.db"))
            began = time.perf_counter()
            index.fill(io.BytesIO(whole), "1", "now", lambda _: None)
            cold = time.perf_counter() - began
            warm = [_median(index, query) for query in (f"rare{size // 2}", "ramen", '"sea level rise"')]
        told = " | ".join(f"{one * 1000:.1f} ms" for one in warm)
        print(f"| {size:,} | {len(whole) / 1e6:.1f} MB | {cold:.2f} s | {told} |")


def _median(index: Index, query: str) -> float:
    times = []
    for _ in range(5):
        began = time.perf_counter()
        assert index.search(queries.parse(query), 20).total
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def report() -> None:
    tokens("posts of the public network's shape", [raw_post(number) for number in range(30)])
    if feed := from_the_rig():
        tokens("posts from the rig", feed)
    searches()


if __name__ == "__main__":
    report()
