"""A server gets another name, and keeps its sign-in, rules, pins, lists, and place in config.toml.

With a running Deskbell its own parts do it (service.py); without one, the command does, by the files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bridge.core.policy.rename import Rename
from bridge.errors import DeskbellError
from bridge.saved_state import allow_always, answered_servers, listed_tools, pinned_tools
from bridge.settings import Home, SettingsFile
from bridge.upstreams.oauth import token_refresh
from bridge.vault.service import VaultService

Then = Callable[[Rename], None]


async def rename(
    settings: SettingsFile,
    keeper: VaultService,
    old: str,
    new: str,
    tools: Iterable[tuple[str, str]],
    then: Then,
) -> None:
    """`tools`: of all servers, each with its own. `then`: at once, when config.toml has it. Where the sign-in
    cannot be kept, nothing is changed."""
    names = tuple(tools)
    spec, done = settings.check_rename(old, new, names)
    moved = bool(spec.url) and await keeper.copy_sign_in(old, new)
    try:
        settings.rename_server(old, new, names)
    except DeskbellError:
        if moved:
            await keeper.drop_sign_in(new)
        raise
    then(done)
    if moved:
        await keeper.drop_sign_in(old)


async def rename_by_files(
    home: Home, settings: SettingsFile, keeper: VaultService, old: str, new: str
) -> None:
    """While no Deskbell runs."""
    before = settings.current.servers
    kept, _ = pinned_tools.load(home.pins)
    known = listed_tools.load(home.lists, before)

    def then(done: Rename) -> None:
        after = settings.current.servers
        token_refresh.rename(home.renewals, old, new)
        listed_tools.save(home.lists, after, {(_now(key[0]), key[1]): said for key, said in known.items()})
        if any(server == old for server, _ in kept):
            pinned_tools.save(home.pins, {(_now(key[0]), key[1]): said for key, said in kept.items()})
        if been := allow_always.load(home.allowed):
            allow_always.save(home.allowed, [one.renamed(done) for one in been])
        if before[old].identity in answered_servers.load(home.met):
            answered_servers.add(home.met, after[new].identity)

    def _now(server: str) -> str:
        return new if server == old else server

    await rename(settings, keeper, old, new, kept, then)
