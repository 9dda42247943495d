"""`search`: all posts of one account, by its repository; or the whole network, by its own search."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from msgspec import Meta

from bridge.tools.base import BadArguments
from bridge.tools.bluesky.feeds import Cursor, Limit
from bridge.tools.bluesky.repo import search_index
from bridge.tools.bluesky.repo.repositories import LocalRepository, Repositories
from bridge.tools.bluesky.shared import BlueskyTools, Format, answer, errors_as_text, now
from bridge.tools.bluesky.text import markdown, references, search_query, views
from bridge.tools.bluesky.text.quoting import one_line
from bridge.tools.bluesky.text.references import POSTS
from bridge.tools.bluesky.text.search_query import Query
from bridge.tools.context import ToolContext
from bridge.tools.results import Report
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
_SHOWN = re.compile(r"(\d{1,4})~(.*)")
_PAGES = 5  # of the network's, for one of ours


class SearchResults(views.View, frozen=True):
    query: str
    posts: list[views.Post]
    total: int = 0  # in one account's repository; 0: nobody counted
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A stretch of what was found, and what is said below it."""

    posts: list[views.Post]
    total: int = 0
    cursor: str = ""
    where: str = ""
    stale: str = ""

    @property
    def last(self) -> str:
        if not self.posts:
            said = "Nothing more was found." if self.total else "Nothing was found."
        else:
            said = f"→ {self.total} posts match in all" if self.total > len(self.posts) else ""
        return "\n".join(filter(None, [said, f"⚠️ {self.stale}" if self.stale else ""]))


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    repositories = Repositories(bluesky.office.book, bluesky.folder)

    @box.tool(title="Search Bluesky", read_only=True, completers={"from": bluesky.complete})
    @errors_as_text
    async def search(
        ctx: ToolContext,
        query: What = "",
        from_: From = "",
        limit: Limit = 20,
        cursor: Cursor = "",
        format: Format = "markdown",
    ) -> Report[str | SearchResults]:
        """Finds posts: in everything one account ever posted (`from`), or in the whole network."""
        wanted = search_query.parse(query)
        who = references.account(from_) if from_ else wanted.by
        if not who and not wanted.terms:
            raise BadArguments("⚠️ search needs words in `query`, or an account in `from`.")
        title = f'# Search: "{one_line(wanted.plain, 200)}"' if wanted.terms else "# Search"
        if who:
            found = await _in_repository(await repositories.get(ctx, who), wanted, limit, cursor)
            title = f"{title} in {markdown.handle(found.where)}"
        else:
            found = await _in_network(ctx, bluesky, wanted, limit, cursor)
        if format == "compact":
            text = markdown.compact(title, found.posts, now(), found.cursor)
        else:
            shown = partial(search_query.bold, search_query.marker(wanted))
            text = markdown.posts(title, found.posts, found.cursor, mark=shown)
        told = f"{text}{_apart(found)}{found.last}" if found.last else text
        return answer(format, SearchResults(query, found.posts, found.total, found.cursor), told)


def _apart(found: SearchPage) -> str:
    return "\n" if found.cursor else "\n\n"


# --- one account's ---------------------------------------------------------------------------------------


async def _in_repository(held: LocalRepository, wanted: Query, limit: int, cursor: str) -> SearchPage:
    try:
        hits = await asyncio.to_thread(held.index.search, wanted, limit, cursor)
    except search_index.UnknownCursor as error:
        raise BadArguments("⚠️ This cursor leads nowhere any more. Search again without it.") from error
    posts = [_post(held, rkey, record) for rkey, record in hits.posts]
    return SearchPage(posts, hits.total, hits.more, held.who.handle, held.stale)


def _post(held: LocalRepository, rkey: str, record: views.Raw) -> views.Post:
    author = {"handle": held.who.handle, "did": held.who.did}
    raw: dict[str, Any] = {"uri": f"at://{held.who.did}/{POSTS}/{rkey}", "author": author, "record": record}
    return views.recorded(raw)


# --- everybody's -----------------------------------------------------------------------------------------


async def _in_network(
    ctx: ToolContext, bluesky: BlueskyTools, wanted: Query, limit: int, cursor: str
) -> SearchPage:
    """What the network cannot filter is filtered here, page after page: then a cursor says too how many of
    its page have been shown."""
    if not wanted.has:
        page = await _page(ctx, bluesky, wanted, limit, cursor)
        return SearchPage([views.post(one) for one in page.posts[:limit]], cursor=page.following)
    begun = _SHOWN.fullmatch(cursor)
    seen, place = (int(begun[1]), begun[2]) if begun else (0, cursor)
    found: list[views.Post] = []
    for _ in range(_PAGES):
        page = await _page(ctx, bluesky, wanted, 100, place)
        fits = [one for one in page.posts if wanted.has <= search_index.kinds(views.dict_of(one, "record"))][
            seen:
        ]
        room = limit - len(found)
        found += [views.post(one) for one in fits[:room]]
        if len(fits) > room:
            return SearchPage(found, cursor=f"{seen + room}~{place}")
        seen, place = 0, page.following
        if not place or len(found) == limit:
            break
    return SearchPage(found, cursor=place)


@dataclass(frozen=True, slots=True)
class _Page:
    posts: list[views.Raw]
    following: str


async def _page(ctx: ToolContext, bluesky: BlueskyTools, wanted: Query, limit: int, cursor: str) -> _Page:
    params = {
        "q": wanted.plain,
        "limit": limit,
        "since": _moment(wanted.after),
        "until": _moment(wanted.before),
        "cursor": cursor or None,
    }
    said = await bluesky.ask(ctx, "", "app.bsky.feed.searchPosts", params)
    return _Page(list(views.dicts_of(said, "posts")), views.text_of(said, "cursor"))


def _moment(date: str) -> str | None:
    """A day or a month as the network wants it."""
    if not date or "T" in date:
        return date or None
    return f"{date}{'-01' * (2 - date.count('-'))}T00:00:00Z"
