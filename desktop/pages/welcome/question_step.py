"""First step: what Deskbell is, and a question to try it. It is real: a built-in tool is called."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from bridge.api import Services, Status, ToolTrial
from desktop.language import label_text
from desktop.theme.metrics import GRID, TITLE
from desktop.widgets.controls import app_picture
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.text.safe_text import one_line

_SERVER, _TOOL = "desk", "elicit_choice"
_PICTURE = 88  # pixels
_WIDE = 62  # characters


class _Reply(msgspec.Struct, frozen=True):
    action: str = ""
    value: str | None = None


class _Answer(msgspec.Struct, frozen=True):
    """The structured result of a built-in tool."""

    result: _Reply


class QuestionStep(QWidget):
    open_wanted = Signal(str)  # Question id
    answered = Signal()  # also if declined or cancelled

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._service = services.servers
        self.setObjectName("questionStep")
        self._before = 0  # number of the last ToolTrial that is not ours
        self.asking = self.done = False
        self._opened = ""
        title = Label(self.tr("Deskbell rings when AI needs you"), name="title", bold=True, scale=TITLE)
        intro = self.tr(
            "When a tool of your AI app has a question, it appears here on your desktop, and your answer "
            "goes straight back."
        )
        words = Label(intro, name="questionIntro", tone=Tone.MUTED)
        self._outcome = Label("", name="questionOutcome", bold=True, announced=True)
        for label in (title, words, self._outcome):
            label.centred = True
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            label.setMaximumWidth(self.fontMetrics().averageCharWidth() * _WIDE)
        parts = (row(1, app_picture(_PICTURE), 1), row(1, (title, 8), 1), row(1, (words, 8), 1))
        self.setLayout(column(1, *parts, row(1, (self._outcome, 8), 1), 1, spacing=2 * GRID))

    def draw(self, status: Status) -> None:
        trial = status.at_servers.trial
        if not self.asking:
            self._before = trial.number
            return
        for question in status.waiting:
            if (question.server, question.tool) == (_SERVER, _TOOL) and question.id != self._opened:
                self._opened = question.id
                self.open_wanted.emit(question.id)
        if trial.number > self._before and not trial.running:
            self.asking, self.done = False, not trial.failed
            self._tell(trial)
            self.answered.emit()

    def ring(self) -> None:
        asked = {
            "message": self.tr("This is how questions reach you. How do you like it?"),
            "label": self.tr("My answer"),
            "options": [self.tr("Just right"), self.tr("Too loud"), self.tr("Too quiet")],
        }
        self.asking = True
        self._outcome.set_tone(Tone.MUTED)
        self._outcome.show_text(self.tr("Waiting for your answer…"))
        self._service.try_tool(_SERVER, f"{_SERVER}_{_TOOL}", msgspec.json.encode(asked))

    def _tell(self, trial: ToolTrial) -> None:
        self._outcome.set_tone(Tone.ERROR if trial.failed else Tone.SUCCESS)
        if trial.failed:
            self._outcome.show_text("\n".join(label_text(block.text) for block in trial.blocks))
            return
        reply = _read(trial)
        words = {
            "accept": self.tr("✓ You answered “{answer}”. That's all there is to it."),
            "decline": self.tr("✓ You declined. That is an answer, too: the tool is told exactly that."),
        }.get(reply.action, self.tr("✓ You didn't answer. The tool is told so, and stops."))
        self._outcome.show_text(words.format(answer=one_line(reply.value or "", 80)))


def _read(trial: ToolTrial) -> _Reply:
    for block in trial.blocks:
        try:
            return msgspec.json.decode(block.text, type=_Answer).result
        except msgspec.MsgspecError:
            continue
    return _Reply()
