"""Rename a server: it keeps its place in config.toml, rules, sign-in, pins and listed tools.

In a running Deskbell the service does the rest (service.py); without one, the command edits the files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bridge.core.policy.rename import Rename
from bridge.errors import DeskbellError
from bridge.saved_state import allow_always, answered_servers, listed_tools, pinned_tools
from bridge.settings import Home, SettingsFile
from bridge.upstreams.oauth import token_refresh
from bridge.vault.service import VaultService

Then = Callable[[Rename], None]


async def rename(settings: SettingsFile, vault: VaultService, old: str, new: str, then: Then) -> None:
    """Rename in config.toml and in the vault; `then` is called as soon as config.toml is written.

    Changes nothing if the sign-in cannot be copied.
    """
    spec, done = settings.check_rename(old, new)
    copied = bool(spec.url) and await vault.copy_sign_in(old, new)
    try:
        settings.rename_server(old, new)
    except DeskbellError:
        if copied:
            await vault.drop_sign_in(new)
        raise
    then(done)
    if copied:
        await vault.drop_sign_in(old)


async def rename_by_files(
    home: Home, settings: SettingsFile, vault: VaultService, old: str, new: str
) -> None:
    """Rename while no Deskbell runs."""
    before = settings.current.servers
    pins, _ = pinned_tools.load(home.pins)
    lists = listed_tools.load(home.lists, before)

    def renamed(known: Mapping[tuple[str, str], bytes]) -> dict[tuple[str, str], bytes]:
        return {(new if server == old else server, key): data for (server, key), data in known.items()}

    def then(done: Rename) -> None:
        after = settings.current.servers
        token_refresh.rename(home.renewals, old, new)
        listed_tools.save(home.lists, after, renamed(lists))
        if any(server == old for server, _ in pins):
            pinned_tools.save(home.pins, renamed(pins))
        if allowed := allow_always.load(home.allowed):
            allow_always.save(home.allowed, [entry.renamed(done) for entry in allowed])
        if before[old].identity in answered_servers.load(home.met):
            answered_servers.add(home.met, after[new].identity)

    await rename(settings, vault, old, new, then)
