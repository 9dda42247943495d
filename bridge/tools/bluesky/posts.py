"""The tool `post`: a post, a reply, a quote, images; a text that is too long becomes a thread.

A PostDraft is made first; the user sees its preview; then exactly this draft is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from bridge.accounts.xrpc import AccountCalls
from bridge.errors import DeskbellError, RequestRefused
from bridge.tools.base import BadArguments, ToolProblem
from bridge.tools.bluesky import images, lexicons
from bridge.tools.bluesky.failures import error_text, errors_as_text, failure_reason
from bridge.tools.bluesky.lexicons import PLACEHOLDER_CID
from bridge.tools.bluesky.shared import As, BlueskyTools
from bridge.tools.bluesky.text import facets, language, post_splitting, references
from bridge.tools.bluesky.text.quoting import clean, one_line, verbatim
from bridge.tools.bluesky.text.references import POSTS
from bridge.tools.bluesky.text.views import dict_of, text_of
from bridge.tools.context import ToolContext
from bridge.tools.results import NOT_FOUND, Prose
from bridge.tools.signature import described
from bridge.tools.toolbox import Toolbox

MAX_THREAD = 25  # posts
_TEXT = "@handle, addresses, #tags and $CASHTAGS become links; over 300 characters become a thread."
_PICTURE = {"path": "/home/me/cat.png", "alt": "A cat on a mat"}
Text = Annotated[str, described(_TEXT, "Hello, @bob.bsky.social! #tea")]
OptionalPost = Annotated[str, described("A post, as in thread.", "@bob.test/3kq8b2e4")]
Pictures = Annotated[
    list[images.ImageArgument], described("Up to four.", [_PICTURE], max_length=images.MAX_IMAGES)
]


@dataclass(frozen=True, slots=True)
class PostTarget:
    """A post that is replied to or quoted."""

    name: str  # @handle/rkey
    ref: dict[str, str]  # uri and cid
    text: str
    root: dict[str, str]  # uri and cid of the first post of its thread


@dataclass(frozen=True, slots=True)
class PostDraft:
    """Everything that will be sent."""

    texts: Sequence[str]
    facets: Sequence[list[dict[str, Any]]]
    images: Sequence[images.Image]
    reply_to: PostTarget | None
    quote: PostTarget | None
    langs: Sequence[str] = ()

    def embed(self, blobs: Sequence[object]) -> dict[str, Any]:
        """Return the images, as they were uploaded, and the quoted post."""
        media, quote = {}, {}
        if self.images:
            embeds = [image.embed(blob) for image, blob in zip(self.images, blobs, strict=True)]
            media = {"$type": "app.bsky.embed.images", "images": embeds}
        if self.quote is not None:
            quote = {"$type": "app.bsky.embed.record", "record": self.quote.ref}
        if media and quote:
            return {"$type": "app.bsky.embed.recordWithMedia", "media": media, "record": quote}
        return media or quote

    def record(self, number: int, embed: dict[str, Any], root: Any, parent: Any) -> dict[str, Any]:
        """Return the record of one post; `root` and `parent` are None without a reply."""
        record: dict[str, Any] = {"$type": POSTS, "text": self.texts[number], "createdAt": timestamp()}
        record |= {"langs": list(self.langs)} if self.langs else {}
        record |= {"facets": self.facets[number]} if self.facets[number] else {}
        record |= {"embed": embed} if embed and number == 0 else {}
        return record | ({"reply": {"root": root, "parent": parent}} if parent else {})

    def check(self) -> None:
        """Check all records by their lexicons, with placeholders for what is known after sending. Blocks."""
        blobs = [
            {"$type": "blob", "ref": {"$link": PLACEHOLDER_CID}, "mimeType": one.mime, "size": len(one.data)}
            for one in self.images
        ]
        first = self.reply_to.ref if self.reply_to else None
        root = self.reply_to.root if self.reply_to else None
        for number in range(len(self.texts)):
            lexicons.check(self.record(number, self.embed(blobs), root, first))

    def preview(self, who: str) -> str:
        several = (
            f"a thread of {len(self.texts)} posts, because it is too long for one," if self.texts[1:] else ""
        )
        what = several or ("a reply" if self.reply_to else "a post")
        parts = [f"Send {what} to Bluesky as {who}:"]
        for number, (text, text_facets) in enumerate(zip(self.texts, self.facets, strict=True), 1):
            head = [f"Post {number} of {len(self.texts)}:"] if several else []
            links = [one_line(_facet_text(text, facet)) for facet in text_facets]
            leads = ["", f"Links: {', '.join(links)}"] if links else []
            parts.append("\n".join([*head, *(verbatim(text) or ["(no text)"]), *leads]))
        for word, target in (("In reply to", self.reply_to), ("Quoting", self.quote)):
            if target is not None:
                parts.append("\n".join([f"{word} {target.name}:", *verbatim(target.text)]))
        for image in self.images:
            head_line = f"📷 {one_line(image.name)}, {len(image.data) / 1000:,.0f} kB, described as:"
            parts.append("\n".join([head_line, *verbatim(image.alt)]))
        return "\n\n".join(parts)


def _facet_text(text: str, facet: dict[str, Any]) -> str:
    """Return the linked part of the text, and where a link leads if it does not say so itself."""
    index, feature = facet["index"], facet["features"][0]
    piece = text.encode()[index["byteStart"] : index["byteEnd"]].decode()
    uri = feature.get("uri", "")
    return f"{piece} → {uri}" if uri not in ("", piece) else piece


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    @box.tool(
        title="Post to Bluesky",
        destructive=False,
        names={"post_as": "postAs", "reply_to": "replyTo"},
        completers={"postAs": bluesky.complete_own_account},
    )
    @errors_as_text
    async def post(
        ctx: ToolContext,
        text: Text = "",
        post_as: As = "",
        reply_to: OptionalPost = "",
        quote: OptionalPost = "",
        images: Pictures = [],  # noqa: B006 - copied for each call
    ) -> Prose:
        """Posts to Bluesky, after the person has seen and approved exactly what will be sent and as whom."""
        calls = await bluesky.account_calls(ctx, post_as)
        draft = await _make_draft(bluesky, calls, text, reply_to, quote, images)
        await asyncio.to_thread(draft.check)
        preview = draft.preview(bluesky.handle_of(calls.did))
        await bluesky.approve(ctx, "post", preview, always=len(draft.texts) > 1)
        return Prose(await _send(ctx, calls, draft))


async def _make_draft(
    bluesky: BlueskyTools, calls: AccountCalls, text: str, reply_to: str, quote: str, pictures: Pictures
) -> PostDraft:
    texts = post_splitting.split(clean(text)) or [""]  # the user cannot approve invisible characters
    if not texts[0] and not pictures:
        raise BadArguments("⚠️ There is nothing to post: give a text, or images.")
    if len(texts) > MAX_THREAD:
        raise BadArguments(
            f"⚠️ That would be {len(texts)} posts; {MAX_THREAD} are the most at once. Shorten it."
        )
    loaded = [await asyncio.to_thread(images.load, one, number) for number, one in enumerate(pictures, 1)]
    found = [await asyncio.to_thread(lexicons.find_facets, one) for one in texts]
    handles = {one.value for many in found for one in many if one.kind == "mention"}
    dids = await _resolve_handles(bluesky, calls, handles)
    return PostDraft(
        texts,
        [facets.to_record(many, dids) for many in found],
        loaded,
        await get_target(bluesky, calls, reply_to) if reply_to else None,
        await get_target(bluesky, calls, quote) if quote else None,
        bluesky.accounts.registry.places.langs or tuple(filter(None, [language.guess(text)])),
    )


async def _resolve_handles(bluesky: BlueskyTools, calls: AccountCalls, handles: set[str]) -> dict[str, str]:
    """Return the DID of each handle that exists."""
    dids = {}
    for handle in sorted(handles):
        try:
            dids[handle] = await bluesky.resolve_did(calls, handle)
        except ToolProblem:
            continue
    return dids


async def get_target(bluesky: BlueskyTools, calls: AccountCalls, post: str) -> PostTarget:
    """Fetch a post; the root of a reply is in its record."""
    named = references.post(post)
    record = await bluesky.with_did(calls, named)
    found = await get_record(calls, record)
    value = dict_of(found, "value")
    ref, root = _strong_ref(found), _strong_ref(dict_of(dict_of(value, "reply"), "root"))
    name = f"{await bluesky.name_of(calls, named.who)}/{named.rkey}"
    return PostTarget(name, ref, text_of(value, "text"), root if all(root.values()) else ref)


def _strong_ref(raw: Mapping[str, Any]) -> dict[str, str]:
    return {"uri": text_of(raw, "uri"), "cid": text_of(raw, "cid")}


async def get_record(calls: AccountCalls, record: references.RecordRef) -> dict[str, Any]:
    params = {"repo": record.who, "collection": record.collection, "rkey": record.rkey}
    try:
        found = await calls.get("com.atproto.repo.getRecord", params)
    except RequestRefused as error:
        if "could not locate record" in error.message.lower():
            raise ToolProblem("⚠️ Post not found.", NOT_FOUND) from error
        raise
    if not text_of(found, "cid"):
        raise ToolProblem("⚠️ Post not found.", NOT_FOUND)
    return found


# --- sending ---------------------------------------------------------------------------------------------


async def _send(ctx: ToolContext, calls: AccountCalls, draft: PostDraft) -> str:
    """Send the posts one after the other, each as a reply to the one before. An error lists the posts that
    were sent."""
    embed = draft.embed([await _upload(calls, one) for one in draft.images])
    root = parent = None
    if draft.reply_to is not None:
        root, parent = draft.reply_to.root, draft.reply_to.ref
    sent: list[str] = []
    for number in range(len(draft.texts)):
        try:
            created = await create_record(calls, POSTS, draft.record(number, embed, root, parent))
        except DeskbellError as error:
            if not sent:
                raise
            rest = f"Post {number + 1} of {len(draft.texts)} and those after it were not sent"
            text = "\n".join([*sent, f"⚠️ {rest}: {error_text(error)}"])
            raise ToolProblem(text, failure_reason(error)) from error
        parent = _strong_ref(created)
        root = root or parent
        sent.append(f"✓ Posted {parent['uri']}")
        if draft.texts[1:]:
            await ctx.progress(number + 1, len(draft.texts), f"{number + 1} of {len(draft.texts)} posted")
    return "\n".join(sent)


async def _upload(calls: AccountCalls, image: images.Image) -> object:
    return (await calls.upload("com.atproto.repo.uploadBlob", image.data, image.mime)).get("blob")


async def create_record(calls: AccountCalls, collection: str, record: dict[str, Any]) -> dict[str, Any]:
    params = {"repo": calls.did, "collection": collection, "record": record}
    return await calls.post("com.atproto.repo.createRecord", params)


def timestamp() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
