"""The menu entries that snooze Questions, for the tray and the Settings page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu


def fill_snooze_menu(menu: QMenu, snooze: Callable[[float], object]) -> None:
    """Add the entries; `snooze` gets the seconds, 0: until resumed."""
    translate = QCoreApplication.translate
    menu.setObjectName("snoozeMenu")
    for seconds, text in (
        (1800.0, translate("snooze", "For &30 minutes")),
        (3600.0, translate("snooze", "For &1 hour")),
        (28800.0, translate("snooze", "For &8 hours")),
        (0.0, translate("snooze", "&Until I resume")),
    ):
        entry = menu.addAction(text, partial(snooze, seconds))
        entry.setObjectName(f"snooze:{seconds:.0f}")
