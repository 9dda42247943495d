"""A short bell, by whatever can play it: Deskbell brings no sound library of its own."""

from __future__ import annotations

import shutil
import sys

from PySide6.QtCore import QProcess
from PySide6.QtWidgets import QApplication

from desktop.widgets.icons import resource

_PLAYERS = ("pw-play", "paplay", "aplay") if sys.platform != "darwin" else ("afplay",)


def play() -> None:
    """Returns at once; without a player, the system's beep."""
    file = resource("sounds/bell.wav")
    if sys.platform == "win32":
        import winsound

        winsound.PlaySound(file, winsound.SND_FILENAME | winsound.SND_ASYNC | winsound.SND_NODEFAULT)
        return
    player = next((found for name in _PLAYERS if (found := shutil.which(name))), "")
    if not player or not QProcess.startDetached(player, [file])[0]:
        QApplication.beep()
