"""The window class of each kind of Question. Imported when the first AI app connects.

`preload_question_windows` does ahead of time what the first Question would wait for: styles, fonts, the
public suffix list, time zones, the tray icon with a count. Windows are built, never shown, and deleted.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from bridge.api import Mode, Question, check_url
from desktop.lazy.time_slices import END_SLICE, SlicedTask, Steps, await_thread
from desktop.questions.base_window import QuestionWindow
from desktop.questions.confirm import ConfirmWindow
from desktop.questions.form import FormWindow
from desktop.questions.popup_card import PopupCard, PopupCardContent
from desktop.questions.sampling_answers import CheckAnswerWindow, PersonAnswerWindow
from desktop.questions.sampling_consent import SamplingWindow
from desktop.questions.url_window import UrlWindow
from desktop.widgets.controls import preload_clear_button
from desktop.widgets.icons import TrayState, draw_tray_icon, tray_variant
from desktop.widgets.inputs.date_time import time_zones


def _form_window(question: Question, *, in_slices: bool = False) -> QuestionWindow:
    return (PersonAnswerWindow if question.review else FormWindow)(question, in_slices=in_slices)


def _sampling_window(question: Question, *, in_slices: bool = False) -> QuestionWindow:
    answered = question.review is not None and question.review.answer_kind
    return (CheckAnswerWindow if answered else SamplingWindow)(question, in_slices=in_slices)


WINDOWS: dict[Mode, Callable[..., QuestionWindow]] = {
    Mode.FORM: _form_window,
    Mode.URL: UrlWindow,
    Mode.CONFIRM: ConfirmWindow,
    Mode.SAMPLING: _sampling_window,
}

_SCHEMA = b"""{"type": "object", "required": ["a"], "properties": {
    "a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "boolean"}, "d": {"enum": ["x", "y"]},
    "e": {"type": "string", "format": "date-time"}, "f": {"type": "array", "items": {"enum": ["x", "y"]}}}}"""
_ADDRESS = "https://www.example.org/"
_QUESTIONS = (
    Question("", Mode.FORM, "server", "host", "*words*", "tool", schema=_SCHEMA, arguments=b"{}"),
    Question("", Mode.URL, "server", "host", "words", url=_ADDRESS),
)


def preload_question_windows(parent: QObject) -> None:
    """Preload in time slices."""
    slices = SlicedTask(parent, _steps())
    slices.done.connect(slices.deleteLater)


def _steps() -> Steps:
    yield from await_thread(_load)
    yield from draw_tray_icon(TrayState.WAITING, 1, tray_variant())
    preload_clear_button()
    yield END_SLICE
    for question in _QUESTIONS:
        window = WINDOWS[question.mode](question, in_slices=True)
        while window.building.step(blocking=True):
            yield None
        window.over = True
        window.deleteLater()
    card = PopupCard()
    card.build_ahead(PopupCardContent(_QUESTIONS[0]))
    card.deleteLater()


def _load() -> None:
    """Load what needs no widget."""
    check_url(_ADDRESS)
    time_zones()
