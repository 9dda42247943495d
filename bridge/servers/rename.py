"""Rename a server: it keeps its place in config.toml, rules, sign-in, pins and listed tools.

In a running Deskbell the service does the rest (service.py); without one, the command edits the files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bridge import saved_state
from bridge.core.policy.rules_after_rename import Rename
from bridge.errors import DeskbellError
from bridge.settings import Home, SettingsFile
from bridge.upstreams.oauth.saved_tokens import sealed_refresh
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
    pins, _ = saved_state.load_pins(home.pins)
    lists = saved_state.load_lists(home.lists, before)

    def renamed(known: Mapping[tuple[str, str], bytes]) -> dict[tuple[str, str], bytes]:
        return {(new if server == old else server, key): data for (server, key), data in known.items()}

    def then(done: Rename) -> None:
        after = settings.current.servers
        sealed_refresh(home.renewals, old).move_to(sealed_refresh(home.renewals, new))
        saved_state.save_lists(home.lists, after, renamed(lists))
        if any(server == old for server, _ in pins):
            saved_state.save_pins(home.pins, renamed(pins))
        if allowed := saved_state.load_allowed(home.allowed):
            saved_state.save_allowed(home.allowed, [entry.renamed(done) for entry in allowed])
        if before[old].identity in saved_state.load_answered(home.met):
            saved_state.add_answered(home.met, after[new].identity)

    await rename(settings, vault, old, new, then)
