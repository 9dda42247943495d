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
from bridge.tools.bluesky.failures import errors_as_text
from bridge.tools.bluesky.feeds import Cursor, Limit
from bridge.tools.bluesky.reader import BlueskyReader
from bridge.tools.bluesky.repo import search_index
from bridge.tools.bluesky.repo.repositories import LocalRepository, Repositories
from bridge.tools.bluesky.shared import BlueskyTools, Format, as_json, now
from bridge.tools.bluesky.text import compact, markdown, search_query, views
from bridge.tools.bluesky.text.figures import counted, handle
from bridge.tools.bluesky.text.quoting import one_line
from bridge.tools.bluesky.text.references import POSTS
from bridge.tools.bluesky.text.search_filters import COUNTS, BoundedPattern, TooSlow
from bridge.tools.bluesky.text.search_query import Query
from bridge.tools.context import ToolContext
from bridge.tools.results import Prose
from bridge.tools.signature import described
from bridge.tools.toolbox import Toolbox

_FROM = "Whose posts: handle, DID, bsky.app address or display name; everybody's if left out."
_QUERY = (
    'Words, "phrases", /regex/, has:media|image|video|link|quote|reply|mention|tag, from: to: mentions: (a '
    "handle), before: after: (2025-01-31), date:2024-05..2024-06, likes: reposts: quotes: replies: (10, <5)."
)
FromArgument = Annotated[str, described(_FROM, "alice.bsky.social")]
QueryArgument = Annotated[str, described(_QUERY, 'climate "sea level" has:link after:2024-06-01')]
_CURSOR = re.compile(r"(\d{1,4})~(.*)")
_BATCH = 25  # posts of one getPosts, at most
_MAX_PAGES = 5  # that are filtered for one page of results
_PAGE = 100  # posts that are filtered at once
_NSID = "app.bsky.feed.searchPosts"


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
    words: tuple[str, ...] = ()  # that were searched, if others than in the query

    @property
    def summary(self) -> str:
        """Say how many posts were found, and why they may be outdated."""
        count = max(self.total, len(self.posts))
        open_end = " so far" if self.cursor and not self.total else ""
        instead = f' with "{one_line(" ".join(self.words), 200)}" instead' if self.words and count else ""
        stale = f" · ⚠️ {self.stale}" if self.stale else ""
        return f"Found {counted(count, 'post')}{open_end}{instead}{stale}"


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
        title = f"# Search: {_quoted(one_line(parsed.plain, 200))}" if parsed.terms else "# Search"
        parsed = await _with_dids(reader, parsed)
        try:
            if who:
                found = await _in_repository(bluesky, await repositories.get(ctx, who), parsed, limit, cursor)
                title = f"{title} in {handle(found.where)}"
            else:
                found = await _in_network(reader, parsed, limit, cursor)
        except TooSlow as error:
            raise BadArguments(f"⚠️ /{parsed.pattern}/ takes too long. Use a simpler expression.") from error
        parsed = replace(parsed, words=found.words or parsed.words)
        if format == "json":
            return as_json(SearchResults(query, found.posts, found.total, found.cursor))
        return Prose(_format(title, found, parsed, is_compact=format == "compact"))


def _quoted(words: str) -> str:
    """Return the query in quotation marks, unless it has some of its own."""
    return words if '"' in words else f'"{words}"'


def _format(title: str, found: SearchPage, parsed: Query, *, is_compact: bool) -> str:
    if is_compact:
        return compact.posts(f"{title} · {found.summary}", found.posts, now(), found.cursor)
    mark = partial(search_query.bold, search_query.term_pattern(parsed))
    return markdown.search(title, found.posts, now(), found.summary, found.cursor, mark)


# --- one account -----------------------------------------------------------------------------------------


async def _with_dids(reader: BlueskyReader, parsed: Query) -> Query:
    """Return the query with DIDs for the accounts of `to:` and `mentions:`, as records have them."""
    to, mentions = [await reader.find_did(one) if one else "" for one in (parsed.to, parsed.mentions)]
    return replace(parsed, to=to, mentions=mentions)


async def _in_repository(
    bluesky: BlueskyTools, repository: LocalRepository, parsed: Query, limit: int, cursor: str
) -> SearchPage:
    """Search the repository. It has no counts: to filter by them, fetch the matching posts page by page."""
    page = await _page_of_repository(bluesky, repository, parsed, _PAGE if parsed.counts else limit, cursor)
    if not parsed.counts:
        return page
    found: list[views.Post] = []
    for _ in range(_MAX_PAGES):
        for number, one in enumerate(page.posts, 1):
            if _has_counts(parsed, one):
                found.append(one)
            if len(found) == limit:
                rest = page.cursor or number < len(page.posts)
                return replace(page, posts=found, total=0, cursor=one.uri.rpartition("/")[2] if rest else "")
        if not page.cursor:
            break
        page = await _page_of_repository(bluesky, repository, parsed, _PAGE, page.cursor)
    return replace(page, posts=found, total=0)


