"""`post`: a post, a reply, a quote, pictures; a text that is too long becomes a thread, if the person agrees.

Everything is made ready first; the person sees exactly that; then exactly that is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from msgspec import Meta

from bridge.accounts.xrpc import AccountCalls
from bridge.errors import DeskbellError, RequestRefused
from bridge.tools.base import BadArguments, ToolProblem
from bridge.tools.bluesky import images
from bridge.tools.bluesky.shared import As, BlueskyTools, errors_as_text, problem
from bridge.tools.bluesky.text import facets, post_length, references
from bridge.tools.bluesky.text.quoting import clean, one_line, verbatim
from bridge.tools.bluesky.text.references import POSTS
from bridge.tools.bluesky.text.views import dict_of, text_of
from bridge.tools.context import ToolContext
from bridge.tools.results import Prose
from bridge.tools.toolbox import Toolbox

MOST_POSTS = 25  # of one text
Text = Annotated[
    str,
    Meta(
        description="What to post. @handle, addresses and #tags become links. Beyond 300 characters it "
        "becomes a thread, if the person agrees.",
        examples=["Hello, @bob.bsky.social! #tea"],
    ),
]
Post = Annotated[
    str,
    Meta(
        description="A post: at:// URI, address of its page, or @handle/rkey.",
        examples=["@bob.bsky.social/3kq8b2e4"],
    ),
]
Pictures = Annotated[
    list[images.ImageArgument],
    Meta(
        max_length=images.MOST,
        description="Up to four pictures.",
        examples=[[{"path": "/home/me/cat.png", "alt": "A cat on a mat"}]],
    ),
]


@dataclass(frozen=True, slots=True)
class Target:
    """A post that is answered or quoted."""

    name: str
    uri: str
    cid: str
    text: str
    root: dict[str, str]

    @property
    def ref(self) -> dict[str, str]:
        return {"uri": self.uri, "cid": self.cid}


@dataclass(frozen=True, slots=True)
class PostDraft:
    """All that will be sent."""

    texts: Sequence[str]
    facets: Sequence[list[dict[str, Any]]]
    images: Sequence[images.Image]
    reply_to: Target | None
    quote: Target | None

    def preview(self, who: str) -> str:
        several = (
            f"a thread of {len(self.texts)} posts, because it is too long for one," if self.texts[1:] else ""
        )
        what = several or ("a reply" if self.reply_to else "a post")
        parts = [f"Send {what} to Bluesky as {who}:"]
        for number, (text, marks) in enumerate(zip(self.texts, self.facets, strict=True), 1):
            head = [f"Post {number} of {len(self.texts)}:"] if several else []
            links = [one_line(_linked(text, mark)) for mark in marks]
            leads = ["", f"Links: {', '.join(links)}"] if links else []
            parts.append("\n".join([*head, *(verbatim(text) or ["(no text)"]), *leads]))
        for word, target in (("In reply to", self.reply_to), ("Quoting", self.quote)):
            if target is not None:
                parts.append("\n".join([f"{word} {target.name}:", *verbatim(target.text)]))
        for one in self.images:
            told = f"📷 {one_line(one.name)}, {len(one.data) / 1000:,.0f} kB, described as:"
            parts.append("\n".join([told, *verbatim(one.alt)]))
        return "\n\n".join(parts)


def _linked(text: str, mark: dict[str, Any]) -> str:
    """Which piece of the text leads where."""
    index, feature = mark["index"], mark["features"][0]
    piece = text.encode()[index["byteStart"] : index["byteEnd"]].decode()
    to = feature.get("did", "")
    return f"{piece} → {to}" if to else piece


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    @box.tool(
        title="Post to Bluesky",
        destructive=False,
        names={"post_as": "postAs", "reply_to": "replyTo"},
        completers={"postAs": bluesky.own},
    )
    @errors_as_text
    async def post(
        ctx: ToolContext,
        text: Text = "",
        post_as: As = "",
        reply_to: Post = "",
        quote: Post = "",
        images: Pictures = [],  # noqa: B006 - copied for each call
    ) -> Prose:
        """Posts to Bluesky, after the person has seen and approved exactly what will be sent and as whom."""
        calls = await bluesky.calls(ctx, post_as)
        draft = await _drafted(bluesky, calls, text, reply_to, quote, images)
        preview = draft.preview(bluesky.handle(calls.did))
        await bluesky.approve(ctx, "post", preview, always=len(draft.texts) > 1)
        return Prose(await _send(ctx, calls, draft))


async def _drafted(
    bluesky: BlueskyTools,
    calls: AccountCalls,
    text: str,
    reply_to: str,
    quote: str,
    given: list[images.ImageArgument],
) -> PostDraft:
    texts = post_length.split(clean(text)) or [""]  # what cannot be seen cannot be approved
    if not texts[0] and not given:
        raise BadArguments("⚠️ There is nothing to post: give a text, or images.")
    if len(texts) > MOST_POSTS:
        raise BadArguments(
            f"⚠️ That would be {len(texts)} posts; {MOST_POSTS} are the most at once. Shorten it."
        )
    loaded = [await asyncio.to_thread(images.load, one, number) for number, one in enumerate(given, 1)]
    found = [facets.find(one) for one in texts]
    dids = await _dids(bluesky, calls, {one.value for many in found for one in many if one.kind == "mention"})
    return PostDraft(
        texts,
        [facets.written(many, dids) for many in found],
        loaded,
        await target(bluesky, calls, reply_to) if reply_to else None,
        await target(bluesky, calls, quote) if quote else None,
    )


async def _dids(bluesky: BlueskyTools, calls: AccountCalls, handles: set[str]) -> dict[str, str]:
    """Of those handles that exist."""
    known = {}
    for handle in sorted(handles):
        try:
            known[handle] = await bluesky.did(calls, handle)
        except RequestRefused:
            continue
    return known


async def target(bluesky: BlueskyTools, calls: AccountCalls, said: str) -> Target:
    """A post as it is now, by its record: a reply's root is the thread's true root."""
    named = references.post(said)
    record = await bluesky.full(calls, named)
    found = await record_of(calls, record)
    uri, cid, value = text_of(found, "uri"), text_of(found, "cid"), dict_of(found, "value")
    root = dict_of(dict_of(value, "reply"), "root")
    top = {"uri": text_of(root, "uri"), "cid": text_of(root, "cid")}
    here = {"uri": uri, "cid": cid}
    name = f"@{named.who}/{named.rkey}"
    return Target(name, uri, cid, text_of(value, "text"), top if all(top.values()) else here)


async def record_of(calls: AccountCalls, record: references.RecordRef) -> dict[str, Any]:
    wanted = {"repo": record.who, "collection": record.collection, "rkey": record.rkey}
    try:
        found = await calls.get("com.atproto.repo.getRecord", wanted)
    except RequestRefused as error:
        if "could not locate record" in error.message.lower():
            raise ToolProblem("⚠️ Post not found.") from error
        raise
    if not text_of(found, "cid"):
        raise ToolProblem("⚠️ Post not found.")
    return found


# --- sending ---------------------------------------------------------------------------------------------


async def _send(ctx: ToolContext, calls: AccountCalls, draft: PostDraft) -> str:
    """One after the other: each answers the one before it. What was sent stays sent, and is told."""
    embed = await _embed(calls, draft)
    root = parent = None
    if draft.reply_to is not None:
        root, parent = draft.reply_to.root, draft.reply_to.ref
    sent: list[str] = []
    for number, (text, marks) in enumerate(zip(draft.texts, draft.facets, strict=True)):
        record = _record(text, marks, embed if number == 0 else {}, root, parent)
        try:
            made = await create(calls, POSTS, record)
        except DeskbellError as error:
            if not sent:
                raise
            left = (
                f"Post {number + 1} of {len(draft.texts)} and those after it were not sent: {problem(error)}"
            )
            raise ToolProblem("\n".join([*sent, f"⚠️ {left}"])) from error
        parent = {"uri": text_of(made, "uri"), "cid": text_of(made, "cid")}
        root = root or parent
        sent.append(f"✓ Posted {parent['uri']}")
        if draft.texts[1:]:
            await ctx.progress(number + 1, len(draft.texts), f"{number + 1} of {len(draft.texts)} posted")
    return "\n".join(sent)


def _record(
    text: str, marks: list[dict[str, Any]], embed: dict[str, Any], root: Any, parent: Any
) -> dict[str, Any]:
    record: dict[str, Any] = {"$type": POSTS, "text": text, "createdAt": stamp()}
    record |= {"facets": marks} if marks else {}
    record |= {"embed": embed} if embed else {}
    return record | ({"reply": {"root": root, "parent": parent}} if parent else {})


async def _embed(calls: AccountCalls, draft: PostDraft) -> dict[str, Any]:
    media, quote = {}, {}
    if draft.images:
        shown = []
        for one in draft.images:
            blob = (await calls.upload("com.atproto.repo.uploadBlob", one.data, one.mime)).get("blob")
            shown.append(one.embed(blob))
        media = {"$type": "app.bsky.embed.images", "images": shown}
    if draft.quote is not None:
        quote = {"$type": "app.bsky.embed.record", "record": draft.quote.ref}
    if media and quote:
        return {"$type": "app.bsky.embed.recordWithMedia", "media": media, "record": quote}
    return media or quote


async def create(calls: AccountCalls, collection: str, record: dict[str, Any]) -> dict[str, Any]:
    wanted = {"repo": calls.did, "collection": collection, "record": record}
    return await calls.post("com.atproto.repo.createRecord", wanted)


def stamp() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
