"""Calls whose hosts stopped waiting are saved with their replies; the replies cannot be read on disk."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from bridge.core.ports import HeldCall
from bridge.errors import VaultError, VaultLocked
from bridge.held_results import KEY, HeldResults
from bridge.vault.base import Vault
from bridge.vault.memory import MemoryStore
from tests.fixtures.patience import WITHIN

UNDER_WAY = HeldCall("wait-a", "codex", "files", "id", "ask", "digest", 1.0)
FINISHED = HeldCall("wait-b", "codex", "files", "id", "ask", "digest", 1.0, 2.0, b'{"result":"Ada"}')
CALLS = (UNDER_WAY, FINISHED)


class LockedStore(MemoryStore):
    def get(self, name: str) -> str | None:
        raise VaultLocked("It is locked")


class BrokenStore(MemoryStore):
    def set(self, name: str, value: str) -> None:
        raise VaultError("It is full")


def save(path: Path, vault: Vault, calls: tuple[HeldCall, ...]) -> None:
    async def run() -> None:
        results = HeldResults(path, vault, lambda: calls)
        results.save()
        await results.close()

    asyncio.run(run())


async def test_who_saves_is_told_when_the_file_is_written(path: Path):
    results, done = HeldResults(path, Vault(MemoryStore()), lambda: CALLS), asyncio.Event()
    loop = asyncio.get_running_loop()
    results.save(lambda: path.exists() and loop.call_soon_threadsafe(done.set))
    await asyncio.wait_for(done.wait(), WITHIN)
    await results.close()


def restore(path: Path, vault: Vault) -> tuple[HeldCall, ...]:
    async def run() -> tuple[HeldCall, ...]:
        results = HeldResults(path, vault, tuple)
        calls = await results.restore()
        await results.close()
        return calls

    return asyncio.run(run())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "held.json"


def test_calls_and_replies_come_back_with_the_key_in_the_vault(path: Path):
    vault = Vault(MemoryStore())
    save(path, vault, CALLS)
    assert b"Ada" not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    assert restore(path, vault) == CALLS


def test_the_key_is_made_once(path: Path):
    vault = Vault(MemoryStore())
    save(path, vault, CALLS)
    key = vault.store.get(KEY)
    save(path, vault, CALLS)
    assert vault.store.get(KEY) == key


@pytest.mark.parametrize("store", [LockedStore, BrokenStore])
def test_without_a_usable_vault_only_the_calls_are_saved(path: Path, store: type[MemoryStore]):
    vault = Vault(store())
    save(path, vault, CALLS)
    assert b"Ada" not in path.read_bytes()
    bare = (UNDER_WAY, msgspec.structs.replace(FINISHED, reply=b""))
    assert restore(path, vault) == bare


def test_a_reply_moved_to_another_ticket_or_sealed_by_another_key_is_left_out(path: Path):
    vault = Vault(MemoryStore())
    save(path, vault, CALLS)
    path.write_bytes(path.read_bytes().replace(b"wait-b", b"wait-c"))
    assert [one.reply for one in restore(path, vault)] == [b"", b""]
    save(path, vault, CALLS)
    assert [one.reply for one in restore(path, Vault(MemoryStore()))] == [b"", b""]


def test_when_nothing_is_held_there_is_no_file(path: Path):
    vault = Vault(MemoryStore())
    save(path, vault, CALLS)
    save(path, vault, ())
    assert not path.exists()
    assert restore(path, vault) == ()


@pytest.mark.parametrize("content", [b"", b"{}", b'[{"ticket":5}]'])
def test_a_file_that_makes_no_sense_is_done_without(path: Path, content: bytes):
    path.write_bytes(content)
    assert restore(path, Vault(MemoryStore())) == ()


def test_a_folder_in_its_place_is_logged_and_done_without(path: Path):
    path.mkdir()
    save(path, Vault(MemoryStore()), CALLS)
    assert path.is_dir()
