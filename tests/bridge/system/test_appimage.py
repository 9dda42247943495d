"""A path that stays, for a program in an AppImage."""

import sys
from pathlib import Path

import pytest

from bridge.system.appimage import own_image, stable_launcher


@pytest.fixture
def mounted(tmp_path, monkeypatch) -> dict[str, str]:
    """The environment of a program that runs from a mounted AppImage."""
    inside = tmp_path / "mount" / "usr" / "lib" / "deskbell"
    inside.mkdir(parents=True)
    (inside / "deskbell-mcp").write_bytes(b"the launcher")
    monkeypatch.setattr(sys, "executable", str(inside / "deskbell"))
    image = tmp_path / "Deskbell.AppImage"
    image.write_bytes(b"")
    home = str(tmp_path / "home")
    return {"APPIMAGE": str(image), "APPDIR": str(tmp_path / "mount"), "DESKBELL_HOME": home}


def test_the_launcher_is_copied_with_a_record_of_the_file(mounted, tmp_path):
    launcher = stable_launcher(mounted)
    assert launcher is not None
    assert launcher == tmp_path / "home" / "bin" / "deskbell-mcp"
    assert (launcher.read_bytes(), launcher.stat().st_mode & 0o777) == (b"the launcher", 0o700)
    info = Path(mounted["APPIMAGE"]).stat()
    record = launcher.with_name("appimage").read_text()
    assert record == f"{mounted['APPIMAGE']}\n{info.st_dev} {info.st_ino}\n"


def test_the_next_version_renews_it_while_it_runs(mounted, tmp_path):
    launcher = stable_launcher(mounted)
    assert launcher is not None
    Path(sys.executable).with_name("deskbell-mcp").write_bytes(b"a newer one")
    with launcher.open("rb") as running:
        assert stable_launcher(mounted) == launcher
        assert (running.read(), launcher.read_bytes()) == (b"the launcher", b"a newer one")


def test_the_variables_of_another_appimage_that_started_us_are_not_ours(mounted):
    assert own_image(mounted) == mounted["APPIMAGE"]
    assert own_image({**mounted, "APPDIR": "/tmp/.mount_Cursor"}) == ""
    assert stable_launcher({**mounted, "APPDIR": "/tmp/.mount_Cursor"}) is None


def test_a_home_that_cannot_be_written_leaves_the_appimage_itself(mounted, tmp_path):
    (tmp_path / "home").write_text("a file where the folder should be")
    assert stable_launcher(mounted) is None
