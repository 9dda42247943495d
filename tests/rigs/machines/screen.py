"""A screen for a machine: an X server in another machine, which says when it shows a window of Deskbell.

Not in the machine itself: with it would come libraries that Qt may lack there.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

from tests.rigs.machines import roots
from tests.rigs.machines.roots import ROOT, Machine, NotMade

_SYSTEM = "debian-13"


@contextlib.contextmanager
def screen(keep: Path, shared: Path, log: Path) -> Iterator[str]:
    """Show one to the machine that has this folder; its DISPLAY."""
    (shared / "screen").mkdir()
    (shared / "screen").chmod(0o1777)
    machine = Machine(_layers(keep, shared, log), shared / "screen-changes", shared)
    with machine.start(log, "/mnt/screen.sh", uid=ROOT) as process:
        try:
            yield f":{_first_word(shared / 'display')}"
        finally:
            process.kill()


def _layers(keep: Path, shared: Path, log: Path) -> tuple[Path, ...]:
    kept, part = keep / "screen", keep / "screen.part"
    with roots.alone(keep, "screen"):
        if not kept.exists():
            made = roots.machine(_SYSTEM, keep, part, shared, log)
            if made.run(log, "apt-get", "install", "--no-install-recommends", "xvfb", "x11-utils", uid=ROOT):
                raise NotMade(f"the screen could not be made: see {log}")
            part.rename(kept)
    return kept / "upper", roots.root(_SYSTEM, keep)


def _first_word(file: Path) -> str:
    for _ in range(600):
        if file.exists() and (words := file.read_text().split()):
            return words[0]
        time.sleep(0.1)
    raise NotMade("the X server did not start within a minute")
