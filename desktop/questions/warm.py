"""What the first Question would wait for, done before it comes: styles, fonts, the list of public suffixes.

Windows are made and thrown away; nothing is ever shown.
"""

from __future__ import annotations

from bridge.api import Mode, Question
from desktop.questions.presenter import WINDOWS

_SCHEMA = b"""{"type": "object", "required": ["a"], "properties": {
    "a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "boolean"}, "d": {"enum": ["x", "y"]},
    "e": {"type": "string", "format": "date-time"}, "f": {"type": "array", "items": {"enum": ["x", "y"]}}}}"""
_QUESTIONS = (
    Question("", Mode.FORM, "server", "host", "*words*", "tool", schema=_SCHEMA, arguments=b"{}"),
    Question("", Mode.URL, "server", "host", "words", url="https://www.example.org/"),
)


def warm() -> None:
    for question in _QUESTIONS:
        window = WINDOWS[question.mode](question)
        window.fit()
        window.over = True
        window.deleteLater()
