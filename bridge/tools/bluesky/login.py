"""The tool `login`: sign the user in, list, choose and delete accounts; `accounts` is its old name.

A sign-in uses the browser (OAuth), or a form for an app password if no link can be shown. It never asks for
the main password.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Literal

from bridge.accounts import sign_in as account_sign_in
from bridge.accounts import texts
from bridge.accounts.account import Account, Method
from bridge.accounts.service import AccountService
from bridge.errors import DeskbellError
from bridge.tools.base import BadArguments, Cancelled, Declined, NobodyToAsk, ToolProblem
from bridge.tools.bluesky.failures import failure_reason
from bridge.tools.bluesky.text.quoting import one_line
from bridge.tools.context import ToolContext
from bridge.tools.results import Prose
from bridge.tools.signature import described
from bridge.tools.toolbox import Toolbox

Command = Annotated[
    Literal["list", "login", "default", "delete"],
    described("default: use this account from now on; delete: sign out."),
]
_APP = (
    f"An app password from {texts.APP_PASSWORDS}, NOT the main password. Better leave it out: the person "
    "then signs in with the browser (OAuth), the strongly recommended way."
)
Who = Annotated[str, described("Handle, DID or bsky.app address.", "alice.bsky.social")]
Password = Annotated[str, described(_APP, "xxxx-xxxx-xxxx-xxxx")]
Service = Annotated[str, described("PDS to sign in at when no account is named.", "https://bsky.social")]
_FORM = {
    "handle": {"type": "string", "title": "Handle", "description": "Such as alice.bsky.social"},
    "password": {
        "type": "string",
        "title": "App password",
        "description": "NOT your main password; it looks like xxxx-xxxx-xxxx-xxxx",
    },
}


def add(box: Toolbox, account_service: AccountService) -> None:
    @box.tool(title="Bluesky accounts")
    async def login(
        ctx: ToolContext,
        command: Command = "login",
        account: Who = "",
        password: Password = "",
        service: Service = "",
    ) -> Prose:
        """Signs the person in to Bluesky with their browser (OAuth); lists, chooses and deletes accounts."""
        return await _run(account_service, ctx, command, account, password, service)

    @box.tool(title="Bluesky accounts (deprecated)")
    async def accounts(
        ctx: ToolContext,
        command: Command = "list",
        account: Who = "",
        password: Password = "",
        service: Service = "",
    ) -> Prose:
        """Deprecated: use login, which does the same."""
        return await _run(account_service, ctx, command, account, password, service)


async def _run(
    accounts: AccountService, ctx: ToolContext, command: str, account: str, password: str, service: str
) -> Prose:
    try:
        match command:
            case "list":
                return Prose(_list_accounts(accounts))
            case "default":
                chosen = accounts.registry.find(_required(account, command))
                accounts.registry.make_default(chosen.did)
                return Prose(f"✓ @{chosen.handle} is the default account now")
            case "delete":
                return Prose(await _delete(accounts, ctx, account))
        signed_in = await sign_in(accounts, ctx, account, password, service)
        return Prose(texts.logged_in(signed_in.handle))
    except DeskbellError as error:
        raise ToolProblem(f"⚠️ {error}", failure_reason(error)) from error


def _list_accounts(accounts: AccountService) -> str:
    signed_in = accounts.registry.accounts
    lines = [f"# Accounts · {len(signed_in)}", *(_account_line(accounts, account) for account in signed_in)]
    return "\n".join(lines) if signed_in else f"No Bluesky account is signed in.\n\n{texts.BOTH}"


def _account_line(accounts: AccountService, account: Account) -> str:
    method = "OAuth" if account.method is Method.OAUTH else "app password"
    parts = [f"@{account.handle}", account.did, method]
    if account.did == accounts.registry.default:
        parts.append("default")
    if account.used:
        parts.append(f"last used {datetime.fromtimestamp(account.used):%Y-%m-%d}")
    if account.ended:
        parts.append(f"⚠️ sign in again: {account.ended}")
    return "- " + " · ".join(parts)


async def _delete(accounts: AccountService, ctx: ToolContext, who: str) -> str:
    account = accounts.registry.find(_required(who, "delete"))
    question = f"Sign @{account.handle} out of Bluesky? Deskbell forgets the account."
    try:
        agreed = await ctx.elicitor.confirm(question)
    except Cancelled as error:
        raise type(error)(f"⚠️ Nothing was deleted. {error}") from error
    if not agreed:
        raise ToolProblem("⚠️ Nothing was deleted: the person declined. Do not try again unless they ask.")
    problem = await accounts.delete_now(account.did)
    return f"✓ Deleted @{account.handle}" + (f"\n⚠️ {problem}" if problem else "")


def _required(account: str, command: str) -> str:
    """Require an account: the default account could be the wrong one."""
    if not account:
        raise BadArguments(f"⚠️ {command} needs `account`: a handle or a DID. See the command list.")
    return account


# --- signing in ------------------------------------------------------------------------------------------


async def sign_in(
    accounts: AccountService, ctx: ToolContext, who: str = "", password: str = "", service: str = ""
) -> Account:
    """Sign the user in. Raises NotAnswered, with a text for each case."""
    account = await _sign_in(accounts, ctx, who, password, service)
    accounts.welcome(account)
    return account


async def _sign_in(
    accounts: AccountService, ctx: ToolContext, who: str, password: str, service: str
) -> Account:
    on_step = _progress_reporter(ctx)
    if password and who:
        return await account_sign_in.by_app_password(accounts.registry, who, password, on_step)
    if not password:
        try:
            return await _explain_refusal(ctx, who, _with_browser(accounts, ctx, who, service, on_step))
        except NobodyToAsk:  # some hosts can show a form, but no link
            pass
    return await _explain_refusal(
        ctx, who, _with_form(accounts, ctx, {"handle": who, "password": password}, on_step)
    )


async def _explain_refusal(ctx: ToolContext, who: str, work: Awaitable[Account]) -> Account:
    try:
        return await work
    except Declined as error:
        raise Declined(texts.DECLINED) from error
    except NobodyToAsk as error:
        raise NobodyToAsk(texts.nobody_to_ask(ctx.host, one_line(who, 100))) from error
    except Cancelled as error:
        raise type(error)(texts.CANCELLED) from error


async def _with_browser(
    accounts: AccountService, ctx: ToolContext, who: str, service: str, on_step: account_sign_in.Tell
) -> Account:
    async with account_sign_in.BrowserSignIn(accounts.registry, who, service, on_step) as browser:
        message = texts.ASK_BROWSER.format(who=f" as {who}" if who else "")
        visit = await ctx.elicitor.visit(message, await browser.begin())
        try:
            return await browser.finish()
        finally:
            await visit.complete()


async def _with_form(
    accounts: AccountService, ctx: ToolContext, known: dict[str, str], on_step: account_sign_in.Tell
) -> Account:
    fields = {name: field for name, field in _FORM.items() if not known[name]}
    form = {"type": "object", "properties": fields, "required": list(fields)}
    filled = known | await ctx.elicitor.form(texts.ask_password(one_line(known["handle"], 100)), form)
    return await account_sign_in.by_app_password(
        accounts.registry, filled["handle"], filled["password"], on_step
    )


def _progress_reporter(ctx: ToolContext) -> Callable[[str], None]:
    """Report each step as progress 1, 2, 3…; the number of steps is unknown."""
    tasks: list[asyncio.Task[None]] = []

    def on_step(step: str) -> None:
        tasks.append(asyncio.create_task(ctx.progress(len(tasks) + 1, message=step)))

    return on_step
