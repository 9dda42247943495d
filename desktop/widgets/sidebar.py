"""The list of pages beside them: symbol, title and a count for each, in groups."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop.theme import painting
from desktop.theme.colours import current
from desktop.theme.metrics import GRID, HEADING, RADIUS, SIDEBAR_ICON, SMALL, control_height, scaled_font
from desktop.theme.painting import FOCUS, HOVER, SELECTED
from desktop.theme.symbols import symbol_pixmap
from desktop.widgets.chip import count_text
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Label
from desktop.widgets.layouts import column, row
from desktop.widgets.table import Index

_NAME, _SYMBOL, _COUNT, _BEGINS = (Qt.ItemDataRole.UserRole + place for place in range(4))
_APART = 2 * GRID  # above a group
_PICTURE = 28
_LEAST = 176  # width in pixels
_BAR = 3  # beside the chosen page


class Sidebar(QWidget):
    """`turned`: a page was chosen, by its name."""

    turned = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.list = QListWidget()
        self.list.setObjectName("pages")
        self.list.setAccessibleName(self.tr("Pages"))
        self.list.setAccessibleDescription(self.tr("Choose what to see"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.viewport().setAutoFillBackground(False)
        self.list.setMouseTracking(True)
        self.list.setItemDelegate(_Entry(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(lambda item, _: self._turn(item))
        self.list.itemSelectionChanged.connect(self._follow)
        picture = QLabel()
        picture.setPixmap(app_icon().pixmap(_PICTURE, _PICTURE))
        name = Label("Deskbell", name="product", bold=True, scale=HEADING)
        head = row(picture, (name, 1), spacing=GRID, margins=(2 * GRID, 0, GRID, 0))
        self.setLayout(column(head, (self.list, 1), margins=(0, 2 * GRID, 0, GRID), spacing=GRID))

    def _turn(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.turned.emit(item.data(_NAME))

    def add(self, name: str, title: str, symbol: str, *, begins: bool = False) -> None:
        """Add a page at the end. `begins`: a group begins with it."""
        item = QListWidgetItem(title)
        for role, value in ((_NAME, name), (_SYMBOL, symbol), (_COUNT, 0), (_BEGINS, begins)):
            item.setData(role, value)
        high = control_height(self.fontMetrics()) + 4
        item.setSizeHint(QSize(0, high + (_APART if begins else 0)))
        self.list.addItem(item)
        self._fit()

    def names(self) -> list[str]:
        """Return the pages that can be seen, from the top."""
        rows = (place for place in range(self.list.count()) if not self.list.isRowHidden(place))
        return [self.list.item(place).data(_NAME) for place in rows]

    @property
    def current(self) -> str:
        index = self.list.currentIndex()
        return str(index.data(_NAME)) if index.isValid() else ""

    def turn_to(self, name: str) -> None:
        """Choose a page; a hidden one is shown from then on."""
        item = self._item(name)
        item.setHidden(False)
        self.list.setCurrentItem(item)

    def set_shown(self, name: str, shown: bool) -> None:
        """Show or hide a page's entry; the chosen one stays."""
        item = self._item(name)
        item.setHidden(not shown and item is not self.list.currentItem())

    def show_count(self, name: str, count: int) -> None:
        item = self._item(name)
        item.setData(_COUNT, count)
        spoken = self.tr("{page} ({count})").format(page=item.text(), count=count)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken if count else item.text())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, use = QPainter(self), current()
        painter.fillRect(self.rect(), use.sidebar)
        edge = 0 if self.isRightToLeft() else self.width() - 1
        painter.fillRect(edge, 0, 1, self.height(), use.line)

    def _item(self, name: str) -> QListWidgetItem:
        items = (self.list.item(place) for place in range(self.list.count()))
        return next(item for item in items if item.data(_NAME) == name)

    def _follow(self) -> None:
        """Make the selected row current: assistive technology only selects it."""
        for item in self.list.selectedItems():
            self.list.setCurrentItem(item)

    def _fit(self) -> None:
        titles = [self.list.item(place).text() for place in range(self.list.count())]
        metrics = self.fontMetrics()
        widest = max(metrics.horizontalAdvance(title) for title in titles)
        around = SIDEBAR_ICON + 7 * GRID + metrics.horizontalAdvance("99+")
        self.setFixedWidth(max(_LEAST, widest + around))


class _Entry(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: Any = option
        use, state = current(), entry.state.value
        line = QRect(entry.rect)
        if index.data(_BEGINS):
            line.setTop(line.top() + _APART)
            painter.fillRect(
                QRect(line.x() + 2 * GRID, line.top() - GRID, line.width() - 4 * GRID, 1), use.line
            )
        line.adjust(GRID, 1, -GRID, -1)
        ground = use.selected if state & SELECTED else use.hover if state & HOVER else None
        if ground is not None:
            painting.rounded(painter, QRectF(line), RADIUS, ground, None)
        if state & SELECTED:
            bar = QRect(line.x(), line.y() + GRID, _BAR, line.height() - 2 * GRID)
            painting.rounded(painter, QRectF(self._mirrored(entry, line, bar)), _BAR / 2, use.accent, None)
        if state & FOCUS:
            painting.focus_ring(painter, line, use)
        self._paint_words(painter, entry, index, line)

    def _paint_words(self, painter: QPainter, entry: Any, index: Index, line: QRect) -> None:
        use = current()
        place = QRect(line.x() + GRID + 4, line.center().y() - SIDEBAR_ICON // 2, SIDEBAR_ICON, SIDEBAR_ICON)
        chosen = entry.state.value & SELECTED
        ratio = painter.device().devicePixelRatio()
        picture = symbol_pixmap(index.data(_SYMBOL), use.text if chosen else use.muted, SIDEBAR_ICON, ratio)
        painter.drawPixmap(self._mirrored(entry, line, place).topLeft(), picture)
        words = QRect(line)
        words.setLeft(place.right() + GRID + 4)
        count = index.data(_COUNT)
        if count:
            badge = self._badge(painter, count, line)
            words.setRight(badge.left() - GRID)
            painting.count_badge(painter, self._mirrored(entry, line, badge), count_text(count), use)
        painter.setFont(scaled_font(bold=bool(chosen)))
        painter.setPen(use.text)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading | Qt.TextFlag.TextSingleLine
        painter.drawText(self._mirrored(entry, line, words), int(flags), index.data())

    def _badge(self, painter: QPainter, count: int, line: QRect) -> QRect:
        painter.setFont(scaled_font(SMALL, bold=True))
        metrics = painter.fontMetrics()
        high = metrics.height() + 3
        wide = max(high, metrics.horizontalAdvance(count_text(count)) + 12)
        badge = QRect(QPoint(0, 0), QSize(wide, high))
        badge.moveCenter(line.center())
        badge.moveRight(line.right() - GRID)
        return badge

    def _mirrored(self, entry: Any, line: QRect, place: QRect) -> QRect:
        return QStyle.visualRect(entry.direction, line, place)
