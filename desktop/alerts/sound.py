"""Play a short bell with whatever player the system has: Deskbell ships no sound library."""

from __future__ import annotations

import shutil
import sys

from PySide6.QtCore import QProcess
from PySide6.QtWidgets import QApplication

from desktop.theme.resources import resource

_PLAYERS = ("pw-play", "paplay", "aplay") if sys.platform != "darwin" else ("afplay",)


def play(*, quiet: bool = False) -> None:
    """Start the sound and return at once; beep if there is no player."""
    file = resource("sounds/bell-quiet.wav" if quiet else "sounds/bell.wav")
    if sys.platform == "win32":
        import winsound

        winsound.PlaySound(file, winsound.SND_FILENAME | winsound.SND_ASYNC | winsound.SND_NODEFAULT)
        return
    player = next((found for name in _PLAYERS if (found := shutil.which(name))), "")
    if not player or not QProcess.startDetached(player, [file])[0]:
        QApplication.beep()
