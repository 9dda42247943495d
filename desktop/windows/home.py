"""The main window: pages, and a list that leads to them. Knows nothing of what is on a page.

A page is a widget; one with `draw(Status)` is told of every Status. `add` is all it takes to bring another.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bridge.api import Status
from desktop.widgets.bar import make_button
from desktop.widgets.icons import app_icon
from desktop.widgets.order import put_in_order


class HomeWindow(QWidget):
    quit_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("home")
        self.setWindowTitle("Deskbell")
        self.setWindowIcon(app_icon())
        self._pages: dict[str, QWidget] = {}
        self._list = QListWidget()
        self._list.setObjectName("pages")
        self._list.setAccessibleName(self.tr("Pages"))
        self._list.setAccessibleDescription(self.tr("Choose what to see"))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setSpacing(2)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = QStackedWidget()
        self._stack.setObjectName("page")
        self._list.currentRowChanged.connect(self._stack.setCurrentIndex)
        self._stack.currentChanged.connect(self._keep_order)
        self._list.itemSelectionChanged.connect(self._follow)
        self._build()
        metrics = self.fontMetrics()
        wanted = QSize(metrics.averageCharWidth() * 134, metrics.lineSpacing() * 38)
        self.resize(wanted.boundedTo(self.screen().availableSize() * 0.9))

    def add(self, name: str, title: str, page: QWidget) -> None:
        """One more page, at the end of the list."""
        self._pages[name] = page
        self._stack.addWidget(page)
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
        return frozenset(self._pages)

    def turn_to(self, name: str) -> None:
        self._list.setCurrentRow(list(self._pages).index(name))

    def draw(self, status: Status) -> None:
        for page in self._pages.values():
            if (draw := getattr(page, "draw", None)) is not None:
                draw(status)
        if "questions" in self._pages:
            self._tell_count(len(status.waiting))

    def _keep_order(self) -> None:
        """By Tab: the list, the page, what stands below."""
        page = self._stack.currentWidget()
        if page is not None:
            put_in_order(self._list, page, self._foot)

    def _follow(self) -> None:
        """Assistive technology selects a row without making it the current one."""
        for item in self._list.selectedItems():
            self._list.setCurrentItem(item)

    def _tell_count(self, waiting: int) -> None:
        item = self._list.item(list(self._pages).index("questions"))
        title = self.tr("Questions")
        item.setText(f"{title} ({waiting})" if waiting else title)

    def _fit_list(self) -> None:
        titles = [self._list.item(row).text() for row in range(self._list.count())]
        widest = max(self.fontMetrics().horizontalAdvance(f"{title} (1000)") for title in titles)
        self._list.setFixedWidth(widest + self.fontMetrics().averageCharWidth() * 4)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 12)
        row = QHBoxLayout()
        row.setContentsMargins(8, 12, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._list)
        row.addWidget(self._stack, 1)
        column.addLayout(row, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(20, 0, 20, 0)
        foot.addStretch(1)
        self._foot = (
            make_button("quit", self.tr("&Quit Deskbell"), self.quit_wanted.emit),
            make_button("close", self.tr("C&lose"), self.close),
        )
        for button in self._foot:
            foot.addWidget(button)
        column.addLayout(foot)
