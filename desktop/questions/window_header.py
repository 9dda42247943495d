"""The head of a question window: server (by its configured name), AI app and tool."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from bridge.api import Mode, Question
from desktop.widgets.bidi import isolate
from desktop.widgets.controls import Disclosure, app_picture
from desktop.widgets.labels import Label, Tone
from desktop.widgets.paged_text import PagedText
from desktop.widgets.safe_text import full_json, one_line
from desktop.widgets.tab_order import set_tab_order

_PICTURE = 40


_NOTHING = (b"", b"{}", b"null")


class QuestionHeader(QWidget):
    """`resized`: the details were opened or closed."""

    resized = Signal()

    def __init__(self, question: Question) -> None:
        super().__init__()
        self._arguments: PagedText | None = None  # built when first opened
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(2)
        self._grid.addWidget(app_picture(_PICTURE), 0, 0, 2, 1, Qt.AlignmentFlag.AlignTop)
        server = Label(one_line(question.server), name="server", bold=True, scale=1.35)
        self._grid.addWidget(server, 0, 1)
        self._grid.addWidget(Label(self._way(question), name="way", tone=Tone.MUTED), 1, 1, 1, 2)
        if question.first:
            new = self.tr("First time this server asks you")
            self._grid.addWidget(Label(new, name="first", tone=Tone.WARNING), 2, 1, 1, 2)
        self._grid.setColumnStretch(1, 1)
        details = [one for one in (question.context, question.arguments) if one.strip() not in _NOTHING]
        if details and question.mode is not Mode.CONFIRM:
            self._add_details("\n\n".join(map(full_json, details)))

    def _way(self, question: Question) -> str:
        host, tool = isolate(one_line(question.host, 60)), isolate(one_line(question.tool, 60))
        if question.mode is Mode.CONFIRM:
            return self.tr("waits for your approval")
        if host and tool:
            return self.tr("asks you through {host}, while running {tool}").format(host=host, tool=tool)
        if host:
            return self.tr("asks you through {host}").format(host=host)
        return self.tr("asks you, while running {tool}").format(tool=tool) if tool else self.tr("asks you")

    def _add_details(self, text: str) -> None:
        words = self.tr("What the tool was called with")
        button = Disclosure(self.tr("De&tails"), words, name="details")
        self._grid.addWidget(button, 0, 2, Qt.AlignmentFlag.AlignTop)

        def toggle(on: bool) -> None:
            if self._arguments is None:
                self._arguments = PagedText(text, name="arguments", title=words, lines=8)
                self._arguments.setContentsMargins(0, 6, 0, 0)
                self._grid.addWidget(self._arguments, 3, 0, 1, 3)
                set_tab_order(button, self._arguments)
            self._arguments.setVisible(on)
            self.resized.emit()

        button.toggled.connect(toggle)
