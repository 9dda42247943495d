"""The main window: a list of pages, and the chosen page beside it.

A page is made when it is first seen, or soon after the window opened, and gets every Status from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QPainter, QPalette, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from bridge.api import Status
from desktop.lazy.module_loading import load
from desktop.lazy.time_slices import END_SLICE, SlicedTask, Steps
from desktop.pages.base_page import StatusPage
from desktop.widgets.controls import make_button, preload_clear_button
from desktop.widgets.icons import app_icon
from desktop.widgets.layouts import column, row
from desktop.widgets.tab_order import set_tab_order
from desktop.widgets.table import Index

_BESIDE = 8  # pixels
_INDENT = 8  # pixels from the edge of the selection to its text
_LATER = 500  # milliseconds after a page is first shown, until the others are made


class MainWindow(QWidget):
    quit_wanted = Signal()
    help_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("home")
        self.setWindowTitle("Deskbell")
        self.setWindowIcon(app_icon())
        self._makers: dict[str, tuple[str, Callable[[], StatusPage]]] = {}  # page → module, function
        self._pages: dict[str, StatusPage] = {}
        self._coming: dict[str, StatusPage] = {}  # pages that are still being built
        self._slices = SlicedTask(self)
        self._later = QTimer(self, singleShot=True, interval=_LATER)
        self._later.timeout.connect(lambda: self._slices.start(self._build_rest()))
        self._status: Status | None = None
        self._list = QListWidget()
        self._list.setObjectName("pages")
        self._list.setAccessibleName(self.tr("Pages"))
        self._list.setAccessibleDescription(self.tr("Choose what to see"))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.viewport().setAutoFillBackground(False)  # the list has the window's background
        self._list.setSpacing(2)
        self._list.setItemDelegate(_Entry(self._list))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = QStackedWidget()
        self._stack.setObjectName("page")
        self._list.currentRowChanged.connect(self._turn)
        self._stack.currentChanged.connect(self._keep_order)
        self._list.itemSelectionChanged.connect(self._follow)
        self._build()
        keys = (("Ctrl+W", self.close), ("Ctrl+Q", self.quit_wanted.emit), ("F1", self.help_wanted.emit))
        for key, act in keys:
            QShortcut(QKeySequence(key), self, act)
        metrics = self.fontMetrics()
        wanted = QSize(metrics.averageCharWidth() * 146, metrics.lineSpacing() * 38)
        self.resize(wanted.boundedTo(self.screen().availableSize() * 0.9))

    def add(self, name: str, title: str, make: Callable[[], StatusPage], module: str = "") -> None:
        """Add a page at the end of the list. `make` imports `module` and returns the page."""
        self._makers[name] = module, make
        item = QListWidgetItem(title)
        item.setData(Qt.ItemDataRole.UserRole, name)
        item.setSizeHint(QSize(0, self.fontMetrics().lineSpacing() * 2))
        self._list.addItem(item)
        self._fit_list()
        number = self._list.count()
        QShortcut(QKeySequence(f"Alt+{number}"), self, lambda: self._list.setCurrentRow(number - 1))
        if number == 1:
            self._list.setCurrentRow(0)

    @property
    def pages(self) -> frozenset[str]:
        return frozenset(self._makers)

    def turn_to(self, name: str) -> None:
        self._list.setCurrentRow(list(self._makers).index(name))

    def draw(self, status: Status) -> None:
        self._status = status
        for page in self._pages.values():
            page.draw(status)
        if "questions" in self._makers:
            self._show_count(len(status.waiting))

    def build(self) -> Steps:
        """Build the chosen page before the window is shown."""
        preload_clear_button()
        yield END_SLICE
        yield from self.make(list(self._makers)[self._list.currentRow()])

    def showEvent(self, event: QShowEvent) -> None:
        self._turn(self._list.currentRow())
        super().showEvent(event)
        self._later.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._later.stop()

    def _build_rest(self) -> Steps:
        """Build the other pages while the first one is shown, so that turning to one is quick."""
        for name in self._makers:
            yield from self.make(name)

    def _turn(self, place: int) -> None:
        """Show the page of this row; build it first if it is not built."""
        if place >= 0 and self.isVisible():
            name = list(self._makers)[place]
            if name in self._pages:
                self._stack.setCurrentWidget(self._pages[name])
            else:
                self._slices.start(self._make_and_turn(name))

    def _make_and_turn(self, name: str) -> Steps:
        yield from self.make(name)
        self._turn(self._list.currentRow())  # another row may be chosen by now
        self._later.start()

    def make(self, name: str) -> Steps:
        """Build a page, or continue a build that has begun."""
        module, make = self._makers[name]
        if module:
            yield from load(module)
        if name not in self._pages:
            if name not in self._coming:
                self._coming[name] = make()
            building = self._coming[name].building
            while building.running:
                yield None
                building.step(blocking=True)
        if name in self._coming:
            self._take(name, self._coming.pop(name))
        yield None

    def page(self, name: str) -> StatusPage:
        """Return a page that is built."""
        return self._pages[name]

    def _take(self, name: str, page: StatusPage) -> None:
        self._pages[name] = page
        page.grew.connect(self._keep_order)
        if self._status is not None:
            page.draw(self._status)
        self._stack.addWidget(page)

    def _keep_order(self) -> None:
        """Set the tab order: the list, the page, the buttons below."""
        page = self._stack.currentWidget()
        if page is not None:
            set_tab_order(self._list, page, self._foot)

    def _follow(self) -> None:
        """Make the selected row current: assistive technology only selects it."""
        for item in self._list.selectedItems():
            self._list.setCurrentItem(item)

    def _show_count(self, waiting: int) -> None:
        item = self._list.item(list(self._makers).index("questions"))
        title = self.tr("Questions")
        item.setText(f"{title} ({waiting})" if waiting else title)

    def _fit_list(self) -> None:
        titles = [self._list.item(place).text() for place in range(self._list.count())]
        widest = max(self.fontMetrics().horizontalAdvance(f"{title} (1000)") for title in titles)
        self._list.setFixedWidth(widest + 2 * _INDENT + self.fontMetrics().averageCharWidth() * 2)

    def _build(self) -> None:
        self._foot = (
            make_button("quit", self.tr("&Quit Deskbell"), self.quit_wanted.emit),
            make_button("close", self.tr("C&lose"), self.close),
        )
        pages = row(self._list, (self._stack, 1), margins=(0, 12, 0, 0), spacing=0)
        pages.insertSpacing(0, _BESIDE)  # not a margin: margins are not mirrored in right-to-left layouts
        foot = row(1, *self._foot, margins=(20, 0, 20, 0))
        self.setLayout(column((pages, 1), foot, margins=(0, 0, 0, 12)))


class _Entry(QStyledItemDelegate):
    """Paint the title of a page, indented from the edge of the selection."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        whole: Any = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        style, role = whole.widget.style(), QPalette.ColorRole
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, whole, painter, whole.widget)
        chosen = bool(whole.state & QStyle.StateFlag.State_Selected)
        where = Qt.AlignmentFlag.AlignVCenter | whole.displayAlignment
        place = whole.rect.adjusted(_INDENT, 0, -_INDENT, 0)
        ink = role.HighlightedText if chosen else role.WindowText
        style.drawItemText(painter, place, where, whole.palette, True, whole.text, ink)
