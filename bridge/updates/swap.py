"""Put a version that is ready in place of this one, when Deskbell starts and no other one runs.

An AppImage is replaced by one rename, an unpacked archive by its own install.sh, which completes the new one
before the old one goes. On Windows the setup program does it: it runs the self-test in place and puts the old
version back if that fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from bridge import __version__
from bridge.errors import DeskbellError
from bridge.i18n import say
from bridge.settings import Home
from bridge.transports.control_client import ask_running
from bridge.updates import installation, staged
from bridge.updates.download import UNPACKED, environment_for_another
from bridge.updates.installation import Installation, InstallationKind
from bridge.updates.staged import Stage, Staged
from bridge.updates.versions import is_newer


def swap(home: Home) -> bool:
    """Become the version that is ready. True if this process is to end because the setup program starts the
    new one; False if everything stays as it is."""
    found = staged.load(home.staged)
    if found is None or found.stage is Stage.FAILED:
        return False
    if not is_newer(found.version, __version__):
        staged.clear(home.staged)  # the new version runs
        return False
    here = installation.find()
    if found.stage is Stage.TRIED:
        return _fail(home, found, say("Deskbell {version} did not stay in place", version=found.version))
    if found.kind != here.kind or ask_running(home, "status") is not None:
        return False
    file = home.staged / found.file
    if not staged.is_intact(file, found.sha256):
        return _fail(home, found, say("Deskbell {version} was changed on the disk", version=found.version))
    try:
        staged.save(home.staged, found.tried())
        return _replace(here, file)
    except (OSError, DeskbellError, subprocess.SubprocessError) as error:
        why = say(
            "Deskbell {version} could not be put in place: {why}", version=found.version, why=str(error)
        )
        return _fail(home, found, why)


def _fail(home: Home, found: Staged, why: str) -> bool:
    staged.clear_files(home.staged)
    try:
        staged.save(home.staged, found.failed(why))
    except DeskbellError:
        staged.clear(home.staged)
    return False


def _replace(here: Installation, file: Path) -> bool:
    if here.kind is InstallationKind.NSIS:
        subprocess.Popen((file, "/S", "/UPDATE"), env=environment_for_another())
        return True  # the installer knows the folder from the registry
    if here.kind is InstallationKind.APPIMAGE:
        replace_image(file, here.place)
        _become(here.place)
    [unpacked] = (path for path in (file.parent / UNPACKED).iterdir() if path.is_dir())
    install = (unpacked / "install.sh", "--prefix", here.place)
    subprocess.run(install, check=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    _become(here.place / "bin" / "deskbell")


def replace_image(new: Path, image: Path) -> None:
    """Put a file in the place of another, which may run: by a rename within its folder."""
    beside = image.with_name(f".{image.name}.new")
    try:
        shutil.copyfile(new, beside)
        beside.chmod(image.stat().st_mode | 0o700)
        os.replace(beside, image)
    finally:
        beside.unlink(missing_ok=True)


def _become(program: Path) -> NoReturn:
    """Go on as the new version, in this process."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os.execve(program, [str(program), *sys.argv[1:]], environment_for_another())  # noqa: S606 - itself
