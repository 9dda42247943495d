"""The Vault in the engine's loop, the choice of its store, and the VaultService."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridge.core.ports import ServerSpec
from bridge.errors import DeskbellError, VaultError, VaultLocked
from bridge.settings import Home, SettingsFile
from bridge.system.masking import Mask
from bridge.vault import unlock_dialog
from bridge.vault.base import Vault
from bridge.vault.file import FileStore
from bridge.vault.memory import MemoryStore
from bridge.vault.secret_references import filled, names
from bridge.vault.service import VaultService
from bridge.vault.store_selection import ChosenStore
from bridge.vault.unlock_dialog import UnlockDialog
from tests.fixtures.patience import WITHIN


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")


# --- the Vault --------------------------------------------------------------------------------------------


class Stuck(MemoryStore):
    """A keyring whose dialog nobody answers, until somebody does."""

    def __init__(self) -> None:
        super().__init__()
        self.freed = threading.Event()

    def get(self, name: str) -> str | None:
        assert self.freed.wait(30)
        return super().get(name)


async def test_the_vault_keeps_a_secret_and_gives_it_back():
    vault = Vault(MemoryStore())
    await vault.set("secret/x", "value")
    assert await vault.get("secret/x") == "value"
    assert await vault.names() == ("secret/x",)
    assert await vault.delete("secret/x") is True
    vault.close()


async def test_a_store_that_does_not_answer_is_given_up_and_used_again_when_it_does():
    store = Stuck()
    vault = Vault(store)
    for _ in range(2):
        with pytest.raises(VaultError, match=r"did not answer.*Unlock it"):
            await vault.do(lambda: store.get("secret/x"), patience=0.05)
    store.freed.set()
    await vault.set("secret/x", "value")
    assert await vault.get("secret/x") == "value"
    vault.close()


async def test_what_was_given_up_before_it_began_is_not_done_later():
    store = Stuck()
    vault = Vault(store)
    waiting = asyncio.create_task(vault.get("secret/x"))
    await asyncio.sleep(0)
    with pytest.raises(VaultError):
        await vault.do(lambda: store.set("secret/x", "late"), patience=0.05)
    store.freed.set()
    assert await waiting is None
    assert await vault.names() == ()
    vault.close()


class Dialog(MemoryStore):
    """A keyring that asks the person, in a window of its own, and knows when nobody waits any more."""

    def __init__(self) -> None:
        super().__init__()
        self.asking = UnlockDialog()
        self.answered = threading.Event()

    def get(self, name: str) -> str | None:
        with self.asking.shown() as stop:
            while not self.answered.wait(0.01):
                if stop.is_set():
                    raise VaultError("The keychain is locked")
        return super().get(name)


async def test_a_person_at_a_keyrings_dialog_has_more_time_than_the_machine():
    store = Dialog()
    vault = Vault(store)
    await vault.set("secret/x", "value")
    first = asyncio.create_task(vault.get("secret/x"))
    await until(lambda: store.asking.since)
    second = asyncio.create_task(vault.do(store.names, patience=0.05))  # behind the other
    begun = time.monotonic()
    await until(lambda: time.monotonic() - begun > 0.3)
    assert not first.done()
    assert not second.done()
    store.answered.set()
    assert (await first, await second) == ("value", ("secret/x",))
    vault.close()


async def test_a_dialog_stays_while_anybody_waits_for_it_and_goes_with_the_last():
    store = Dialog()
    vault = Vault(store)
    first, second = (asyncio.create_task(vault.get("secret/x")) for _ in range(2))
    await until(lambda: store.asking.since)
    first.cancel()
    await asyncio.wait({first})
    assert not store.asking.close_requested
    second.cancel()
    await until(lambda: not store.asking.since)
    vault.close()


def test_a_call_that_takes_long_may_be_asking(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(unlock_dialog, "_LONG", 0.05)
    told = threading.Event()
    one = UnlockDialog(told.set)
    with one.assumed_when_slow():
        assert told.wait(WITHIN)
        assert one.since
    assert not one.since
    with one.assumed_when_slow():
        pass
    assert one.until


async def until(look: Callable[[], object]) -> None:
    async with asyncio.timeout(WITHIN):
        while not look():  # noqa: ASYNC110 - another thread
            await asyncio.sleep(0.01)


def passphrases(*words: str | None) -> tuple[list[str], Any]:
    asked: list[str] = []

    async def ask(wrong: str) -> str | None:
        asked.append(wrong)
        return words[len(asked) - 1]

    return asked, ask


async def test_a_locked_store_is_asked_for_its_passphrase_once_for_all_who_wait(tmp_path: Path):
    first = FileStore(tmp_path)
    first.protect("correct horse")
    first.set("secret/x", "value")
    asked, ask = passphrases("wrong horse", "correct horse")
    vault = Vault(FileStore(tmp_path), ask)
    assert await asyncio.gather(*(vault.get("secret/x") for _ in range(5))) == ["value"] * 5
    assert asked == ["", "That is not the passphrase"]
    vault.close()


async def test_without_the_passphrase_it_stays_locked_and_asks_again_the_next_time(tmp_path: Path):
    FileStore(tmp_path).protect("correct horse")
    asked, ask = passphrases(None, "correct horse")
    vault = Vault(FileStore(tmp_path), ask)
    with pytest.raises(VaultError, match="deskbell secrets unlock"):
        await vault.names()
    assert await vault.names() == ()
    assert len(asked) == 2
    silent = Vault(FileStore(tmp_path))
    with pytest.raises(VaultLocked):
        await silent.names()
    vault.close()
    silent.close()


# --- the choice -------------------------------------------------------------------------------------------


def test_nothing_is_chosen_and_no_file_made_before_a_secret_is_needed(tmp_path: Path):
    store = ChosenStore(tmp_path, lambda: "auto")
    assert (store.look().store, store.look().state) == ("", "unused")
    assert list(tmp_path.iterdir()) == []


def test_without_a_keyring_auto_takes_the_file_and_says_why(tmp_path: Path):
    changes: list[int] = []
    store = ChosenStore(tmp_path, lambda: "auto", on_change=lambda: changes.append(1))
    store.set("secret/x", "value")
    assert store.look().store == "file"
    assert "Not in a keychain: The keychain cannot be used" in store.look().words()
    assert changes == [1]
    again = ChosenStore(tmp_path, lambda: "auto")
    assert (again.look().store, again.get("secret/x")) == ("file", "value")


def test_a_keyring_that_was_asked_for_is_not_replaced_by_anything(tmp_path: Path):
    store = ChosenStore(tmp_path, lambda: "keyring")
    with pytest.raises(VaultError, match="store keys in an encrypted file"):
        store.set("secret/x", "value")
    assert store.look().state == "unusable"
    assert not (tmp_path / "vault.enc").exists()


def test_secrets_of_one_store_are_not_looked_for_in_another(tmp_path: Path):
    setting = "auto"
    store = ChosenStore(tmp_path, lambda: setting)
    store.set("secret/x", "value")
    setting = "keyring"
    assert store.look().state == "unusable"
    with pytest.raises(VaultError, match="deskbell secrets move --to keyring"):
        store.get("secret/x")
    setting = "file"
    assert store.get("secret/x") == "value"


def test_memory_and_refusal_are_what_they_say(tmp_path: Path):
    memory = ChosenStore(tmp_path, lambda: "memory")
    memory.set("secret/x", "value")
    assert (memory.get("secret/x"), memory.look().store) == ("value", "memory")
    refuse = ChosenStore(tmp_path, lambda: "refuse")
    with pytest.raises(VaultError, match="keeps no secrets"):
        refuse.set("secret/x", "value")
    assert refuse.look().words() == "No keys are stored."
    assert list(tmp_path.iterdir()) == []


async def test_whether_there_may_be_a_secret_is_told_without_asking_anyone(tmp_path: Path):
    _, ask = passphrases()
    store = ChosenStore(tmp_path, lambda: "auto")
    vault = Vault(store, ask)
    assert await vault.may_have("secret/x") is False
    assert (store.look().store, os.listdir(tmp_path)) == ("", [])
    await vault.set("secret/x", "value")
    assert await vault.may_have("secret/x") is True
    assert await vault.may_have("secret/y") is False
    store.protect("correct horse")
    locked = Vault(ChosenStore(tmp_path, lambda: "auto"), ask)
    assert await locked.may_have("secret/x") is False
    vault.close()
    locked.close()


def test_a_locked_file_says_so_before_it_is_used(tmp_path: Path):
    store = ChosenStore(tmp_path, lambda: "auto")
    store.set("secret/x", "value")
    store.protect("correct horse")
    again = ChosenStore(tmp_path, lambda: "auto")
    assert (again.look().store, again.look().state) == ("file", "locked")
    again.unlock("correct horse")
    assert again.get("secret/x") == "value"


# --- references -------------------------------------------------------------------------------------------


def test_a_reference_may_be_a_part_of_a_value_and_stand_more_than_once():
    texts = {"A": "Bearer ${vault:github}", "B": "${vault:a/b}:${vault:github}", "C": "$HOME ${other}"}
    assert names(texts.values()) == ("github", "a/b")
    done = filled(texts, {"github": "g", "a/b": "$0\\1"})
    assert done == {"A": "Bearer g", "B": "$0\\1:g", "C": "$HOME ${other}"}


@pytest.mark.parametrize("text", ["${vault:}", "${vault:two words}", "${vault:../x}"])
def test_a_reference_without_a_proper_name_is_an_error(text: str):
    with pytest.raises(VaultError, match="names no secret"):
        names([text])


def test_what_was_filled_in_is_hidden_wherever_it_turns_up():
    mask = Mask()
    assert mask.mask_text("hunter22") == "hunter22"
    mask.learn(["hunter22", "hunter2222", "ab"])
    assert mask.mask_text("key hunter2222, hunter22; ab") == "key •••, •••; ab"
    assert mask.mask_json({"a": ["hunter22", 5], "b": "x"}) == {"a": ["•••", 5], "b": "x"}


# --- VaultService -----------------------------------------------------------------------------------------


@pytest.fixture
def keeper(tmp_path: Path) -> Any:
    keeper = VaultService(Home(tmp_path), SettingsFile(tmp_path / "config.toml"))
    yield keeper
    keeper.close()


async def test_a_servers_secrets_are_filled_in_wherever_it_gets_its_environment(keeper: VaultService):
    await keeper.serve({"do": "set", "name": "github", "value": "hunter2222"})
    spec = ServerSpec("git", command="git", env={"T": "x-${vault:github}"}, base_env={"U": "${vault:github}"})
    done = await keeper.filled(spec)
    assert (done.env, done.base_env) == ({"T": "x-hunter2222"}, {"U": "hunter2222"})
    remote = await keeper.filled(ServerSpec("web", url="http://x", headers={"A": "Bearer ${vault:github}"}))
    assert remote.headers == {"A": "Bearer hunter2222"}
    assert keeper.mask.mask_text("hunter2222") == "•••"
    plain = ServerSpec("plain", command="x", env={"A": "b"})
    assert await keeper.filled(plain) is plain


async def test_a_missing_secret_is_an_error_that_names_the_verb(keeper: VaultService):
    with pytest.raises(DeskbellError, match=r"no secret named gone: set it by `deskbell secrets set gone`"):
        await keeper.filled(ServerSpec("git", command="git", env={"T": "${vault:gone}"}))


async def test_what_the_verb_wants_is_done_or_refused_in_words(keeper: VaultService):
    assert (await keeper.serve({"do": "set", "name": "a", "value": "1"}))["vault"].store == "file"
    assert (await keeper.serve({"do": "list"}))["names"] == ("secret/a",)
    assert "failed" not in await keeper.serve({"do": "probe"})
    assert "failed" not in await keeper.serve({"do": "protect", "value": "correct horse"})
    assert "failed" not in await keeper.serve({"do": "delete", "name": "a"})
    for wanted, code in (
        ({"do": "delete", "name": "a"}, 3),
        ({"do": "set", "name": "no spaces", "value": "1"}, 1),
        ({"do": "dance"}, 1),
        ({"do": "unlock", "value": "wrong"}, 5),
        ({"do": "move", "to": "memory"}, 5),
        ({"do": "move", "to": "keyring"}, 5),
    ):
        failed = (await keeper.serve(wanted))["failed"]
        assert failed["code"] == code, wanted
        assert failed["title"]


async def test_the_command_moves_secrets_out_of_a_file_only_with_its_passphrase(
    keeper: VaultService, tmp_path: Path
):
    await keeper.serve({"do": "set", "name": "a", "value": "1"})
    await keeper.serve({"do": "protect", "value": "correct horse"})
    for old in ("", "wrong horse"):
        failed = (await keeper.serve({"do": "move", "to": "keyring", "old": old}))["failed"]
        assert failed["title"] == "That is not the current passphrase"
    assert (await keeper.serve({"do": "move", "to": "file"}))["moved"] == 0
    assert FileStore(tmp_path).has_passphrase
    failed = (await keeper.serve({"do": "move", "to": "keyring", "old": "correct horse"}))["failed"]
    assert "keychain" in failed["title"]  # this test has none, and so nothing is moved


async def test_moving_takes_an_explicit_setting_along(
    keeper: VaultService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "config.toml").write_text('# mine\nvault = "memory"\n')
    keeper._settings.reload()
    await keeper.serve({"do": "set", "name": "a", "value": "1"})
    said = await keeper.serve({"do": "move", "to": "file"})
    assert (said["moved"], said["vault"].store) == (1, "file")
    assert (tmp_path / "config.toml").read_text() == '# mine\nvault = "file"\n'
    assert FileStore(tmp_path).get("secret/a") == "1"


async def test_whose_clocks_stand_is_told_while_secrets_are_fetched_and_kept():
    told: list[tuple[str, bool]] = []
    vault = Vault(MemoryStore(), waits=lambda server, waits: told.append((server, waits)))
    await vault.set_for("club", "upstream/club", "x")
    assert await vault.get_for("club", "upstream/club") == "x"
    assert told == [("club", True), ("club", False)] * 2
    with pytest.raises(DeskbellError):
        await vault.get_for("club", "")
    assert told[-1] == ("club", False)
    vault.close()
