"""Paths of Deskbell's files (Home), and the settings in config.toml (Settings, SettingsFile).

Errors name line and column, and the last good settings stay in force. Edits keep comments and formatting.
This package does not watch the file (system/file_watch.py) and does not resolve `${vault:NAME}`.
"""

from bridge.settings.parser import Bluesky, Settings, Updates, load
from bridge.settings.paths import Home
from bridge.settings.settings_file import SettingsFile

__all__ = ["Bluesky", "Home", "Settings", "SettingsFile", "Updates", "load"]
