"""The pane below the history: the chosen line in words, its raw data on demand, and its actions."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QWidget

from bridge.api import Contents, JournalRow
from desktop.pages.activity.details import EntryDetails
from desktop.pages.activity.history_model import HistoryLine
from desktop.theme.metrics import GRID, HEADING
from desktop.theme.painting import ButtonKind
from desktop.widgets.card import Card
from desktop.widgets.controls import Disclosure, make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, discard, row, widget_with
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.text_box import TextBox

_TOP = Qt.AlignmentFlag.AlignTop
_PAD = 2 * GRID


class DetailsPane(Card):
    """Hidden while no line is chosen. `raw_wanted`: the contents of this call are to be read."""

    raw_wanted = Signal(object)  # JournalRow
    delete_wanted = Signal()
    approvals_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("activityDetail")
        self.setAccessibleName(self.tr("Details"))
        self._texts = EntryDetails(self)
        self._lines: tuple[HistoryLine, ...] = ()
        self._facts: QWidget | None = None
        self._title = Label("", name="detailTitle", bold=True, scale=HEADING, selectable=True)
        self._raw = TextBox("", name="rawData", lines=14, least=3)
        self._raw.setAccessibleName(self.tr("Raw data"))
        self._raw.hide()
        words = self.tr("The entry as it is stored, and what the call said")
        self._show_raw = Disclosure(self.tr("&Raw data"), words, name="showRaw")
        self._show_raw.toggled.connect(self._toggle_raw)
        about = self.tr("Copy the selected lines")
        copy = make_button("copyActivity", self.tr("&Copy"), self.copy, about=about)
        about = self.tr("Delete the selected lines for good")
        self.delete = make_button(
            "deleteActivity", self.tr("&Delete"), self.delete_wanted.emit, about=about, kind=ButtonKind.DANGER
        )
        about = self.tr("Show the rule this created, and undo it")
        text, show = self.tr("A&pprovals…"), self.approvals_wanted.emit
        self._rules = make_button("openApprovals", text, show, about=about)
        self._buttons = row(self._show_raw, 1, self._rules, copy, self.delete, spacing=GRID)
        self._place = column(spacing=GRID)
        inside = column(self._title, self._place, self._raw, 1, spacing=GRID, margins=(0, 0, GRID, 0))
        area = FittingScroll(widget_with(inside), name="detailScroll")
        self.setLayout(
            column((area, 1), self._buttons, margins=(_PAD, GRID + 4, _PAD, GRID + 4), spacing=GRID)
        )
        self.hide()

    def show_lines(self, lines: tuple[HistoryLine, ...]) -> None:
        """Show one line, or what can be done with several."""
        if lines == self._lines:
            return
        self._lines = lines
        self.setVisible(bool(lines))
        if not lines:
            return
        is_one = len(lines) == 1
        many = self.tr("{count} selected").format(count=len(lines))
        self._title.show_text(lines[0].what.text if is_one else many)
        self._draw_facts(lines[0] if is_one else None)
        self._show_raw.setVisible(is_one)
        self._show_raw.setChecked(False)
        self._raw.show_text("")
        detail = lines[0].rows[0].detail
        self._rules.setVisible(is_one and detail.get("mode") == "confirm")

    def show_contents(self, row_id: int, found: Contents | None) -> None:
        if len(self._lines) == 1 and self._lines[0].newest == row_id:
            self._raw.show_text(self._texts.raw(self._lines[0].rows[0], found))

    def copy(self) -> None:
        """Copy the lines, with the raw data if that is open."""
        text = "\n\n".join(self._texts.describe(line) for line in self._lines)
        raw = f"\n\n{self._raw.toPlainText()}" if not self._raw.isHidden() else ""
        QGuiApplication.clipboard().setText(text + raw)

    def _toggle_raw(self, on: bool) -> None:
        self._raw.setVisible(on)
        if on and self._lines:
            entry: JournalRow = self._lines[0].rows[0]
            self._raw.show_text(self._texts.raw(entry, None) if entry.kind != "call" else "")
            if entry.kind == "call":
                self.raw_wanted.emit(entry)

    def _draw_facts(self, line: HistoryLine | None) -> None:
        if self._facts is not None:
            discard(self._facts)
            self._facts = None
        if line is None:
            return
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(_PAD)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(1, 1)
        for place, (title, text) in enumerate(self._texts.facts(line)):
            head = Label(title, tone=Tone.MUTED)
            head.setWordWrap(False)
            grid.addWidget(head, place, 0, _TOP)
            grid.addWidget(Label(isolate(text), name="fact", selectable=True), place, 1)
        self._facts = widget_with(grid)
        self._place.addWidget(self._facts)
