"""Format posts as Markdown for a model; every line that another person wrote is quoted. Pure.

A line without `>` is written by Deskbell. Values from a server in such a line (handles, keys, times, labels,
cursors) are limited to a few characters, so that they cannot look like an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from bridge.tools.bluesky.text import references
from bridge.tools.bluesky.text.facets import pieces
from bridge.tools.bluesky.text.quoting import address_of, link, one_line, quoted
from bridge.tools.bluesky.text.views import NotificationView, Person, Picture, Post, ThreadPost

Mark = Callable[[str], str]
_HANDLE = re.compile(r"[a-zA-Z0-9.-]{1,253}")
_DID = re.compile(r"did:[a-z]+:[a-zA-Z0-9._:%-]{1,256}")
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)")
_WORD = re.compile(r"[^a-zA-Z0-9!._/-]")
_NOT_A_REASON = re.compile(r"[^a-zA-Z0-9-]")  # characters that no reason of the lexicon has
_CURSOR = re.compile(r"[!-~]{1,1000}")
_GONE = {"deleted": "deleted post", "blocked": "blocked post", "detached": "quote removed by its author"}
_WARNED = ("porn", "sexual", "nudity", "graphic-media", "gore", "!warn", "!hide", "spam", "nsfl")
_MAX_INDENT = 12  # levels of a thread
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


class PostNames:
    """Names of posts in one text: the full name first, then a short form."""

    def __init__(self, known: Mapping[str, str] | None = None) -> None:
        self._handles = dict(known or {})  # DID → handle
        self._seen: set[str] = set()

    def add_authors(self, posts: Iterable[Post]) -> None:
        for one in posts:
            if one.author is not None:
                self._handles[one.author.did or one.author.handle] = one.author.handle

    def full_name(self, one: Post) -> str:
        self._seen.add(one.uri)
        record = references.parse_uri(one.uri)
        who = handle(one.author.handle) if one.author else "@handle.invalid"
        return f"{who}/{record.rkey}" if record else who

    def short_name(self, uri: str) -> str:
        """Return the short form; the full name if this post was not named before."""
        record = references.parse_uri(uri)
        if record is None:
            return "?"
        who = self._handles.get(record.who, record.who)
        if uri not in self._seen:
            return f"{handle(who)}/{record.rkey}"
        return f"@{handle(who)[1:2]}/…{record.rkey[-4:]}"


def handle(text: str) -> str:
    if _DID.fullmatch(text):
        return f"@{text}"
    return f"@{text}" if _HANDLE.fullmatch(text) else "@handle.invalid"


def moment(text: str) -> str:
    """Return a time to the second; "" if it is invalid."""
    found = _TIME.fullmatch(text)
    return f"{found[1]}{found[2].replace('+00:00', 'Z')}" if found else ""


def more(cursor: str) -> list[str]:
    return ["", f"→ More (cursor: {cursor})"] if _CURSOR.fullmatch(cursor) else []


def titled(words: str, posts: Sequence[object]) -> str:
    return f"# {words} · {len(posts)} post{'' if len(posts) == 1 else 's'}"


# --- posts -----------------------------------------------------------------------------------------------


def post(one: Post, head: str, names: PostNames, mark: Mark | None = None) -> list[str]:
    """Return the lines of a post; `head` is the line with its name."""
    if one.gone:
        return [f"{head} ⚠️ {_GONE.get(one.gone, 'a post that cannot be shown')}"]
    before = [f"↻ {handle(one.reposted_by)}"] if one.reposted_by else ["📌 pinned"] if one.pinned else []
    return [*before, head, *_labels(one.labels), *body(one, names, mark), *_counts(one)]


def body(one: Post, names: PostNames, mark: Mark | None = None, depth: int = 1) -> list[str]:
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
        lines += _quote(one.quote, names, depth)
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


def _quote(one: Post, names: PostNames, depth: int) -> list[str]:
    if one.gone:
        return quoted(f"❝ ⚠️ {_GONE.get(one.gone, 'a post that cannot be shown')}", depth)
    return [*quoted(f"❝ {names.full_name(one)}", depth), *body(one, names, None, depth + 1)]


def _labels(labels: Sequence[str]) -> list[str]:
    words = [_WORD.sub("", one)[:40] for one in labels]
    shown = ", ".join(word for word in words if word)
    if not shown:
        return []
    return [f"⚠️ Content warning: {shown}" if set(words) & set(_WARNED) else f"🏷 {shown}"]


def _counts(one: Post) -> list[str]:
    counts = (("👍", one.likes), ("♻️", one.reposts + one.quotes), ("💬", one.replies))
    parts = [f"{sign} {count}" for sign, count in counts if count]
    line = "  ".join([*parts, *filter(None, [moment(one.created)])])
    return [line] if line else []


def blocks(parts: Iterable[Sequence[str]]) -> str:
    return "\n\n".join("\n".join(part) for part in parts)


def posts(title: str, shown: Sequence[Post], cursor: str = "", mark: Mark | None = None) -> str:
    """Format a feed, or search results."""
    names = PostNames()
    names.add_authors(shown)
    parts = [[title], *(post(one, _head(one, names), names, mark) for one in shown)]
    return "\n".join([blocks(parts), *more(cursor)])


def _head(one: Post, names: PostNames) -> str:
    if one.gone:
        return names.short_name(one.uri)
    if not one.reply_to:
        return names.full_name(one)
    parent = names.short_name(one.reply_to)
    return f"└─{parent} → {names.full_name(one)}"


# --- threads ---------------------------------------------------------------------------------------------


def thread(replies: Sequence[ThreadPost]) -> str:
    names = PostNames()
    names.add_authors(reply.post for reply in replies)
    top = replies[0].depth if replies else 0
    parts = [[titled("Thread", replies)], *(_reply(reply, top, names) for reply in replies)]
    return blocks(parts)


def _reply(reply: ThreadPost, top: int, names: PostNames) -> list[str]:
    one, level = reply.post, reply.depth - top
    indent = "  " * min(level - 1, _MAX_INDENT)
    if one.gone:
        return post(
            one, f"{indent}└─{names.short_name(one.uri)}" if level else names.short_name(one.uri), names
        )
    if not level:
        return post(one, names.full_name(one), names)
    parent = names.short_name(one.reply_to)
    return post(one, f"{indent}└─{parent} → {names.full_name(one)}", names)


# --- people and what they did ----------------------------------------------------------------------------


def person(one: Person) -> str:
    """Format a profile. Name and description are quoted."""
    lines = [f"# {handle(one.handle)}", one.did if _DID.fullmatch(one.did) else "", *_labels(one.labels)]
    lines += quoted(one.name)
    lines += [">"] if one.name and one.description else []
    lines += quoted(one.description)
    lines.append(counts(one))
    lines.append(f"since {moment(one.created)[:10]}" if moment(one.created) else "")
    lines.append(
        " · ".join(
            text
            for text, is_true in (
                ("✓ you follow them", one.you_follow),
                ("✓ they follow you", one.follows_you),
                ("⚠️ blocked", one.blocked),
            )
            if is_true
        )
    )
    return "\n".join(line for line in lines if line)


def counts(one: Person) -> str:
    parts = (("followers", one.followers), ("following", one.follows), ("posts", one.posts))
    return " · ".join(f"{count:,} {word}" for word, count in parts if count)


def details(one: Post, liked: Sequence[str], reposted: Sequence[str]) -> str:
    """Format one post with its URLs, and some of the people who liked or reposted it."""
    names = PostNames()
    lines = post(one, _head(one, names), names)
    record = references.parse_uri(one.uri)
    if record is not None:
        lines += [record.uri, f"https://bsky.app/profile/{record.who}/post/{record.rkey}"]
    for word, uri in (("root", one.root), ("reply to", one.reply_to)):
        lines += [f"{word}: {known.uri}"] if (known := references.parse_uri(uri)) else []
    for word, who in (("👍", liked), ("♻️", reposted)):
        lines += [f"{word} by {', '.join(map(handle, who))}"] if who else []
    yours = [word for word, uri in (("liked", one.your_like), ("reposted", one.your_repost)) if uri]
    lines += [f"✓ you {' and '.join(yours)} it"] if yours else []
    addresses = [address_of(picture.url) for picture in one.images]
    return "\n".join([*lines, *(f"📷 {address}" for address in addresses if address)])


def notifications(
    shown: Sequence[NotificationView], title: str, cursor: str = "", known: Mapping[str, str] | None = None
) -> str:
    """`known` maps DIDs to handles, for posts that are only mentioned."""
    names = PostNames(known)
    names.add_authors(one.post for one in shown if one.post is not None)
    parts = [[title], *(_notification(one, names) for one in shown)]
    return "\n".join([blocks(parts), *more(cursor)])


def compact_notifications(
    shown: Sequence[NotificationView], title: str, cursor: str = "", known: Mapping[str, str] | None = None
) -> str:
    names = PostNames(known)
    lines = []
    for one in shown:
        text = f" — {one_line(linked(one.post), 300)}" if one.post else ""
        lines.append(_reason(one, names) + text)
    return "\n".join([title, *lines, *more(cursor)[1:]])


def _reason(one: NotificationView, names: PostNames) -> str:
    reason = _NOT_A_REASON.sub("", one.reason)[:40] or "something"
    words = _REASONS.get(one.reason, f"{{who}}: {reason}").format(who=handle(one.by.handle))
    about = names.short_name(one.subject) if references.parse_uri(one.subject) and one.post is None else ""
    return f"{'● ' if one.unread else ''}{words}{f' {about}' if about else ''}"


def _notification(one: NotificationView, names: PostNames) -> list[str]:
    head = _reason(one, names)
    if one.post is None:
        return [head, *filter(None, [moment(one.at)])]
    return [head, *post(one.post, _head(one.post, names), names)]


# --- one line a post -------------------------------------------------------------------------------------


def compact(title: str, shown: Sequence[Post], now: datetime, cursor: str = "") -> str:
    return "\n".join([title, *(line(one, now) for one in shown), *more(cursor)[1:]])


def line(one: Post, now: datetime) -> str:
    """Format a post on one line: `@bob · 3m — Shipped! 🚀 · 👍5`."""
    if one.gone:
        return f"⚠️ {_GONE.get(one.gone, 'a post that cannot be shown')}"
    words = [one_line(linked(one), 300), *_attachment_signs(one)]
    counts = (("👍", one.likes), ("♻️", one.reposts + one.quotes), ("💬", one.replies))
    counted = " ".join(f"{sign}{count}" for sign, count in counts if count)
    who = handle(one.author.handle) if one.author else "@handle.invalid"
    repost = f" ↻ {handle(one.reposted_by)}" if one.reposted_by else ""
    head = " · ".join(filter(None, [who + repost, age(one.created, now)]))
    return f"{head} — {' '.join(filter(None, words))}" + (f" · {counted}" if counted else "")


def _attachment_signs(one: Post) -> Iterator[str]:
    if one.images:
        yield f"📷{len(one.images) if len(one.images) > 1 else ''}"
    if one.video:
        yield "🎥"
    if one.quote is not None:
        yield "❝"


def age(created: str, now: datetime) -> str:
    """Return the age in its largest unit; after a month, the date."""
    known = moment(created)
    if not known:
        return ""
    try:
        then = datetime.fromisoformat(known)
    except ValueError:
        return ""
    seconds = (now.astimezone(UTC) - then).total_seconds()
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{int(seconds // size)}{unit}" if seconds < 31 * 86400 else known[:10]
    return "now"
