"""Names of secrets: which the vault has, which are missing, which servers use them; left-over sign-ins.

No value of a secret passes through here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from bridge.core.ports import ServerSpec
from bridge.core.routing.state import RoutingState
from bridge.core.status.servers import SecretUse
from bridge.errors import NotFoundError, VaultError, checked_reply
from bridge.settings import SettingsFile
from bridge.vault import secret_references
from bridge.vault.secret_references import PREFIX
from bridge.vault.service import SIGN_IN, VaultService, texts_of


def references_of(spec: ServerSpec) -> tuple[str, ...]:
    try:
        return secret_references.names(texts_of(spec))
    except VaultError:  # an invalid name; starting the server reports it
        return ()


def own_secrets(name: str, servers: Mapping[str, ServerSpec]) -> tuple[str, ...]:
    """Return the secrets that this server uses, and no other."""
    others = {one for spec in servers.values() if spec.name != name for one in references_of(spec)}
    return tuple(one for one in references_of(servers[name]) if one not in others)


def left_sign_ins(kept: Iterable[str], servers: Collection[str]) -> tuple[str, ...]:
    """Return removed servers whose sign-ins are still in the vault."""
    mine = (name.removeprefix(SIGN_IN) for name in kept if name.startswith(SIGN_IN))
    return tuple(sorted(name for name in mine if name not in servers))


async def forget(vault: VaultService, server: str, secrets: Iterable[str]) -> None:
    """Delete the sign-in of this server, which is revoked, and these secrets; ignore what is missing."""
    requests = [{"do": "forget", "name": server}, *({"do": "delete", "name": name} for name in secrets)]
    for request in requests:
        try:
            checked_reply(await vault.serve(request))
        except NotFoundError:
            continue


class SecretNames:
    def __init__(
        self, settings: SettingsFile, vault: VaultService, state: RoutingState, on_change: Callable[[], None]
    ) -> None:
        self._settings = settings
        self._vault = vault
        self._state = state
        self._on_change = on_change
        self._kept: frozenset[str] | None = None  # names in the vault; None: not known
        self._left: tuple[str, ...] = ()  # removed servers whose sign-ins remain

    async def look(self) -> None:
        """Read the names in the vault; never ask the person to unlock it."""
        try:
            names = await self._vault.vault.do(self._vault.store.names, ask=False)
        except VaultError:  # Status.vault says why
            self._kept = None
        else:
            self._kept = frozenset(name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX))
            known = self._settings.in_force != "nothing"  # else no server counts as removed
            self._left = left_sign_ins(names, self._settings.current.servers) if known else ()
        self._on_change()

    @property
    def are_used(self) -> bool:
        return any(map(references_of, self._settings.current.servers.values()))

    def uses(self) -> Iterable[SecretUse]:
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
        """Return the secrets this server lacks; none if the vault's names are not known."""
        known = self._kept
        return () if known is None else tuple(name for name in references_of(spec) if name not in known)

    def users(self, name: str) -> tuple[str, ...]:
        """Return the servers that use this secret, also those that hosts wrapped."""
        wraps = (link.caller.wrap for link in self._state.links.values())
        specs = (*self._state.servers.values(), *(spec for spec in wraps if spec is not None))
        return tuple(dict.fromkeys(spec.name for spec in specs if name in references_of(spec)))
