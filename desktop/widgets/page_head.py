"""The head of a page: title, one sentence, and the page's actions; the same place on every page."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop.theme.metrics import GRID, TITLE
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row


class PageHead(QWidget):
    """`actions`: buttons at the end of the line, the primary one last."""

    def __init__(self, title: str, subtitle: str = "", *actions: QWidget) -> None:
        super().__init__()
        self.setObjectName("pageHead")
        self.title = Label(title, name="pageHeadTitle", bold=True, scale=TITLE)
        self.subtitle = Label(subtitle, name="pageHeadSubtitle", tone=Tone.MUTED)
        self._actions = row(*actions, spacing=GRID)
        head = row((self.title, 1), spacing=2 * GRID)
        head.addLayout(self._actions)
        head.setAlignment(self._actions, Qt.AlignmentFlag.AlignVCenter)
        self.setLayout(column(head, self.subtitle, spacing=2))

    def show_subtitle(self, text: str) -> None:
        self.subtitle.show_text(text)
