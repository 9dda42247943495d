"""The saved state belongs to the servers it was made for, and is never a reason to fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge import saved_state
from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.ports import ServerSpec
from bridge.i18n import Words, say
from bridge.settings import Home
from bridge.settings.paths import _HomePath
from tests.bridge.running_app import house

SERVERS = {
    "files": ServerSpec("files", command="files", env={"KEY": "secret"}),
    "mail": ServerSpec("mail", url="https://example.org", headers={"Authorization": "secret"}),
}
KNOWN = {("files", "tools/list"): b'[{"name":"save"}]', ("mail", "prompts/list"): b"[]"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lists.json"


def test_what_was_saved_is_loaded_byte_by_byte(path: Path) -> None:
    saved_state.save_lists(path, SERVERS, KNOWN)
    assert saved_state.load_lists(path, SERVERS) == KNOWN
    assert path.stat().st_mode & 0o077 == 0
    assert b"secret" not in path.read_bytes()
    assert [one.name for one in path.parent.iterdir()] == ["lists.json"]


def test_another_server_by_the_same_name_is_not_given_the_list(path: Path) -> None:
    saved_state.save_lists(path, SERVERS, KNOWN)
    edited = {**SERVERS, "files": ServerSpec("files", command="files", args=("--new",))}
    assert saved_state.load_lists(path, edited) == {("mail", "prompts/list"): b"[]"}
    assert saved_state.load_lists(path, {}) == {}


def test_what_is_too_large_or_of_no_server_is_not_kept(path: Path) -> None:
    large = b'["' + b"x" * saved_state.LARGEST + b'"]'
    saved_state.save_lists(
        path, SERVERS, {**KNOWN, ("files", "prompts/list"): large, ("gone", "tools/list"): b"[]"}
    )
    assert saved_state.load_lists(path, SERVERS) == KNOWN


@pytest.mark.parametrize("content", [b"", b"[]", b'{"servers":{"files":5}}', b"\xff"])
def test_a_file_that_makes_no_sense_is_done_without(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert saved_state.load_lists(path, SERVERS) == {}


def test_a_folder_that_cannot_be_written_is_done_without(path: Path) -> None:
    path.mkdir()
    saved_state.save_lists(path, SERVERS, KNOWN)
    assert [one.name for one in path.parent.iterdir()] == ["lists.json"]


def test_a_folder_that_is_gone_is_made_again(path: Path) -> None:
    saved_state.save_lists(path.parent / "gone" / "lists.json", SERVERS, KNOWN)
    assert saved_state.load_lists(path.parent / "gone" / "lists.json", SERVERS) == KNOWN


def test_what_servers_sent_is_known_in_the_next_run_by_its_owner_alone(tmp_path: Path) -> None:
    memory = {("a1", "x"): {"initialize": b'{"a": 1}', "tools/list": b"[]"}, ("a1", ""): {"era": b'"legacy"'}}
    saved_state.save_memory(tmp_path / "memory.json", memory)
    assert saved_state.load_memory(tmp_path / "memory.json") == memory
    assert (tmp_path / "memory.json").stat().st_mode & 0o077 == 0
    assert saved_state.load_memory(tmp_path / "none.json") == {}


def test_who_was_met_is_known_in_the_next_run(tmp_path: Path) -> None:
    assert saved_state.load_answered(tmp_path / "met") == set()
    saved_state.add_answered(tmp_path / "met", "a1")
    saved_state.add_answered(tmp_path / "met", "b2")
    assert saved_state.load_answered(tmp_path / "met") == {"a1", "b2"}


def test_a_file_that_cannot_be_used_is_no_reason_to_stop(tmp_path: Path) -> None:
    saved_state.add_answered(tmp_path, "a1")
    assert saved_state.load_answered(tmp_path) == set()
    (tmp_path / "met").write_bytes(b"\xff\xfe")
    assert saved_state.load_answered(tmp_path / "met") == set()


async def test_what_servers_used_of_the_models_survives_a_restart(tmp_path: Path) -> None:
    def opened() -> saved_state.SavedState:
        return saved_state.SavedState(Home(tmp_path), lambda: SERVERS, lambda: None)

    first = opened()
    router = first.router(b"k" * 32)
    for command in router.feed(ev.ModelUsed("q1", "files", 5, 2)):
        first.commands[type(command)](command)
    first.close()
    second = opened()
    again = second.router(b"k" * 32)
    second.close()
    assert again.runner.sampling.budget.usage["files"].tokens_in == 5


def test_failures_are_kept_with_their_words_and_for_the_same_server_only(tmp_path: Path) -> None:
    path = tmp_path / "failures.json"
    why = say("Could not start {name}.", name="files")
    saved_state.save_failures(path, SERVERS, {"files": why, "mail": "gone", "wrapped": "no"})
    known = saved_state.load_failures(path, SERVERS)
    assert known == {"files": "Could not start files.", "mail": "gone"}
    assert isinstance(known["files"], Words)
    assert known["files"].template == "Could not start {name}."
    edited = {**SERVERS, "files": ServerSpec("files", command="other")}
    assert saved_state.load_failures(path, edited) == {"mail": "gone"}


async def test_what_a_server_sent_with_a_secret_in_it_is_not_saved(tmp_path: Path) -> None:
    saved = saved_state.SavedState(Home(tmp_path), lambda: SERVERS, lambda: None)
    saved.has_secret = lambda text: b"hunter2" in text
    router = saved.router(b"k" * 32)
    name = next(iter(SERVERS))
    router.state.remembered[name, "tools/list"] = b'[{"name":"a","description":"hunter2"}]'
    router.state.remembered[name, "instructions"] = b'"Be kind."'
    router.state.memory.put(("identity", "told"), "initialize", b'{"serverInfo":{"name":"hunter2"}}')
    saved.commands[do.SaveMemory](do.SaveMemory())
    saved.close()
    kept = [(tmp_path / file).read_text() for file in ("lists.json", "memory.json")]
    assert "Be kind." in kept[0]
    assert "hunter2" not in "".join(kept)


@pytest.mark.parametrize("start", [b"", b'{"servers":', b'[["a","b",'], ids=["objects", "servers", "entries"])
def test_files_nested_too_deeply_are_no_reason_not_to_start(start: bytes, tmp_path: Path) -> None:
    """A server may have sent what is in them."""
    names = [one._name for one in vars(Home).values() if isinstance(one, _HomePath)]
    for name in [name for name in names if name.endswith(".json")]:
        (tmp_path / name).write_bytes(start + b'{"a":' * 10_000)
    with house(tmp_path) as running:
        assert running.ask("GET", "/health").status == 200
