"""The built-in server `bluesky`: accounts first. Its texts are for a model to read, and short.

`login` never asks for a main password, and never keeps a call waiting that nobody can answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta

from bridge.accounts import login as signing
from bridge.accounts import words
from bridge.accounts.account import Account, Method
from bridge.accounts.office import Office, signed_in
from bridge.core.functions import Prose
from bridge.errors import DeskbellError
from bridge.tools.base import BadArguments, Cancelled, Declined, NobodyToAsk, ToolProblem
from bridge.tools.context import ToolContext
from bridge.tools.toolbox import Toolbox

NAME = "bluesky"
_WAIT = 600.0  # seconds; a sign-in waits for the person's browser
_FORM = {
    "handle": {"type": "string", "title": "Handle", "description": "Such as alice.bsky.social"},
    "password": {
        "type": "string",
        "title": "App password",
        "description": "NOT your main password; it looks like xxxx-xxxx-xxxx-xxxx",
    },
}

Command = Annotated[
    Literal["list", "login", "default", "delete"],
    Meta(description="login: sign in; list: who is; default: use this one from now on; delete: sign out."),
]
Who = Annotated[
    str, Meta(description="Handle, @handle, DID or address of a profile page. For login it may be left out.")
]
Password = Annotated[
    str,
    Meta(
        description="An app password, NOT the main password. Better leave it out: the person then signs in "
        "with the browser (OAuth), which is the strongly recommended way."
    ),
]
Service = Annotated[str, Meta(description="Where to sign in when no account is named: the address of a PDS.")]


def toolbox(office: Office) -> Toolbox:
    box = Toolbox(NAME, "Bluesky", timeout=_WAIT)

    @box.tool(title="Bluesky accounts")
    async def login(
        ctx: ToolContext,
        command: Command = "login",
        account: Who = "",
        password: Password = "",
        service: Service = "",
    ) -> Prose:
        """Signs the person in to Bluesky with their browser (OAuth); lists, chooses and deletes accounts."""
        return await _obey(office, ctx, command, account, password, service)

    @box.tool(title="Bluesky accounts (deprecated)")
    async def accounts(
        ctx: ToolContext,
        command: Command = "list",
        account: Who = "",
        password: Password = "",
        service: Service = "",
    ) -> Prose:
        """Deprecated: use login, which does the same."""
        return await _obey(office, ctx, command, account, password, service)

    return box


async def _obey(
    office: Office, ctx: ToolContext, command: str, account: str, password: str, service: str
) -> Prose:
    try:
        match command:
            case "list":
                return Prose(_listed(office))
            case "default":
                return Prose(_default(office, account))
            case "delete":
                return Prose(await _delete(office, account))
        return Prose(signed_in(await _login(office, ctx, account, password, service)))
    except DeskbellError as error:
        raise ToolProblem(f"⚠️ {error}") from error


def _listed(office: Office) -> str:
    accounts = office.book.accounts
    lines = [f"# Accounts · {len(accounts)}", *(_line(office, account) for account in accounts)]
    return "\n".join(lines) if accounts else f"No Bluesky account is signed in.\n\n{words.BOTH}"


def _line(office: Office, account: Account) -> str:
    method = "OAuth" if account.method is Method.OAUTH else "app password"
    parts = [f"@{account.handle}", account.did, method]
    if account.did == office.book.default:
        parts.append("default")
    if account.used:
        parts.append(f"last used {datetime.fromtimestamp(account.used):%Y-%m-%d}")
    if account.ended:
        parts.append(f"⚠️ sign in again: {account.ended}")
    return "- " + " · ".join(parts)


def _default(office: Office, who: str) -> str:
    account = office.book.find(_named(who, "default"))
    office.book.make_default(account.did)
    return f"✓ @{account.handle} is the default account now"


async def _delete(office: Office, who: str) -> str:
    account = office.book.find(_named(who, "delete"))
    problem = await office.delete_now(account.did)
    return f"✓ Deleted @{account.handle}" + (f"\n⚠️ {problem}" if problem else "")


def _named(who: str, command: str) -> str:
    """Never by default: the wrong account would be the one that is gone."""
    if not who:
        raise BadArguments(f"⚠️ {command} needs `account`: a handle or a DID. See the command list.")
    return who


async def _login(office: Office, ctx: ToolContext, who: str, password: str, service: str) -> Account:
    tell = _teller(ctx)
    if password and who:
        return await signing.by_app_password(office.book, who, password, tell)
    if not password:
        try:
            return await _asked(ctx, _with_browser(office, ctx, who, service, tell))
        except NobodyToAsk:  # perhaps a form can be shown, if not a link
            pass
    return await _asked(ctx, _with_form(office, ctx, {"handle": who, "password": password}, tell))


async def _asked(ctx: ToolContext, work: Awaitable[Account]) -> Account:
    try:
        return await work
    except Declined as error:
        raise Declined(words.DECLINED) from error
    except NobodyToAsk as error:
        raise NobodyToAsk(words.nobody_to_ask(ctx.host)) from error
    except Cancelled as error:
        raise type(error)(words.CANCELLED) from error


async def _with_browser(
    office: Office, ctx: ToolContext, who: str, service: str, tell: signing.Tell
) -> Account:
    async with signing.BrowserSignIn(office.book, who, service, tell) as one:
        message = words.ASK_BROWSER.format(who=f" as {who}" if who else "")
        visit = await ctx.elicitor.visit(message, await one.begin())
        try:
            return await one.finish()
        finally:
            await visit.complete()


async def _with_form(office: Office, ctx: ToolContext, given: dict[str, str], tell: signing.Tell) -> Account:
    fields = {name: field for name, field in _FORM.items() if not given[name]}
    form = {"type": "object", "properties": fields, "required": list(fields)}
    said = given | await ctx.elicitor.form(words.ASK_PASSWORD, form)
    return await signing.by_app_password(office.book, said["handle"], said["password"], tell)


def _teller(ctx: ToolContext) -> Callable[[str], None]:
    """Each step is one more; nobody knows how many there will be."""
    told: list[asyncio.Task[None]] = []

    def tell(step: str) -> None:
        told.append(asyncio.create_task(ctx.progress(len(told) + 1, message=step)))

    return tell
