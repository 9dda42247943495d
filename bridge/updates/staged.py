"""The version that was downloaded and waits in the home for the next start: one file of state beside it."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from enum import StrEnum
from pathlib import Path

import msgspec

from bridge.i18n import StoredText, restored, stored
from bridge.system.atomic_file import write

_STATE = "state.json"


class Stage(StrEnum):
    READY = "ready"  # verified, its self-test passed: the next start puts it in place
    TRIED = "tried"  # the new version was put in place, and has not started yet
    FAILED = "failed"  # not to be tried again


class Staged(msgspec.Struct, frozen=True):
    version: str
    kind: str  # of installation
    file: str  # its name in the folder
    sha256: str
    stage: Stage
    failure: str | StoredText = ""

    @property
    def problem(self) -> str:
        """Why it is not used, in words; "" if it is."""
        return restored(self.failure)

    def tried(self) -> Staged:
        return msgspec.structs.replace(self, stage=Stage.TRIED)

    def failed(self, problem: str) -> Staged:
        return msgspec.structs.replace(self, stage=Stage.FAILED, failure=stored(problem))


def load(folder: Path) -> Staged | None:
    try:
        return msgspec.json.decode((folder / _STATE).read_bytes(), type=Staged)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def save(folder: Path, staged: Staged) -> None:
    """Raises SettingsError."""
    write(folder / _STATE, msgspec.json.encode(staged))


def begin(folder: Path) -> None:
    """Make the folder empty."""
    clear(folder)
    folder.mkdir(mode=0o700, parents=True)


def clear(folder: Path) -> None:
    """Delete what was downloaded, and its state."""
    shutil.rmtree(folder, ignore_errors=True)


def clear_files(folder: Path) -> None:
    """Delete what was downloaded; its state stays."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name != _STATE:
            with contextlib.suppress(OSError):
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def is_intact(file: Path, sha256: str) -> bool:
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest() == sha256
    except OSError:
        return False
