"""The list of the history: time, symbol and sentence of each line, the day above its first."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.pages.activity.history_model import (
    COLOUR_ROLE,
    DAY_ROLE,
    PAGE,
    SYMBOL_ROLE,
    TEXT_ROLE,
    TIME_ROLE,
    HistoryModel,
)
from desktop.theme import painting
from desktop.theme.colours import current
from desktop.theme.metrics import GRID, ICON, RADIUS, SMALL, control_height, scaled_font
from desktop.theme.painting import HOVER, SELECTED
from desktop.theme.symbols import symbol_pixmap
from desktop.widgets.table import Index

_DAY = 5 * GRID  # height of a day's title


class HistoryView(QListView):
    def __init__(self, name: str, title: str, model: HistoryModel) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setModel(model)
        self.setItemDelegate(_LineDelegate(self))
        self.setMouseTracking(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)  # measuring thousands of lines takes too long
        self.setBatchSize(PAGE)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the current line on keyboard focus: Qt only marks it, and no key selects an only line."""
        super().focusInEvent(event)
        by_mouse = event.reason() in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if not by_mouse and self.currentIndex().isValid() and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self.currentIndex())


class _LineDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        entry: Any = option
        high = control_height(entry.fontMetrics)
        return QSize(0, high + (_DAY if index.data(DAY_ROLE) else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: Any = option
        use, state, line = current(), entry.state.value, QRect(entry.rect)
        day = index.data(DAY_ROLE)
        if day:
            self._paint_day(painter, entry, line, day)
            line.setTop(line.top() + _DAY)
        line.adjust(HALF, 0, -HALF, 0)
        ground = use.selected if state & SELECTED else use.hover if state & HOVER else None
        if ground is not None:
            painting.rounded(painter, QRectF(line), RADIUS, ground, None)
        metrics = entry.fontMetrics
        wide = metrics.horizontalAdvance("00:00 PM") + GRID
        time = QRect(line.x() + GRID, line.y(), wide, line.height())
        mark = QRect(time.right(), line.center().y() - ICON // 2, ICON, ICON)
        words = QRect(line)
        words.setLeft(mark.right() + GRID)
        words.setRight(line.right() - GRID)
        self._paint_text(painter, entry, line, time, index.data(TIME_ROLE), use.muted)
        ratio = painter.device().devicePixelRatio()
        picture = symbol_pixmap(index.data(SYMBOL_ROLE), getattr(use, index.data(COLOUR_ROLE)), ICON, ratio)
        painter.drawPixmap(QStyle.visualRect(entry.direction, line, mark).topLeft(), picture)
        text = metrics.elidedText(index.data(TEXT_ROLE), Qt.TextElideMode.ElideRight, words.width())
        self._paint_text(painter, entry, line, words, text, use.text)

    def _paint_day(self, painter: QPainter, entry: Any, line: QRect, day: str) -> None:
        painter.save()
        painter.setFont(scaled_font(SMALL, bold=True))
        place = QRect(line.x() + 3 * HALF, line.y(), line.width() - 6 * HALF, _DAY - GRID)
        painter.setPen(current().muted)
        painter.drawText(place, int(_LEADING | Qt.AlignmentFlag.AlignBottom), day)
        painter.restore()

    def _paint_text(
        self, painter: QPainter, entry: Any, line: QRect, place: QRect, text: str, ink: Any
    ) -> None:
        painter.setFont(entry.font)
        painter.setPen(ink)
        flags = _LEADING | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(QStyle.visualRect(entry.direction, line, place), int(flags), text)


HALF = GRID // 2
_LEADING = Qt.AlignmentFlag.AlignLeading
