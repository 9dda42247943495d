"""What was typed for a Question that went away before it was sent. In memory only, and never a secret."""

from __future__ import annotations

from dataclasses import dataclass

from bridge.api import Question

MOST = 50


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    question: Question
    text: str
    why: str  # what became of the Question, for the person
    at: float  # seconds since the epoch


def with_draft(drafts: tuple[AnswerDraft, ...], draft: AnswerDraft) -> tuple[AnswerDraft, ...]:
    """The newest last; the oldest go when there are too many."""
    return (*drafts, draft)[-MOST:]
