"""Format posts as Markdown for a model; every line that another person wrote is quoted. Pure.

H1 is the title of a result, H2 an item, H3 to H6 are replies. A line without `>` is written by Deskbell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from bridge.tools.bluesky.text import references
from bridge.tools.bluesky.text.facets import pieces
from bridge.tools.bluesky.text.figures import (
    DID,
    INVALID_HANDLE,
    age,
    ago,
    compact_number,
    counted,
    handle,
    month,
    parse_time,
)
from bridge.tools.bluesky.text.quoting import address_of, link, one_line, quoted
from bridge.tools.bluesky.text.views import NotificationView, Person, Picture, Post, ThreadPost

Mark = Callable[[str], str]
_WORD = re.compile(r"[^a-zA-Z0-9!._/-]")
_NOT_A_REASON = re.compile(r"[^a-zA-Z0-9-]")  # characters that no reason of the lexicon has
_CURSOR = re.compile(r"[!-~]{1,1000}")
_GONE = {"deleted": "deleted post", "blocked": "blocked post", "detached": "quote removed by its author"}
_WARNED = ("porn", "sexual", "nudity", "graphic-media", "gore", "!warn", "!hide", "spam", "nsfl")
_DEEPEST = 6  # Markdown has no deeper heading
_REASONS = {
    "like": "👍 {who} liked",
    "repost": "♻️ {who} reposted",
    "follow": "{who} follows you",
    "mention": "{who} mentioned you",
    "reply": "💬 {who} replied",
    "quote": "♻️ {who} quoted",
    "like-via-repost": "👍 {who} liked your repost of",
    "repost-via-repost": "♻️ {who} reposted your repost of",
    "starterpack-joined": "{who} joined by your starter pack",
    "verified": "{who} verified you",
    "unverified": "{who} took back your verification",
    "subscribed-post": "{who} posted",
}


# --- names -----------------------------------------------------------------------------------------------


def post_name(one: Post) -> str:
    """Return the address of a post that tools take: `@handle/rkey`."""
    record = references.parse_uri(one.uri)
    if one.author is None:
        return uri_name(one.uri)
    who = handle(one.author.handle)
    return f"{who}/{record.rkey}" if record else who


def uri_name(uri: str, known: Mapping[str, str] | None = None) -> str:
    """Return the address of a post of which only the URI is known. `known` maps DIDs to handles."""
    record = references.parse_uri(uri)
    if record is None:
        return INVALID_HANDLE
    return f"{handle((known or {}).get(record.who, record.who))}/{record.rkey}"


def handles_of(posts: Iterable[Post]) -> dict[str, str]:
    """Map the DIDs of authors, and of those whom they answer, to their handles."""
    known = {}
    for one in posts:
        if one.author is not None and one.author.did:
            known[one.author.did] = one.author.handle
        if one.reply_to_handle and (record := references.parse_uri(one.reply_to)):
            known.setdefault(record.who, one.reply_to_handle)
    return known


def gone_text(one: Post) -> str:
    return f"⚠️ {_GONE.get(one.gone, 'a post that cannot be shown')}"


def more(cursor: str) -> list[str]:
    return [f"→ More (cursor: {cursor})"] if _CURSOR.fullmatch(cursor) else []


def titled(words: str, posts: Sequence[object]) -> str:
    return f"# {words} · {counted(len(posts), 'post')}"


def heading(level: int, *parts: str) -> str:
    return f"{'#' * level} {' · '.join(filter(None, parts))}"


def blocks(*parts: Sequence[str]) -> str:
    """Join parts by blank lines; a blank line also ends a quote."""
    return "\n\n".join("\n".join(part) for part in parts if part)


# --- one post --------------------------------------------------------------------------------------------


def body(one: Post, mark: Mark | None = None, depth: int = 1) -> list[str]:
    """Return the quoted lines of a post: its text and its attachments."""
    lines = quoted(linked(one, mark), depth)
    for picture in one.images:
        lines += _picture("📷", picture, depth)
    if one.video is not None:
        lines += _picture("🎥", one.video, depth)
    if one.card is not None:
        lines += quoted(f"🔗 {link(one.card.title or one.card.url, one.card.url)}", depth)
        lines += quoted(one_line(one.card.description, 200), depth)
    if one.quote is not None:
        lines += _quote(one.quote, depth)
    if record := references.parse_uri(one.attached):
        lines += quoted(f"📎 {record.uri}", depth)
    return lines or [">"]


def linked(one: Post, mark: Mark | None = None) -> str:
    """Return the text with Markdown links."""
    shown = []
    for piece in pieces(one.text, one.facets):
        words = mark(piece.text) if mark and not piece.link else piece.text
        shown.append(link(piece.text, piece.link) if piece.link else words)
    return "".join(shown)


def _picture(sign: str, picture: Picture, depth: int) -> list[str]:
    return quoted(f"{sign} {picture.alt}".rstrip(), depth)


def _quote(one: Post, depth: int) -> list[str]:
    if one.gone:
        return quoted(f"❝ {gone_text(one)}", depth)
    return [*quoted(f"❝ {post_name(one)}", depth), *body(one, None, depth + 1)]


def labels(values: Sequence[str]) -> str:
    words = [_WORD.sub("", one)[:40] for one in values]
    shown = ", ".join(word for word in words if word)
    if not shown:
        return ""
    return f"⚠️ Content warning: {shown}" if set(words) & set(_WARNED) else f"🏷 {shown}"


def counts(one: Post, gap: str = " ") -> list[str]:
    """Return the counts that are not zero, each with its sign."""
    known = (("👍", one.likes), ("♻️", one.reposts + one.quotes), ("💬", one.replies))
    return [f"{sign}{gap}{compact_number(count)}" for sign, count in known if count]


def _item(head: str, one: Post, mark: Mark | None = None) -> str:
    """Format a post below its heading."""
    if one.gone:
        return f"{head} · {gone_text(one)}"
    warning, figures = labels(one.labels), "  ".join(counts(one))
    return blocks([head], [warning] if warning else (), body(one, mark), [figures] if figures else ())


# --- feeds and searches ----------------------------------------------------------------------------------


def feed(title: str, shown: Sequence[Post], now: datetime, cursor: str = "") -> str:
    known = handles_of(shown)
    items = [[_item(_feed_heading(one, now, known), one)] for one in shown]
    return blocks([title], *items, more(cursor))


def _feed_heading(one: Post, now: datetime, known: Mapping[str, str]) -> str:
    if one.gone:
        return heading(2, uri_name(one.uri, known))
    answered = f"↳ {uri_name(one.reply_to, known)}" if one.reply_to else ""
    if one.reposted_by:
        when = age(one.reposted_at or one.created, now)
        return heading(2, handle(one.reposted_by), when, f"↻ {post_name(one)}", answered)
    return heading(2, post_name(one), age(one.created, now), "📌 pinned" if one.pinned else "", answered)


def search(
    title: str,
    shown: Sequence[Post],
    now: datetime,
    found: str,
    cursor: str = "",
    mark: Mark | None = None,
) -> str:
    """Format search results. `found` is the line below the title."""
    items = [
        [_item(heading(2, f"Post {number}", ago(one.created, now), post_name(one)), one, mark)]
        for number, one in enumerate(shown, 1)
    ]
    return blocks([title], [found], *([["---"], *items] if items else ()), more(cursor))


# --- threads ---------------------------------------------------------------------------------------------


def thread(replies: Sequence[ThreadPost], now: datetime) -> str:
    known = handles_of(reply.post for reply in replies)
    top = replies[0].depth if replies else 0
    lines = [titled("Thread", replies), ""]
    for reply in replies:
        lines += _reply(reply.post, reply.depth - top, now, known)
    return "\n".join(lines).rstrip("\n")


def _reply(one: Post, level: int, now: datetime, known: Mapping[str, str]) -> list[str]:
    """Return the lines of one post of a thread. Replies stand close to their headings."""
    deep = 2 + level > _DEEPEST
    parent = f"↳ {uri_name(one.reply_to, known)}" if deep and one.reply_to else ""
    if one.gone:
        return [heading(min(2 + level, _DEEPEST), uri_name(one.uri, known), gone_text(one))]
    if level == 0:
        first = "" if one.reply_to else "Original"
        return [_item(heading(2, first, post_name(one), ago(one.created, now)), one), ""]
    head = heading(min(2 + level, _DEEPEST), post_name(one), ago(one.created, now), parent)
    warning, figures = labels(one.labels), "  ".join(counts(one))
    return [head, *([warning] if warning else ()), *body(one), *(["", figures] if figures else ())]


# --- people and what they did ----------------------------------------------------------------------------


def person(one: Person) -> str:
    """Format a profile. Name and description are quoted."""
    written = [*quoted(one.name), *([">"] if one.name and one.description else ()), *quoted(one.description)]
    relations = (
        ("✓ you follow them", one.you_follow),
        ("✓ they follow you", one.follows_you),
        ("⚠️ blocked", one.blocked),
    )
    known = " · ".join(text for text, is_true in relations if is_true)
    warning, figures = labels(one.labels), person_counts(one)
    technical = ["<details><summary>Technical</summary>", f"DID: {one.did}", "</details>"]
    return blocks(
        [f"# {handle(one.handle)}"],
        [warning] if warning else (),
        written,
        [f"📊 {figures}"] if figures else (),
        [known] if known else (),
        technical if DID.fullmatch(one.did) else (),
    )


def person_counts(one: Person) -> str:
    joined = parse_time(one.created)
    parts = (
        f"Joined {month(joined)}" if joined else "",
        counted(one.followers, "follower") if one.followers else "",
        f"{compact_number(one.follows)} following" if one.follows else "",
    )
    return " · ".join(filter(None, parts))


def details(one: Post, liked: Sequence[str], reposted: Sequence[str], now: datetime) -> str:
    """Format one post with its URLs, and some of the people who liked or reposted it."""
    addresses = []
    record = references.parse_uri(one.uri)
    if record is not None:
        addresses += [record.uri, f"https://bsky.app/profile/{record.who}/post/{record.rkey}"]
    for word, uri in (("root", one.root), ("reply to", one.reply_to)):
        addresses += [f"{word}: {known.uri}"] if (known := references.parse_uri(uri)) else []
    pictures = [address_of(picture.url) for picture in one.images]
    addresses += [f"📷 {address}" for address in pictures if address]
    people = [
        f"{word} by {', '.join(map(handle, who))}" for word, who in (("👍", liked), ("♻️", reposted)) if who
    ]
    yours = [word for word, uri in (("liked", one.your_like), ("reposted", one.your_repost)) if uri]
    people += [f"✓ you {' and '.join(yours)} it"] if yours else []
    head = heading(1, "Post", post_name(one), ago(one.created, now))
    return blocks([_item(head, one)], addresses, people)


def notifications(
    shown: Sequence[NotificationView],
    title: str,
    now: datetime,
    cursor: str = "",
    known: Mapping[str, str] | None = None,
) -> str:
    """Format notifications. `known` maps DIDs to handles, for posts that are only mentioned."""
    handles = {**(known or {}), **handles_of(one.post for one in shown if one.post is not None)}
    items = []
    for one in shown:
        head = heading(2, reason(one, handles), age(one.at or (one.post.created if one.post else ""), now))
        items.append([_item(head, one.post) if one.post else head])
    return blocks([title], *items, more(cursor))


def reason(one: NotificationView, known: Mapping[str, str]) -> str:
    """Say who did what to which post."""
    name = _NOT_A_REASON.sub("", one.reason)[:40] or "something"
    words = _REASONS.get(one.reason, f"{{who}}: {name}").format(who=handle(one.by.handle))
    about = post_name(one.post) if one.post else ""
    if not about and references.parse_uri(one.subject):
        about = uri_name(one.subject, known)
    return f"{'● ' if one.unread else ''}{words}{f' {about}' if about else ''}"
