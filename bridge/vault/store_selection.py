"""Which store keeps the secrets: the one that keeps them already, else what config.toml says, else the best.

Never another one in silence. Secrets that are in one store are not looked for in another: what config.toml
asks for and what vault.json knows must agree, or nothing is done until the person has moved them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import msgspec

from bridge.core.status import VaultStatus, called
from bridge.errors import VaultError, VaultLocked
from bridge.i18n import explained, say
from bridge.settings.parser import LASTING_VAULTS
from bridge.vault.base import Store
from bridge.vault.file import FileStore
from bridge.vault.index import VaultIndex
from bridge.vault.keyring import KeyringStore, NoKeyring
from bridge.vault.memory import MemoryStore
from bridge.vault.refuse import RefuseStore
from bridge.vault.unlock_dialog import UnlockDialog

T = TypeVar("T")
AUTO = "auto"


class ChosenStore(Store):
    """A Store that becomes one of the others when it is first used. `setting` is asked every time."""

    def __init__(
        self,
        folder: Path,
        setting: Callable[[], str],
        service: str = "deskbell",
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._folder = folder
        self._setting = setting
        self._service = service
        self._on_change = on_change
        self.asking = UnlockDialog(on_change)
        self._index = VaultIndex(folder)
        self._memory = MemoryStore()
        self._chosen: tuple[str, Store] | None = None  # for this setting
        self._why = ""
        self._told_of = ""  # the setting that `standing` is about
        self.standing = self._at_rest()

    @property
    def kind(self) -> str:  # type: ignore[override]
        return self.standing.store

    @property
    def limits(self) -> str:  # type: ignore[override]
        return self.standing.limits

    def get(self, name: str) -> str | None:
        return self._use(lambda store: store.get(name))

    def set(self, name: str, value: str) -> None:
        self._use(lambda store: self._keep(store, name, value))

    def delete(self, name: str) -> bool:
        return self._use(lambda store: store.delete(name))

    def names(self) -> tuple[str, ...]:
        return self._use(lambda store: store.names())

    def may_have(self, name: str) -> bool:
        """Chooses nothing, and does not change what is known of the store."""
        if self._setting() in (MemoryStore.kind, RefuseStore.kind):
            return self._memory.may_have(name)
        kept = self._kept()
        return bool(kept) and self._source().may_have(name)

    def unlock(self, passphrase: str) -> None:
        self._use(lambda store: store.unlock(passphrase))

    def probe(self) -> None:
        self._use(lambda store: store.probe())

    def protect(self, passphrase: str) -> None:
        def work(store: Store) -> None:
            if not isinstance(store, FileStore):
                raise VaultError(
                    say("The {store} has no passphrase of ours", store=called(store.kind)),
                    say("Move first: {command}", command="deskbell secrets move --to file"),
                )
            store.protect(passphrase)

        self._use(work)

    def look(self) -> VaultStatus:
        """Without asking anything of any store."""
        if self._told_of != self._setting():
            self.standing = self._at_rest()
        if self.asking.since:
            return replace(self.standing, store="keyring", state="asking", problem="")
        return self.standing

    # --- moving --------------------------------------------------------------------------------------

    def move(self, target: str) -> int:
        """All secrets into another store; how many. Killed at any moment, none is lost: they are in the old
        one until they can be read from the new one, and vault.json says which of them counts."""
        if target not in LASTING_VAULTS:
            raise VaultError(
                say("Secrets cannot be moved to {store}", store=repr(target)),
                say("Choose one of: {names}.", names=", ".join(LASTING_VAULTS)),
            )
        self._clean()
        source = self._source()
        if source.kind == target:
            return 0
        goal = self._made(target)
        goal.probe()
        values = {name: source.get(name) for name in source.names()}
        for name, value in values.items():
            if value is not None:
                goal.set(name, value)
        if any(goal.get(name) != value for name, value in values.items()):
            raise VaultError(
                say("The {store} does not keep what it is given", store=called(target)),
                say("Nothing was moved."),
            )
        self._index.change(lambda kept: msgspec.structs.replace(kept, store=target, leaving=source.kind))
        self._chosen = None
        self._clean(source)
        return len(values)

    def _source(self) -> Store:
        """Where they are now, whatever config.toml says."""
        kept = self._kept()
        if kept:
            return self._chosen[1] if self._chosen and self._chosen[1].kind == kept else self._made(kept)
        return self._memory

    def _clean(self, source: Store | None = None) -> None:
        """Empties the store that the secrets were moved out of."""
        left = self._index.read().leaving
        if left:
            old = source if source is not None and source.kind == left else self._made(left)
            old.empty()
            self._index.change(lambda kept: msgspec.structs.replace(kept, leaving=""))

    # --- choosing ------------------------------------------------------------------------------------

    def _use(self, work: Callable[[Store], T]) -> T:
        before = self.standing
        try:
            store = self._store()
            done = work(store)
        except VaultLocked:
            self.standing = self._at_rest()
            raise
        except VaultError as error:
            if self._setting() != RefuseStore.kind:
                self.standing = replace(self._at_rest(), state="unusable", problem=explained(error))
            raise
        else:
            self.standing = VaultStatus(store.kind, "ready", store.limits, why=self._why)
            return done
        finally:
            if self.standing != before:
                self._on_change()

    def _keep(self, store: Store, name: str, value: str) -> None:
        """Before the first secret is in it, vault.json says where."""
        if store.kind in LASTING_VAULTS and self._index.read().store != store.kind:
            self._index.change(lambda kept: msgspec.structs.replace(kept, store=store.kind))
        store.set(name, value)

    def _store(self) -> Store:
        setting = self._setting()
        if self._chosen is None or self._chosen[0] != setting:
            self._why = ""
            with suppress(VaultError):
                self._clean()
            self._chosen = (setting, self._pick(setting, self._kept()))
        return self._chosen[1]

    def _pick(self, setting: str, kept: str) -> Store:
        if setting == "memory":
            return self._memory
        if setting == "refuse":
            return RefuseStore()
        if setting != AUTO and kept and kept != setting:
            words = say(
                "Your secrets are in the {store}, but config.toml says {setting}",
                store=called(kept),
                setting=setting,
            )
            hint = say(
                "Move them: {command}. Or set {line} again.",
                command=f"deskbell secrets move --to {setting}",
                line=f'vault = "{kept}"',
            )
            raise VaultError(words, hint)
        if setting == AUTO and not kept:
            return self._best()
        store = self._made(kept or setting)
        if store.kind == "keyring":
            store.probe()
        return store

    def _best(self) -> Store:
        """The keyring, even one that has to be unlocked first; the file only where there is none."""
        keyring = self._made("keyring")
        try:
            keyring.probe()
        except NoKeyring as error:
            self._why = say("Not in a keyring: {why}.", why=error.title)
            return self._made("file")
        return keyring

    def _made(self, kind: str) -> Store:
        if kind == "keyring":
            return KeyringStore(self._folder, self._service, asking=self.asking)
        return FileStore(self._folder)

    def _kept(self) -> str:
        """The store that keeps secrets, as far as vault.json knows."""
        kept = self._index.read()
        return "" if kept.store == "keyring" and not kept.names else kept.store

    def _at_rest(self) -> VaultStatus:
        setting = self._setting()
        try:
            kept = self._kept()
        except VaultError as error:
            return VaultStatus(state="unusable", problem=explained(error))
        self._told_of = setting
        if setting == "refuse":
            return VaultStatus(setting, limits=RefuseStore.limits)
        if setting == "memory":
            return VaultStatus(setting, limits=MemoryStore.limits)
        if kept and setting not in (AUTO, kept):
            return VaultStatus(kept, "unusable", problem=say("config.toml says {setting}.", setting=setting))
        store = self._made(kept or setting) if kept or setting in LASTING_VAULTS else None
        locked = isinstance(store, FileStore) and store.has_passphrase
        return VaultStatus(
            kept or (store.kind if store else ""),
            "locked" if locked else "unused",
            store.limits if store else "",
            say("Unlock them: deskbell secrets unlock.") if locked else "",
        )
