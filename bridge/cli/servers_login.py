"""`deskbell servers login NAME` and `logout NAME`: sign in to a server in the browser, and sign out.

The browser opens without a question; the address is printed too, for a browser on another machine.
"""

from __future__ import annotations

import argparse
import asyncio
from urllib.parse import urlsplit

from bridge.cli import secrets
from bridge.core.ports import ServerSpec
from bridge.core.questions.question import Answer, accept
from bridge.errors import NetworkError, NotFoundError, UsageError
from bridge.presenters.tty import one_line
from bridge.settings import Home, load
from bridge.system import browser
from bridge.transports.control_client import ask_running

_AT_THE_SERVER = {  # result of revoking the token (upstreams/oauth/revoke.py)
    "revoked": "{} has ended the sign-in too.",
    "unheard": "{} could not be reached: the sign-in is deleted here, but valid there until it expires.",
    "": "It may still list Deskbell among the applications you allowed.",
}


def login(arguments: argparse.Namespace, home: Home) -> int:
    spec = _server(arguments.name, home)
    if any(name.lower() == "authorization" for name in spec.headers):
        hint = "Remove the Authorization header from its `headers` in config.toml first."
        raise UsageError(f"{spec.name} has a key of its own", hint)
    print(asyncio.run(_log_in(spec, home)))
    ask_running(home, "signed-in", server=spec.name)
    return 0


def logout(arguments: argparse.Namespace, home: Home) -> int:
    name: str = arguments.name  # may name a removed server whose sign-in is still stored
    if name in load(home.config).servers:
        _server(name, home)
    revoked = secrets.ask(home, "forget", name=name).get("revoked", "")
    ask_running(home, "signed-in", server=name)
    print(f"Signed out of {name}. {_AT_THE_SERVER[revoked].format(name)}")
    return 0


def _server(name: str, home: Home) -> ServerSpec:
    spec = load(home.config).servers.get(name)
    if spec is None:
        raise NotFoundError(f"There is no server named {name}", "See `deskbell servers list`.")
    if not spec.url:
        raise UsageError(f"{name} is started on this machine", "Only servers with a `url` want a sign-in.")
    return spec


async def _log_in(spec: ServerSpec, home: Home) -> str:
    from bridge.upstreams.http.failures import RequestFailed
    from bridge.upstreams.oauth.sign_in import SignIn, send_initialize

    asked: list[str] = []

    async def ask(spec: ServerSpec, url: str) -> Answer:
        asked.append(url)
        return await _opened(spec, url)

    async with secrets.vault_of(home) as (vault, _):
        sign_in = SignIn(
            spec, vault.vault, vault.filled, ask, lambda server, state: None, folder=home.renewals
        )
        try:
            await send_initialize(spec, await vault.filled(spec), sign_in)
        except RequestFailed as error:
            raise NetworkError(f"Not signed in to {spec.name}", error.words) from error
        finally:
            sign_in.close()
    if asked or spec.oauth.get("grant") == "client_credentials":
        return f"✓ Signed in to {spec.name}."
    return f"{spec.name} accepts you already. To sign in again, first: deskbell servers logout {spec.name}"


async def _opened(spec: ServerSpec, url: str) -> Answer:
    print(f"{spec.name} wants you to sign in at {urlsplit(url).hostname}:\n\n  {one_line(url)}\n", flush=True)
    if not await browser.open_url_async(url):
        print("No browser could be opened: open the address yourself.", flush=True)
    print("Waiting for you to come back…  (Ctrl+C ends it)", flush=True)
    return accept()
