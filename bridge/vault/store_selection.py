"""Select the store for secrets: the one that has them already, else the configured one, else the best.

The store never changes silently: if `vault` in config.toml and vault.json disagree, every use fails until the
person has moved the secrets.
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
from bridge.settings.keys import LASTING_VAULTS
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
    """A Store that selects one of the others on first use. `setting` returns `vault` of config.toml."""

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
        self._setting_of_status = ""  # the setting that `_status` was made for
        self._status = self._unused_status()

    @property
    def kind(self) -> str:  # type: ignore[override]
        return self._status.store

    @property
    def limits(self) -> str:  # type: ignore[override]
        return self._status.limits

    def get(self, name: str) -> str | None:
        return self._use(lambda store: store.get(name))

    def set(self, name: str, value: str) -> None:
        self._use(lambda store: self._keep(store, name, value))

    def delete(self, name: str) -> bool:
        return self._use(lambda store: store.delete(name))

    def names(self) -> tuple[str, ...]:
        return self._use(lambda store: store.names())

    def may_have(self, name: str) -> bool:
        """Return the result without selecting a store."""
        if self._setting() in (MemoryStore.kind, RefuseStore.kind):
            return self._memory.may_have(name)
        return bool(self._kept()) and self._source().may_have(name)

    def unlock(self, passphrase: str) -> None:
        self._use(lambda store: store.unlock(passphrase))

    def probe(self) -> None:
        self._use(lambda store: store.probe())

    def protect(self, passphrase: str, old: str = "") -> None:
        def work(store: Store) -> None:
            if not isinstance(store, FileStore):
                raise VaultError(
                    say("The {store} has no passphrase of Deskbell's", store=called(store.kind)),
                    say("Move first: {command}", command="deskbell secrets move --to file"),
                )
            store.protect(passphrase, old)

        self._use(work)

    def look(self) -> VaultStatus:
        """Return the status, without a call to any store."""
        if self._setting_of_status != self._setting():
            self._status = self._unused_status()
        if self.asking.since:
            return replace(self._status, store="keyring", state="asking", problem="")
        return self._status

    # --- moving --------------------------------------------------------------------------------------

    def prove(self, passphrase: str, target: str) -> None:
        """Raise VaultLocked if the secrets would leave a file that has another passphrase."""
        source = self._source()
        if isinstance(source, FileStore) and source.kind != target:
            source.prove(passphrase)

    def move(self, target: str) -> int:
        """Move all secrets into another store; return their number. A crash loses none: they stay in the old
        store until they can be read from the new one, and vault.json says which store is valid."""
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
                say("The {store} does not return what is stored in it", store=called(target)),
                say("Nothing was moved."),
            )
        self._index.change(lambda kept: msgspec.structs.replace(kept, store=target, leaving=source.kind))
        self._chosen = None
        self._clean(source)
        return len(values)

    def _source(self) -> Store:
        """Return the store that has the secrets now, whatever config.toml says."""
        kind = self._kept()
        if self._chosen and self._chosen[1].kind == kind:
            return self._chosen[1]
        return self._made(kind) if kind else self._memory

    def _clean(self, source: Store | None = None) -> None:
        """Empty the store that the secrets were moved out of."""
        left = self._index.read().leaving
        if left:
            old = source if source is not None and source.kind == left else self._made(left)
            old.empty()
            self._index.change(lambda kept: msgspec.structs.replace(kept, leaving=""))

    # --- choosing ------------------------------------------------------------------------------------

    def _use(self, work: Callable[[Store], T]) -> T:
        before = self._status
        try:
            store = self._store()
            done = work(store)
        except VaultLocked:
            self._status = self._unused_status()
            raise
        except VaultError as error:
            if self._setting() != RefuseStore.kind:
                self._status = replace(self._unused_status(), state="unusable", problem=explained(error))
            raise
        else:
            self._status = VaultStatus(store.kind, "ready", store.limits, why=self._why)
            return done
        finally:
            if self._status != before:
                self._on_change()

    def _keep(self, store: Store, name: str, value: str) -> None:
        """Store a secret; before the first one, write the store's name to vault.json."""
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
        """Return the keyring, even a locked one; the file if there is no keyring."""
        keyring = self._made("keyring")
        try:
            keyring.probe()
        except NoKeyring as error:
            self._why = say("Not in a keychain: {why}.", why=error.title)
            return self._made("file")
        return keyring

    def _made(self, kind: str) -> Store:
        if kind == "keyring":
            return KeyringStore(self._folder, self._service, asking=self.asking)
        return FileStore(self._folder)

    def _kept(self) -> str:
        """Return the kind of the store that has secrets, by vault.json; "" if none has."""
        index = self._index.read()
        return "" if index.store == "keyring" and not index.names else index.store

    def _unused_status(self) -> VaultStatus:
        """Return the status of a store that was not used yet."""
        setting = self._setting()
        try:
            kept = self._kept()
        except VaultError as error:
            return VaultStatus(state="unusable", problem=explained(error))
        self._setting_of_status = setting
        for kind in (RefuseStore, MemoryStore):
            if setting == kind.kind:
                return VaultStatus(setting, limits=kind.limits)
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
