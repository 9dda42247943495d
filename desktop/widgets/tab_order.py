"""By Tab, what is built late comes where it is seen, not after everything else."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QTabBar, QWidget


def tab_stops(part: QWidget) -> list[QWidget]:
    """The widgets that Tab reaches, as they were built; not those that pop up in windows of their own.

    What hands the focus on is no stop. Tabs come before what they show, and are built after it.
    """
    children = (one for one in part.findChildren(QWidget) if one.window() is part.window())
    found = [one for one in children if one.focusPolicy() & Qt.FocusPolicy.TabFocus and not one.focusProxy()]
    for bar in [one for one in found if isinstance(one, QTabBar)]:
        found.remove(bar)
        around = bar.parentWidget() or part
        first = (place for place, one in enumerate(found) if around.isAncestorOf(one))
        found.insert(next(first, len(found)), bar)
    return found


def fix_splitter_order(splitter: QSplitter) -> None:
    """A splitter has its parts from the last to the first; Tab would, too."""
    for place in reversed(range(splitter.count())):
        part = splitter.widget(place)
        if part is not None:
            part.lower()


def set_tab_order(before: QWidget, part: QWidget, after: Sequence[QWidget] = ()) -> None:
    """`part` comes between these."""
    for stop in (*tab_stops(part), *after):
        QWidget.setTabOrder(before, stop)
        before = stop
