"""What scrolls: as wide as there is room, beside the scroll bar, whichever way one reads."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.widgets.scroll import FittingScroll
from tests.desktop import scenes


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_all_of_it_is_laid_out_in_the_room_beside_the_scroll_bar(
    direction: Qt.LayoutDirection, qapp: QApplication, qtbot: QtBot
) -> None:
    before = qapp.layoutDirection()
    qapp.setLayoutDirection(direction)
    try:
        area = scenes.part(scenes.SCENES["settings"](), FittingScroll, "scroll")
        bar, inside = area.verticalScrollBar(), area.widget()
        assert inside is not None
        qtbot.waitUntil(lambda: area.width() - area.viewport().width() > bar.width() > 0)
        QApplication.processEvents()
        column = inside.layout()
        assert column is not None
        assert column.geometry().width() == inside.width() == area.viewport().width()
    finally:
        scenes.put_away()
        qapp.setLayoutDirection(before)
