"""`deskbell servers login NAME` and `logout NAME`: signing in at the terminal, and forgetting it.

The person has asked for it, so the browser opens at once; the address is printed too, for another machine's.
"""

from __future__ import annotations

import argparse
from urllib.parse import urlsplit

from bridge import secret_verbs
from bridge.core.ports import ServerSpec
from bridge.core.questions import Answer, accept
from bridge.errors import NetworkError, NotFoundError, UsageError
from bridge.presenters import browser
from bridge.presenters.console import one_line
from bridge.reach import ask_running
from bridge.settings import Home, SettingsFile, load

_HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"deskbell","version":"1"}}}'
)


def login(arguments: argparse.Namespace, home: Home) -> int:
    import asyncio

    spec = _server(arguments.name, home)
    if any(name.lower() == "authorization" for name in spec.headers):
        hint = "Take the Authorization header out of its `headers` in config.toml first."
        raise UsageError(f"{spec.name} has a key of its own", hint)
    print(asyncio.run(_log_in(spec, home)))
    _tell_the_app(spec.name, home)
    return 0


def logout(arguments: argparse.Namespace, home: Home) -> int:
    spec = _server(arguments.name, home)
    secret_verbs.ask(home, "forget", name=spec.name)
    _tell_the_app(spec.name, home)
    print(f"Signed out of {spec.name}. It may still list Deskbell among the applications you allowed.")
    return 0


def _server(name: str, home: Home) -> ServerSpec:
    spec = load(home.config).servers.get(name)
    if spec is None:
        raise NotFoundError(f"There is no server named {name}", "See `deskbell servers list`.")
    if not spec.url:
        raise UsageError(f"{name} is started on this machine", "Only servers with a `url` want a sign-in.")
    return spec


async def _log_in(spec: ServerSpec, home: Home) -> str:
    from bridge.keeper import Keeper
    from bridge.upstreams.signin import SignIn
    from bridge.upstreams.web import Trouble, Web

    settings = SettingsFile(home.config)
    settings.reload()
    home.ensure()
    keeper = Keeper(home, settings, passphrase=secret_verbs.terminal_passphrase())
    asked: list[str] = []

    async def ask(spec: ServerSpec, url: str) -> Answer:
        asked.append(url)
        return _opened(spec, url)

    sign_in = SignIn(spec, keeper.vault, keeper.filled, ask, lambda server, state: None)
    web = Web(spec, sign_in)
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    try:
        await web.open(await keeper.filled(spec))
        response = await web.request("POST", headers, _HELLO)
        response.close()
        if response.status in (401, 403):
            raise NetworkError(f"{spec.name} does not let you in", f"It answered HTTP {response.status}.")
        if asked or spec.oauth.get("grant") == "client_credentials":
            return f"✓ Signed in to {spec.name}."
        return f"{spec.name} lets you in already. To sign in anew: deskbell servers logout {spec.name}"
    except Trouble as trouble:
        raise NetworkError(f"Not signed in to {spec.name}", trouble.words) from trouble
    finally:
        sign_in.close()
        await web.close()
        keeper.close()


def _opened(spec: ServerSpec, url: str) -> Answer:
    print(f"{spec.name} wants you to sign in at {urlsplit(url).hostname}:\n\n  {one_line(url)}\n", flush=True)
    if not browser.launch(url):
        print("No browser could be opened: open the address yourself.", flush=True)
    print("Waiting for you to come back…  (Ctrl+C ends it)", flush=True)
    return accept()


def _tell_the_app(server: str, home: Home) -> None:
    ask_running(home, "signed-in", server=server)
