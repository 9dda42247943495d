"""A scroll area that asks for as much height as its content needs, and no more."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QStyle, QWidget

_GAP = 8


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
        self._least = 0  # pixels, of its width
        self.setWidget(content)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)
        content.setAttribute(Qt.WidgetAttribute.WA_StaticContents)  # growth repaints nothing above
        # later: the range changes while the content is laid out, and its layout would keep the old width
        later = Qt.ConnectionType.QueuedConnection
        self.verticalScrollBar().rangeChanged.connect(self._stand_off, later)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        layout = self._content.layout()
        if layout is None:
            return self._content.sizeHint().height()
        if layout.hasHeightForWidth():  # a part may insist on more than it needs at this width
            return max(layout.totalHeightForWidth(width), layout.totalMinimumSize().height())
        return layout.totalSizeHint().height()

    def sizeHint(self) -> QSize:
        width = self._content.sizeHint().width()
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        wanted = self.sizeHint().height()
        apart = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollView_ScrollBarSpacing, None, self)
        beside = self.verticalScrollBar().sizeHint().width() + max(apart, 0) + _GAP
        width = self._content.minimumSizeHint().width() + beside
        return QSize(width, min(wanted, 4 * self.fontMetrics().lineSpacing()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is built late may be wider than all before; Qt's own area keeps that to itself."""
        if event.type() is QEvent.Type.LayoutRequest and watched is self._content:
            width = self._content.minimumSizeHint().width()
            if width != self._least:
                self._least = width
                self.updateGeometry()
        return super().eventFilter(watched, event)

    def _stand_off(self) -> None:
        """Keep the content a little away from the scroll bar, when there is one."""
        bar = self.verticalScrollBar()
        gap = _GAP if bar.maximum() > bar.minimum() else 0
        if self.isRightToLeft():
            self.setViewportMargins(gap, 0, 0, 0)
        else:
            self.setViewportMargins(0, 0, gap, 0)
