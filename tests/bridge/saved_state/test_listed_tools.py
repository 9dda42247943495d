"""lists.json: kept for the servers it was made for, and never a reason to fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.core.ports import ServerSpec
from bridge.saved_state import listed_tools

SERVERS = {
    "files": ServerSpec("files", command="files", env={"KEY": "secret"}),
    "mail": ServerSpec("mail", url="https://example.org", headers={"Authorization": "secret"}),
}
KNOWN = {("files", "tools/list"): b'[{"name":"save"}]', ("mail", "prompts/list"): b"[]"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lists.json"


def test_what_was_saved_is_loaded_byte_by_byte(path: Path) -> None:
    listed_tools.save(path, SERVERS, KNOWN)
    assert listed_tools.load(path, SERVERS) == KNOWN
    assert path.stat().st_mode & 0o077 == 0
    assert b"secret" not in path.read_bytes()
    assert [one.name for one in path.parent.iterdir()] == ["lists.json"]


def test_another_server_by_the_same_name_is_not_given_the_list(path: Path) -> None:
    listed_tools.save(path, SERVERS, KNOWN)
    edited = {**SERVERS, "files": ServerSpec("files", command="files", args=("--new",))}
    assert listed_tools.load(path, edited) == {("mail", "prompts/list"): b"[]"}
    assert listed_tools.load(path, {}) == {}


def test_what_is_too_large_or_of_no_server_is_not_kept(path: Path) -> None:
    large = b'["' + b"x" * listed_tools.LARGEST + b'"]'
    listed_tools.save(
        path, SERVERS, {**KNOWN, ("files", "prompts/list"): large, ("gone", "tools/list"): b"[]"}
    )
    assert listed_tools.load(path, SERVERS) == KNOWN


@pytest.mark.parametrize("content", [b"", b"[]", b'{"servers":{"files":5}}', b"\xff"])
def test_a_file_that_makes_no_sense_is_done_without(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert listed_tools.load(path, SERVERS) == {}


def test_a_folder_that_cannot_be_written_is_done_without(path: Path) -> None:
    path.mkdir()
    listed_tools.save(path, SERVERS, KNOWN)
    assert [one.name for one in path.parent.iterdir()] == ["lists.json"]


def test_a_folder_that_is_gone_is_made_again(path: Path) -> None:
    listed_tools.save(path.parent / "gone" / "lists.json", SERVERS, KNOWN)
    assert listed_tools.load(path.parent / "gone" / "lists.json", SERVERS) == KNOWN
