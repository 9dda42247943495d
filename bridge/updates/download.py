"""Fetch a newer Deskbell, verify it, and run its own self-test on this computer, beside the one that runs.

Only what passed is marked as ready. Nothing of the present installation is touched here.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import tarfile
from pathlib import Path

from bridge.errors import DeskbellError
from bridge.http_client.client import HttpClient
from bridge.i18n import failure_text, say
from bridge.updates import staged
from bridge.updates.installation import Installation, InstallationKind
from bridge.updates.manifest import Manifest, ReleaseFile
from bridge.updates.staged import Stage, Staged

UNPACKED = "unpacked"
_LIMIT = 300.0  # seconds for the self-test, on a slow computer


class NotReady(ValueError):
    """A downloaded version is not used; the argument says why."""


async def stage(url: str, manifest: Manifest, here: Installation, folder: Path) -> Staged:
    """Return the version that is ready, or that failed its self-test. Raises NotReady, DeskbellError."""
    entry = manifest.files.get(here.key)
    if entry is None:
        raise NotReady(say("there is no file for this kind of installation"))
    await asyncio.to_thread(staged.begin, folder)
    file = await _fetch(url, entry, folder)
    done = Staged(manifest.version, here.kind, file.name, entry.sha256, Stage.READY)
    try:
        await asyncio.to_thread(_prove, file, here.kind)
    except (OSError, NotReady, tarfile.TarError) as error:
        await asyncio.to_thread(staged.clear_files, folder)
        version, reason = manifest.version, error.args[0] if isinstance(error, NotReady) else str(error)
        done = done.failed(
            say("Deskbell {version} failed its self-test here: {why}", version=version, why=reason)
        )
    await asyncio.to_thread(staged.save, folder, done)
    return done


async def _fetch(url: str, entry: ReleaseFile, folder: Path) -> Path:
    target = folder / entry.name
    try:
        async with HttpClient() as http:
            with target.open("wb") as file:
                reply = await http.download(entry.url(url), {}, file, entry.size, _on_part)
        if reply.status != 200:
            raise NotReady(say("HTTP status {code}", code=reply.status))
        if target.stat().st_size != entry.size:
            raise NotReady(say("the file is incomplete"))
        if not await asyncio.to_thread(staged.is_intact, target, entry.sha256):
            raise NotReady(say("the file is not the one that was published"))
    except (NotReady, DeskbellError, OSError) as error:
        staged.clear(folder)
        if isinstance(error, DeskbellError):
            raise NotReady(failure_text(error)) from error
        raise NotReady(*error.args) from error
    return target


async def _on_part(size: int, total: int) -> None:
    await asyncio.sleep(0)


def _prove(file: Path, kind: InstallationKind) -> None:
    if kind is InstallationKind.NSIS:
        return  # the setup program runs the self-test itself, and puts the old version back if it fails
    program = file if kind is InstallationKind.APPIMAGE else _unpack(file) / "lib" / "deskbell" / "deskbell"
    program.chmod(0o700)
    try:
        done = subprocess.run(
            (program, "self-test"),
            env=environment_for_another(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LIMIT,
        )
    except subprocess.TimeoutExpired as error:
        raise NotReady(say("it did not end within {count} seconds", count=round(_LIMIT))) from error
    if done.returncode:
        lines = [*done.stdout.split("\n"), *done.stderr.split("\n")]
        raise NotReady(" ".join(" ".join(line for line in lines if line.strip()).split())[-300:])


def _unpack(file: Path) -> Path:
    """Unpack the archive; return its only folder."""
    target = file.with_name(UNPACKED)
    with tarfile.open(file) as archive:
        archive.extractall(target, filter="data")
    found = [path for path in target.iterdir() if path.is_dir()]
    if len(found) != 1:
        raise NotReady(say("the archive cannot be read"))
    return found[0]


def environment_for_another() -> dict[str, str]:
    """Return the environment for another bundle than the one that runs: without what PyInstaller and the
    AppImage runtime have set for this one."""
    own = ("APPIMAGE", "APPDIR", "ARGV0", "OWD", "LD_LIBRARY_PATH")
    inherited = {
        name: value for name, value in os.environ.items() if name not in own and not name.startswith("_PYI_")
    }
    return {**inherited, "PYINSTALLER_RESET_ENVIRONMENT": "1"}
