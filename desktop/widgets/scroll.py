"""A scroll area that asks for as much height as its content needs, and no more."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QStyle, QWidget

_GAP = 8  # pixels


class FittingScroll(QScrollArea):
    """Scrolls up and down only; the content is as wide as the area."""

    def __init__(self, content: QWidget, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._content = content
        self._least = 0  # minimum width of the content, pixels
        self.setWidget(content)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)
        content.setAttribute(Qt.WidgetAttribute.WA_StaticContents)  # growing repaints only the new part
        # queued: the range changes during layout, which would keep the old width
        queued = Qt.ConnectionType.QueuedConnection
        self.verticalScrollBar().rangeChanged.connect(self._set_gap, queued)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        layout = self._content.layout()
        if layout is None:
            return self._content.sizeHint().height()
        if layout.hasHeightForWidth():  # a child's minimum may exceed its height for this width
            return max(layout.totalHeightForWidth(width), layout.totalMinimumSize().height())
        return layout.totalSizeHint().height()

    def sizeHint(self) -> QSize:
        width = self._content.sizeHint().width()
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        wanted = self.sizeHint().height()
        spacing = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollView_ScrollBarSpacing, None, self)
        beside = self.verticalScrollBar().sizeHint().width() + max(spacing, 0) + _GAP
        width = max(self._content.minimumSizeHint().width(), self._content.minimumWidth()) + beside
        return QSize(width, min(wanted, 4 * self.fontMetrics().lineSpacing()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the geometry when the content's minimum width changes, which QScrollArea does not do."""
        if event.type() is QEvent.Type.LayoutRequest and watched is self._content:
            width = self._content.minimumSizeHint().width()
            if width != self._least:
                self._least = width
                self.updateGeometry()
        return super().eventFilter(watched, event)

    def _set_gap(self) -> None:
        """Keep a gap between the content and a visible scroll bar."""
        bar = self.verticalScrollBar()
        gap = _GAP if bar.maximum() > bar.minimum() else 0
        if self.isRightToLeft():
            self.setViewportMargins(gap, 0, 0, 0)
        else:
            self.setViewportMargins(0, 0, gap, 0)
