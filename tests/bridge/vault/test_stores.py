"""The stores that need nothing of the machine, each held to the contract; and what only one promises."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import keyring.backend
import msgspec
import pytest

from bridge.errors import VaultError, VaultLocked
from bridge.vault.base import Store
from bridge.vault.file import FileStore, Header
from bridge.vault.index import VaultIndex
from bridge.vault.keyring import KeyringStore, NoKeyring
from bridge.vault.memory import MemoryStore
from bridge.vault.refuse import RefuseStore
from tests.contracts.stores import LONG, StoreContract

ROOT = Path(__file__).parents[3]
PROTECTED = Header("0" * 16, key="argon2id", salt="ab" * 8, rounds=1, memory=8, lanes=1)


class TestMemory(StoreContract):
    lasting = False

    def open(self, folder: Path) -> Store:
        return MemoryStore()


class TestFile(StoreContract):
    def open(self, folder: Path) -> Store:
        return FileStore(folder)


class TestFileWithPassphrase(StoreContract):
    def open(self, folder: Path) -> Store:
        store = FileStore(folder)
        if store.path.exists():
            store.unlock("correct horse")
        else:
            store.protect("correct horse")
        return store


# --- the keyring, over a backend that lives in memory and has Windows' limit ------------------------------


class Ring(keyring.backend.KeyringBackend):
    """A keyring of the smallest kind. The real Secret Service is in tests/live."""

    priority = 9.0
    limit = 0
    items: ClassVar[dict[tuple[str, str], str]] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.items.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.limit and len(password.encode("utf-16-le")) > self.limit * 2:
            raise OSError("CredWrite: the stub received bad data")
        self.items[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.items[service, username]


class TinyRing(Ring):
    limit = 1280
    items: ClassVar[dict[tuple[str, str], str]] = {}


@pytest.fixture(autouse=True)
def rings(monkeypatch: pytest.MonkeyPatch) -> None:
    Ring.items.clear()
    TinyRing.items.clear()
    use(monkeypatch, Ring)


def use(monkeypatch: pytest.MonkeyPatch, kind: type[Ring] | str) -> None:
    """As a person chooses a backend: by the environment."""
    name = kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}"
    sys.modules.setdefault(Ring.__module__, sys.modules[__name__])
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", name)


class TestKeyring(StoreContract):
    def open(self, folder: Path) -> Store:
        return KeyringStore(folder)


class TestKeyringWithSmallItems(StoreContract):
    @pytest.fixture(autouse=True)
    def small(self, rings: None, monkeypatch: pytest.MonkeyPatch) -> None:
        use(monkeypatch, TinyRing)

    def open(self, folder: Path) -> Store:
        return KeyringStore(folder, limit=TinyRing.limit)

    def test_no_part_of_a_long_value_is_left_behind(self, tmp_path: Path):
        store = self.open(tmp_path)
        for value in (LONG, LONG, "deskbell-parts:odd", "short"):
            store.set("secret/x", value)
            assert store.get("secret/x") == value
        assert list(TinyRing.items.values()) == ["short"]
        store.set("secret/x", LONG)
        store.delete("secret/x")
        assert TinyRing.items == {}

    def test_a_missing_part_is_told_as_damage(self, tmp_path: Path):
        store = self.open(tmp_path)
        store.set("secret/x", LONG)
        del TinyRing.items[next(key for key in TinyRing.items if "#" in key[1])]
        with pytest.raises(VaultError, match="damaged"):
            store.get("secret/x")


def test_the_index_of_a_keyring_holds_names_and_no_values(tmp_path: Path):
    KeyringStore(tmp_path).set("secret/x", "hunter2")
    text = (tmp_path / "vault.json").read_text()
    assert "secret/x" in text
    assert "hunter2" not in text


@pytest.mark.parametrize("name", ["null", "fail"])
def test_a_keyring_that_keeps_nothing_is_no_keyring(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    use(monkeypatch, f"keyring.backends.{name}.Keyring")
    with pytest.raises(NoKeyring, match="does not keep secrets safe"):
        KeyringStore(tmp_path).probe()


def test_a_keyring_that_is_gone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Another desktop, another keyring: the secrets are not looked for there."""
    KeyringStore(tmp_path).set("secret/x", "value")
    VaultIndex(tmp_path).change(lambda kept: type(kept)(names=kept.names, backend="gone.Keyring"))
    with pytest.raises(VaultError, match=r"gone\.Keyring, which does not answer"):
        KeyringStore(tmp_path).get("secret/x")


