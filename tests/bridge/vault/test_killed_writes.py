"""kill -9 at every step of a write: what was kept is still there, and the rest is there or not, whole."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import keyring.backend
import pytest

from bridge.vault.file import FileStore
from bridge.vault.index import VaultIndex
from bridge.vault.keyring import KeyringStore
from bridge.vault.store_selection import ChosenStore
from tests.fixtures.kill_before_write import die_at

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no fork")


def deaths(work: Callable[[], object]) -> Iterator[int]:
    """Does `work` in a process that is killed before its 1st, 2nd, … touch of the disk; after each death it
    is the test's turn to look. Ends when the work was done before its time had come."""
    step = 0
    while True:
        child = os.fork()
        if not child:
            try:
                die_at(step)
                work()
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        yield step
        if os.WIFEXITED(status):
            return
        assert os.WTERMSIG(status) == signal.SIGKILL
        step += 1
        assert step < 500


class DiskRing(keyring.backend.KeyringBackend):
    """A keyring that outlives its process: one file an item."""

    priority = 9.0
    folder = Path()

    def _path(self, service: str, username: str) -> Path:
        return self.folder / quote(f"{service} {username}", safe="")

    def get_password(self, service: str, username: str) -> str | None:
        path = self._path(service, username)
        return path.read_text() if path.exists() else None

    def set_password(self, service: str, username: str, password: str) -> None:
        fresh = self.folder / "fresh"
        fresh.write_text(password)
        os.replace(fresh, self._path(service, username))

    def delete_password(self, service: str, username: str) -> None:
        os.unlink(self._path(service, username))


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    DiskRing.folder = tmp_path / "ring"
    DiskRing.folder.mkdir()
    sys.modules.setdefault(DiskRing.__module__, sys.modules[__name__])
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", f"{DiskRing.__module__}.{DiskRing.__qualname__}")
    return DiskRing.folder


def test_a_killed_write_to_the_file_loses_nothing(tmp_path: Path):
    FileStore(tmp_path).set("secret/kept", "before")
    seen = set()
    for _ in deaths(lambda: FileStore(tmp_path).set("secret/new", "after")):
        store = FileStore(tmp_path)
        assert store.get("secret/kept") == "before"
        seen.add(store.get("secret/new"))
        store.delete("secret/new")
    assert seen == {None, "after"}


def test_a_killed_first_write_leaves_a_file_that_can_be_used(tmp_path: Path):
    for step in deaths(lambda: FileStore(tmp_path).set("secret/new", "after")):
        store = FileStore(tmp_path)
        assert store.get("secret/new") in (None, "after")
        store.set("secret/other", str(step))
        assert FileStore(tmp_path).get("secret/other") == str(step)
        store.empty()


def test_a_killed_change_of_the_passphrase_leaves_one_that_opens(tmp_path: Path):
    FileStore(tmp_path).set("secret/kept", "before")
    for _ in deaths(lambda: FileStore(tmp_path).protect("correct horse")):
        store = FileStore(tmp_path)
        if store.has_passphrase:
            store.unlock("correct horse")
        assert store.get("secret/kept") == "before"
        store.protect("", "correct horse")


@pytest.mark.parametrize("limit", [0, 20], ids=["whole", "split"])
def test_a_killed_write_to_the_keyring_loses_nothing_and_leaves_no_orphan(
    limit: int, tmp_path: Path, ring: Path
):
    def store() -> KeyringStore:
        return KeyringStore(tmp_path, limit=limit)

    values = {"before " * 5, "after " * 5}
    store().set("secret/x", "before " * 5)
    for _ in deaths(lambda: store().set("secret/x", "after " * 5)):
        assert store().get("secret/x") in values
        assert store().names() == ("secret/x",)
        store().set("secret/x", "before " * 5)
    for _ in deaths(lambda: store().delete("secret/x")):
        assert store().get("secret/x") in {None, "before " * 5}
        store().set("secret/x", "before " * 5)
    store().delete("secret/x")
    assert [path.name for path in ring.iterdir() if path.name != "fresh"] == []
    assert VaultIndex(tmp_path).read().names == {}


@pytest.mark.parametrize(("source", "target"), [("file", "keyring"), ("keyring", "file")])
def test_a_killed_move_between_stores_loses_nothing(source: str, target: str, tmp_path: Path, ring: Path):
    secrets = {"secret/x": "one", "account/did:plc:a": "two"}

    def chosen() -> ChosenStore:
        return ChosenStore(tmp_path, lambda: "auto")

    def kept() -> dict[str, str | None]:
        store = chosen()
        return {name: store.get(name) for name in store.names()}

    first = ChosenStore(tmp_path, lambda: source)
    for name, value in secrets.items():
        first.set(name, value)
    for _ in deaths(lambda: chosen().move(target)):
        assert kept() == secrets
        chosen().move(source)
        assert kept() == secrets
    chosen().move(target)
    assert kept() == secrets
    assert chosen().look().store == target
    left = FileStore(tmp_path) if source == "file" else KeyringStore(tmp_path)
    assert left.get("secret/x") is None