async def _page_of_repository(
    bluesky: BlueskyTools, repository: LocalRepository, parsed: Query, limit: int, cursor: str
) -> SearchPage:
    try:
        hits = await asyncio.to_thread(repository.index.search, parsed, limit, cursor)
    except search_index.UnknownCursor as error:
        raise BadArguments("⚠️ This cursor is no longer valid. Search again without it.") from error
    posts = [_post(repository, rkey, record) for rkey, record in hits.posts]
    try:
        posts = await _with_counts(bluesky, posts)
    except DeskbellError:
        if parsed.counts:
            raise
    words = hits.words if hits.words != parsed.words else ()
    return SearchPage(posts, hits.total, hits.more, repository.identity.handle, repository.stale, words)


def _has_counts(parsed: Query, post: views.Post) -> bool:
    return all(low <= getattr(post, name) <= high for name, low, high in parsed.counts)


def _post(repository: LocalRepository, rkey: str, record: views.Raw) -> views.Post:
    author = {"handle": repository.identity.handle, "did": repository.identity.did}
    raw: dict[str, Any] = {
        "uri": f"at://{repository.identity.did}/{POSTS}/{rkey}",
        "author": author,
        "record": record,
    }
    return views.post_of_record(raw)


async def _with_counts(bluesky: BlueskyTools, posts: list[views.Post]) -> list[views.Post]:
    """Add the counts, which are not in a repository."""
    signed_in = bluesky.accounts.registry.accounts
    calls = bluesky.accounts.calls() if signed_in else bluesky.accounts.public_calls()
    known: dict[str, views.Post] = {}
    for start in range(0, len(posts), _BATCH):
        uris = [one.uri for one in posts[start : start + _BATCH]]
        reply = await calls.get("app.bsky.feed.getPosts", {"uris": uris})
        known |= {one.uri: one for one in map(views.post, views.dicts_of(reply, "posts"))}
    return [
        structs.replace(one, **{name: getattr(known[one.uri], name) for name in COUNTS})
        if one.uri in known
        else one
        for one in posts
    ]


# --- the network -----------------------------------------------------------------------------------------


async def _in_network(reader: BlueskyReader, parsed: Query, limit: int, cursor: str) -> SearchPage:
    """Search the network. What it does not know is filtered here; the cursor `COUNT~CURSOR` then also says
    how many matches of the network's page were shown."""
    if not (parsed.has or parsed.to or parsed.mentions or parsed.counts or parsed.pattern):
        posts, cursor = await reader.get_pages(_NSID, _params(parsed), "posts", limit, cursor)
        return SearchPage([views.post(one) for one in posts[:limit]], cursor=cursor)
    own_cursor = _CURSOR.fullmatch(cursor)
    seen, place = (int(own_cursor[1]), own_cursor[2]) if own_cursor else (0, cursor)
    found: list[views.Post] = []
    pattern = BoundedPattern(parsed.pattern) if parsed.pattern else None
    for _ in range(_MAX_PAGES):
        posts, after = await reader.get_pages(_NSID, _params(parsed), "posts", _PAGE, place)
        matches = [one for one in posts if await asyncio.to_thread(_fits, parsed, pattern, one)][seen:]
        room = limit - len(found)
        found += [views.post(one) for one in matches[:room]]
        if len(matches) > room:
            return SearchPage(found, cursor=f"{seen + room}~{place}")
        seen, place = 0, after
        if not place or len(found) == limit:
            break
    return SearchPage(found, cursor=place)


def _fits(parsed: Query, pattern: BoundedPattern | None, raw: views.Raw) -> bool:
    """True if a post of the network passes the filters that the network does not know."""
    record = views.dict_of(raw, "record")
    if not parsed.has <= search_index.kinds(record) or not search_index.concerns(parsed, record):
        return False
    if pattern is not None and not pattern.found_in(search_query.folded(views.text_of(record, "text"))):
        return False
    return _has_counts(parsed, views.post(raw))


def _params(parsed: Query) -> dict[str, Any]:
    since, until = _to_datetime(parsed.after), _to_datetime(parsed.before)
    return {"q": parsed.plain, "since": since, "until": until, "mentions": parsed.mentions or None}


def _to_datetime(date: str) -> str | None:
    """Return the datetime at which a year, month or day begins."""
    if not date or "T" in date:
        return date or None
    return f"{date}{'-01' * (2 - date.count('-'))}T00:00:00Z"
