"""The tools `thread` and `post_details`."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec

from bridge.errors import DeskbellError
from bridge.tools.base import ToolProblem
from bridge.tools.bluesky.failures import errors_as_text
from bridge.tools.bluesky.reader import BlueskyReader
from bridge.tools.bluesky.shared import BlueskyTools, Format, PostRef, ViewAs, as_json, now
from bridge.tools.bluesky.text import compact, markdown, references, views
from bridge.tools.bluesky.text.quoting import quoted
from bridge.tools.context import ToolContext
from bridge.tools.results import NOT_FOUND, Prose
from bridge.tools.signature import described
from bridge.tools.toolbox import Toolbox

_MAX_DEPTH = 100  # levels of replies
_MAX_PARENTS = 1000  # limit of the AppView
_MAX_PEOPLE = 10  # who liked or reposted
RawData = Annotated[bool, described("Also the server's own data.")]


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
        completers={"viewAs": bluesky.complete_own_account},
    )
    @errors_as_text
    async def thread(
        ctx: ToolContext, post_uri: PostRef, view_as: ViewAs = "", format: Format = "markdown"
    ) -> Prose:
        """Shows the thread around a post: all above it from the true root on, the post, all replies."""
        record = references.post(post_uri)
        await ctx.progress(0, message="Reading the thread…")
        reader = bluesky.reader(ctx, view_as)
        params = {
            "uri": (await reader.with_did(record)).uri,
            "depth": _MAX_DEPTH,
            "parentHeight": _MAX_PARENTS,
        }
        reply = await reader.get("app.bsky.feed.getPostThread", params)
        replies = await asyncio.to_thread(views.thread, views.dict_of(reply, "thread"))
        await ctx.progress(1, 1, f"{len(replies)} posts")
        if format == "json":
            return as_json(Thread(replies))
        if format == "compact":
            posts = [one.post for one in replies]
            return Prose(compact.posts(markdown.titled("Thread", posts), posts, now()))
        return Prose(markdown.thread(replies, now()))

    @box.tool(
        title="Bluesky post details",
        read_only=True,
        names={"post_uri": "postURI", "view_as": "viewAs"},
        completers={"viewAs": bluesky.complete_own_account},
    )
    @errors_as_text
    async def post_details(
        ctx: ToolContext,
        post_uri: PostRef,
        view_as: ViewAs = "",
        raw: RawData = False,
        format: Format = "markdown",
    ) -> Prose:
        """Shows all that is known of one post: text, media, counts, links, addresses, who liked it."""
        reader = bluesky.reader(ctx, view_as)
        uri = (await reader.with_did(references.post(post_uri))).uri
        reply = await reader.get("app.bsky.feed.getPosts", {"uris": uri})
        found = next(views.dicts_of(reply, "posts"), None)
        if found is None:
            raise ToolProblem("⚠️ Post not found.", NOT_FOUND)
        post = views.post(found)
        likes, reposts = await asyncio.gather(
            _people(reader, post.likes, "app.bsky.feed.getLikes", uri, "likes"),
            _people(reader, post.reposts, "app.bsky.feed.getRepostedBy", uri, "repostedBy"),
        )
        if format == "json":
            return as_json(Details(post, tuple(likes), tuple(reposts)))
        if format == "compact":
            return Prose(compact.line(post, now()))
        raw_data = _raw_data(found) if raw else []
        return Prose("\n".join([markdown.details(post, likes, reposts, now()), *raw_data]))


async def _people(reader: BlueskyReader, count: int, nsid: str, uri: str, key: str) -> list[str]:
    """Return a few handles; none if there are none, or the server refuses."""
    if not count:
        return []
    try:
        reply = await reader.get(nsid, {"uri": uri, "limit": _MAX_PEOPLE})
    except DeskbellError:
        return []
    handles = (views.text_of(one.get("actor", one), "handle") for one in views.dicts_of(reply, key))
    return [handle for handle in handles if handle]


def _raw_data(found: views.Raw) -> list[str]:
    text = msgspec.json.format(msgspec.json.encode(found), indent=1).decode()
    return ["", "<details><summary>Raw data</summary>", "", *quoted(text), "", "</details>"]
