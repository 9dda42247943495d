"""By Tab, what is built late comes where it is seen, not after everything else."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def stops_in(part: QWidget) -> list[QWidget]:
    """The widgets that Tab reaches, as they were built; not those that pop up in windows of their own."""
    children = (one for one in part.findChildren(QWidget) if one.window() is part.window())
    return [one for one in children if one.focusPolicy() & Qt.FocusPolicy.TabFocus]


def put_in_order(before: QWidget, part: QWidget, after: Sequence[QWidget]) -> None:
    """`part` comes between these."""
    for stop in (*stops_in(part), *after):
        QWidget.setTabOrder(before, stop)
        before = stop
