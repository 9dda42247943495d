"""Earlier answers and an unsent draft, offered as buttons: a press fills the form in, and sends nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QWidget

from bridge.api import AnswerDraft, EarlierAnswer
from desktop.theme.metrics import GRID, SMALL
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button
from desktop.widgets.flow_layout import flow
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column
from desktop.widgets.text.safe_text import escape_mnemonic, one_line
from desktop.widgets.text.time_text import format_time

MOST = 3
_LONGEST = 40  # characters on a button
Fill = Callable[[EarlierAnswer], object]


class EarlierBar(QWidget):
    """`words` tells an answer in words; `fill` enters it."""

    def __init__(
        self,
        answers: tuple[EarlierAnswer, ...],
        draft: AnswerDraft | None,
        words: Callable[[EarlierAnswer], str],
        fill: Fill,
    ) -> None:
        super().__init__()
        self.setObjectName("earlier")
        buttons: list[QWidget] = []
        if draft is not None:
            text = self.tr("Unsent draft · {time}").format(time=format_time(draft.at))
            buttons.append(self._button("draft", text, EarlierAnswer(dict(draft.entered), draft.at), fill))
        for place, answer in enumerate(answers):
            text = f"{one_line(words(answer), _LONGEST)} · {format_time(answer.at)}"
            buttons.append(self._button(str(place), text, answer, fill))
        title = Label(self.tr("Fill in as before:"), name="earlierTitle", tone=Tone.MUTED, scale=SMALL)
        self.setLayout(column(title, flow(*buttons, spacing=GRID), spacing=2))

    def _button(self, name: str, text: str, answer: EarlierAnswer, fill: Fill) -> QWidget:
        return make_button(
            f"earlier:{name}",
            escape_mnemonic(text),
            partial(fill, answer),
            spoken=text,
            auto_default=False,
            kind=ButtonKind.QUIET,
        )
