"""A title and a framed list of rows, one widget for each thing that is listed.

A row whose item is unchanged keeps its widget, with focus, selection and half-typed text; a changed one is
rebuilt in place. Many rows are built in time slices, from the top.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLayout, QWidget

from desktop.lazy import time_slices
from desktop.lazy.time_slices import END_SLICE, SlicedTask, Steps
from desktop.widgets.card import MARGINS, Card
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import NO_MARGINS, CachedColumn
from desktop.widgets.panel import Panel
from desktop.widgets.tab_order import tab_stops

T = TypeVar("T")
_APART = 10  # pixels


def key_by_name(items: Iterable[T], name_of: Callable[[T], str]) -> dict[str, T]:
    """Key items by name for `Section.draw`; a repeated name gets a trailing apostrophe."""
    named: dict[str, T] = {}
    for item in items:
        name = name_of(item)
        while name in named:
            name += "'"
        named[name] = item
    return named


class SectionRow(QWidget):
    """A listed item in `layout`."""

    def __init__(self, shows: object, layout: QLayout) -> None:
        super().__init__()
        self.shows = shows
        CachedColumn(self, spacing=_APART).addLayout(layout)


class CardRow(Card):
    """A listed item on a card of its own."""

    def __init__(self, shows: object, layout: QLayout, *, clickable: bool = False) -> None:
        super().__init__(clickable=clickable)
        self.shows = shows
        inside = CachedColumn(self, spacing=_APART)
        inside.setContentsMargins(*MARGINS)
        inside.addLayout(layout)


class Section(QWidget):
    """Hidden while there are no items and no `empty` text. `grew`: its tab stops have changed. `cards`: each
    item on a card of its own, and no frame around them; `selectable`: cards can be pressed. A `title` of ""
    takes no room."""

    grew = Signal()
    chosen = Signal(str)  # key of the card that was pressed

    def __init__(
        self, name: str, title: str, empty: str = "", *, cards: bool = False, selectable: bool = False
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self._drawn: tuple[tuple[str, object], ...] | None = None
        self._rows: dict[str, SectionRow | CardRow] = {}
        self._cards, self._selectable = cards, selectable
        self._selected = ""
        self._slices = SlicedTask(self)
        self._slices.done.connect(self._settled)
        column = CachedColumn(self, spacing=6)
        if title:
            column.addWidget(Label(title, name=f"{name}Title", bold=True))
        self._frame = QWidget() if cards else Panel()
        self._frame.setAccessibleName(title)
        self._column = CachedColumn(self._frame, spacing=_APART)
        self._column.setContentsMargins(*(NO_MARGINS if cards else (12, 10, 12, 10)))
        self._empty = Label(empty, name=f"{name}Empty", tone=Tone.MUTED)
        self._column.addWidget(self._empty)
        column.addWidget(self._frame)

    def draw(self, items: Mapping[str, T], lay_out: Callable[[T], QLayout]) -> None:
        """List `items` in this order, each laid out by `lay_out`."""
        self.setVisible(bool(items or self._empty.text()))
        if tuple(items.items()) != self._drawn:
            self._drawn = tuple(items.items())
            self._empty.setVisible(not items and bool(self._empty.text()))
            self._slices.start(self._settle(items, lay_out))
            self._frame.setUpdatesEnabled(not self._slices.running)  # each new row would repaint all rows

    def _settled(self) -> None:
        self._frame.setUpdatesEnabled(True)
        self.grew.emit()

    def _settle(self, items: Mapping[str, T], lay_out: Callable[[T], QLayout]) -> Steps:
        """Build rows in one turn of the event loop and insert them, for Qt to lay out, in the next."""
        for name in self._rows.keys() - items.keys():
            self._drop(self._rows.pop(name))
        made: dict[str, tuple[int, SectionRow | CardRow]] = {}
        until = time.perf_counter() + time_slices.SLICE
        for place, (name, item) in enumerate(items.items()):
            row = self._rows.get(name)
            if row is None or row.shows != item:
                made[name] = place, self._make_row(name, item, lay_out(item))
                if time.perf_counter() > until:
                    if place:
                        yield END_SLICE
                    self._put_all(made)
                    yield END_SLICE
                    until = time.perf_counter() + time_slices.SLICE
            elif self._column.indexOf(row) != place:
                self._put_all(made)
                self._insert(place, row)
        self._put_all(made)
        yield None

    def select(self, name: str) -> None:
        """Mark the card with this key; "" marks none."""
        self._selected = name
        for key, row in self._rows.items():
            if isinstance(row, CardRow):
                row.set_selected(key == name)

    def card(self, name: str) -> QWidget | None:
        return self._rows.get(name)

    def _make_row(self, name: str, item: object, layout: QLayout) -> SectionRow | CardRow:
        if not self._cards:
            return SectionRow(item, layout)
        card = CardRow(item, layout, clickable=self._selectable)
        card.setObjectName(f"card:{name}")
        card.setAccessibleName(name)
        card.set_selected(self._selectable and name == self._selected)
        card.clicked.connect(lambda: self.chosen.emit(name))
        return card

    def _put_all(self, made: dict[str, tuple[int, SectionRow | CardRow]]) -> None:
        for name, (place, row) in made.items():
            self._put(place, name, row)
        made.clear()

    def _put(self, place: int, name: str, row: SectionRow | CardRow) -> None:
        """Insert a row, replacing the one of this name; focus inside the old row moves to the new one."""
        old = self._rows.get(name)
        self._rows[name] = row
        self._insert(place, row)
        if old is not None:
            held: QWidget | None = self.window().focusWidget()
            if held is not None and old.isAncestorOf(held):
                row.show()
                self._take_over(row, held.objectName())
            self._drop(old)

    def _insert(self, place: int, row: SectionRow | CardRow) -> None:
        self._column.insert_row(place, row)
        after = self._column.itemAt(place + 1)  # at least the label of the empty list
        if after is not None and (below := after.widget()) is not None:
            row.stackUnder(below)  # tab order and accessibility tree follow the stacking order

    def _take_over(self, row: SectionRow | CardRow, name: str) -> None:
        stops = [stop for stop in tab_stops(row) if stop.isEnabled() and not stop.isHidden()]
        for stop in (*(one for one in stops if one.objectName() == name), *stops)[:1]:
            stop.setFocus()

    def _drop(self, row: SectionRow | CardRow) -> None:
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
