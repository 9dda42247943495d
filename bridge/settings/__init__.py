"""Where everything lives (Home) and what the person prefers (Settings, from config.toml).

A broken file is reported with line and column, and the last good one stays in force. Edits keep comments and
whatever was written by hand. Nothing here watches the file (system/file_watch.py) or opens a vault:
`${vault:NAME}` stays as it is written.
"""

from bridge.settings.parser import Bluesky, Settings, Updates, load
from bridge.settings.paths import Home
from bridge.settings.settings_file import SettingsFile

__all__ = ["Bluesky", "Home", "Settings", "SettingsFile", "Updates", "load"]
