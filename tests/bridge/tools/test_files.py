"""The folder that a person mounted for a Toolbox: no path leads out of it."""

from __future__ import annotations

import pytest

from bridge.tools import ToolProblem
from bridge.tools.files import Files


@pytest.fixture
def files(tmp_path):
    (tmp_path / "tea" / "notes").mkdir(parents=True)
    (tmp_path / "tea" / "a.txt").write_text("inside")
    (tmp_path / "teapot").mkdir()
    (tmp_path / "teapot" / "b.txt").write_text("outside")
    (tmp_path / "tea" / "link").symlink_to(tmp_path / "teapot")
    (tmp_path / "tea" / "here").symlink_to(tmp_path / "tea" / "a.txt")
    return Files("shop", str(tmp_path / "tea"))


@pytest.mark.parametrize("name", ["a.txt", "notes/../a.txt", "here"])
def test_a_file_in_the_mounted_folder_is_found(files, name):
    assert files.path(name).read_text() == "inside"


@pytest.mark.parametrize(
    "name", ["../teapot/b.txt", "link/b.txt", "/etc/passwd", "..", "notes/../../teapot/b.txt", "a\0"]
)
def test_no_symlink_prefix_or_parent_leads_out_of_the_mounted_folder(files, name):
    with pytest.raises(ToolProblem, match="is not"):
        files.path(name)


def test_without_a_mounted_folder_there_are_no_files():
    with pytest.raises(ToolProblem, match="No folder is mounted for shop"):
        Files("shop", "").path("a.txt")
