"""`deskbell accounts`: list Bluesky accounts, sign in and out, set the default.

The running Deskbell owns the accounts and does the work; if none runs, this process does.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec

from bridge.accounts import texts
from bridge.accounts.app_password import app_password
from bridge.cli import output, secrets
from bridge.cli.parser import LazyParser
from bridge.errors import UsageError, checked_reply
from bridge.presenters.tty import one_line
from bridge.settings import Home
from bridge.system import browser
from bridge.system.file_lock import InstanceLock

_METHODS = {"oauth": "OAuth", "app-password": "app password"}


def arguments(parser: LazyParser) -> None:
    parser.action("list", show, "list signed-in accounts").flag("--json", "one JSON list")
    one = parser.action("login", login, "sign in with your browser (OAuth)", epilog=texts.BOTH)
    one.add_argument("handle", nargs="?", default="", metavar="HANDLE", help="such as alice.bsky.social")
    one.flag("--app-password", "with an app password, NOT your main password; it is asked for")
    one.add_argument("--service", default="", metavar="URL", help="where to sign in when no HANDLE is given")
    one.flag("--from-autoreply", "with app passwords that autoreply has stored in your keychain")
    for name, text in (("default", "use HANDLE where no account is named"), ("delete", "sign out HANDLE")):
        one = parser.action(name, change, text)
        one.add_argument("handle", metavar="HANDLE", help="or its DID")
        one.set_defaults(do=name)


def show(arguments: argparse.Namespace, home: Home) -> int:
    listed = _ask(home, do="list")
    if arguments.json:
        print(msgspec.json.encode(listed).decode())
    elif not listed:
        print("No Bluesky account yet. Sign in with your browser: deskbell accounts login")
    else:
        output.table(("", "HANDLE", "DID", "BY", "LAST USED", "NOTE"), [_row(one) for one in listed])
    return 0


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    used = f"{datetime.fromtimestamp(one['used']):%Y-%m-%d %H:%M}" if one["used"] else "never"
    note = f"sign in again: {one['problem']}" if one["problem"] else ""
    mark = "*" if one["default"] else ""
    return mark, f"@{one['handle']}", one["did"], _METHODS.get(one["method"], one["method"]), used, note


def login(arguments: argparse.Namespace, home: Home) -> int:
    wanted = {"do": "login", "who": arguments.handle, "service": arguments.service}
    if arguments.from_autoreply:
        wanted = {"do": "autoreply"}
    elif arguments.app_password:
        print(texts.BOTH, file=sys.stderr)
        if not arguments.handle:
            raise UsageError("A handle is needed", "deskbell accounts login HANDLE --app-password")
        typed = secrets.typed("App password, NOT your main password (not shown): ", guidance=texts.BOTH)
        wanted = {"do": "login", "who": arguments.handle, "password": app_password(typed)}
    print(_ask(home, **wanted))
    return 0


def change(arguments: argparse.Namespace, home: Home) -> int:
    print(_ask(home, do=arguments.do, who=arguments.handle))
    return 0


def _ask(home: Home, **wanted: str) -> Any:
    """Return the result; print progress to the terminal."""
    from bridge import api  # here: imports the engine

    last: dict[str, Any] = {}

    def on_reply(reply: dict[str, Any]) -> None:
        last.clear()
        last.update(reply)
        if "progress" in reply:
            print(one_line(reply["progress"]), file=sys.stderr, flush=True)
        elif "open" in reply:
            _open(reply["open"])

    if not api.stream_from_running(home, "accounts", on_reply, **wanted):
        asyncio.run(_alone(home, dict(wanted), on_reply))
    return checked_reply(last).get("done")


async def _alone(home: Home, wanted: dict[str, Any], on_reply: Callable[[dict[str, Any]], None]) -> None:
    """Do the work in this process, under the instance lock: no Deskbell runs."""
    from bridge.accounts.registry import AccountRegistry
    from bridge.accounts.service import AccountService

    home.ensure()
    with InstanceLock(home.lock, "deskbell accounts"):
        async with secrets.vault_of(home) as (vault, settings):
            registry = AccountRegistry(home.accounts, vault.vault, settings.current.bluesky)
            service = AccountService(registry, home.pictures, browser.open_url_async, lambda: None)
            try:
                await registry.recover()
                async for reply in service.talk(wanted):
                    on_reply(reply)
            finally:
                await service.close()


def _open(url: str) -> None:
    found = browser.open_url(url)
    text = "Your browser should open now. If it does not, open this address:"
    print(text if found else "No browser was found. Open this address:", file=sys.stderr)
    print(f"  {url}", file=sys.stderr, flush=True)
