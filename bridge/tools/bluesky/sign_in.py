"""Signing in from inside a tool: with the browser (OAuth) first, else by a form for an app password.

It never asks for a main password, and never keeps a call waiting that nobody can answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bridge.accounts import sign_in as account_sign_in
from bridge.accounts import texts
from bridge.accounts.account import Account
from bridge.accounts.service import AccountService
from bridge.tools.base import Cancelled, Declined, NobodyToAsk
from bridge.tools.context import ToolContext

_FORM = {
    "handle": {"type": "string", "title": "Handle", "description": "Such as alice.bsky.social"},
    "password": {
        "type": "string",
        "title": "App password",
        "description": "NOT your main password; it looks like xxxx-xxxx-xxxx-xxxx",
    },
}


async def sign_in(
    office: AccountService, ctx: ToolContext, who: str = "", password: str = "", service: str = ""
) -> Account:
    """The account, once the person has signed in. Raises NotAnswered with the words for each case."""
    account = await _sign_in(office, ctx, who, password, service)
    office.welcome(account)
    return account


async def _sign_in(
    office: AccountService, ctx: ToolContext, who: str, password: str, service: str
) -> Account:
    tell = _teller(ctx)
    if password and who:
        return await account_sign_in.by_app_password(office.book, who, password, tell)
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
        raise Declined(texts.DECLINED) from error
    except NobodyToAsk as error:
        raise NobodyToAsk(texts.nobody_to_ask(ctx.host)) from error
    except Cancelled as error:
        raise type(error)(texts.CANCELLED) from error


async def _with_browser(
    office: AccountService, ctx: ToolContext, who: str, service: str, tell: account_sign_in.Tell
) -> Account:
    async with account_sign_in.BrowserSignIn(office.book, who, service, tell) as one:
        message = texts.ASK_BROWSER.format(who=f" as {who}" if who else "")
        visit = await ctx.elicitor.visit(message, await one.begin())
        try:
            return await one.finish()
        finally:
            await visit.complete()


async def _with_form(
    office: AccountService, ctx: ToolContext, given: dict[str, str], tell: account_sign_in.Tell
) -> Account:
    fields = {name: field for name, field in _FORM.items() if not given[name]}
    form = {"type": "object", "properties": fields, "required": list(fields)}
    said = given | await ctx.elicitor.form(texts.ASK_PASSWORD, form)
    return await account_sign_in.by_app_password(office.book, said["handle"], said["password"], tell)


def _teller(ctx: ToolContext) -> Callable[[str], None]:
    """Each step is one more; nobody knows how many there will be."""
    told: list[asyncio.Task[None]] = []

    def tell(step: str) -> None:
        told.append(asyncio.create_task(ctx.progress(len(told) + 1, message=step)))

    return tell
