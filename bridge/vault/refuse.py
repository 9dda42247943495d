"""A store that refuses all secrets, and says why."""

from __future__ import annotations

from bridge.errors import VaultError
from bridge.i18n import say
from bridge.vault.base import Store, checked


class RefuseStore(Store):
    kind = "refuse"
    limits = say("No secrets are kept.")

    def __init__(self, title: str = "", why: str = "") -> None:
        self._title = title or say("Deskbell keeps no secrets")
        self._why = why or say('config.toml says vault = "refuse". Choose another, such as "auto".')

    def get(self, name: str) -> str | None:
        checked(name)
        raise self._refusal()

    def set(self, name: str, value: str) -> None:
        checked(name)
        raise self._refusal()

    def delete(self, name: str) -> bool:
        checked(name)
        raise self._refusal()

    def names(self) -> tuple[str, ...]:
        return ()

    def _refusal(self) -> VaultError:
        return VaultError(self._title, self._why)
