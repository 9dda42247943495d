"""Write planned changes into config files of AI applications, keep a backup of each, and undo them exactly.

A private folder holds `steps.json`, the list of changes, and copies of the files. A change can be undone
exactly while the file is as the change left it. A lock keeps Deskbells of other homes from writing at the
same time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import time
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bridge.errors import DeskbellError, SettingsError
from bridge.hosts.formats.document import read_file
from bridge.i18n import say
from bridge.system.atomic_file import write
from bridge.system.file_lock import wait_for_lock

if TYPE_CHECKING:
    from bridge.hosts.plan import HostFilePlan

_KEPT = 20  # changes kept for each file
_LOCK_LIMIT = 5.0  # seconds for another Deskbell to finish


class ChangeKind(StrEnum):
    CONNECT = "connect"
    DISCONNECT = "disconnect"
    WRAP = "wrap"
    UNWRAP = "unwrap"
    UNDO = "undo"


class RecordedChange(msgspec.Struct, frozen=True, kw_only=True):
    """`before`, `after`: digests of the file, "" if it did not exist. `copy`: name of the backup."""

    what: ChangeKind
    host: str
    path: str
    before: str
    after: str
    copy: str
    at: float
    mode: int = 0  # 0: not changed
    folders: tuple[str, ...] = ()  # created for it
    spelled: dict[str, tuple[str, str]] = {}  # entry → its text before and after wrapping
    servers: tuple[str, ...] = ()  # servers of config.toml that came from this file


class UndoableChange(msgspec.Struct, frozen=True):
    """A recorded change, and the file before it."""

    step: RecordedChange
    before: bytes | None


def digest(raw: bytes | None) -> str:
    return hashlib.sha256(raw).hexdigest() if raw is not None else ""


class FileChanged(SettingsError):
    """Another program changed the file after the preview."""


class WrittenChange(NamedTuple):
    """`copy`: path of the old file; "" if there was none. `servers`: those of config.toml it concerns."""

    copy: str = ""
    servers: tuple[str, ...] = ()


class ChangeLog:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "steps.json"

    def carry_out(self, plan: HostFilePlan, servers: tuple[str, ...] = ()) -> WrittenChange:
        """Write the plan. Raises FileChanged if the file no longer equals `plan.before`."""
        with _locked_folder(plan.path):
            if read_file(plan.path) != plan.before:
                title = say("{path} was changed by another program meanwhile", path=plan.path)
                raise FileChanged(title, say("Nothing was written. Review the new change."))
            if plan.nothing:
                return WrittenChange()
            if plan.back:
                return self._restore(plan)
            folders, mode = _missing(plan.path.parent), _tighter(plan)
            step = self._remember(plan, folders, mode, servers)
            write(plan.path, plan.after or b"", mode)
            return WrittenChange(str(self._folder / step.copy) if step.copy else "", servers)

    def past(self, path: Path, raw: bytes | None) -> list[UndoableChange]:
        """Return our changes to the file, newest first, as far back as no other program changed it."""
        found: list[UndoableChange] = []
        for step in reversed([step for step in self._steps() if step.path == str(path)]):
            if step.after != digest(raw):
                break
            raw = read_file(self._folder / step.copy) if step.copy else None
            if digest(raw) != step.before:
                break
            found.append(UndoableChange(step, raw))
        return found

    def spellings(self, path: Path) -> dict[str, tuple[str, str]]:
        """Return each entry's text before and after it was last wrapped."""
        found: dict[str, tuple[str, str]] = {}
        for step in self._steps():
            if step.path == str(path):
                found |= step.spelled
        return found

    def _restore(self, plan: HostFilePlan) -> WrittenChange:
        first = plan.back[-1]
        if plan.after is None:
            _remove(plan.path, first.folders)
        else:
            write(plan.path, plan.after, next((step.mode for step in plan.back[::-1] if step.mode), None))
        self._write([step for step in self._steps() if step not in plan.back])
        for step in plan.back:
            self._forget(step)
        return WrittenChange(servers=tuple(name for step in plan.back for name in step.servers))

    def _forget(self, step: RecordedChange) -> None:
        if step.copy:
            with contextlib.suppress(OSError):
                (self._folder / step.copy).unlink()

    def _remember(
        self, plan: HostFilePlan, folders: tuple[str, ...], mode: int | None, servers: tuple[str, ...]
    ) -> RecordedChange:
        copy = ""
        if plan.before is not None:
            stamp = time.strftime("%Y%m%d-%H%M%S")
            copy = f"{plan.recipe.id}-{stamp}-{os.urandom(3).hex()}{plan.path.suffix}"
            write(self._folder / copy, plan.before, mode=0o600)
        step = RecordedChange(
            what=plan.what,
            host=plan.recipe.id,
            path=str(plan.path),
            before=digest(plan.before),
            after=digest(plan.after),
            copy=copy,
            at=time.time(),
            mode=plan.path.stat().st_mode & 0o7777 if mode is not None and plan.before is not None else 0,
            folders=folders,
            spelled=dict(plan.spelled),
            servers=servers,
        )
        self._write([*self._steps(), step])
        return step

    def _steps(self) -> list[RecordedChange]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=list[RecordedChange])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return []  # no exact undo; the copies exist, and entries can be removed

    def _write(self, steps: list[RecordedChange]) -> None:
        kept: list[RecordedChange] = []
        for step in reversed(steps):
            if sum(step.path == other.path for other in kept) < _KEPT:
                kept.append(step)
            else:
                self._forget(step)
        write(self._file, msgspec.json.encode(kept[::-1]), mode=0o600)


def _tighter(plan: HostFilePlan) -> int | None:
    """Return the mode to set, so that only the owner can read a file with the token; None: keep it."""
    if plan.before is None:
        return 0o600
    mode = plan.path.stat().st_mode & 0o7777
    return mode & 0o700 if plan.private and mode & 0o077 else None


def _missing(folder: Path) -> tuple[str, ...]:
    """Return the folders that must be created, innermost first."""
    missing = []
    while not folder.exists():
        missing.append(str(folder))
        folder = folder.parent
    return tuple(missing)


def _remove(path: Path, folders: tuple[str, ...]) -> None:
    try:
        path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not empty any more
            for folder in folders:
                os.rmdir(folder)
    except OSError as error:
        raise SettingsError(say("{path} cannot be deleted", path=path), f"{error.strerror}.") from error


@contextlib.contextmanager
def _locked_folder(path: Path) -> Iterator[None]:
    """Keep other Deskbells, of any home, from writing below the first existing folder of `path`."""
    folder = Path(os.path.realpath(path)).parent
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    try:
        if sys.platform == "win32":
            mark = folder / ".deskbell.lock"
            file = os.open(mark, os.O_RDWR | os.O_CREAT)
        else:
            file = os.open(folder, os.O_RDONLY)  # lock the folder itself: no lock file is left behind
    except OSError as error:
        raise SettingsError(say("{path} cannot be used", path=folder), f"{error.strerror}.") from error
    busy = DeskbellError(
        say("Another Deskbell is writing"), say("It is changing {path}. Try again.", path=path)
    )
    try:
        wait_for_lock(file, _LOCK_LIMIT, busy)
        yield
    finally:
        os.close(file)
        if sys.platform == "win32":
            with contextlib.suppress(OSError):  # another process has it open
                os.unlink(mark)
