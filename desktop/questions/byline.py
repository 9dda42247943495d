"""Who asks: an avatar, the server by its configured name, the AI app by the name people know; and details."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QToolButton, QWidget

from bridge.api import Mode, Question
from desktop.questions.asker import app_name, asker_line, avatar_of
from desktop.questions.readable_data import ReadableData, describe_json
from desktop.theme.metrics import SMALL
from desktop.theme.symbols import symbol
from desktop.widgets.chip import Chip
from desktop.widgets.controls import Disclosure, make_tool_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.tab_order import set_tab_order
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.paged_text import PagedText
from desktop.widgets.text.safe_text import full_json, one_line, readable, title_of

_NAMES = 16  # characters of server and app that stand in one line
_NOTHING = (b"", b"{}", b"null")


def tool_name(question: Question) -> str:
    """Return the tool's own title, else its name in words."""
    return one_line(question.tool_title, 120) or title_of(question.tool)


def first_time_chip() -> Chip:
    """Return the mark of a server that the person has not answered before."""
    chip = Chip(QCoreApplication.translate("Byline", "First time"), Tone.WARNING)
    chip.setObjectName("first")
    chip.setAccessibleName(QCoreApplication.translate("Byline", "First time this server asks you"))
    chip.setToolTip(chip.accessibleName())
    return chip


class Byline(QWidget):
    """`resized`: the details were opened or closed. `turned`: another Question is wanted, -1 or 1 further."""

    resized = Signal()
    turned = Signal(int)

    def __init__(self, question: Question) -> None:
        super().__init__()
        self._question = question
        self._details: QWidget | None = None  # built when first opened
        self._who = Label(self._words(question), name="who", tone=Tone.MUTED)
        self._who.setMinimumWidth(self.fontMetrics().averageCharWidth() * _NAMES)
        self._column = column(spacing=8)
        self.setLayout(self._column)
        first = [first_time_chip()] if question.first else []
        self._line = row(avatar_of(question), (self._who, 1), *first, self._pager(), spacing=8)
        self._column.addLayout(self._line)
        self.disclosure: Disclosure | None = None
        if question.tool or any(
            one.strip() not in _NOTHING for one in (question.context, question.arguments)
        ):
            self._add_disclosure()

    def show_place(self, place: int, count: int) -> None:
        """Show that this is Question `place` of `count`; count 1 or less: nothing."""
        self._turning.setVisible(count > 1)
        words = self.tr("{place} of {count}").format(place=place, count=count)
        self._place.show_text(words if count > 1 else "")

    def _words(self, question: Question) -> str:
        if question.mode is not Mode.CONFIRM:
            return asker_line(question)
        app = isolate(app_name(question))
        return self.tr("{app} · approval").format(app=app) if app else self.tr("Approval")

    def _pager(self) -> QWidget:
        self._turning = QWidget()
        self._place = Label("", name="more", tone=Tone.MUTED, scale=SMALL)
        self._place.setWordWrap(False)
        back = self._arrow("previous", self.tr("Previous question"), "chevron-left", -1)
        on = self._arrow("next", self.tr("Next question"), "chevron-right", 1)
        if self.isRightToLeft():
            back.setIcon(symbol("chevron-right", "muted"))
            on.setIcon(symbol("chevron-left", "muted"))
        self._turning.setLayout(row(back, self._place, on, spacing=2))
        self._turning.hide()
        return self._turning

    def _arrow(self, name: str, spoken: str, icon: str, way: int) -> QToolButton:
        button = make_tool_button(name, "", spoken, lambda: self.turned.emit(way))
        button.setIcon(symbol(icon, "muted"))
        button.setToolTip(spoken)
        button.setAutoRaise(True)
        return button

    def _add_disclosure(self) -> None:
        words = self.tr("Which tool asks, and what it was called with")
        self.disclosure = Disclosure(self.tr("De&tails"), words, name="details")
        self.disclosure.toggled.connect(self._toggle)
        self._line.addWidget(self.disclosure)

    def _toggle(self, on: bool) -> None:
        if self._details is None:
            self._details = QuestionDetails(self._question)
            self._details.resized.connect(self.resized)
            self._column.addWidget(self._details)
            if self.disclosure is not None:
                set_tab_order(self.disclosure, self._details)
        self._details.setVisible(on)
        self.resized.emit()


class QuestionDetails(QWidget):
    """The tool and its arguments in words; raw data one click further."""

    resized = Signal()

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.setObjectName("detailsPanel")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        pairs: list[tuple[str, str]] = []
        if question.tool and question.mode is not Mode.CONFIRM:
            pairs.append((self.tr("Tool"), f"{tool_name(question)} ({one_line(question.tool, 120)})"))
        if question.tool_about and question.mode is not Mode.CONFIRM:
            pairs.append((self.tr("About"), readable(question.tool_about)))
        raw = [one for one in (question.context, question.arguments) if one.strip() not in _NOTHING]
        for data in raw if question.mode is not Mode.CONFIRM else []:
            pairs += describe_json(data)
        self._column: QBoxLayout = column(
            ReadableData(pairs, name="arguments"), margins=(36, 0, 0, 0), spacing=4
        )
        self.setLayout(self._column)
        self._text = "\n\n".join(map(full_json, raw))
        self._raw: PagedText | None = None
        if raw:
            button = Disclosure(self.tr("Ra&w data"), self.tr("Show it as it was sent"), name="raw")
            button.toggled.connect(self._toggle)
            self._column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeading)

    def _toggle(self, on: bool) -> None:
        if self._raw is None:
            self._raw = PagedText(self._text, name="rawData", title=self.tr("Raw data"), lines=8)
            self._column.addWidget(self._raw)
        self._raw.setVisible(on)
        self.resized.emit()
