"""`search`: all posts of one account, by its repository; or the whole network, by its own search."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any

from msgspec import Meta

from bridge.core.functions import Report
from bridge.tools.base import BadArguments
from bridge.tools.bluesky import index, markdown, queries, references, views
from bridge.tools.bluesky.counter import Counter, Format, answer, in_words, now
from bridge.tools.bluesky.queries import Query
from bridge.tools.bluesky.quoting import one_line
from bridge.tools.bluesky.references import POSTS
from bridge.tools.bluesky.repositories import Held, Repositories
from bridge.tools.context import ToolContext
from bridge.tools.toolbox import Toolbox

From = Annotated[
    str,
    Meta(
        description="Whose posts, all of them: handle, @handle, DID or profile page. Left out: everybody's.",
        examples=["@alice.bsky.social"],
    ),
]
What = Annotated[
    str,
    Meta(
        description='Words, "phrases that must be there", has:image|video|link|quote|reply|mention|tag, '
        "before:2025-01-31, after:2024-12-31, from:handle.",
        examples=['climate "sea level" has:link after:2024-06-01'],
    ),
]
Most = Annotated[int, Meta(ge=1, le=100, description="At most so many posts.")]


class Found(views.View, frozen=True):
    query: str
    posts: list[views.Post]
    total: int = 0  # in one account's repository; 0: nobody counted


def add(box: Toolbox, counter: Counter) -> None:
    repositories = Repositories(counter.office.book, counter.folder)

    @box.tool(title="Search Bluesky", read_only=True, completers={"from": counter.complete})
    @in_words
    async def search(
        ctx: ToolContext, query: What = "", from_: From = "", limit: Most = 20, format: Format = "markdown"
    ) -> Report[str | Found]:
        """Finds posts: in everything one account ever posted (`from`), or in the whole network."""
        wanted = queries.parse(query)
        who = references.account(from_) if from_ else wanted.by
        if not who and not wanted.terms:
            raise BadArguments("⚠️ search needs words in `query`, or an account in `from`.")
        title = f'# Search: "{one_line(wanted.plain, 200)}"' if wanted.terms else "# Search"
        if who:
            held = await repositories.get(ctx, who)
            found, total = await asyncio.to_thread(held.index.search, wanted, limit)
            posts = [_post(held, rkey, record) for rkey, record in found]
            title = f"{title} in {markdown.handle(held.who.handle)}"
            last = _last(len(posts), total, held.stale)
        else:
            posts, total = await _network(ctx, counter, wanted, limit), 0
            last = "" if posts else "Nothing was found."
        shown = partial(queries.bold, queries.marker(wanted))
        text = markdown.posts(title, posts, mark=shown)
        if format == "compact":
            text = markdown.compact(title, posts, now())
        return answer(format, Found(query, posts, total), f"{text}\n\n{last}" if last else text)


def _last(shown: int, total: int, stale: str) -> str:
    count = (
        f"→ {shown} of {total} posts that match" if shown < total else "" if total else "Nothing was found."
    )
    return "\n".join(filter(None, [count, f"⚠️ {stale}" if stale else ""]))


def _post(held: Held, rkey: str, record: views.Raw) -> views.Post:
    author = {"handle": held.who.handle, "did": held.who.did}
    raw: dict[str, Any] = {"uri": f"at://{held.who.did}/{POSTS}/{rkey}", "author": author, "record": record}
    return views.recorded(raw)


async def _network(ctx: ToolContext, counter: Counter, wanted: Query, limit: int) -> list[views.Post]:
    params = {
        "q": wanted.plain,
        "limit": 100 if wanted.has else limit,
        "since": _moment(wanted.after),
        "until": _moment(wanted.before),
    }
    said = await counter.ask(ctx, "", "app.bsky.feed.searchPosts", params)
    found = [
        one
        for one in views.dicts_of(said, "posts")
        if wanted.has <= index.kinds(views.dict_of(one, "record"))
    ]
    return [views.post(one) for one in found[:limit]]


def _moment(date: str) -> str | None:
    """A day or a month as the network wants it."""
    if not date or "T" in date:
        return date or None
    return f"{date}{'-01' * (2 - date.count('-'))}T00:00:00Z"
