"""What Bluesky's text costs a model, and how long a search takes.

Tokens by a real tokenizer (OpenAI's o200k_base), against what the server sends and against the trimmed JSON
an engineer would write by hand: on a timeline of the public network's shape, and on the rig if it is there.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from bridge.tools.bluesky.text import compact, markdown, views
from tests.bench import searches
from tests.fixtures import appview

POSTS = "app.bsky.feed.post"


def trimmed(item: Any) -> dict[str, Any]:
    """What a careful engineer would keep of it."""
    return trimmed_post(views.feed_post(item))


def trimmed_post(one: views.Post) -> dict[str, Any]:
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
    if one.video:
        said["video"] = one.video.alt
    if one.quote:
        said["quote"] = trimmed_post(one.quote)
    if one.reply_to:
        said["replyTo"] = one.reply_to
    if one.reposted_by:
        said["repostedBy"] = one.reposted_by
    if one.labels:
        said["labels"] = list(one.labels)
    return said


def as_sent(text: str) -> str:
    """The whole result on the wire. The modern era adds one member; it has no structuredContent in either."""
    result = {"content": [{"type": "text", "text": text}], "resultType": "complete"}
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"))


def sizes(feed: list[Any]) -> dict[str, float]:
    """Tokens a post of each form; nothing without the tokenizer."""
    try:
        import bpe_openai  # type: ignore[import-untyped]
    except ImportError:
        return {}
    encode = bpe_openai.get_encoding("o200k_base").encode
    posts = [views.feed_post(item) for item in feed]
    title, now = markdown.titled("Following", posts), datetime(2025, 3, 10, tzinfo=UTC)
    forms = {
        "raw JSON": json.dumps({"feed": feed}, ensure_ascii=False, separators=(",", ":")),
        "trimmed JSON": json.dumps([trimmed(one) for one in feed], ensure_ascii=False, separators=(",", ":")),
        "markdown": markdown.feed(title, posts, now),
        "compact": compact.posts(title, posts, now),
    }
    forms |= {f"{form}, as sent": as_sent(forms[form]) for form in ("trimmed JSON", "markdown", "compact")}
    return {form: len(encode(text)) / len(feed) for form, text in forms.items()}


def tokens(name: str, feed: list[Any]) -> None:
    counted = sizes(feed)
    if not counted:
        print("\nTokens were not counted: bpe-openai is not installed.")
        return
    print(f"\n| {name} | tokens a post | against raw JSON | against trimmed JSON |\n|---|---|---|---|")
    for form, size in counted.items():
        raw, trim = (1 - size / counted[other] for other in ("raw JSON", "trimmed JSON"))
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
                "text": appview.TEXTS[number % len(appview.TEXTS)],
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


def report() -> None:
    tokens("a timeline of the public network's shape", appview.timeline())
    if feed := from_the_rig():
        tokens("posts from the rig", feed)
    searches.report()


if __name__ == "__main__":
    report()
