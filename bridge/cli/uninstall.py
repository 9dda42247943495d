"""`deskbell uninstall`: clean up before the program is removed. Installers run it.

Disconnects the AI applications, removes the log-in entry, ends the running Deskbell.
Settings, history and secrets stay; `--purge` deletes them too, except for secrets in the keyring.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import sys
import time

from bridge.cli import hosts
from bridge.errors import DeskbellError, UsageError
from bridge.hosts.host_configs import HostConfigs
from bridge.hosts.plan import HostConfig
from bridge.settings import Home, SettingsFile
from bridge.system import appimage
from bridge.transports.control_client import ask_running

_PATIENCE = 10.0  # seconds for the running Deskbell to end


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="ask nothing")
    parser.add_argument(
        "--upgrade", action="store_true", help="only quit the running Deskbell, before an upgrade"
    )
    parser.add_argument(
        "--purge", action="store_true", help="also delete settings, history and the encrypted file of secrets"
    )
    parser.set_defaults(run=uninstall)


def uninstall(arguments: argparse.Namespace, home: Home) -> int:
    if arguments.upgrade:
        _end_running(home)
        return 0
    connected = _connected(home)
    if not arguments.yes and not _agreed(connected):
        print("Nothing was changed.")
        return 0
    still_connected = [seen.spot.recipe.name for seen in connected if not _disconnect(seen, home)]
    _remove_autostart()
    _end_running(home)
    shutil.rmtree(home.root / "bin", ignore_errors=True)  # the launcher of an AppImage
    if arguments.purge:
        shutil.rmtree(home.root, ignore_errors=True)
    elif home.root.exists():
        print(f"Settings and history stay in {home.root}")
    if still_connected:
        raise DeskbellError(
            f"Still connected: {', '.join(still_connected)}", "Fix the problems named above, then try again."
        )
    image = appimage.own_image(os.environ)
    print(f"Now delete {image}" if image else "Deskbell is ready to be removed.")
    return 0


def _connected(home: Home) -> list[HostConfig]:
    """Return the AI applications that start this Deskbell; entries of other Deskbells stay."""
    settings = SettingsFile(home.config)
    settings.reload()
    looks = HostConfigs(home).read_all(settings.current)
    return [
        seen for seen, _ in looks if (seen.connected and seen.current) or (seen.wrapped and not seen.stale)
    ]


def _agreed(connected: list[HostConfig]) -> bool:
    if not sys.stdin.isatty():
        raise UsageError("There is no terminal to ask on", "Add --yes.")
    names = ", ".join(seen.spot.recipe.name for seen in connected)
    print(f"These AI apps use Deskbell and will be as they were before: {names or 'none'}.")
    return input("Disconnect them, remove the log-in entry and end Deskbell? [y/N] ").strip().lower() in (
        "y",
        "yes",
    )


def _disconnect(seen: HostConfig, home: Home) -> bool:
    one = argparse.Namespace(name=seen.spot.recipe.id, file=None, wrap=False, dry_run=False, json=False)
    try:
        hosts.disconnect(one, home)
    except DeskbellError as error:
        print(f"deskbell: {seen.spot.recipe.name}: {error}", file=sys.stderr)
        return False
    return True


def _remove_autostart() -> None:
    try:
        autostart = importlib.import_module("desktop.system.autostart")  # no window, and no Qt
    except ImportError:  # an installation without windows
        return
    try:
        entry = autostart.entry()
        if autostart.is_on(entry):
            autostart.switch(entry, False)
            print("The log-in entry is removed.")
    except OSError as error:
        print(f"deskbell: the log-in entry stays: {error}", file=sys.stderr)


def _end_running(home: Home) -> None:
    end = time.monotonic() + _PATIENCE
    while ask_running(home, "yield", force=True, lingering=False) is not None:
        if time.monotonic() > end:
            raise DeskbellError("Deskbell still runs", "Quit it in the menu of its icon, then try again.")
        time.sleep(0.1)
