"""What the vault has of a server: the secrets only it refers to, its sign-in; and what is left of one that is
gone. Names only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from bridge.core.ports import ServerSpec
from bridge.errors import NotFoundError, VaultError, arrived
from bridge.vault import references
from bridge.vault.service import SIGN_IN, Keeper, texts_of


def references_of(spec: ServerSpec) -> tuple[str, ...]:
    try:
        return references.names(texts_of(spec))
    except VaultError:  # it names what cannot be one; its start says so
        return ()


def own_secrets(name: str, servers: Mapping[str, ServerSpec]) -> tuple[str, ...]:
    """What this server refers to, and no other."""
    others = {one for spec in servers.values() if spec.name != name for one in references_of(spec)}
    return tuple(one for one in references_of(servers[name]) if one not in others)


def left_sign_ins(kept: Iterable[str], servers: Collection[str]) -> tuple[str, ...]:
    """Names of servers that are not there any more, and whose sign-ins are."""
    mine = (name.removeprefix(SIGN_IN) for name in kept if name.startswith(SIGN_IN))
    return tuple(sorted(name for name in mine if name not in servers))


async def forget(keeper: Keeper, server: str, secrets: Iterable[str]) -> None:
    """The sign-in of this server, which is told so, and these secrets; what is not there is no trouble."""
    wishes = [{"do": "forget", "name": server}, *({"do": "delete", "name": name} for name in secrets)]
    for wish in wishes:
        try:
            arrived(await keeper.serve(wish))
        except NotFoundError:
            continue
