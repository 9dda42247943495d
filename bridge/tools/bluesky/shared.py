"""What all Bluesky tools share: choosing the account, asking for approval.

A tool that needs an account lets the user sign in, and continues.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

import msgspec

from bridge.accounts.service import AccountService
from bridge.accounts.xrpc import AccountCalls
from bridge.core.policy.rules import Verdict
from bridge.errors import DeskbellError, RequestRefused
from bridge.tools.base import Cancelled, NobodyToAsk, ToolProblem
from bridge.tools.bluesky import NAME, Rule
from bridge.tools.bluesky.login import sign_in
from bridge.tools.bluesky.reader import BlueskyReader
from bridge.tools.bluesky.text import references, views
from bridge.tools.bluesky.text.figures import INVALID_HANDLE, handle
from bridge.tools.bluesky.text.references import RecordRef
from bridge.tools.bluesky.text.views import dicts_of, text_of
from bridge.tools.context import ToolContext
from bridge.tools.results import NOT_FOUND, Prose
from bridge.tools.signature import described

_MIN_TYPED = 2  # characters; with fewer, only own handles are completed

_AS = "Signed-in account to act as; default account if left out."
_POST = "at:// URI, bsky.app address, or @handle/rkey."
Format = Annotated[
    Literal["markdown", "compact", "json"],
    described("compact: one line a post."),
]
As = Annotated[str, described(_AS, "alice.bsky.social")]
ViewAs = Annotated[str, described(f"{_AS} anonymous: nobody.", "anonymous")]
PostRef = Annotated[str, described(_POST, "@bob.test/3kq8b2e4", min_length=1)]


class Gets(Protocol):
    """Send XRPC queries, as an account or anonymously."""

    async def get(self, nsid: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]: ...


class BlueskyTools:
    """What the modules of the tools share. `folder` keeps downloaded repositories."""

    def __init__(self, accounts: AccountService, folder: Path, rule: Rule = lambda tool, host: None) -> None:
        self.accounts = accounts
        self.folder = folder
        self._rule = rule

    async def account_calls(self, ctx: ToolContext, who: str = "") -> AccountCalls:
        """Return the requests of this account. Asks the user to sign in if needed."""
        registry = self.accounts.registry
        name = references.account(who) if who else ""
        if not registry.accounts or (name and not any(name in (a.did, a.handle) for a in registry.accounts)):
            account = await sign_in(self.accounts, ctx, name)
        else:
            account = registry.find(name)
            if account.ended:
                account = await sign_in(self.accounts, ctx, account.handle)
        return self.accounts.calls(account.did)

    async def complete_own_account(self, ctx: ToolContext, begun: str) -> list[str]:
        """Return handles of signed-in accounts that start with `begun`."""
        word = begun.removeprefix("@").lower()
        return [one.handle for one in self.accounts.registry.accounts if one.handle.startswith(word)]

    async def complete_account(self, ctx: ToolContext, begun: str) -> list[str]:
        """Return handles that start with `begun`: own accounts first, then those of the network."""
        word = begun.removeprefix("@").strip().lower()
        own = await self.complete_own_account(ctx, word)
        if len(word) < _MIN_TYPED:
            return own
        calls = self.accounts.calls() if self.accounts.registry.accounts else self.accounts.public_calls()
        try:
            nsid = "app.bsky.actor.searchActorsTypeahead"
            reply = await calls.get(nsid, {"q": word, "limit": 10})
        except DeskbellError:
            return own
        handles = (text_of(one, "handle") for one in dicts_of(reply, "actors"))
        return list(dict.fromkeys([*own, *(one for one in handles if one.startswith(word))]))

    def reader(self, ctx: ToolContext, who: str = "") -> BlueskyReader:
        """Return a reader for this account; an anonymous one if there is no account."""
        return BlueskyReader(self, ctx, who)

    def handle_of(self, did: str) -> str:
        account = self.accounts.registry.get(did)
        return f"@{account.handle}" if account else did

    async def name_of(self, calls: Gets, who: str) -> str:
        """Return the @handle of an account: previews and results name people as they call themselves."""
        if not who.startswith("did:"):
            return f"@{who}"
        if account := self.accounts.registry.get(who):
            return f"@{account.handle}"
        try:
            reply = await calls.get("app.bsky.actor.getProfile", {"actor": who})
        except DeskbellError:
            return INVALID_HANDLE
        return handle(text_of(reply, "handle"))

    async def resolve_did(self, calls: Gets, who: str) -> str:
        """Return the DID of a handle; a DID unchanged."""
        if who.startswith("did:"):
            return who
        try:
            did = text_of(await calls.get("com.atproto.identity.resolveHandle", {"handle": who}), "did")
        except RequestRefused:
            did = ""
        if not did:
            raise ToolProblem(f"⚠️ There is no account @{who}.", NOT_FOUND)
        return did

    async def with_did(self, calls: Gets, record: RecordRef) -> RecordRef:
        """Return the record with a DID in place of a handle, which may change."""
        return RecordRef(await self.resolve_did(calls, record.who), record.collection, record.rkey)

    async def approve(self, ctx: ToolContext, tool: str, preview: str, *, always: bool = False) -> None:
        """Show the user exactly what will be sent, and as which account. Not asked if a policy rule allows
        this tool, unless more will happen than the caller asked for (`always`)."""
        if self._rule(f"{NAME}_{tool}", ctx.known_as) is Verdict.ALLOW and not always:
            return
        try:
            agreed = await ctx.elicitor.confirm(preview)
        except NobodyToAsk as error:
            raise NobodyToAsk(
                f"⚠️ Nothing was sent: it needs the person's approval, and nobody can be asked. {error} "
                f'To let {tool} write without asking, put "{NAME}_{tool}" = "allow" under [policy] in '
                "config.toml."
            ) from error
        except Cancelled as error:
            raise type(error)(f"⚠️ Nothing was sent. {error}") from error
        if not agreed:
            raise ToolProblem(
                "⚠️ Nothing was sent: the person declined. Do not try again unless they ask for it."
            )


def as_json(data: views.View) -> Prose:
    """Return the data of `format: json` as text."""
    return Prose(msgspec.json.encode(data).decode())


def now() -> datetime:
    return datetime.now(UTC)
