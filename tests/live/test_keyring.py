"""The real Secret Service: the contract of all stores, and a keyring that is locked, gone or back again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.errors import VaultError
from bridge.vault.base import Store, Vault
from bridge.vault.file import FileStore
from bridge.vault.keyring import KeyringStore, NoKeyring
from bridge.vault.store_selection import ChosenStore
from tests.contracts.stores import StoreContract
from tests.live.secret_service import MISSING, SecretService

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"no {MISSING} here")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecretService]:
    service = SecretService(tmp_path_factory.mktemp("keyring"))
    service.start()
    yield service
    service.stop()


@pytest.fixture(autouse=True)
def service(running: SecretService, monkeypatch: pytest.MonkeyPatch) -> SecretService:
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND", raising=False)
    for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, running.env[name])
    return running


class TestSecretService(StoreContract):
    def open(self, folder: Path) -> Store:
        return KeyringStore(folder, f"deskbell {folder}")


def test_auto_takes_the_keyring_where_there_is_one(tmp_path: Path):
    store = ChosenStore(tmp_path, lambda: "auto", f"deskbell {tmp_path}")
    store.set("secret/x", "value")
    assert (store.look().store, store.look().state) == ("keyring", "ready")
    assert not (tmp_path / "vault.enc").exists()


def test_secrets_move_between_the_keyring_and_the_file(tmp_path: Path):
    store = ChosenStore(tmp_path, lambda: "auto", f"deskbell {tmp_path}")
    store.set("secret/x", "value")
    assert store.move("file") == 1
    assert KeyringStore(tmp_path, f"deskbell {tmp_path}").get("secret/x") is None
    assert (store.get("secret/x"), FileStore(tmp_path).get("secret/x")) == ("value", "value")
    assert store.move("keyring") == 1
    assert (store.get("secret/x"), store.look().store) == ("value", "keyring")
    assert not (tmp_path / "vault.enc").exists()


async def test_a_locked_keyring_is_told_and_nothing_takes_its_place(tmp_path: Path, service: SecretService):
    store = ChosenStore(tmp_path, lambda: "auto", f"deskbell {tmp_path}")
    vault = Vault(store)
    await vault.set("secret/x", "value")
    service.lock()
    with pytest.raises(VaultError, match=r"locked|did not answer|cannot be used"):
        await vault.do(lambda: store.get("secret/x"), patience=5.0)
    assert not (tmp_path / "vault.enc").exists()
    vault.close()
    service.stop_daemon()
    service.start_daemon()
    assert ChosenStore(tmp_path, lambda: "auto", f"deskbell {tmp_path}").get("secret/x") == "value"


def test_a_keyring_that_is_gone_keeps_its_secrets_until_it_is_back(tmp_path: Path, service: SecretService):
    def chosen() -> ChosenStore:
        return ChosenStore(tmp_path, lambda: "auto", f"deskbell {tmp_path}")

    store = chosen()
    store.set("secret/x", "value")
    service.stop_daemon()
    for one in (store, chosen()):
        with pytest.raises(VaultError):
            one.get("secret/x")
        with pytest.raises(VaultError):
            one.set("secret/y", "elsewhere")
        assert (one.look().store, one.look().state) == ("keyring", "unusable")
    assert not (tmp_path / "vault.enc").exists()
    service.start_daemon()
    assert store.get("secret/x") == "value"


def test_without_a_session_bus_there_is_no_keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
    with pytest.raises(NoKeyring, match="no keychain on this computer"):
        KeyringStore(tmp_path).probe()
    store = ChosenStore(tmp_path, lambda: "auto")
    store.set("secret/x", "value")
    assert (store.look().store, "Not in a keychain" in store.look().why) == ("file", True)
