"""`login`: signs the person in, lists, chooses and deletes accounts; `accounts` is its old name."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta

from bridge.accounts import texts
from bridge.accounts.account import Account, Method
from bridge.accounts.service import AccountService
from bridge.errors import DeskbellError
from bridge.tools.base import BadArguments, ToolProblem
from bridge.tools.bluesky import sign_in
from bridge.tools.context import ToolContext
from bridge.tools.results import Prose
from bridge.tools.toolbox import Toolbox

Command = Annotated[
    Literal["list", "login", "default", "delete"],
    Meta(description="login: sign in; list: who is; default: use this one from now on; delete: sign out."),
]
Who = Annotated[
    str,
    Meta(
        description="Handle, @handle, DID or address of a profile page. For login it may be left out.",
        examples=["alice.bsky.social"],
    ),
]
Password = Annotated[
    str,
    Meta(
        description="An app password, NOT the main password. Better leave it out: the person then signs in "
        "with the browser (OAuth), which is the strongly recommended way.",
        examples=["xxxx-xxxx-xxxx-xxxx"],
    ),
]
Service = Annotated[
    str,
    Meta(
        description="Where to sign in when no account is named: the address of a PDS.",
        examples=["https://bsky.social"],
    ),
]


def add(box: Toolbox, office: AccountService) -> None:
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


async def _obey(
    office: AccountService, ctx: ToolContext, command: str, account: str, password: str, service: str
) -> Prose:
    try:
        match command:
            case "list":
                return Prose(_listed(office))
            case "default":
                return Prose(_default(office, account))
            case "delete":
                return Prose(await _delete(office, account))
        signed_in = await sign_in.sign_in(office, ctx, account, password, service)
        return Prose(texts.logged_in(signed_in.handle))
    except DeskbellError as error:
        raise ToolProblem(f"⚠️ {error}") from error


def _listed(office: AccountService) -> str:
    accounts = office.book.accounts
    lines = [f"# Accounts · {len(accounts)}", *(_line(office, account) for account in accounts)]
    return "\n".join(lines) if accounts else f"No Bluesky account is signed in.\n\n{texts.BOTH}"


def _line(office: AccountService, account: Account) -> str:
    method = "OAuth" if account.method is Method.OAUTH else "app password"
    parts = [f"@{account.handle}", account.did, method]
    if account.did == office.book.default:
        parts.append("default")
    if account.used:
        parts.append(f"last used {datetime.fromtimestamp(account.used):%Y-%m-%d}")
    if account.ended:
        parts.append(f"⚠️ sign in again: {account.ended}")
    return "- " + " · ".join(parts)


def _default(office: AccountService, who: str) -> str:
    account = office.book.find(_named(who, "default"))
    office.book.make_default(account.did)
    return f"✓ @{account.handle} is the default account now"


async def _delete(office: AccountService, who: str) -> str:
    account = office.book.find(_named(who, "delete"))
    problem = await office.delete_now(account.did)
    return f"✓ Deleted @{account.handle}" + (f"\n⚠️ {problem}" if problem else "")


def _named(who: str, command: str) -> str:
    """Never by default: the wrong account would be the one that is gone."""
    if not who:
        raise BadArguments(f"⚠️ {command} needs `account`: a handle or a DID. See the command list.")
    return who
