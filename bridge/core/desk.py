"""The Desk: Questions that wait for the person, oldest first, and whom each answer is for."""

from __future__ import annotations

from typing import Generic, TypeVar

from bridge.core.questions import Question

Asker = TypeVar("Asker")


class Desk(Generic[Asker]):
    """A Question is on the Desk from the moment it is shown until it is answered, withdrawn or expired."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[Question, Asker]] = {}

    def put(self, question: Question, asker: Asker) -> None:
        self._waiting[question.id] = (question, asker)

    def take(self, question_id: str) -> tuple[Question, Asker] | None:
        """Off the Desk; None if it is not there any more, so that nothing is answered twice."""
        return self._waiting.pop(question_id, None)

    def waiting(self) -> tuple[Question, ...]:
        return tuple(question for question, _ in self._waiting.values())

    def expired(self, now: float) -> tuple[str, ...]:
        return tuple(q.id for q in self.waiting() if q.deadline and q.deadline <= now)
