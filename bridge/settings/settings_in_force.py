"""The settings in force: those of config.toml, or the last good ones while the file cannot be read.

A change of the file that loosens rules, not made here, counts only after nobody has written the file for a
while, since it may be half saved; the person is told, and can take it back. bridge/core/routing/reload.py
applies the new settings to what runs.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.core.policy.loosening import AllRules, loosened
from bridge.errors import SettingsError, UsageError
from bridge.i18n import Words, failure_text, say, together
from bridge.settings import parser
from bridge.settings.parser import Settings
from bridge.system.atomic_file import write

if TYPE_CHECKING:
    from bridge.core.status import ConfigStatus

STILL = 1.0  # seconds without a write, after which rules missing from the file count as deleted


class SettingsInForce:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_there: Callable[[], bool] = path.parent.is_dir  # our folder, and not another one in its place
        self.last_good = path.with_name(f"{path.stem}.last-good{path.suffix}")
        self.current = Settings()
        self.problem = ""
        self.broken: SettingsError | None = None  # why the file cannot be read
        self.in_force = "file"  # see ConfigStatus.in_force
        self._is_known = False  # valid settings were loaded once
        self._in_force = b""  # the text of `current`
        self.is_unsettled = False  # the file may be half saved: `reload` it again when it was still for STILL
        self.loosened = ""  # rules that somebody else took out of the file
        self._before_loosening = b""

    def reload(self, still: bool | None = None) -> bool:
        """Load the file again; True if the settings in force changed.

        `still`: None if Deskbell itself has written the file. False if another program has just done so, and
        at the start of Deskbell: the file may be half saved, so loosened rules do not count yet. True if it
        has not been written for a while."""
        before, self.is_unsettled = self.current, False
        if self._is_known and not self.is_there() and not self.path.exists():
            return False  # deleted with all in it, which Home.deleted tells
        try:
            raw = parser.bytes_of(self.path)
            found = parser.read(parser.decoded(self.path, raw or b""), self.path.name, os.environ)
            if not self._is_known and still is not None:
                self._load_last_good()
            weaker = loosened(_rules(self.current), _rules(found)) if self._is_known else []
            doubtful = self._is_known and (weaker or not (raw or b"").strip())
            if doubtful and still is not None and not (still and self._is_still()):
                self.is_unsettled = True
                return self.current != before
            self._note_loosening(weaker, raw or b"")
            self.current = found
        except SettingsError as error:
            self.broken = error
            self.problem = together(failure_text(error), self._fall_back())
        else:
            self.broken, self.in_force = None, "file"
            self._is_known = True
            self.problem = together(*self.current.notes, *self._kept(raw))
            if raw is None and still:
                with contextlib.suppress(OSError):
                    self.last_good.unlink()  # its rules were deleted, with the file
        return self.current != before

    def _load_last_good(self) -> None:
        with contextlib.suppress(SettingsError):
            raw = parser.bytes_of(self.last_good)
            if raw is not None:
                self.current = parser.read(
                    parser.decoded(self.last_good, raw), self.last_good.name, os.environ
                )
                self._is_known, self._in_force = True, raw

    def _is_still(self) -> bool:
        """True if the file was not written for STILL seconds, or is not there."""
        try:
            age = time.time() - self.path.stat().st_mtime
        except OSError:
            return True
        return not 0 <= age < STILL

    def _note_loosening(self, weaker: list[Words], raw: bytes) -> None:
        """Note the rules that another program removed from the file, until its next change."""
        if raw == self._in_force:
            return
        more = say("and {count} more", count=len(weaker) - 1) if len(weaker) > 1 else ""
        self.loosened = together(*weaker[:1], more)
        self._before_loosening, self._in_force = self._in_force, raw

    def undo_loosening(self) -> None:
        """Restore the file as it was before rules were taken out of it. Raises UsageError."""
        if not self.loosened or (parser.bytes_of(self.path) or b"") != self._in_force:
            raise UsageError(
                say("This can no longer be undone"), say("{path} has changed since.", path=self.path)
            )
        write(self.path, self._before_loosening)
        self.reload()
        self.loosened = ""

    def keep_loosened(self) -> None:
        """Forget that rules were taken out: the person knows."""
        self.loosened = ""

    def _fall_back(self) -> Words:
        """Use the last good settings; without any, deny every call: a typo must not remove rules."""
        self.in_force = "last good"
        if self._is_known:
            return say("The last good settings stay in force.")
        try:
            if not self.last_good.exists():
                raise SettingsError(say("There is no file {path}", path=self.last_good.name))
            self.current, self._is_known = parser.load(self.last_good), True
        except SettingsError:
            self.current, self.in_force = parser.NOTHING_KNOWN, "nothing"
            return say("No valid settings are known: every call is denied until this is fixed.")
        return say("The last good settings are in force, from {file}.", file=self.last_good.name)

    def status(self) -> ConfigStatus:
        from bridge.core.status import ConfigStatus  # a tenth of a command's start, which most need not

        problem = failure_text(self.broken) if self.broken else ""
        return ConfigStatus(str(self.path), problem, self.in_force, self.loosened)

    def _kept(self, raw: bytes | None) -> Iterator[str]:
        """Save a copy of a valid file, for a start with an invalid one; yield why that failed."""
        try:
            if raw is not None and raw != parser.bytes_of(self.last_good):
                write(self.last_good, raw, mode=0o600)
        except SettingsError as error:
            yield failure_text(error)


def _rules(settings: Settings) -> AllRules:
    return AllRules(settings.policy, settings.hosts, settings.approvals)
