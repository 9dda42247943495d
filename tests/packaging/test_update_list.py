"""The list that a release publishes is one that Deskbell goes by."""

import json
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from bridge import __version__
from bridge.updates.installation import Installation, InstallationKind
from bridge.updates.manifest import read


@pytest.fixture
def release_folder(tmp_path):
    for name in (
        "Deskbell-1-x86_64.AppImage",
        "deskbell-1-linux-x86_64.tar.xz",
        "Deskbell-1-setup.exe",
        "x.deb",
    ):
        (tmp_path / name).write_text(name)
    return tmp_path


def test_the_list_names_what_deskbell_updates_itself_by(recipe, release_folder):
    content = json.loads(recipe("update_list").write(release_folder).read_bytes())
    assert content["version"] == __version__
    assert content["serial"] <= time.time() < content["expires"]
    kinds = {
        Installation(kind, Path()).key.partition("-")[0]
        for kind in (InstallationKind.APPIMAGE, InstallationKind.TARBALL, InstallationKind.NSIS)
    }
    assert {key.partition("-")[0] for key in content["files"]} == kinds
    assert not (release_folder / "updates.json.minisig").exists()


def test_a_folder_without_such_files_is_no_release(recipe, tmp_path):
    with pytest.raises(recipe("release").NotBuilt, match="no file"):
        recipe("update_list").write(tmp_path)


@pytest.mark.skipif(shutil.which("minisign") is None, reason="needs the program minisign")
def test_signed_by_minisign_it_is_accepted(recipe, release_folder):
    key = release_folder / "secret"
    make = ("minisign", "-G", "-W", "-s", key, "-p", release_folder / "public")
    subprocess.run(make, check=True, capture_output=True)
    written = recipe("update_list").write(release_folder, str(key))
    signature = written.with_name("updates.json.minisig").read_text()
    public = (release_folder / "public").read_text()
    manifest = read(written.read_bytes(), signature, [public], 0, time.time())
    assert manifest.files["nsis-x86_64"].name == "Deskbell-1-setup.exe"
