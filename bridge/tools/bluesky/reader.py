"""BlueskyReader: read from the network as an account, or as nobody where the network allows it.

Without an account, and with `anonymous`, the public AppView is asked; what it refuses needs a sign-in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bridge.accounts.xrpc import AccountCalls, NotPublic
from bridge.errors import SignInAgain
from bridge.tools.base import BadArguments, ToolProblem
from bridge.tools.bluesky.text import references, views
from bridge.tools.bluesky.text.figures import handle
from bridge.tools.bluesky.text.quoting import one_line
from bridge.tools.bluesky.text.references import RecordRef
from bridge.tools.bluesky.text.views import dicts_of, text_of
from bridge.tools.context import ToolContext
from bridge.tools.results import NOT_FOUND

if TYPE_CHECKING:
    from bridge.tools.bluesky.shared import BlueskyTools

ANONYMOUS = "anonymous"
_PAGE = 100  # items, at most, by the lexicons
_PERSONAL = ("app.bsky.feed.getTimeline", "app.bsky.notification.listNotifications")
_MAX_PEOPLE = 10  # accounts that are searched for a display name
_MAX_NAMED = 5  # accounts that an error names


class BlueskyReader:
    """`who` is a signed-in account, "" for the default one, or `anonymous`."""

    def __init__(self, bluesky: BlueskyTools, ctx: ToolContext, who: str = "") -> None:
        self._bluesky = bluesky
        self._ctx = ctx
        self._is_anonymous = who.strip().lower() == ANONYMOUS
        self._who = "" if self._is_anonymous else who
        self._calls: AccountCalls | None = None

    async def get(self, nsid: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send one XRPC query. If the sign-in has expired, the user signs in again, once."""
        if self._is_anonymous or not (self._who or self._calls or self._bluesky.accounts.registry.accounts):
            try:
                return await self._get_as_nobody(nsid, params)
            except NotPublic as error:
                if self._is_anonymous:
                    raise ToolProblem("⚠️ Bluesky shows this only to people who are signed in.") from error
        calls = await self.account()
        try:
            return await calls.get(nsid, params)
        except SignInAgain:
            self._calls = await self._bluesky.account_calls(self._ctx, calls.did)
            return await self._calls.get(nsid, params)

    async def account(self) -> AccountCalls:
        """Return the requests of the account; the user signs in if there is none."""
        if self._is_anonymous:
            raise BadArguments("⚠️ Name an account: `anonymous` has none of its own.")
        if self._calls is None:
            self._calls = await self._bluesky.account_calls(self._ctx, self._who)
        return self._calls

    async def _get_as_nobody(self, nsid: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        if nsid in _PERSONAL:
            raise NotPublic("This needs an account", "Sign in first.")
        return await self._bluesky.accounts.public_calls().get(nsid, params)

    async def get_pages(
        self, nsid: str, params: Mapping[str, Any], key: str, limit: int, cursor: str
    ) -> tuple[list[views.Raw], str]:
        """Return up to `limit` items of a list, by as many pages as needed, and the cursor of the next."""
        items: list[views.Raw] = []
        while True:
            wanted = {**params, "limit": min(limit - len(items), _PAGE), "cursor": cursor or None}
            reply = await self.get(nsid, wanted)
            page, cursor = list(dicts_of(reply, key)), text_of(reply, "cursor")
            items += page
            if not page or not cursor or len(items) >= limit:
                return items, cursor
            await self._ctx.progress(len(items), limit, f"{len(items)} of {limit}")

    # --- references --------------------------------------------------------------------------------------

    async def find_account(self, text: str) -> str:
        """Return the handle or DID of an account reference, which may also be a display name."""
        try:
            return references.account(text)
        except BadArguments:
            if not text.strip() or "." in text or ":" in text:
                raise
        return await self._by_display_name(text.strip())

    async def _by_display_name(self, name: str) -> str:
        reply = await self.get("app.bsky.actor.searchActors", {"q": name, "limit": _MAX_PEOPLE})
        people = list(dicts_of(reply, "actors"))
        wanted = one_line(name).casefold()
        same = [one for one in people if one_line(text_of(one, "displayName")).casefold() == wanted]
        found = same or people
        if len(found) == 1:
            return text_of(found[0], "did") or text_of(found[0], "handle")
        if not found:
            raise ToolProblem(f"⚠️ There is no account called {one_line(name, 100)!r}.", NOT_FOUND)
        names = ", ".join(handle(text_of(one, "handle")) for one in found[:_MAX_NAMED])
        raise BadArguments(f"⚠️ {one_line(name, 100)!r} may be {names}. Name one of them by its handle.")

    async def find_did(self, text: str) -> str:
        return await self._bluesky.resolve_did(self, await self.find_account(text))

    async def name_of(self, who: str) -> str:
        """Return the @handle of an account."""
        return await self._bluesky.name_of(self, who)

    async def with_did(self, record: RecordRef) -> RecordRef:
        return await self._bluesky.with_did(self, record)
