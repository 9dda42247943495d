"""A store that refuses all secrets, and says why."""

from __future__ import annotations

from bridge.errors import VaultError
from bridge.i18n import say
from bridge.vault.base import Store, checked


class RefuseStore(Store):
    kind = "refuse"
    limits = ""

    def get(self, name: str) -> str | None:
        checked(name)
        raise VaultError(
            say("Deskbell keeps no secrets"),
            say('config.toml says vault = "refuse". Choose another, such as "auto".'),
        )

    def set(self, name: str, value: str) -> None:
        self.get(name)

    def delete(self, name: str) -> bool:
        return self.get(name) is not None

    def names(self) -> tuple[str, ...]:
        return ()
