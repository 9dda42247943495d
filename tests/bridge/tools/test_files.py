"""The folders that a person mounted for a Toolbox: read, listed, written where allowed, and never left."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bridge.errors import DeskbellError
from bridge.settings import load
from bridge.tools import Toolbox, ToolProblem
from bridge.tools import files as files_module
from bridge.tools.files import Files
from bridge.upstreams.builtin import BuiltinConnection
from tests.fixtures.recording_back import Recorder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "tea" / "notes").mkdir(parents=True)
    (tmp_path / "tea" / "a.txt").write_text("inside")
    (tmp_path / "teapot").mkdir()
    (tmp_path / "teapot" / "b.txt").write_text("outside")
    (tmp_path / "tea" / "link").symlink_to(tmp_path / "teapot")
    (tmp_path / "tea" / "here").symlink_to(tmp_path / "tea" / "a.txt")
    return tmp_path


@pytest.fixture
def one(place: Path) -> Files:
    return Files("shop", [str(place / "tea")])


@pytest.fixture
def two(place: Path) -> Files:
    return Files("shop", [str(place / "tea"), f"{place / 'teapot'}:rw"])


OUTSIDE = ["../teapot/b.txt", "link/b.txt", "/etc/passwd", "..", "notes/../../teapot/b.txt", "a\0"]


@pytest.mark.parametrize("name", ["a.txt", "notes/../a.txt", "here"])
def test_a_file_in_the_mounted_folder_is_found_and_read(one: Files, name: str) -> None:
    assert one.path(name).read_text() == one.read_text(name) == "inside"
    assert one.read(name) == b"inside"


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_symlink_prefix_or_parent_leads_out_of_the_mounted_folder(one: Files, name: str) -> None:
    for way in (one.path, one.read, one.read_text, one.list):
        with pytest.raises(ToolProblem, match="is not"):
            way(name)
    with pytest.raises(ToolProblem, match="is not"):
        one.write(name, "x")


@pytest.mark.parametrize("name", ["tea/../teapot/b.txt", "tea/link/b.txt", "teapot/../tea/a.txt"])
def test_no_path_leads_from_one_mounted_folder_to_another(two: Files, name: str) -> None:
    with pytest.raises(ToolProblem, match="is not in a folder of shop"):
        two.read(name)


def test_of_several_folders_a_name_begins_with_its_folder(two: Files, place: Path) -> None:
    assert two.folders == {"tea": place / "tea", "teapot": place / "teapot"}
    assert two.list() == ["tea/", "teapot/"]
    assert two.list("tea") == ["a.txt", "here", "link/", "notes/"]
    assert (two.read_text("tea/a.txt"), two.read_text("teapot/b.txt")) == ("inside", "outside")
    for name in ("a.txt", "", "/etc/passwd", "kettle/a.txt"):
        with pytest.raises(ToolProblem, match="Begin with one of tea, teapot"):
            two.read(name)


def test_files_are_written_where_the_person_allowed_it_and_nowhere_else(two: Files, place: Path) -> None:
    two.write("teapot/new/c.txt", "written")
    two.write("teapot/b.txt", b"over")
    assert (place / "teapot" / "new" / "c.txt").read_text() == "written"
    assert two.read("teapot/b.txt") == b"over"
    with pytest.raises(ToolProblem, match=r'shop may not write to tea\. Only "tea:rw" below \[files\]'):
        two.write("tea/a.txt", "x")
    assert two.read_text("tea/a.txt") == "inside"


def test_what_cannot_be_read_or_written_is_told_in_words(
    one: Files, two: Files, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "tea" / "latin").write_bytes("ä".encode("latin-1"))
    os.mkfifo(place / "tea" / "pipe")
    for call, words in (
        (lambda: one.read("nothing"), "nothing cannot be read: No such file or directory."),
        (lambda: one.read("notes"), "notes cannot be read: Is a directory."),
        (lambda: one.read("pipe"), "pipe is not a file."),
        (lambda: one.read_text("latin"), "latin is not a text in UTF-8."),
        (lambda: one.list("a.txt"), "a.txt cannot be listed: Not a directory."),
        (lambda: two.write("teapot/b.txt/c", "x"), "teapot/b.txt/c cannot be written: "),
    ):
        with pytest.raises(ToolProblem) as problem:
            call()
        assert words in str(problem.value)
    monkeypatch.setattr(files_module, "LARGEST", 3)
    with pytest.raises(ToolProblem, match=r"a\.txt is larger than"):
        one.read("a.txt")


def test_without_a_mounted_folder_there_are_no_files() -> None:
    with pytest.raises(ToolProblem, match="No folder is mounted for shop"):
        Files("shop", ()).path("a.txt")


@pytest.mark.parametrize(
    ("line", "folders"),
    [
        ('shop = "~/tea"', ("~/tea",)),
        ('shop = ["~/tea", "~/notes:rw"]', ("~/tea", "~/notes:rw")),
        ('shop = ["~/tea", "/srv/tea:rw"]', None),
        ("shop = 5", None),
        ("shop = [5]", None),
    ],
)
def test_the_settings_name_one_folder_or_several_of_different_names(
    tmp_path: Path, line: str, folders: tuple[str, ...] | None
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"[files]\n{line}\n")
    if folders is None:
        with pytest.raises(DeskbellError):
            load(path, {})
    else:
        assert load(path, {}).files == {"shop": folders}


async def test_a_folder_that_the_settings_mount_no_longer_is_out_of_reach_at_once(tmp_path):
    mounted = [str(tmp_path)]
    connection = BuiltinConnection(1, Recorder(), Toolbox("notes"), folders=lambda: mounted)
    assert connection.files.folders == {tmp_path.name: tmp_path.resolve()}
    mounted.clear()
    with pytest.raises(ToolProblem, match="No folder is mounted for notes"):
        connection.files.path("today.md")
