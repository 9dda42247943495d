"""The tool `search`: all posts of one account, in its repository, or the network's own search."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

from msgspec import structs

from bridge.errors import DeskbellError
from bridge.tools.base import BadArguments
from bridge.tools.bluesky.feeds import Cursor, Limit
from bridge.tools.bluesky.reader import Reader
from bridge.tools.bluesky.repo import search_index
from bridge.tools.bluesky.repo.repositories import LocalRepository, Repositories
from bridge.tools.bluesky.shared import BlueskyTools, Format, as_json, errors_as_text, now
from bridge.tools.bluesky.text import compact, markdown, search_query, views
from bridge.tools.bluesky.text.figures import counted, handle
from bridge.tools.bluesky.text.quoting import one_line
from bridge.tools.bluesky.text.references import POSTS
from bridge.tools.bluesky.text.search_query import Query
from bridge.tools.context import ToolContext
from bridge.tools.results import Prose
from bridge.tools.signature import described
from bridge.tools.toolbox import Toolbox

_FROM = "Whose posts: handle, DID, bsky.app address or display name; everybody's if left out."
_QUERY = (
    'Words, "phrases that must be there", has:image|video|link|quote|reply|mention|tag, before:2025-01-31, '
    "after:2024-12-31, from:handle."
)
FromArgument = Annotated[str, described(_FROM, "alice.bsky.social")]
QueryArgument = Annotated[str, described(_QUERY, 'climate "sea level" has:link after:2024-06-01')]
_CURSOR = re.compile(r"(\d{1,4})~(.*)")
_BATCH = 25  # posts of one getPosts, at most
_MAX_PAGES = 5  # of the network, read for one page of results


class SearchResults(views.View, frozen=True):
    query: str
    posts: list[views.Post]
    total: int = 0  # posts in the repository that match; 0 for the network
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of results, and the notes below it."""

    posts: list[views.Post]
    total: int = 0
    cursor: str = ""
    where: str = ""  # handle of the repository
    stale: str = ""  # why the repository may be outdated

    @property
    def summary(self) -> str:
        """Say how many posts were found, and why they may be outdated."""
        count = max(self.total, len(self.posts))
        open_end = " so far" if self.cursor and not self.total else ""
        stale = f" · ⚠️ {self.stale}" if self.stale else ""
        return f"Found {counted(count, 'post')}{open_end}{stale}"


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    repositories = Repositories(bluesky.accounts.registry, bluesky.folder)

    @box.tool(title="Search Bluesky", read_only=True, completers={"from": bluesky.complete_account})
    @errors_as_text
    async def search(
        ctx: ToolContext,
        query: QueryArgument = "",
        from_: FromArgument = "",
        limit: Limit = 50,
        cursor: Cursor = "",
        format: Format = "markdown",
    ) -> Prose:
        """Finds posts: in everything one account ever posted (`from`), or in the whole network."""
        parsed = search_query.parse(query)
        reader = bluesky.reader(ctx)
        who = await reader.find_account(from_ or parsed.by) if from_ or parsed.by else ""
        if not who and not parsed.terms:
            raise BadArguments("⚠️ search needs words in `query`, or an account in `from`.")
        title = f'# Search: "{one_line(parsed.plain, 200)}"' if parsed.terms else "# Search"
        if who:
            found = await _in_repository(await repositories.get(ctx, who), parsed, limit, cursor)
            found = replace(found, posts=await _with_counts(bluesky, found.posts))
            title = f"{title} in {handle(found.where)}"
        else:
            found = await _in_network(reader, parsed, limit, cursor)
        if format == "json":
            return as_json(SearchResults(query, found.posts, found.total, found.cursor))
        return Prose(_format(title, found, parsed, is_compact=format == "compact"))


def _format(title: str, found: SearchPage, parsed: Query, *, is_compact: bool) -> str:
    if is_compact:
        return compact.posts(f"{title} · {found.summary}", found.posts, now(), found.cursor)
    mark = partial(search_query.bold, search_query.term_pattern(parsed))
    return markdown.search(title, found.posts, now(), found.summary, found.cursor, mark)


