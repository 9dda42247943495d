"""What the person typed for a Question that went away unanswered. Never a secret."""

from __future__ import annotations

from typing import Any

import msgspec


class AnswerDraft(msgspec.Struct, frozen=True):
    id: str  # of the Question
    server: str
    tool: str = ""
    message: str = ""
    text: str = ""  # what was typed, in words
    entered: dict[str, Any] = {}  # field → what was entered (core/forms/fields.py)
    why: str = ""  # what became of the Question, for the person
    at: float = 0.0  # Unix time
