"""Inputs for many options, up to tens of thousands: a list with a search line, single or multiple choice.

A chosen option stays chosen while the search hides it, and is named below the list.
"""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QListView, QToolButton, QWidget

from bridge.api import schema
from desktop.widgets.controls import make_search, make_tool_button
from desktop.widgets.inputs.base import RETURN, Input
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.text.bidi import isolate_all, isolate_columns
from desktop.widgets.text.safe_text import one_line

_SEARCHED = 8  # options; with more there is a search line
_ROWS = 7
_TITLE = 200  # characters of a title
_WHOLE = 2_000  # characters of a title in its tooltip
_INSET = 4  # pixels between the edge of the list and its rows
_NAMED = 3  # chosen titles named below the list
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class OptionModel(QAbstractListModel):
    """The options whose titles contain every search word. `ticked`: None for single choice."""

    def __init__(self, options: tuple[schema.Option, ...], ticked: set[int] | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._options = options
        self._folded: list[str] = []
        self._shown: range | list[int] = range(len(options))
        self.ticked = ticked

    def search(self, text: str) -> None:
        words = text.casefold().split()
        if words and not self._folded:
            self._folded = [option.title.casefold() for option in self._options]
        self.beginResetModel()
        self._shown = range(len(self._options))
        for word in words:
            self._shown = [place for place in self._shown if word in self._folded[place]]
        self.endResetModel()

    def place(self, index: _Index) -> int:
        """Return the number of the option in this row."""
        return self._shown[index.row()]

    def row(self, place: int) -> QModelIndex:
        """Return the row of this option; invalid if the search hides it."""
        return self.index(self._shown.index(place)) if place in self._shown else QModelIndex()

    def title(self, place: int) -> str:
        return one_line(self._options[place].title, _TITLE)

    def toggle(self, index: _Index) -> None:
        if self.ticked is not None and index.isValid():
            self.ticked ^= {self.place(index)}
            self.dataChanged.emit(index, index, [Qt.ItemDataRole.CheckStateRole])

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self.title(self.place(index))
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return one_line(self._options[self.place(index)].title, _WHOLE)  # the list cuts long titles off
        if role == Qt.ItemDataRole.CheckStateRole and self.ticked is not None:
            on = self.place(index) in self.ticked
            return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        return None

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Refuse: clicks and Space are handled by `toggle`."""
        return False

    def flags(self, index: _Index) -> Qt.ItemFlag:
        plain = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        if self.ticked is None:
            return plain | Qt.ItemFlag.ItemIsSelectable
        return plain | Qt.ItemFlag.ItemIsUserCheckable


class _OptionView(QListView):
    """A list whose rows do not touch its edge."""

    def __init__(self) -> None:
        super().__init__()
        self.setViewportMargins(_INSET, _INSET, _INSET, _INSET)


class ListInput(Input):
    """A search line, a list, and below it the chosen titles."""

    def __init__(self, field: schema.Field, ticked: set[int] | None) -> None:
        super().__init__(field)
        self._options = OptionModel(field.options, ticked, self)
        self._search, self._list, self._clear = self._make_search(), self._make_list(), self._make_clear()
        self._summary = Label("", name=f"chosen:{field.name}", tone=Tone.MUTED)
        foot = row((self._summary, 1), self._clear)
        self.setLayout(column(self._search, self._list, foot, spacing=4))
        self.set_label_target(self._list)
        searched = len(field.options) > _SEARCHED
        self._search.setVisible(searched)
        self.setFocusProxy(self._search if searched else self._list)

    def chosen(self) -> tuple[int, ...]:
        raise NotImplementedError

    def clear(self) -> None:
        raise NotImplementedError

    def pick(self, index: QModelIndex) -> None:
        """Choose or toggle this row."""
        raise NotImplementedError

    def show_chosen(self) -> None:
        """Name the chosen options below the list, unless one choice is seen in it."""
        chosen = self.chosen()
        titles = isolate_all(self._options.title(place) for place in chosen[:_NAMED])
        more = "…" if len(chosen) > _NAMED else ""
        count = self.tr("{count} chosen: {titles}").format(count=len(chosen), titles=titles + more)
        is_single = self._options.ticked is None
        is_seen = is_single and len(self.field.options) <= _ROWS
        self._summary.show_text(count if chosen and not is_seen else "")
        self._clear.setVisible(bool(chosen) and not (is_single and self.field.required))

    def seek(self, text: str) -> None:
        self._options.search(text)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        for place in self.chosen()[:1]:
            self._list.scrollTo(self._options.row(place), QAbstractItemView.ScrollHint.PositionAtCenter)

    def _make_search(self) -> QLineEdit:
        title = self.tr("Search in {field}").format(field=self.title)
        clear = f"unsearch:{self.field.name}", self.tr("Clear the search")
        line = make_search(f"search:{self.field.name}", title, self.seek, clear)
        line.setPlaceholderText(self.tr("Search {count} options").format(count=len(self.field.options)))
        line.installEventFilter(self)
        return line

    def _make_list(self) -> QListView:
        view = _OptionView()
        view.setModel(self._options)
        isolate_columns(view, (0,))
        view.setUniformItemSizes(True)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        line = max(view.sizeHintForRow(0), view.fontMetrics().lineSpacing())
        view.setFixedHeight(
            min(len(self.field.options), _ROWS) * line + 2 * view.frameWidth() + 2 * _INSET + 2
        )
        view.installEventFilter(self)
        return view

    def _make_clear(self) -> QToolButton:
        spoken = self.tr("Clear {field}").format(field=self.title)
        clear = make_tool_button(f"clear:{self.field.name}", self.tr("Clear"), spoken, self.clear)
        clear.setAutoRaise(True)
        return clear

    def takes_key(self, event: QKeyEvent) -> bool:
        if self._search.hasFocus():
            return self._takes_search_key(event)
        if event.key() == Qt.Key.Key_Space:
            self.pick(self._list.currentIndex())
            return True
        return super().takes_key(event)

    def _takes_search_key(self, event: QKeyEvent) -> bool:
        """Return chooses the first match, Down moves to the list, Esc clears the search."""
        if event.key() == Qt.Key.Key_Escape and self._search.text():
            self._search.clear()
            return True
        if event.key() in RETURN and self._search.text() and self._options.rowCount():
            self.pick(self._options.index(0))
            self._search.clear()
            return True
        if event.key() == Qt.Key.Key_Down and self._options.rowCount():
            self._list.setFocus()
            self._list.setCurrentIndex(self._options.index(0))
            return True
        return super().takes_key(event)


class SingleChoiceList(ListInput):
    """Single choice: the selected row."""

    def __init__(self, field: schema.Field) -> None:
        super().__init__(field, None)
        initial = field.initial
        self._chosen = initial if isinstance(initial, int) and not isinstance(initial, bool) else None
        self._searching = False
        self._list.selectionModel().selectionChanged.connect(self._selected)
        self._highlight()
        self.show_chosen()

    def entered(self) -> schema.Entered:
        return self._chosen

    def enter(self, entered: schema.Entered) -> None:
        self._search.clear()
        if isinstance(entered, int):
            self._list.setCurrentIndex(self._options.row(entered))
        else:
            self.clear()

    def chosen(self) -> tuple[int, ...]:
        return () if self._chosen is None else (self._chosen,)

    def clear(self) -> None:
        self._list.clearSelection()

    def pick(self, index: QModelIndex) -> None:
        self._list.setCurrentIndex(index)

    def seek(self, text: str) -> None:
        self._searching = True
        super().seek(text)
        self._highlight()
        self._searching = False

    def takes_key(self, event: QKeyEvent) -> bool:
        first = event.key() == Qt.Key.Key_Down and not self._list.selectedIndexes()
        if first and self._list.hasFocus() and self._options.rowCount():
            self.pick(self._options.index(0))  # Qt would begin with the second row
            return True
        return super().takes_key(event)

    def _highlight(self) -> None:
        if self._chosen is not None:
            self._list.setCurrentIndex(self._options.row(self._chosen))

    def _selected(self) -> None:
        if self._searching:
            return
        rows = self._list.selectedIndexes()
        self._chosen = self._options.place(rows[0]) if rows else None
        self.show_chosen()
        self.changed.emit()


class MultiChoiceList(ListInput):
    """Multiple choice: each row has a check mark, toggled by a click anywhere on it or by Space."""

    def __init__(self, field: schema.Field) -> None:
        ticked = {int(place) for place in field.initial} if isinstance(field.initial, tuple) else set()
        super().__init__(field, ticked)
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self._list.clicked.connect(self.pick)
        self.show_chosen()

    def entered(self) -> schema.Entered:
        return self.chosen()

    def enter(self, entered: schema.Entered) -> None:
        self._search.clear()
        chosen = {int(place) for place in entered} if isinstance(entered, tuple) else set()
        for place in chosen ^ set(self.chosen()):
            self._options.toggle(self._options.row(place))
        self.show_chosen()
        self.changed.emit()

    def chosen(self) -> tuple[int, ...]:
        return tuple(sorted(self._options.ticked or ()))

    def clear(self) -> None:
        for place in self.chosen():
            self._options.toggle(self._options.row(place))
        self._options.ticked = set()
        self.show_chosen()
        self.changed.emit()

    def pick(self, index: QModelIndex) -> None:
        self._options.toggle(index)
        self.show_chosen()
        self.changed.emit()