# --- one account -----------------------------------------------------------------------------------------


async def _in_repository(repository: LocalRepository, parsed: Query, limit: int, cursor: str) -> SearchPage:
    try:
        hits = await asyncio.to_thread(repository.index.search, parsed, limit, cursor)
    except search_index.UnknownCursor as error:
        raise BadArguments("⚠️ This cursor leads nowhere any more. Search again without it.") from error
    posts = [_post(repository, rkey, record) for rkey, record in hits.posts]
    return SearchPage(posts, hits.total, hits.more, repository.identity.handle, repository.stale)


def _post(repository: LocalRepository, rkey: str, record: views.Raw) -> views.Post:
    author = {"handle": repository.identity.handle, "did": repository.identity.did}
    raw: dict[str, Any] = {
        "uri": f"at://{repository.identity.did}/{POSTS}/{rkey}",
        "author": author,
        "record": record,
    }
    return views.post_of_record(raw)


async def _with_counts(bluesky: BlueskyTools, posts: list[views.Post]) -> list[views.Post]:
    """Add the counts, which are not in a repository; without a connection there are none."""
    signed_in = bluesky.accounts.registry.accounts
    calls = bluesky.accounts.calls() if signed_in else bluesky.accounts.public_calls()
    known: dict[str, views.Post] = {}
    try:
        for start in range(0, len(posts), _BATCH):
            uris = [one.uri for one in posts[start : start + _BATCH]]
            reply = await calls.get("app.bsky.feed.getPosts", {"uris": uris})
            known |= {one.uri: one for one in map(views.post, views.dicts_of(reply, "posts"))}
    except DeskbellError:
        return posts
    fields = ("likes", "reposts", "quotes", "replies")
    return [
        structs.replace(one, **{name: getattr(known[one.uri], name) for name in fields})
        if one.uri in known
        else one
        for one in posts
    ]


# --- the network -----------------------------------------------------------------------------------------


async def _in_network(reader: Reader, parsed: Query, limit: int, cursor: str) -> SearchPage:
    """Search the network. `has:` is filtered here; the cursor `COUNT~CURSOR` then also says how many matches
    of the network's page were shown."""
    if not parsed.has:
        posts, cursor = await _page(reader, parsed, limit, cursor)
        return SearchPage([views.post(one) for one in posts[:limit]], cursor=cursor)
    own_cursor = _CURSOR.fullmatch(cursor)
    seen, place = (int(own_cursor[1]), own_cursor[2]) if own_cursor else (0, cursor)
    found: list[views.Post] = []
    for _ in range(_MAX_PAGES):
        posts, after = await _page(reader, parsed, 100, place)
        matches = [one for one in posts if parsed.has <= search_index.kinds(views.dict_of(one, "record"))][
            seen:
        ]
        room = limit - len(found)
        found += [views.post(one) for one in matches[:room]]
        if len(matches) > room:
            return SearchPage(found, cursor=f"{seen + room}~{place}")
        seen, place = 0, after
        if not place or len(found) == limit:
            break
    return SearchPage(found, cursor=place)


async def _page(reader: Reader, parsed: Query, limit: int, cursor: str) -> tuple[list[views.Raw], str]:
    """Return the posts of one page, and the cursor of the next."""
    params = {**_params(parsed), "limit": limit, "cursor": cursor or None}
    reply = await reader.get("app.bsky.feed.searchPosts", params)
    return list(views.dicts_of(reply, "posts")), views.text_of(reply, "cursor")


def _params(parsed: Query) -> dict[str, Any]:
    since, until = _to_datetime(parsed.after), _to_datetime(parsed.before)
    return {"q": parsed.plain, "since": since, "until": until}


def _to_datetime(date: str) -> str | None:
    """Return the datetime at which a year, month or day begins."""
    if not date or "T" in date:
        return date or None
    return f"{date}{'-01' * (2 - date.count('-'))}T00:00:00Z"
