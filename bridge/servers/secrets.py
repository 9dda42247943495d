"""Which secrets there are, which are missing, and which servers use them. Names only.

What the vault has of a server: the secrets only it refers to, its sign-in; and what is left of one that is
gone. Names only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from bridge.core.ports import ServerSpec
from bridge.core.routing.state import RoutingState
from bridge.core.status.servers import SecretUse
from bridge.errors import NotFoundError, VaultError, arrived
from bridge.settings import SettingsFile
from bridge.vault import references
from bridge.vault.references import PREFIX
from bridge.vault.service import SIGN_IN, VaultService, texts_of


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


async def forget(keeper: VaultService, server: str, secrets: Iterable[str]) -> None:
    """The sign-in of this server, which is told so, and these secrets; what is not there is no trouble."""
    wishes = [{"do": "forget", "name": server}, *({"do": "delete", "name": name} for name in secrets)]
    for wish in wishes:
        try:
            arrived(await keeper.serve(wish))
        except NotFoundError:
            continue


class Secrets:
    def __init__(
        self, settings: SettingsFile, keeper: VaultService, book: RoutingState, on_change: Callable[[], None]
    ) -> None:
        self._settings = settings
        self._keeper = keeper
        self._book = book
        self._on_change = on_change
        self._kept: frozenset[str] | None = None  # None: not known
        self._left: tuple[str, ...] = ()  # servers that are gone, and whose sign-ins are not

    async def look(self) -> None:
        """Nobody is asked to unlock anything for this."""
        try:
            names = await self._keeper.vault.do(self._keeper.store.names, ask=False)
        except VaultError:  # Status.vault says why
            self._kept = None
        else:
            self._kept = frozenset(name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX))
            known = self._settings.in_force != "nothing"  # else nobody knows which servers are gone
            self._left = left_sign_ins(names, self._settings.current.servers) if known else ()
        self._on_change()

    @property
    def are_used(self) -> bool:
        return any(map(references_of, self._settings.current.servers.values()))

    def told(self) -> Iterable[SecretUse]:
        if self._kept is None:
            return
        users: dict[str, list[str]] = {name: [] for name in sorted(self._kept)}
        for spec in self._settings.current.servers.values():
            for name in references_of(spec):
                users.setdefault(name, []).append(spec.name)
        for name, servers in users.items():
            yield SecretUse(name, tuple(servers), name in self._kept)
        for name in self._left:
            yield SecretUse(name, kept=True, sign_in=True)

    def missing(self, spec: ServerSpec) -> tuple[str, ...]:
        """None, where it is not known what there is."""
        kept = self._kept
        return () if kept is None else tuple(name for name in references_of(spec) if name not in kept)

    def users(self, name: str) -> tuple[str, ...]:
        """The servers that are given this secret, those that hosts wrapped too."""
        wraps = (link.caller.wrap for link in self._book.links.values())
        specs = (*self._book.servers.values(), *(spec for spec in wraps if spec is not None))
        return tuple(dict.fromkeys(spec.name for spec in specs if name in references_of(spec)))
