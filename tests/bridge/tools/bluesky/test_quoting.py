"""Laws of the text: no content whatsoever produces a line that is not quoted."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from hypothesis import example, settings
from hypothesis import given as given_any
from hypothesis import strategies as st

from bridge.tools.bluesky.lexicons import find_facets
from bridge.tools.bluesky.text import compact, markdown, views
from bridge.tools.bluesky.text.facets import pieces, to_record
from bridge.tools.bluesky.text.quoting import address_of, clean, link, one_line, quoted

MANY = settings.default.max_examples if settings.default else 100


def given(*what: Any, examples: int = MANY * 3 // 5) -> Callable[[Any], Any]:
    return lambda test: settings(max_examples=examples, deadline=None)(given_any(*what)(test))


given_posts = partial(given, examples=MANY // 5)  # each has dozens of texts in it

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
NASTY = st.lists(
    st.one_of(
        st.text(max_size=6),
        st.sampled_from(
            [
                *BREAKS,
                "\r\n",
                "# Thread · 9 posts",
                "@eve.test/3k",
                "> ",
                "```",
                "</details>",
                "<details>",
                "\u202e",
                "\u2066",
                "\u200b",
                "\u200d",
                "\U000e0041",
                "\x1b[2J",
                "](https://x.test)",
                "→ More (cursor: 1)",
                "✓ Posted at://x",
                "\ud800",
                " · 👍500",
                " — ",
                "\\\\",
                " ↻ @eve.test/3k",
            ]
        ),
    ),
    max_size=5,
).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**40) | NASTY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NASTY, inner, max_size=3),
    max_leaves=6,
)


def facet(start: int, end: int, **feature: Any) -> dict[str, Any]:
    return {"index": {"byteStart": start, "byteEnd": end}, "features": [feature]}


@st.composite
def embeds(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(["images", "video", "external", "record", "recordWithMedia", "odd"]))
    media = {
        "$type": "app.bsky.embed.images#view",
        "images": [{"alt": draw(NASTY), "fullsize": draw(NASTY)}],
    }
    record = {
        "$type": draw(
            st.sampled_from(["x#viewRecord", "x#viewNotFound", "x#viewBlocked", "x#generatorView"])
        ),
        "uri": draw(st.sampled_from(["at://did:plc:q/app.bsky.feed.post/3q", draw(NASTY)])),
        "author": {"handle": draw(NASTY)},
        "value": {"text": draw(NASTY)},
        "embeds": [media],
    }
    return {
        "images": media,
        "video": {"$type": "app.bsky.embed.video#view", "alt": draw(NASTY)},
        "external": {
            "$type": "app.bsky.embed.external#view",
            "external": {"uri": f"https://{draw(NASTY)}", "title": draw(NASTY), "description": draw(NASTY)},
        },
        "record": {"$type": "app.bsky.embed.record#view", "record": record},
        "recordWithMedia": {
            "$type": "app.bsky.embed.recordWithMedia#view",
            "record": {"record": record},
            "media": media,
        },
        "odd": draw(JSON),
    }[kind]


@st.composite
def posts(draw: st.DrawFn) -> views.Post:
    """A server that says anything at all."""
    link_facet = {"$type": "app.bsky.richtext.facet#link", "uri": f"https://x.test/{draw(NASTY)}"}
    facets = [facet(draw(st.integers(-2, 20)), draw(st.integers(0, 40)), **link_facet), draw(JSON)]
    record = {"text": draw(NASTY), "facets": facets, "createdAt": draw(NASTY), "langs": draw(JSON)}
    record["reply"] = {
        "parent": {"uri": draw(st.sampled_from(["at://did:plc:p/app.bsky.feed.post/3p", "", "x\n"]))}
    }
    raw = {
        "uri": draw(st.sampled_from(["at://did:plc:a/app.bsky.feed.post/3k", draw(NASTY)])),
        "author": {"handle": draw(st.sampled_from(["alice.test", draw(NASTY)])), "displayName": draw(NASTY)},
        "record": draw(st.sampled_from([record, draw(JSON)])),
        "embed": draw(embeds()),
        "labels": [{"val": draw(NASTY)}],
        "likeCount": draw(st.integers(0, 9)),
        "indexedAt": draw(st.sampled_from(["2024-10-06T10:15:33.123Z", draw(NASTY)])),
    }
    return views.feed_post(
        {"post": raw, "reason": {"$type": "x#reasonRepost", "by": {"handle": draw(NASTY)}}}
    )


# What may stand on a line of ours, whatever a server said.
NAME = r"@[\w.:%-]+(/[\w.:%~-]+)?"
WHEN = r"(now|\d+[mhd]( ago)?|\d{1,2} [A-Z][a-z]{2} \d{4})"
GONE = r"⚠️ [a-z ]+"
LABELS = r"(⚠️ Content warning:|🏷) [\w!./-]+(, [\w!./-]+)*"
DID_REASON = rf"(● )?((👍|♻️|💬) )?@[\w.:%-]+:? [\w -]+( {NAME})?"
PART = rf"({NAME}|{WHEN}|{GONE}|↻ {NAME}|↳ {NAME}|📌 pinned|Original|Post( \d+)?|{DID_REASON})"
OURS = re.compile(
    r"(# (Feed|Thread|Notifications) · \d+( posts?)?"
    rf"|#{{1,6}} {PART}( · {PART})*"
    rf"|{LABELS}"
    r"|((👍|♻️|💬) [\d.KM]+ {0,2})+"
    r"|→ More \(cursor: [!-~]+\))?"
)


def structure(text: str) -> list[str]:
    """The lines that are not quoted, as any reader of lines would split them."""
    return [line for line in text.splitlines() if not line.startswith(">")]


@given_posts(st.lists(posts(), max_size=3), NASTY)
def test_no_content_of_a_feed_leaves_its_quote(shown: list[views.Post], cursor: str) -> None:
    for line in structure(markdown.feed(markdown.titled("Feed", shown), shown, NOW, cursor)):
        assert OURS.fullmatch(line), line


@given_posts(st.lists(st.builds(views.ThreadPost, posts(), st.integers(-2, 20)), min_size=1, max_size=3))
def test_no_content_of_a_thread_leaves_its_quote(replies: list[views.ThreadPost]) -> None:
    for line in structure(markdown.thread(sorted(replies, key=lambda one: one.depth), NOW)):
        assert OURS.fullmatch(line), line


@example("/", "", "", views.Post())
@given_posts(NASTY, NASTY, NASTY, posts())
def test_no_content_of_a_notification_leaves_its_quote(
    reason: str, who: str, subject: str, one: views.Post
) -> None:
    shown = [
        views.NotificationView(reason, views.Author(who), subject, one, "2024-10-06T10:15:33Z"),
        views.NotificationView("like", views.Author(who), subject),
    ]
    for line in structure(markdown.notifications(shown, "# Notifications · 2", NOW)):
        assert OURS.fullmatch(line), line
    assert len(compact.notifications(shown, "#", NOW).splitlines()) == 3


@given_posts(st.lists(posts(), max_size=4))
def test_a_compact_post_is_one_line_whatever_it_holds(shown: list[views.Post]) -> None:
    assert len(compact.posts("# Feed", shown, NOW).splitlines()) == 1 + len(shown)


COMPACT = re.compile(
    rf"({NAME} ↻ )?{NAME}( ↳ {NAME})?( · {WHEN})? — (?P<text>.*?)( 📷\d*)?( 🎥)?( ❝)?( · {LABELS})?"
    r"( · (👍|♻️|💬)[\d.KM]+( (♻️|💬)[\d.KM]+)*)?"
    rf"|{NAME} · {GONE}"
)


@given_posts(posts())
def test_the_text_of_a_compact_post_cannot_look_like_a_part_of_ours(one: views.Post) -> None:
    line = compact.line(one, NOW)
    ours = COMPACT.fullmatch(line)
    assert ours, line
    free = re.sub(r"\\.", "", ours["text"] or "")
    assert not re.search("[·—↻↳👍♻💬⚠🏷📌]", free), line


@given(st.dictionaries(st.sampled_from(["handle", "did", "displayName", "description", "createdAt"]), NASTY))
@example({"handle": "a.test\n# b", "did": "did:plc:x\ny", "description": "a\u2028# b"})
def test_a_profile_quotes_name_and_description(raw: dict[str, str]) -> None:
    ours = re.compile(
        r"(# @[\w.:%-]+|DID: did:[\w:.%-]+|📊 Joined \w+ \d+"
        r"|<details><summary>Technical</summary>|</details>)?"
    )
    for line in structure(markdown.person(views.person(raw))):
        assert ours.fullmatch(line), line


@given_posts(posts(), st.lists(NASTY, max_size=3))
def test_details_name_only_what_has_the_shape_of_a_name(one: views.Post, who: list[str]) -> None:
    for line in structure(markdown.details(one, who, who, NOW)):
        address = re.fullmatch(r"(📷 |root: |reply to: )?(https?|at)://\S+", line)
        names = re.fullmatch(r"(👍|♻️) by @[\w.:%-]+(, @[\w.:%-]+)*", line)
        assert address or names or OURS.fullmatch(line), line


@given(NASTY, st.integers(1, 3))
def test_quoted_lines_all_begin_with_the_sign_and_hide_nothing(text: str, depth: int) -> None:
    lines = "\n".join(quoted(text, depth)).splitlines()
    assert all(line.startswith(("> " * depth, ">" * depth)) for line in lines)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufeff\x00-\x08\x1b]", "".join(lines))


@given(NASTY, NASTY)
def test_a_link_is_one_line_and_ends_where_it_should(words: str, url: str) -> None:
    made = link(words, f"https://x.test/{url}")
    assert len(made.splitlines()) <= 1
    assert re.fullmatch(r"(\[[^\[\]]+\]\([^()\s<>]+\)|[^()\s<>]+)", made)


def test_flags_and_families_survive_and_hidden_letters_do_not() -> None:
    england = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    family = "👨\u200d👩\u200d👧"
    assert clean(f"{england}{family}") == f"{england}{family}"
    assert clean("hi\U000e0068\U000e0069 there") == "hi there"


# --- facets ----------------------------------------------------------------------------------------------


@given(NASTY, JSON)
def test_the_pieces_of_a_text_are_the_text(text: str, facets: Any) -> None:
    whole = "".join(piece.text for piece in pieces(text, facets))
    assert whole == text.encode("utf-8", "replace").decode()


def test_facets_count_bytes_and_bad_ones_are_passed_over() -> None:
    link_to = {"$type": "app.bsky.richtext.facet#link", "uri": "https://x.test/a"}
    text = "é🚀 here"
    start = len("é🚀 ".encode())
    good = facet(start, start + 4, **link_to)
    for bad in (facet(1, 3, **link_to), facet(5, 99, **link_to), facet(3, 2, **link_to), {"index": 1}, 7):
        assert [p.link for p in pieces(text, [bad, good]) if p.link] == ["https://x.test/a"]
    shown = views.Post(text=text, facets=[good])
    assert markdown.linked(shown) == "é🚀 [here](https://x.test/a)"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("é @alice.test hi", [("mention", "alice.test")]),
        ("see https://a.test/x_(y).", [("link", "https://a.test/x_(y)")]),
        ("(https://a.test)", [("link", "https://a.test")]),
        ("#tea #日本 #1 #", [("tag", "tea"), ("tag", "日本")]),
        ("mail me@alice.test", []),
        ("https://a.test/#tag @b.test!", [("link", "https://a.test/#tag"), ("mention", "b.test")]),
    ],
)
def test_what_a_person_means_is_found_by_its_bytes(text: str, kinds: list[tuple[str, str]]) -> None:
    found = find_facets(text)
    assert [(one.kind, one.value) for one in found] == kinds
    for one in found:
        assert one.value in text.encode()[one.start : one.end].decode()


def test_a_handle_that_leads_nowhere_stays_plain_text() -> None:
    found = find_facets("@a.test @b.test")
    made = to_record(found, {"b.test": "did:plc:b"})
    assert [one["index"] for one in made] == [{"byteStart": 8, "byteEnd": 15}]
    assert made[0]["features"][0]["did"] == "did:plc:b"


def test_addresses_are_for_browsers_only() -> None:
    assert address_of("javascript:alert(1)") == ""
    assert address_of("https://x.test/a(b) c") == "https://x.test/a%28b%29%20c"
    assert one_line("a\nb\u2028c" * 9, 5) == "a b…"
