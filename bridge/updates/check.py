"""UpdateCheck: ask once a day whether there is a newer version, if the person wants it; download it if they
want that too and Deskbell updates itself here."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

import bridge
from bridge.core.status import UpdateStatus
from bridge.errors import DeskbellError
from bridge.i18n import say
from bridge.settings import Updates
from bridge.updates import download, staged
from bridge.updates.installation import Installation, find
from bridge.updates.manifest import Manifest
from bridge.updates.source import latest, wanted_source, why
from bridge.updates.staged import Stage, Staged
from bridge.updates.versions import is_newer

DAY = 86400.0
SOON = 60.0  # seconds after the start of Deskbell
_REPLACED = say("Deskbell was updated or moved. Quit it and start it again.")
_NO_ADDRESS = say("There is no address to check at. Set `url` in [updates] of config.toml.")


def _identity(file: Path) -> tuple[int, int]:
    """Return what tells this file from another one in its place."""
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_ino, found.st_mtime_ns


class _LastCheck(msgspec.Struct):
    """The last result, on disk: a restart does not repeat the check."""

    asked: float = 0.0  # Unix time
    found: str = ""
    url: str = ""
    serial: int = 0  # the highest of all Manifests from there


class UpdateCheck:
    """`here`: the running version; `folder`: for what is downloaded; `program`: a file of the code that runs.
    `on_change` is called when status() has changed."""

    def __init__(
        self,
        file: Path,
        folder: Path,
        here: str,
        on_change: Callable[[], None],
        installed: Installation | None = None,
        program: Path = Path(bridge.__file__),
    ) -> None:
        self._program = program
        self._loaded = _identity(program)
        self._file = file
        self._folder = folder
        self._here = here
        self._on_change = on_change
        self._installed = installed or find()
        self._wanted = Updates()
        self._source = wanted_source(self._wanted)
        self._last = _LastCheck()
        self._staged: Staged | None = None
        self._problem = ""
        self._task: asyncio.Task[None] | None = None

    def apply(self, wanted: Updates) -> None:
        """Apply changed settings; once switched on, the check runs soon."""
        if wanted == self._wanted:
            return
        self._wanted, self._source = wanted, wanted_source(wanted)
        self.close()
        self._problem = _NO_ADDRESS if wanted.check and not self._source.url else ""
        if wanted.check and self._source.url:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def status(self) -> UpdateStatus:
        wanted, found, waiting = self._wanted, self._last.found, self._staged
        newer = found if wanted.check and is_newer(found, self._here) else ""
        return UpdateStatus(
            wanted.check,
            self._source.url,
            newer,
            self._problem,
            self._last.asked,
            install=wanted.install,
            can_install=self._installed.updates_itself and bool(self._source.keys),
            lacks_key=self._installed.updates_itself and not self._source.keys,
            ready=waiting.version if waiting is not None and waiting.stage is Stage.READY else "",
            command=self._installed.command(newer) if newer else "",
        )

    def notices(self) -> tuple[str, ...]:
        if _identity(self._program) != self._loaded:  # by a package manager, for example
            return (_REPLACED,)
        newer = self.status().newer
        return (
            (say("Deskbell {newer} is available; you have {here}.", newer=newer, here=self._here),)
            if newer
            else ()
        )

    def ask_now(self) -> None:
        """Check now, because the person asked for it."""
        if self._wanted.check and self._source.url:
            self.close()
            self._task = asyncio.get_running_loop().create_task(self._run(now=True))

    async def once(self, wanted: Updates) -> UpdateStatus:
        """Check now, and never again; return the result."""
        self._wanted, self._source = wanted, wanted_source(wanted)
        self._problem = _NO_ADDRESS
        if self._source.url:
            await asyncio.to_thread(self._load)
            await self._check(by_hand=True)
        return self.status()

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self, now: bool = False) -> None:
        await asyncio.to_thread(self._load)
        self._on_change()
        while True:
            if not now:
                await asyncio.sleep(max(SOON, self._last.asked + DAY - time.time()))
            await self._check(by_hand=now)
            now = False

    async def _check(self, by_hand: bool) -> None:
        source, manifest, found = self._source, None, self._last.found
        try:
            found, manifest = await latest(source, self._last.serial)
            self._problem = ""
        except (DeskbellError, ValueError) as error:
            self._problem = say("Could not check for a new version: {why}", why=why(error))
        serial = manifest.serial if manifest is not None else self._last.serial
        self._last = _LastCheck(time.time(), found, source.url, serial)
        await asyncio.to_thread(self._save, self._last)
        self._on_change()
        if manifest is not None and self._is_to_download(manifest, by_hand):
            await self._download(manifest)

    def _is_to_download(self, manifest: Manifest, by_hand: bool) -> bool:
        """True if this version is to be downloaded; one that failed here is tried again by hand only."""
        if not (self._wanted.install and self._installed.updates_itself):
            return False
        if not is_newer(manifest.version, self._here):
            return False
        known = self._staged
        return known is None or known.version != manifest.version or (by_hand and known.stage is Stage.FAILED)

    async def _download(self, manifest: Manifest) -> None:
        version, self._staged = manifest.version, None
        try:
            self._staged = await download.stage(self._source.url, manifest, self._installed, self._folder)
            self._problem = self._staged.problem
        except (DeskbellError, ValueError) as error:
            self._problem = say(
                "Could not download Deskbell {version}: {why}", version=version, why=why(error)
            )
        self._on_change()

    def _load(self) -> None:
        with contextlib.suppress(OSError, msgspec.MsgspecError, RecursionError):
            last = msgspec.json.decode(self._file.read_bytes(), type=_LastCheck)
            if last.url == self._source.url and last.asked <= time.time():
                self._last = last
        self._staged = staged.load(self._folder)
        if self._staged is not None:
            self._problem = self._staged.problem

    def _save(self, last: _LastCheck) -> None:
        with contextlib.suppress(OSError):
            self._file.write_bytes(msgspec.json.encode(last))
