"""At the next start a version that is ready takes the place of the old one, and what goes wrong is told."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bridge import __version__
from bridge.settings import Home
from bridge.updates import installation, staged, swap
from bridge.updates.installation import Installation, InstallationKind
from bridge.updates.staged import Stage, Staged

NEW = b"#!/bin/sh\necho new\n"
pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="a running program is replaced there by setup"
)


class Became(Exception):
    """In place of execve, which would end the tests."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "My Deskbell.AppImage"
    path.write_bytes(b"old")
    path.chmod(0o755)
    monkeypatch.setattr(installation, "find", lambda: Installation(InstallationKind.APPIMAGE, path))

    def become(program: Path) -> None:
        raise Became(program)

    monkeypatch.setattr(swap, "_become", become)
    return path


def stage(
    home: Home,
    version: str = "99.0",
    stage: Stage = Stage.READY,
    kind: InstallationKind = InstallationKind.APPIMAGE,
) -> None:
    staged.begin(home.staged)
    (home.staged / "new").write_bytes(NEW)
    staged.save(home.staged, Staged(version, kind, "new", hashlib.sha256(NEW).hexdigest(), stage))


def test_an_appimage_is_replaced_under_its_own_name(home: Home, image: Path) -> None:
    stage(home)
    with pytest.raises(Became, match="My Deskbell"):
        swap.swap(home)
    assert image.read_bytes() == NEW
    assert os.access(image, os.X_OK)
    assert [path.name for path in image.parent.glob(".*")] == []
    assert (found := staged.load(home.staged)) is not None
    assert found.stage is Stage.TRIED


def test_once_it_runs_what_was_downloaded_is_deleted(home: Home, image: Path) -> None:
    stage(home, version=__version__, stage=Stage.TRIED)
    assert not swap.swap(home)
    assert not home.staged.exists()


def test_a_version_that_did_not_stay_is_not_tried_again(home: Home, image: Path) -> None:
    stage(home, stage=Stage.TRIED)
    for _ in range(2):
        assert not swap.swap(home)
        assert (found := staged.load(home.staged)) is not None
        assert (found.stage, found.problem) == (Stage.FAILED, "Deskbell 99.0 did not stay in place")
    assert image.read_bytes() == b"old"


def test_what_was_changed_on_the_disk_stays_out(home: Home, image: Path) -> None:
    stage(home)
    (home.staged / "new").write_bytes(NEW + b"rm -rf ~\n")
    assert not swap.swap(home)
    assert image.read_bytes() == b"old"
    assert (found := staged.load(home.staged)) is not None
    assert "was changed on the disk" in found.problem


def test_a_version_for_another_kind_of_installation_stays_where_it_is(home: Home, image: Path) -> None:
    stage(home, kind=InstallationKind.TARBALL)
    assert not swap.swap(home)
    assert image.read_bytes() == b"old"


def test_a_folder_that_cannot_be_written_keeps_the_old_one(
    home: Home, image: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied", str(target))

    monkeypatch.setattr("bridge.updates.swap.shutil.copyfile", refuse)
    stage(home)
    assert not swap.swap(home)
    assert image.read_bytes() == b"old"
    assert (found := staged.load(home.staged)) is not None
    assert "could not be put in place: [Errno 13] Permission denied" in found.problem


def test_an_archive_is_installed_by_its_own_script(
    home: Home, tmp_path: Path, image: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        installation, "find", lambda: Installation(InstallationKind.TARBALL, tmp_path / "prefix")
    )
    stage(home, kind=InstallationKind.TARBALL)
    script = home.staged / "unpacked" / "deskbell-99.0" / "install.sh"
    script.parent.mkdir(parents=True)
    script.write_text('#!/bin/sh\nset -e\nmkdir -p "$2/bin"\necho "$@" > "$2/bin/deskbell"\n')
    script.chmod(0o755)
    with pytest.raises(Became, match="prefix/bin/deskbell"):
        swap.swap(home)
    assert (tmp_path / "prefix/bin/deskbell").read_text() == f"--prefix {tmp_path / 'prefix'}\n"
    script.write_text("#!/bin/sh\nexit 3\n")
    stage(home, kind=InstallationKind.TARBALL)
    assert not swap.swap(home)


def test_a_start_goes_on_where_nothing_is_ready(home: Home, image: Path) -> None:
    assert not swap.swap(home)
    staged.begin(home.staged)
    (home.staged / "state.json").write_text("half")
    assert not swap.swap(home)
    assert image.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("file", "kind", "command"),
    [
        ("uv-receipt.toml", InstallationKind.UV, "uv tool upgrade deskbell"),
        ("pipx_metadata.json", InstallationKind.PIPX, "pipx upgrade deskbell"),
        ("", InstallationKind.CHECKOUT, "git pull"),
    ],
)
def test_how_python_installed_it_tells_who_updates_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, kind: InstallationKind, command: str
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    if file:
        (tmp_path / file).touch()
    found = installation.find()
    assert (found.kind, found.command("9.0"), found.updates_itself) == (kind, command, False)


def test_a_bundle_knows_its_installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "lib" / "deskbell" / "deskbell"
    program.parent.mkdir(parents=True)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(installation, "_DPKG", tmp_path / "deskbell.list")
    assert installation.find({}).kind is InstallationKind.RPM
    (tmp_path / "deskbell.list").touch()
    assert installation.find({}).kind is InstallationKind.DEB
    (program.parent / "installed-files").touch()
    assert installation.find({}) == Installation(InstallationKind.TARBALL, tmp_path)
    mounted = {"APPIMAGE": "/home/ada/Bell.AppImage", "APPDIR": str(tmp_path)}
    assert installation.find(mounted) == Installation(
        InstallationKind.APPIMAGE, Path("/home/ada/Bell.AppImage")
    )
    assert installation.find(mounted).updates_itself


def test_deskbell_goes_on_as_the_new_version_with_the_same_arguments(tmp_path: Path) -> None:
    program = tmp_path / "new"
    program.write_text('#!/bin/sh\necho "$0 $* ${APPIMAGE-none}"\n')
    program.chmod(0o755)
    code = "import sys; from pathlib import Path; from bridge.updates import swap; "
    code += "swap._become(Path(sys.argv.pop(1)))"
    done = subprocess.run(
        (sys.executable, "-c", code, str(program), "serve"),
        env={**os.environ, "APPIMAGE": "/old"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == f"{program} serve none\n", done.stderr
