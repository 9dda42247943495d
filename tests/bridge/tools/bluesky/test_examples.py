"""The texts that were promised, letter by letter."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from bridge.tools.bluesky.text import compact, figures, markdown, views
from bridge.tools.bluesky.text.references import POSTS

NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)


def at(**ago: float) -> str:
    return (NOW - timedelta(**ago)).isoformat().replace("+00:00", "Z")


def post(who: str, rkey: str, text: str, created: str, **more: Any) -> views.Post:
    author = views.Author(who, f"did:plc:{who.partition('.')[0]}")
    return views.Post(f"at://{author.did}/{POSTS}/{rkey}", author=author, text=text, created=created, **more)


def test_a_search() -> None:
    one = post(
        "scientist.bsky.social",
        "3kq8a3f1",
        "The climate is not the weather",
        at(hours=2),
        likes=142,
        reposts=67,
    )
    title = '# Search: "climate" in @scientist.bsky.social'
    bold = lambda text: text.replace("climate", "**climate**")  # noqa: E731
    shown = [replace(one, replies=23)]
    assert markdown.search(title, shown, NOW, "Found 23 posts", mark=bold) == (
        '# Search: "climate" in @scientist.bsky.social\n\n'
        "Found 23 posts\n\n"
        "---\n\n"
        "## Post 1 · 2h ago · @scientist.bsky.social/3kq8a3f1\n\n"
        "> The **climate** is not the weather\n\n"
        "👍 142  ♻️ 67  💬 23"
    )


def test_a_feed() -> None:
    shown = [
        post("bob.dev", "3kq8b2e4", "Just shipped! 🚀", at(minutes=3), likes=5, reposts=2),
        post(
            "original.test", "3kq8c001", "Old", at(days=9), reposted_by="dave.test", reposted_at=at(hours=1)
        ),
    ]
    assert markdown.feed("# Following · 50 posts", shown, NOW, "abc123") == (
        "# Following · 50 posts\n\n"
        "## @bob.dev/3kq8b2e4 · 3m\n\n"
        "> Just shipped! 🚀\n\n"
        "👍 5  ♻️ 2\n\n"
        "## @dave.test · 1h · ↻ @original.test/3kq8c001\n\n"
        "> Old\n\n"
        "→ More (cursor: abc123)"
    )


def test_a_thread() -> None:
    root = post("alice.test", "3kq8a3f1", "Hot take", at(hours=4), likes=234, reposts=89, replies=45)
    agree = post("bob.test", "3kq8b2e4", "Agree!", at(hours=3), reply_to=root.uri)
    again = post("alice.test", "3kq8b300", "Thanks", at(hours=3), reply_to=agree.uri)
    replies = [views.ThreadPost(one, depth) for depth, one in enumerate((root, agree, again))]
    assert markdown.thread(replies, NOW) == (
        "# Thread · 3 posts\n\n"
        "## Original · @alice.test/3kq8a3f1 · 4h ago\n\n"
        "> Hot take\n\n"
        "👍 234  ♻️ 89  💬 45\n\n"
        "### @bob.test/3kq8b2e4 · 3h ago\n"
        "> Agree!\n"
        "#### @alice.test/3kq8b300 · 3h ago\n"
        "> Thanks"
    )


def test_a_reply_deeper_than_markdown_has_headings_names_its_parent() -> None:
    posts = [post("alice.test", f"3k{depth}", "x", at(hours=1)) for depth in range(7)]
    linked = [posts[0], *(replace(two, reply_to=one.uri) for one, two in itertools.pairwise(posts))]
    text = markdown.thread([views.ThreadPost(one, depth) for depth, one in enumerate(linked)], NOW)
    heads = [line for line in text.splitlines() if line.startswith("###### ")]
    assert heads == [
        "###### @alice.test/3k4 · 1h ago",
        "###### @alice.test/3k5 · 1h ago · ↳ @alice.test/3k4",
        "###### @alice.test/3k6 · 1h ago · ↳ @alice.test/3k5",
    ]


def test_replies_come_oldest_first() -> None:
    def node(rkey: str, created: str) -> dict[str, Any]:
        return {
            "post": {"uri": f"at://did:plc:a/{POSTS}/{rkey}", "record": {"text": rkey, "createdAt": created}}
        }

    raw = {**node("root", at(hours=5)), "replies": [node("new", at(hours=1)), node("old", at(hours=2))]}
    assert [one.post.text for one in views.thread(raw)] == ["root", "old", "new"]


def test_a_profile() -> None:
    one = views.Person(
        "alice.bsky.social",
        "did:plc:abc123",
        description="Software engineer 🐕 dog lover",
        followers=1234,
        follows=843,
        created="2023-05-12T10:00:00Z",
    )
    assert markdown.person(one) == (
        "# @alice.bsky.social\n\n"
        "> Software engineer 🐕 dog lover\n\n"
        "📊 Joined May 2023 · 1.2K followers · 843 following\n\n"
        "<details><summary>Technical</summary>\nDID: did:plc:abc123\n</details>"
    )
    assert "1 follower" in markdown.person(replace(one, followers=1)).replace("followers", "")


def test_a_compact_line() -> None:
    one = post("bob.test", "3k", "Shipped! 🚀", at(minutes=3), likes=5)
    assert compact.line(one, NOW) == "@bob.test/3k · 3m — Shipped! 🚀 · 👍5"
    warned = replace(one, labels=("porn",), reply_to=f"at://did:plc:alice/{POSTS}/3p")
    known = {"did:plc:alice": "alice.test"}
    assert compact.line(warned, NOW, known) == (
        "@bob.test/3k ↳ @alice.test/3p · 3m — Shipped! 🚀 · ⚠️ Content warning: porn · 👍5"
    )


@pytest.mark.parametrize(
    ("ago", "short", "long"),
    [
        ({"seconds": 20}, "now", "now"),
        ({"minutes": -5}, "now", "now"),
        ({"minutes": 3}, "3m", "3m"),
        ({"hours": 2}, "2h", "2h ago"),
        ({"days": 1}, "1d", "1d ago"),
        ({"days": 966}, "12 May 2023", "12 May 2023"),
    ],
)
def test_times_are_relative_then_a_date(ago: dict[str, float], short: str, long: str) -> None:
    assert (figures.age(at(**ago), NOW), figures.ago(at(**ago), NOW)) == (short, long)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (843, "843"),
        (1000, "1K"),
        (1234, "1.2K"),
        (12_345, "12.3K"),
        (123_456, "123K"),
        (4_500_000, "4.5M"),
    ],
)
def test_numbers_are_compact(number: int, text: str) -> None:
    assert figures.compact_number(number) == text
