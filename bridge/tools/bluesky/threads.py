"""`thread` and `post_details`: one post with what is around it, or with all that is known of it."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta

from bridge.accounts.xrpc import AccountCalls
from bridge.errors import DeskbellError
from bridge.tools.base import ToolProblem
from bridge.tools.bluesky.shared import As, BlueskyTools, Format, PostRef, answer, errors_as_text, now
from bridge.tools.bluesky.text import markdown, references, views
from bridge.tools.bluesky.text.quoting import quoted
from bridge.tools.context import ToolContext
from bridge.tools.results import Report
from bridge.tools.toolbox import Toolbox

_DEEP = 100  # answers to answers
_HIGH = 1000  # parents; the most a server gives
_NAMED = 10  # of those who liked or reposted
RawData = Annotated[bool, Meta(description="Also show what the server says, as it says it.")]


class Thread(views.View, frozen=True):
    posts: list[views.ThreadPost]


class Details(views.View, frozen=True):
    post: views.Post
    liked_by: tuple[str, ...] = ()
    reposted_by: tuple[str, ...] = ()


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    @box.tool(
        title="Bluesky thread",
        read_only=True,
        names={"post_uri": "postURI", "view_as": "viewAs"},
        completers={"viewAs": bluesky.own},
    )
    @errors_as_text
    async def thread(
        ctx: ToolContext, post_uri: PostRef, view_as: As = "", format: Format = "markdown"
    ) -> Report[str | Thread]:
        """Shows the thread around a post: all above it from the true root on, the post, all replies."""
        record = references.post(post_uri)
        await ctx.progress(0, message="Reading the thread…")
        calls = await bluesky.calls(ctx, view_as)
        wanted = {"uri": (await bluesky.full(calls, record)).uri, "depth": _DEEP, "parentHeight": _HIGH}
        said = await bluesky.ask(ctx, calls.did, "app.bsky.feed.getPostThread", wanted)
        replies = await asyncio.to_thread(views.thread, views.dict_of(said, "thread"))
        await ctx.progress(1, 1, f"{len(replies)} posts")
        data = Thread(replies)
        if format == "compact":
            posts = [one.post for one in replies]
            return answer(format, data, markdown.compact(markdown.titled("Thread", posts), posts, now()))
        return answer(format, data, markdown.thread(replies))

    @box.tool(title="Bluesky post details", read_only=True, names={"post_uri": "postURI"})
    @errors_as_text
    async def post_details(
        ctx: ToolContext, post_uri: PostRef, raw: RawData = False, format: Format = "markdown"
    ) -> Report[str | Details]:
        """Shows all that is known of one post: text, media, counts, links, addresses, who liked it."""
        calls = await bluesky.calls(ctx)
        uri = (await bluesky.full(calls, references.post(post_uri))).uri
        said = await bluesky.ask(ctx, calls.did, "app.bsky.feed.getPosts", {"uris": uri})
        found = next(views.dicts_of(said, "posts"), None)
        if found is None:
            raise ToolProblem("⚠️ Post not found.")
        one = views.post(found)
        likes, reposts = await asyncio.gather(
            _people(calls, "app.bsky.feed.getLikes", uri, "likes") if one.likes else _nobody(),
            _people(calls, "app.bsky.feed.getRepostedBy", uri, "repostedBy") if one.reposts else _nobody(),
        )
        details = Details(one, tuple(likes), tuple(reposts))
        if format == "compact":
            return answer(format, details, markdown.line(one, now()))
        whole = _raw(found) if raw else []
        return answer(format, details, "\n".join([markdown.details(one, likes, reposts), *whole]))


async def _nobody() -> list[str]:
    return []


async def _people(calls: AccountCalls, nsid: str, uri: str, key: str) -> list[str]:
    """A few of them; a server that will not say is no reason to show nothing."""
    try:
        said = await calls.get(nsid, {"uri": uri, "limit": _NAMED})
    except DeskbellError:
        return []
    found = (views.text_of(one.get("actor", one), "handle") for one in views.dicts_of(said, key))
    return [one for one in found if one]


def _raw(found: views.Raw) -> list[str]:
    text = msgspec.json.format(msgspec.json.encode(found), indent=1).decode()
    return ["", "<details><summary>Raw data</summary>", "", *quoted(text), "", "</details>"]
