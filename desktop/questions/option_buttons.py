"""The answers of a question that one press answers, as buttons: Y and N, or 1 to 5, press them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QWidget

from bridge.api import PressAnswer
from desktop.theme.metrics import GRID
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button
from desktop.widgets.flow_layout import FlowLayout
from desktop.widgets.text.safe_text import escape_mnemonic, one_line

_LONGEST = 60  # characters on a button
translate = QCoreApplication.translate


def _label(answer: PressAnswer) -> str:
    words = {
        "yes": translate("one press", "Yes"),
        "no": translate("one press", "No"),
        "skip": translate("one press", "Skip"),
    }
    return words.get(answer.word) or one_line(answer.title, 200)


def _key(answer: PressAnswer, place: int) -> str:
    keys = {
        "yes": translate("one press", "Y", "key for Yes"),
        "no": translate("one press", "N", "key for No"),
        "skip": "",
    }
    return keys.get(answer.word, str(place + 1))


class OptionButtons(QWidget):
    """`pressed`: with the content of the answer. `keys`: the letters and digits press them, too.

    A Yes is the filled button, unless an option is the default; Skip is quiet.
    """

    pressed = Signal(bytes)

    def __init__(self, answers: tuple[PressAnswer, ...], *, keys: bool = False) -> None:
        super().__init__()
        self.setObjectName("options")
        self.buttons: list[QPushButton] = []
        self._flow = FlowLayout(self, spacing=GRID)
        marked = next((one for one in answers if one.is_default), None)
        is_question = {one.word for one in answers} >= {"yes"}
        main = marked or (answers[0] if is_question else None)
        for place, answer in enumerate(answers):
            button = self._button(answer, place, answer is main, keys)
            self._flow.addWidget(button)
            self.buttons.append(button)
        self.first_focus = self.buttons[answers.index(marked) if marked else 0]  # the default, else the first

    def add_no(self, act: Callable[[], object]) -> None:
        """Add a No that declines: the form itself has none."""
        key = translate("one press", "N", "key for No")
        text = translate("one press", "No")
        button = make_button("option:no", text, act, spoken=text, auto_default=False)
        button.setToolTip(f"{text} ({key})")
        QShortcut(QKeySequence(key), self, button.click)
        self._flow.addWidget(button)
        self.buttons.append(button)

    def _button(self, answer: PressAnswer, place: int, is_main: bool, keys: bool) -> QPushButton:
        spoken = _label(answer)
        kind = (
            ButtonKind.PRIMARY if is_main else ButtonKind.QUIET if answer.word == "skip" else ButtonKind.PLAIN
        )
        text = escape_mnemonic(one_line(spoken, _LONGEST))
        key = _key(answer, place) if keys else ""
        if key.isdigit():
            text = f"{key}  {text}"
        button = make_button(
            f"option:{place}", text, lambda: self.pressed.emit(answer.content), spoken=spoken, kind=kind,
            auto_default=False,
        )  # fmt: skip
        button.setToolTip(f"{spoken} ({key})" if key else spoken)
        if key:
            QShortcut(QKeySequence(key), self, button.click)
        return button
