"""What all Bluesky tools share: choosing the account, asking for approval, error texts.

A tool that needs an account and finds none lets the person sign in, and goes on.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, ParamSpec, TypeVar

import msgspec
from msgspec import Meta

from bridge.accounts.service import AccountService
from bridge.accounts.xrpc import AccountCalls
from bridge.core.policy.rules import Verdict
from bridge.errors import DeskbellError, RequestRefused, SignInAgain
from bridge.tools.base import Cancelled, NobodyToAsk, ToolProblem
from bridge.tools.bluesky import sign_in
from bridge.tools.bluesky.lazy_toolbox import NAME, Rule
from bridge.tools.bluesky.text import references
from bridge.tools.bluesky.text.references import RecordRef
from bridge.tools.bluesky.text.views import dicts_of, text_of
from bridge.tools.context import ToolContext
from bridge.tools.results import Report

_TYPED = 2  # letters before the network is asked for handles
P = ParamSpec("P")
T = TypeVar("T")

Format = Annotated[
    Literal["markdown", "compact", "json"],
    Meta(description="markdown: whole posts; compact: one line a post; json: data for a program."),
]
As = Annotated[
    str,
    Meta(
        description="The signed-in account to act as: handle or DID. Left out: the default account.",
        examples=["alice.bsky.social"],
    ),
]
PostRef = Annotated[
    str,
    Meta(
        min_length=1,
        description="The post: at:// URI, address of its page on bsky.app, or @handle/rkey.",
        examples=["@alice.bsky.social/3kq8a3f1", "https://bsky.app/profile/alice.bsky.social/post/3kq8a3f1"],
    ),
]
_NAMES = {
    "NotFound": "Post not found",
    "RecordNotFound": "Post not found",
    "InvalidRequest": "",
    "AccountTakedown": "This account is suspended",
    "AccountDeactivated": "This account is deactivated",
    "RepoTakendown": "This account is suspended",
    "RepoDeactivated": "This account is deactivated",
    "RepoNotFound": "There is no such account",
    "BlockedActor": "You have blocked this account",
    "BlockedByActor": "This account has blocked you",
    "UnknownFeed": "There is no such feed",
    "UnknownList": "There is no such list",
}


class BlueskyTools:
    """`rule`: what the person's policy says of a tool for a host, None if nothing. `folder` keeps
    what is downloaded."""

    def __init__(self, office: AccountService, folder: Path, rule: Rule = lambda tool, host: None) -> None:
        self.office = office
        self.folder = folder
        self._rule = rule

    async def calls(self, ctx: ToolContext, who: str = "") -> AccountCalls:
        """Requests as this account. Nobody is signed in, or no longer: the person is asked to."""
        book = self.office.book
        wanted = references.account(who) if who else ""
        if not book.accounts or (wanted and not any(wanted in (a.did, a.handle) for a in book.accounts)):
            account = await sign_in.sign_in(self.office, ctx, wanted)
            return self.office.calls(account.did)
        account = book.find(wanted)
        if account.ended:
            account = await sign_in.sign_in(self.office, ctx, account.handle)
        return self.office.calls(account.did)

    async def own(self, ctx: ToolContext, begun: str) -> list[str]:
        """Signed-in accounts that begin so."""
        word = begun.removeprefix("@").lower()
        return [one.handle for one in self.office.book.accounts if one.handle.startswith(word)]

    async def complete(self, ctx: ToolContext, begun: str) -> list[str]:
        """Handles that begin so: the person's own first, then those the network knows. Nobody is asked."""
        word = begun.removeprefix("@").strip().lower()
        own = await self.own(ctx, word)
        if len(word) < _TYPED or not self.office.book.accounts:
            return own
        try:
            nsid = "app.bsky.actor.searchActorsTypeahead"
            said = await self.office.calls().get(nsid, {"q": word, "limit": 10})
        except DeskbellError:
            return own
        found = (text_of(one, "handle") for one in dicts_of(said, "actors"))
        return list(dict.fromkeys([*own, *(one for one in found if one.startswith(word))]))

    async def ask(
        self, ctx: ToolContext, who: str, nsid: str, params: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """One question to the network. A sign-in that turns out to have ended is made anew, once."""
        calls = await self.calls(ctx, who)
        try:
            return await calls.get(nsid, params)
        except SignInAgain:
            return await (await self.calls(ctx, calls.did)).get(nsid, params)

    def handle(self, did: str) -> str:
        account = self.office.book.get(did)
        return f"@{account.handle}" if account else did

    async def did(self, calls: AccountCalls, who: str) -> str:
        """Of a handle; a DID is one already."""
        if who.startswith("did:"):
            return who
        known = await calls.get("com.atproto.identity.resolveHandle", {"handle": who})
        found = known.get("did")
        if not isinstance(found, str):
            raise ToolProblem(f"⚠️ There is no account @{who}.")
        return found

    async def full(self, calls: AccountCalls, record: RecordRef) -> RecordRef:
        """With the DID in place of a handle: only that stays what it is."""
        return RecordRef(await self.did(calls, record.who), record.collection, record.rkey)

    async def approve(self, ctx: ToolContext, tool: str, preview: str, *, always: bool = False) -> None:
        """The person sees exactly what will be sent, and as whom. A rule of the policy that allows this tool
        spares the question, unless what happens is more than was asked for (`always`)."""
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


def errors_as_text(function: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """A tool whose failures are sentences for a model."""

    @functools.wraps(function)
    async def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await function(*args, **kwargs)
        except DeskbellError as error:
            raise ToolProblem(f"⚠️ {problem(error)}") from error

    return guarded


def problem(error: DeskbellError) -> str:
    """What happened, in words; what a server calls by a name we know, in ours."""
    if isinstance(error, RequestRefused):
        known = _NAMES.get(error.name, "")
        if known:
            return f"{known}."
        return error.message or error.title
    return str(error)


def answer(format: str, data: T, prose: str) -> Report[str | T]:
    """The text, or the data for a program. Both agree with the tool's output schema."""
    if format == "json":
        return Report(msgspec.json.encode(data).decode(), data)
    return Report(prose, prose)


def now() -> datetime:
    return datetime.now(UTC)
