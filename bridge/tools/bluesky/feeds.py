"""The tool `feed`: the timeline, the posts of an author, a custom feed or a list."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Annotated, Any

from bridge.errors import DeskbellError, RequestRefused
from bridge.tools.base import BadArguments, ToolProblem
from bridge.tools.bluesky.failures import errors_as_text, failure_reason
from bridge.tools.bluesky.reader import BlueskyReader
from bridge.tools.bluesky.shared import BlueskyTools, Format, ViewAs, as_json, now
from bridge.tools.bluesky.text import compact, markdown, references, views
from bridge.tools.bluesky.text.figures import handle
from bridge.tools.context import ToolContext
from bridge.tools.results import NOT_FOUND, Prose
from bridge.tools.signature import described
from bridge.tools.toolbox import Toolbox

FOLLOWING = ("", "following", "home", "timeline")
_OFFICIAL = "at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.generator/whats-hot"
_DISCOVER = ("discover", "whats-hot", "what's hot")
_FEED = (
    "following (if left out), discover, an author's handle, DID or display name, the at:// URI or bsky.app "
    "address of a feed or list, or the name of a popular feed."
)
FeedArgument = Annotated[str, described(_FEED, "discover")]
Cursor = Annotated[str, described("From “→ More (cursor: …)”.", "abc123")]
Limit = Annotated[int, described("At most so many.", ge=1, le=1000)]


class FeedPage(views.View, frozen=True):
    """One page of a feed."""

    feed: str
    posts: list[views.Post]
    cursor: str = ""


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    @box.tool(
        title="Bluesky feed",
        read_only=True,
        names={"view_as": "viewAs", "continue_at_cursor": "continueAtCursor"},
        completers={"feed": bluesky.complete_account, "viewAs": bluesky.complete_own_account},
    )
    @errors_as_text
    async def feed(
        ctx: ToolContext,
        feed: FeedArgument = "",
        view_as: ViewAs = "",
        continue_at_cursor: Cursor = "",
        limit: Limit = 50,
        format: Format = "markdown",
    ) -> Prose:
        """Shows a Bluesky feed: the accounts you follow, an author, a custom feed or a list, newest first."""
        reader = bluesky.reader(ctx, view_as)
        nsid, params, title = await _source(reader, feed)
        try:
            items, cursor = await reader.get_pages(nsid, params, "feed", limit, continue_at_cursor)
        except RequestRefused as error:
            if "feed" in params and failure_reason(error) == NOT_FOUND:
                raise ToolProblem("⚠️ There is no such feed.", NOT_FOUND) from error
            raise
        posts = [views.feed_post(item) for item in items]
        page = FeedPage(feed or "following", posts, cursor)
        head = markdown.titled(title, posts)
        if format == "json":
            return as_json(page)
        write = compact.posts if format == "compact" else markdown.feed
        return Prose(write(head, posts, now(), page.cursor))


async def _source(reader: BlueskyReader, feed: str) -> tuple[str, Mapping[str, Any], str]:
    """Return the XRPC method, its parameters, and the title of a feed."""
    word = feed.strip()
    if word.lower() in FOLLOWING:
        return "app.bsky.feed.getTimeline", {}, "Following"
    if word.lower() in _DISCOVER:
        return "app.bsky.feed.getFeed", {"feed": _OFFICIAL}, "Discover"
    if found := references.source(word):
        record = await reader.with_did(found)
        title = f"Feed {await reader.name_of(found.who)}/{found.rkey}"
        if record.collection == references.LISTS:
            return "app.bsky.feed.getListFeed", {"list": record.uri}, title
        return "app.bsky.feed.getFeed", {"feed": record.uri}, title
    with contextlib.suppress(BadArguments):
        return await _author(reader, references.account(word))
    return await _by_name(reader, word)


async def _author(reader: BlueskyReader, who: str) -> tuple[str, Mapping[str, Any], str]:
    params = {"actor": who, "filter": "posts_and_author_threads"}
    return "app.bsky.feed.getAuthorFeed", params, f"Posts of {await reader.name_of(who)}"


async def _by_name(reader: BlueskyReader, name: str) -> tuple[str, Mapping[str, Any], str]:
    """Find a popular custom feed by its name, or an author by the display name."""
    nsid = "app.bsky.unspecced.getPopularFeedGenerators"
    try:
        reply = await reader.get(nsid, {"query": name, "limit": 10})
    except DeskbellError:
        reply = {}
    for one in views.dicts_of(reply, "feeds"):
        record = references.parse_uri(views.text_of(one, "uri"))
        if record is not None:
            who = handle(views.text_of(views.dict_of(one, "creator"), "handle"))
            return "app.bsky.feed.getFeed", {"feed": record.uri}, f"Feed {who}/{record.rkey}"
    try:
        return await _author(reader, await reader.find_account(name))
    except (ToolProblem, DeskbellError) as error:
        raise ToolProblem(
            f"⚠️ There is no feed called {name[:100]!r}. Use following, discover, a handle, or the at:// URI "
            "or bsky.app address of a feed or a list.",
            NOT_FOUND,
        ) from error
