"""Tab order for widgets that are built late: by position, where Qt would put them last."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar, QWidget


def tab_stops(part: QWidget) -> list[QWidget]:
    """Return the widgets that Tab reaches in `part`, in creation order, without popups and focus proxies.

    A QTabBar is created after the pages it shows, but comes before them.
    """
    children = (one for one in part.findChildren(QWidget) if one.window() is part.window())
    found = [one for one in children if one.focusPolicy() & Qt.FocusPolicy.TabFocus and not one.focusProxy()]
    for bar in [one for one in found if isinstance(one, QTabBar)]:
        found.remove(bar)
        around = bar.parentWidget() or part
        first = (place for place, one in enumerate(found) if around.isAncestorOf(one))
        found.insert(next(first, len(found)), bar)
    return found


def set_tab_order(before: QWidget, part: QWidget, after: Sequence[QWidget] = ()) -> None:
    """Put the tab stops of `part` after `before` and ahead of `after`."""
    for stop in (*tab_stops(part), *after):
        QWidget.setTabOrder(before, stop)
        before = stop
