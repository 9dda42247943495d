"""Paths of Deskbell's files (Home), and the settings in config.toml (Settings, SettingsFile).

Errors name line and column, and the last good settings stay in force. Edits keep comments and formatting.
This package does not watch the file (system/file_watch.py) and does not resolve `${vault:NAME}`.

Commands that need only the paths load neither the TOML parser nor the editor of the file.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bridge.settings.paths import Home

if TYPE_CHECKING:
    from bridge.settings.parser import Bluesky, Settings, Updates, load
    from bridge.settings.settings_file import SettingsFile

__all__ = ["Bluesky", "Home", "Settings", "SettingsFile", "Updates", "load"]

_LOADED_LATE = {
    "Bluesky": "bridge.settings.parser",
    "Settings": "bridge.settings.parser",
    "SettingsFile": "bridge.settings.settings_file",
    "Updates": "bridge.settings.parser",
    "load": "bridge.settings.parser",
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LOADED_LATE[name]), name)
