"""Parse references to posts, accounts, feeds and lists, for all tools. Pure.

Accounts: handle, @handle, DID, URL of a profile page. Posts: at:// URI, URL of the post's page, @handle/rkey.
The short form in texts (`@h/…a3f1`) is not a reference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from bridge.accounts.identity import reference
from bridge.errors import UsageError
from bridge.tools.base import BadArguments

POSTS = "app.bsky.feed.post"
FEEDS = "app.bsky.feed.generator"
LISTS = "app.bsky.graph.list"
RKEY = re.compile(r"[A-Za-z0-9._:~-]{1,512}")
_PAGE = re.compile(r"https?://[^/]+/profile/([^/?#]+)/(post|feed|lists)/([^/?#]+)/?(?:[?#].*)?")
_URI = re.compile(r"at://([^/]+)/([a-zA-Z0-9.-]+)/([^/?#]+)")
_SHORT = re.compile(r"@?([^/@\s]+)/([^/\s]+)")
_KINDS = {"post": POSTS, "feed": FEEDS, "lists": LISTS}
_POST_HINT = (
    "A post is an at:// URI, the address of its page (https://bsky.app/profile/…/post/…) or @handle/rkey, "
    "as it stands before each post."
)


@dataclass(frozen=True, slots=True)
class RecordRef:
    """A record in a repository; `who` is the handle or DID of its owner."""

    who: str
    collection: str
    rkey: str

    @property
    def uri(self) -> str:
        return f"at://{self.who}/{self.collection}/{self.rkey}"


def account(text: str) -> str:
    """Return the handle or DID of an account reference."""
    try:
        return reference(text)
    except UsageError as error:
        raise BadArguments(f"⚠️ {error}") from error


def post(text: str) -> RecordRef:
    found = _parse_record(text.strip())
    if found is None or found.collection != POSTS:
        raise BadArguments(f"⚠️ {text.strip()[:100]!r} is not a post. {_POST_HINT}")
    return found


def source(text: str) -> RecordRef | None:
    """Parse a reference to a custom feed or a list; None for anything else."""
    found = _parse_record(text.strip(), short=False)
    return found if found is not None and found.collection in (FEEDS, LISTS) else None


def parse_uri(uri: str) -> RecordRef | None:
    """Parse an at:// URI from a server; None if it is invalid."""
    found = _URI.fullmatch(uri)
    return RecordRef(*found.groups()) if found and RKEY.fullmatch(found[3]) else None


def _parse_record(text: str, *, short: bool = True) -> RecordRef | None:
    if found := _PAGE.fullmatch(text):
        who, collection, rkey = unquote(found[1]), _KINDS[found[2]], unquote(found[3])
    elif found := _URI.fullmatch(text):
        who, collection, rkey = found[1], found[2], found[3]
    elif short and (found := _SHORT.fullmatch(text)):
        who, collection, rkey = found[1], POSTS, found[2]
    else:
        return None
    try:
        return RecordRef(reference(who), collection, rkey) if RKEY.fullmatch(rkey) else None
    except UsageError:
        return None