# --- refusing ---------------------------------------------------------------------------------------------


def test_a_store_that_refuses_says_why():
    store = RefuseStore()
    assert store.names() == ()
    for act in (store.get, store.delete, lambda name: store.set(name, "v"), lambda _: store.probe()):
        with pytest.raises(VaultError, match=r"keeps no secrets.*refuse"):
            act("secret/x")


# --- the file ---------------------------------------------------------------------------------------------


def test_only_the_owner_can_read_the_file_and_its_key(tmp_path: Path):
    old = os.umask(0)
    try:
        FileStore(tmp_path).set("secret/x", "hunter2")
    finally:
        os.umask(old)
    for name in ("vault.enc", "vault.key"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        assert b"hunter2" not in (tmp_path / name).read_bytes()
    assert b"secret/x" not in (tmp_path / "vault.enc").read_bytes()


def test_every_write_has_its_own_nonce(tmp_path: Path):
    store, seen = FileStore(tmp_path), set()
    for _ in range(20):
        store.set("secret/x", "same")
        seen.add(store.path.read_bytes().partition(b"\n")[2][:12])
    assert len(seen) == 20


@pytest.mark.parametrize("passphrase", ["", "correct horse"], ids=["key file", "passphrase"])
def test_whatever_byte_is_changed_it_is_noticed_and_nothing_is_written_over(passphrase: str, tmp_path: Path):
    store = FileStore(tmp_path)
    store.protect(passphrase)
    store.set("secret/x", "value")
    good = store.path.read_bytes()
    for place in range(len(good)):
        store.path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        bad = store.path.read_bytes()
        with pytest.raises(VaultError):
            FileStore(tmp_path).get("secret/x")
        with pytest.raises(VaultError):
            store.get("secret/x")
        with pytest.raises(VaultError):
            store.set("secret/y", "value")
        assert store.path.read_bytes() == bad
    for length in (0, 1, len(good) - 1):
        store.path.write_bytes(good[:length])
        with pytest.raises(VaultError, match="damaged"):
            store.get("secret/x")
    store.path.write_bytes(good)
    assert store.get("secret/x") == "value"


def test_without_its_key_the_file_says_which_key_is_missing(tmp_path: Path):
    store = FileStore(tmp_path)
    store.set("secret/x", "value")
    key = store.key_path.read_bytes()
    store.key_path.unlink()
    with pytest.raises(VaultError, match=r"vault\.key, which is not there"):
        FileStore(tmp_path).set("secret/y", "value")
    assert not store.key_path.exists()
    store.key_path.write_bytes(bytes(32))
    with pytest.raises(VaultError, match="is not its key"):
        FileStore(tmp_path).get("secret/x")
    store.key_path.write_bytes(key)
    assert FileStore(tmp_path).get("secret/x") == "value"


def test_each_guess_at_a_passphrase_costs_three_rounds_over_64_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.undo()
    store = FileStore(tmp_path)
    store.protect("correct horse")
    header = json.loads(store.path.read_bytes().partition(b"\n")[0])
    assert (header["key"], header["rounds"], header["memory"]) == ("argon2id", 3, 64 * 1024)
    locked = FileStore(tmp_path)
    locked.unlock("correct horse")
    assert locked.names() == ()


def test_a_passphrase_locks_the_file_until_it_is_given(tmp_path: Path):
    store = FileStore(tmp_path)
    store.set("secret/x", "value")
    store.protect("correct horse")
    assert not store.key_path.exists()
    assert store.get("secret/x") == "value"
    locked = FileStore(tmp_path)
    assert "Your passphrase encrypts it." in locked.limits
    for act in (locked.names, lambda: locked.get("secret/x"), lambda: locked.set("secret/y", "v")):
        with pytest.raises(VaultLocked):
            act()
    with pytest.raises(VaultLocked, match="not the passphrase"):
        locked.unlock("wrong horse")
    locked.unlock("correct horse")
    assert locked.get("secret/x") == "value"
    for wrong in ("", "wrong horse"):
        with pytest.raises(VaultLocked, match="not the current passphrase"):
            locked.protect("", wrong)
        with pytest.raises(VaultLocked, match="not the current passphrase"):
            locked.protect("another", wrong)
    assert locked.has_passphrase
    locked.protect("", "correct horse")
    assert FileStore(tmp_path).get("secret/x") == "value"


def test_a_new_passphrase_from_another_process_locks_this_one(tmp_path: Path):
    here, there = FileStore(tmp_path), FileStore(tmp_path)
    here.protect("first")
    here.set("secret/x", "value")
    there.unlock("first")
    there.protect("second", "first")
    with pytest.raises(VaultLocked):
        here.get("secret/x")
    here.unlock("second")
    assert here.get("secret/x") == "value"


def test_a_header_cannot_ask_for_more_memory_than_is_sensible(tmp_path: Path):
    store = FileStore(tmp_path)
    store.protect("correct horse")
    greedy = re.sub(rb'"memory":\d+', b'"memory":99999999', store.path.read_bytes())
    store.path.write_bytes(greedy)
    with pytest.raises(VaultError, match="damaged"):
        store.unlock("correct horse")


@pytest.mark.parametrize(
    ("header", "sealed", "lawful"),
    [
        (PROTECTED, b"n" * 13, True),
        (PROTECTED, b"n" * 12, False),  # a nonce and nothing else
        (msgspec.structs.replace(PROTECTED, salt="ab" * 7 + "a"), b"n" * 13, False),
        (msgspec.structs.replace(PROTECTED, salt="ab" * 7), b"n" * 13, False),
        (msgspec.structs.replace(PROTECTED, salt="zz" * 8), b"n" * 13, False),
    ],
)
def test_a_file_is_protected_by_a_passphrase_if_its_header_is_whole(
    header: Header, sealed: bytes, lawful: bool, tmp_path: Path
):
    store = FileStore(tmp_path)
    store.path.write_bytes(header.line() + b"\n" + sealed)
    assert store.has_passphrase == lawful
    with pytest.raises(VaultLocked if lawful else VaultError, match="locked" if lawful else "damaged"):
        store.names()


def test_a_probe_writes_and_says_where_nothing_can_be_written(tmp_path: Path):
    store = FileStore(tmp_path)
    store.probe()
    assert not store.path.exists()
    store.set("secret/x", "value")
    before = store.path.read_bytes()
    store.probe()
    assert store.path.read_bytes() != before
    assert store.get("secret/x") == "value"
    with pytest.raises(VaultError, match="cannot be written"):
        FileStore(tmp_path / "gone").probe()


def test_an_emptied_store_leaves_neither_file_nor_key(tmp_path: Path):
    store = FileStore(tmp_path)
    store.set("secret/x", "value")
    store.empty()
    assert not store.path.exists()
    assert not store.key_path.exists()
    assert store.names() == ()


def test_a_file_without_a_passphrase_needs_none(tmp_path: Path):
    store = FileStore(tmp_path)
    store.unlock("any")
    store.set("secret/x", "value")
    store.unlock("any")
    assert store.get("secret/x") == "value"


def test_a_key_file_that_is_too_short_is_replaced_before_it_is_used(tmp_path: Path):
    store = FileStore(tmp_path)
    store.key_path.write_bytes(b"short")
    store.set("secret/x", "value")
    key = store.key_path.read_bytes()
    assert len(key) == 32
    store.protect("correct horse")
    store.key_path.write_bytes(key)
    store.protect("", "correct horse")
    assert store.key_path.read_bytes() == key


def test_a_newer_file_is_left_alone(tmp_path: Path):
    store = FileStore(tmp_path)
    store.set("secret/x", "value")
    store.path.write_bytes(store.path.read_bytes().replace(b'"deskbell-vault":1', b'"deskbell-vault":2'))
    with pytest.raises(VaultError, match="newer Deskbell"):
        store.set("secret/x", "other")


def test_processes_that_write_at_the_same_time_lose_nothing_of_each_other(tmp_path: Path):
    work = (
        "import sys, pathlib; from bridge.vault.file import FileStore\n"
        "store = FileStore(pathlib.Path(sys.argv[1]))\n"
        "for n in range(15): store.set(f'secret/{sys.argv[2]}-{n}', 'v')\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", work, str(tmp_path), str(who)], cwd=ROOT) for who in range(3)
    ]
    assert [one.wait(30) for one in running] == [0, 0, 0]
    assert len(FileStore(tmp_path).names()) == 45
