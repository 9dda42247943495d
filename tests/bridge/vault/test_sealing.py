"""What Deskbell saves of people's words is encrypted by a key in the vault, made once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bridge.errors import VaultError
from bridge.vault.base import Vault
from bridge.vault.memory import MemoryStore
from bridge.vault.refuse import RefuseStore
from bridge.vault.sealing import SealingKey

NAME = "own/drafts"


@pytest.fixture
def vault() -> Iterator[Vault]:
    vault = Vault(MemoryStore())
    yield vault
    vault.close()


async def found(vault: Vault, make: bool = True) -> SealingKey:
    key = SealingKey(vault, NAME)
    await key.find(make=make)
    return key


async def test_the_key_that_is_there_is_used_and_not_replaced(vault: Vault):
    sealed = (await found(vault)).seal(b"a draft", "question 1")
    assert b"draft" not in sealed
    for make in (True, False):
        assert (await found(vault, make)).open(sealed, "question 1") == b"a draft"


async def test_a_key_is_made_only_where_one_is_wanted(vault: Vault):
    key = await found(vault, make=False)
    assert not key
    assert key.seal(b"a draft", "question 1") == b""
    assert vault.store.get(NAME) is None


async def test_what_was_sealed_for_something_else_or_is_damaged_is_not_opened(vault: Vault):
    key = await found(vault)
    sealed = key.seal(b"a draft", "question 1")
    for wrong, about in ((sealed, "question 2"), (sealed[:-1], "question 1"), (b"", "question 1")):
        assert key.open(wrong, about) == b""


async def test_without_a_usable_vault_nothing_is_sealed():
    vault = Vault(RefuseStore())
    with pytest.raises(VaultError):
        vault.store.set(NAME, "x")
    assert (await found(vault)).seal(b"a draft", "question 1") == b""
    vault.close()
