"""vault.json: which store keeps the secrets, and their names; never a value.

A keyring cannot list its items, and the next start must use the same store.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from bridge.errors import VaultError
from bridge.i18n import say
from bridge.system.atomic_file import read_private, write_private
from bridge.system.file_lock import locked


class IndexData(msgspec.Struct, frozen=True, omit_defaults=True):
    """`names`: at least all stored names → marks of the parts, where a value is split (keyring.py).
    `leaving`: the store that secrets were moved out of, until it is empty."""

    store: str = ""
    service: str = ""  # service name in the keyring
    backend: str = ""  # class of the keyring backend
    leaving: str = ""
    names: dict[str, tuple[str, ...]] = {}
    version: int = 1


class VaultIndex:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "vault.json"
        self._lock = folder / "vault.lock"

    def read(self) -> IndexData:
        data = read_private(self.path)
        if data is None:
            return IndexData()
        try:
            index = msgspec.json.decode(data, type=IndexData)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            hint = say("{why}. It lists the names of your secrets; restore it from a backup.", why=str(error))
            raise VaultError(say("{path} is not valid", path=self.path), hint) from error
        if index.version != 1:
            words = say("{path} was written by a newer Deskbell", path=self.path)
            raise VaultError(words, say("Use that one."))
        return index

    def change(self, edit: Callable[[IndexData], IndexData]) -> IndexData:
        with locked(self._lock):
            before = self.read()
            after = edit(before)
            if after != before:
                write_private(self.path, msgspec.json.format(msgspec.json.encode(after)) + b"\n")
            return after
