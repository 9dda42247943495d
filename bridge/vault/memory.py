"""Store secrets in memory, until Deskbell exits."""

from __future__ import annotations

from bridge.i18n import say
from bridge.vault.base import Store, checked


class MemoryStore(Store):
    kind = "memory"
    limits = say("Kept in memory only: gone when Deskbell ends.")

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def get(self, name: str) -> str | None:
        return self._kept.get(checked(name))

    def set(self, name: str, value: str) -> None:
        self._kept[checked(name)] = value

    def delete(self, name: str) -> bool:
        return self._kept.pop(checked(name), None) is not None

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._kept))
