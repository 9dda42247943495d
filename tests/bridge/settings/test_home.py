"""The folder of all that Deskbell keeps: its own user's alone, tidy, and missed when it is gone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bridge.errors import SettingsError
from bridge.settings import Home
from bridge.system.atomic_file import _SUFFIX, remove_abandoned


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("what", ["the folder", "a link to it", "a file in it", "a link in it"])
def test_what_another_user_owns_is_refused(tmp_path: Path, what: str) -> None:
    real, other = tmp_path / "bell", 12345
    Home(real).ensure()
    path = real
    if what == "a link to it":
        path = tmp_path / "link"
        path.symlink_to(real)
    given = path
    if what == "a file in it":
        given = real / "config.toml"
        given.write_text("")
    elif what == "a link in it":
        given = real / "journal.db"
        given.symlink_to(tmp_path / "elsewhere")
    os.lchown(given, other, -1)
    with pytest.raises(SettingsError, match="elongs to another user"):
        Home(path).ensure()


def test_a_link_of_the_persons_own_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    Home(tmp_path / "link").ensure()


def test_what_a_killed_writer_left_is_removed_when_nobody_can_be_writing_it(tmp_path: Path) -> None:
    (tmp_path / "hosts").mkdir()
    old, deep, young = (
        tmp_path / f".config.toml.abcdefgh{_SUFFIX}",
        tmp_path / "hosts" / f".claude.json.abcdefgh{_SUFFIX}",
        tmp_path / f".config.toml.ijklmnop{_SUFFIX}",
    )
    for path in (old, deep, young, tmp_path / ".kept"):
        path.write_text("half")
    for path in (old, deep, tmp_path / ".kept"):
        os.utime(path, (0, 0))
    remove_abandoned(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == sorted((".kept", young.name, "hosts"))
