"""`deskbell update`: look for a newer version; download it where Deskbell updates itself, else say how."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import replace

from bridge import __version__
from bridge.errors import DeskbellError
from bridge.settings import Home, SettingsFile
from bridge.updates.check import UpdateCheck


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="only check")
    parser.set_defaults(run=update)


def update(arguments: argparse.Namespace, home: Home) -> int:
    """Check once, even if daily checks are switched off: the person asked for it."""
    settings = SettingsFile(home.config)
    settings.reload()
    wanted = replace(settings.current.updates, check=True, install=not arguments.check)
    home.ensure()
    check = UpdateCheck(home.updates, home.staged, __version__, lambda: None)
    status = asyncio.run(check.once(wanted))
    if status.problem:
        raise DeskbellError(status.problem.rstrip("."))
    if not status.newer:
        print(f"Deskbell {__version__} is the newest.")
    elif status.ready:
        print(f"Deskbell {status.ready} is ready. Quit Deskbell; its next start installs it.")
    elif status.command:
        print(f"Deskbell {status.newer} is out. Update with:  {status.command}")
    else:
        print(f"Deskbell {status.newer} is out. Get it where you got this one.")
    if status.lacks_key:
        print("It cannot update itself: this build has no key to verify a download with.")
    return 0
