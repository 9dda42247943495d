"""`deskbell servers rename OLD NEW` and `remove NAME`.

The running Deskbell does the work; if none runs, this process edits the files.
"""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING

from bridge.cli import secrets
from bridge.errors import NotFoundError, arrived
from bridge.settings import Home, SettingsFile, load
from bridge.transports.control_client import ask_running

if TYPE_CHECKING:
    from bridge.vault.service import VaultService

_PATIENCE = 620.0  # seconds; the vault may have to be unlocked


def rename(arguments: argparse.Namespace, home: Home) -> int:
    old, new = arguments.old, arguments.new
    said = ask_running(home, "rename-server", timeout=_PATIENCE, old=old, new=new)
    if said is None:
        _rename_by_files(home, old, new)
    else:
        arrived(said)
    print(f"{old} is called {new} now, and its tools {new}_…")
    return 0


def _rename_by_files(home: Home, old: str, new: str) -> None:
    import asyncio  # here: other verbs do not need it

    from bridge.servers.rename import rename_by_files

    async def work(keeper: VaultService, settings: SettingsFile) -> None:
        await rename_by_files(home, settings, keeper, old, new)

    asyncio.run(secrets.with_vault(home, work))


def remove(arguments: argparse.Namespace, home: Home) -> int:
    name, servers = arguments.name, load(home.config).servers
    SettingsFile(home.config).remove_server(name)
    print(f"Removed {name}.")
    if arguments.forget:
        from bridge.servers.secrets import own_secrets  # here: imports the vault

        for do, what in [("forget", name), *(("delete", one) for one in own_secrets(name, servers))]:
            with contextlib.suppress(NotFoundError):
                secrets.ask(home, do, name=what)
                print("Forgot its sign-in." if do == "forget" else f"Deleted {what}.")
    return 0
