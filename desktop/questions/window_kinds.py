"""The window class of each kind of Question. Imported when the first AI app connects."""

from __future__ import annotations

from bridge.api import Mode
from desktop.questions.base_window import QuestionWindow
from desktop.questions.confirm import ConfirmWindow
from desktop.questions.form import FormWindow
from desktop.questions.url_window import LinkWindow

WINDOWS: dict[Mode, type[QuestionWindow]] = {
    Mode.FORM: FormWindow,
    Mode.URL: LinkWindow,
    Mode.CONFIRM: ConfirmWindow,
}
