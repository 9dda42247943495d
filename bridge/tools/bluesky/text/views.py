"""Posts, people and notifications as values, read from the JSON of a server. Pure.

A member of a wrong type counts as absent. These values are also the result of `format: json`, without empty
members.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from bridge.tools.bluesky.text import references

Raw = Mapping[str, Any]
Gone = Literal["deleted", "blocked", "detached", "unknown"]
_GONE: dict[str, Gone] = {
    "NotFound": "deleted",
    "notFoundPost": "deleted",
    "Blocked": "blocked",
    "blockedPost": "blocked",
    "Detached": "detached",
}


class View(Struct, frozen=True, omit_defaults=True, rename="camel"):
    """Base of all values read from a server."""


class Author(View, frozen=True):
    handle: str
    did: str = ""
    name: str = ""


class Person(View, frozen=True):
    handle: str
    did: str = ""
    name: str = ""
    description: str = ""
    followers: int = 0
    follows: int = 0
    posts: int = 0
    created: str = ""
    labels: tuple[str, ...] = ()
    you_follow: str = ""  # URI of the follow record
    follows_you: bool = False
    blocked: bool = False


class Picture(View, frozen=True):
    alt: str = ""
    url: str = ""


class LinkCard(View, frozen=True):
    url: str
    title: str = ""
    description: str = ""


class Post(View, frozen=True):
    """`gone` says why a post cannot be shown; then at most `uri` is known."""

    uri: str = ""
    cid: str = ""
    author: Author | None = None
    text: str = ""
    facets: list[dict[str, Any]] = []
    created: str = ""
    likes: int = 0
    reposts: int = 0
    quotes: int = 0
    replies: int = 0
    labels: tuple[str, ...] = ()
    images: tuple[Picture, ...] = ()
    video: Picture | None = None
    card: LinkCard | None = None
    quote: Post | None = None
    attached: str = ""  # URI of a feed, a list or a starter pack
    reply_to: str = ""
    reply_to_handle: str = ""  # of its author, where the server tells
    root: str = ""
    reposted_by: str = ""
    reposted_at: str = ""
    pinned: bool = False
    your_like: str = ""
    your_repost: str = ""
    languages: tuple[str, ...] = ()
    gone: Gone | Literal[""] = ""


class ThreadPost(View, frozen=True):
    """A post in a thread; `depth` counts from the requested post, and is negative for its parents."""

    post: Post
    depth: int = 0


class NotificationView(View, frozen=True):
    reason: str
    by: Author
    subject: str = ""
    post: Post | None = None
    at: str = ""
    unread: bool = False


# --- reading ---------------------------------------------------------------------------------------------


def text_of(raw: object, key: str) -> str:
    value = raw.get(key) if isinstance(raw, Mapping) else None
    return value if isinstance(value, str) else ""


def dict_of(raw: object, key: str) -> Raw:
    value = raw.get(key) if isinstance(raw, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def dicts_of(raw: object, key: str) -> Iterator[Raw]:
    value = raw.get(key) if isinstance(raw, Mapping) else None
    return (one for one in (value if isinstance(value, list) else ()) if isinstance(one, Mapping))


def _count(raw: Raw, key: str) -> int:
    value = raw.get(key)
    return value if type(value) is int and value > 0 else 0


def _labels(raw: Raw) -> tuple[str, ...]:
    own = dicts_of(dict_of(dict_of(raw, "record"), "labels"), "values")
    values = [text_of(one, "val") for one in (*dicts_of(raw, "labels"), *own) if not one.get("neg")]
    return tuple(dict.fromkeys(value for value in values if value))


def person(raw: Raw) -> Person:
    viewer = dict_of(raw, "viewer")
    return Person(
        handle=text_of(raw, "handle"),
        did=text_of(raw, "did"),
        name=text_of(raw, "displayName"),
        description=text_of(raw, "description"),
        followers=_count(raw, "followersCount"),
        follows=_count(raw, "followsCount"),
        posts=_count(raw, "postsCount"),
        created=text_of(raw, "createdAt"),
        labels=_labels(raw),
        you_follow=text_of(viewer, "following"),
        follows_you=bool(text_of(viewer, "followedBy")),
        blocked=bool(text_of(viewer, "blocking")) or viewer.get("blockedBy") is True,
    )


def _author(raw: Raw) -> Author:
    return Author(handle=text_of(raw, "handle"), did=text_of(raw, "did"), name=text_of(raw, "displayName"))


def post(raw: Raw, *, record: str = "record", depth: int = 0) -> Post:
    """Read a postView; `record` is the member that has its record (`value` in a quoted post)."""
    if gone := _gone(raw):
        return Post(uri=text_of(raw, "uri"), gone=gone)
    content, viewer = dict_of(raw, record), dict_of(raw, "viewer")
    reply = dict_of(content, "reply")
    embeds = list(dicts_of(raw, "embeds"))
    facets = content.get("facets")
    langs = content.get("langs")
    return Post(
        uri=text_of(raw, "uri"),
        cid=text_of(raw, "cid"),
        author=_author(dict_of(raw, "author")),
        text=text_of(content, "text"),
        facets=[dict(one) for one in facets if isinstance(one, dict)] if isinstance(facets, list) else [],
        created=text_of(content, "createdAt") or text_of(raw, "indexedAt"),
        likes=_count(raw, "likeCount"),
        reposts=_count(raw, "repostCount"),
        quotes=_count(raw, "quoteCount"),
        replies=_count(raw, "replyCount"),
        labels=_labels({"labels": raw.get("labels"), "record": content}),
        reply_to=text_of(dict_of(reply, "parent"), "uri"),
        root=text_of(dict_of(reply, "root"), "uri"),
        your_like=text_of(viewer, "like"),
        your_repost=text_of(viewer, "repost"),
        languages=tuple(one for one in langs if isinstance(one, str)) if isinstance(langs, list) else (),
        **_embedded(dict_of(raw, "embed") or (embeds[0] if embeds else {}), depth),
    )


def post_of_record(raw: Raw) -> Post:
    """Read a post from its record alone, as in a repository: without counts and URLs of media."""
    record = dict_of(raw, "record")
    embed = dict_of(record, "embed")
    media = dict_of(embed, "media") or embed
    subject = dict_of(embed, "record")
    embedded = _embedded(media, 1)
    quoted = text_of(subject, "uri") or text_of(dict_of(subject, "record"), "uri")
    return replace(post(raw), **{**embedded, "attached": quoted})


def _gone(raw: Raw) -> Gone | None:
    kind = text_of(raw, "$type").partition("#")[2]
    for end, gone in _GONE.items():
        if kind.endswith(end):
            return gone
    return "deleted" if raw.get("notFound") is True else "blocked" if raw.get("blocked") is True else None


def _embedded(embed: Raw, depth: int) -> dict[str, Any]:
    """Read the attachments of a post. The quote of a quoted post is left out."""
    kind = text_of(embed, "$type").removesuffix("#view").rpartition(".")[2]
    match kind:
        case "images":
            shown = (
                Picture(text_of(one, "alt"), text_of(one, "fullsize")) for one in dicts_of(embed, "images")
            )
            return {"images": tuple(shown)}
        case "video":
            return {"video": Picture(text_of(embed, "alt"), text_of(embed, "playlist"))}
        case "external":
            card = dict_of(embed, "external")
            return {"card": LinkCard(*(text_of(card, key) for key in ("uri", "title", "description")))}
        case "record":
            return _quoted(dict_of(embed, "record"), depth)
        case "recordWithMedia":
            inner = dict_of(dict_of(embed, "record"), "record")
            return {**_embedded(dict_of(embed, "media"), depth), **_quoted(inner, depth)}
    return {}


def _quoted(record: Raw, depth: int) -> dict[str, Any]:
    kind = text_of(record, "$type").partition("#")[2]
    if kind == "viewRecord":
        return {"quote": post(record, record="value", depth=depth + 1)} if depth == 0 else {}
    if _gone(record):
        return {"quote": post(record)} if depth == 0 else {}
    return {"attached": text_of(record, "uri")}


def feed_post(item: Raw) -> Post:
    """Read a feedViewPost: a post, and who reposted it."""
    reason = dict_of(item, "reason")
    kind = text_of(reason, "$type").partition("#")[2]
    answered = dict_of(dict_of(dict_of(item, "reply"), "parent"), "author")
    one = replace(post(dict_of(item, "post")), reply_to_handle=text_of(answered, "handle"))
    if kind != "reasonRepost":
        return replace(one, pinned=kind == "reasonPin")
    who = text_of(dict_of(reason, "by"), "handle")
    return replace(one, reposted_by=who, reposted_at=text_of(reason, "indexedAt"))


def thread(raw: Raw) -> list[ThreadPost]:
    """Flatten a threadViewPost: the parents from the top, the post, then all replies, each after its parent,
    the oldest first. Not recursive: a thread may be deeper than Python's stack."""
    parents: list[ThreadPost] = []
    above, height = dict_of(raw, "parent"), 0
    while above:
        height -= 1
        parents.append(ThreadPost(_node(above), height))
        above = dict_of(above, "parent")
    shown = parents[::-1]
    waiting = [(raw, 0)]
    while waiting:
        node, depth = waiting.pop()
        shown.append(ThreadPost(_node(node), depth))
        newest_first = sorted(dicts_of(node, "replies"), key=_written_at, reverse=True)
        waiting.extend((one, depth + 1) for one in newest_first)
    return shown


def _written_at(node: Raw) -> str:
    return text_of(dict_of(dict_of(node, "post"), "record"), "createdAt")


def _node(node: Raw) -> Post:
    return post(dict_of(node, "post") or node)


def notification(raw: Raw) -> NotificationView:
    record = dict_of(raw, "record")
    reason = text_of(raw, "reason")
    whole = {**raw, "$type": ""} if text_of(record, "$type") == references.POSTS else None
    return NotificationView(
        reason=reason,
        by=_author(dict_of(raw, "author")),
        subject=text_of(raw, "reasonSubject"),
        post=post(whole) if whole else None,
        at=text_of(raw, "indexedAt"),
        unread=raw.get("isRead") is False,
    )
