"""Visits: links the person has opened, as long as the call that led there goes on.

The server has its answer by then (accept means consent, no more). What is left is for the windows: to wait
with the person until the server says that it is complete, the call ends, the person says so, or time is up.
Meanwhile a person is busy, so that the call does not run out.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from bridge.core.questions.question import Question

Caller = TypeVar("Caller")


class Visit(NamedTuple, Generic[Caller]):
    question: Question
    caller: Caller
    until: float


class Visits(Generic[Caller]):
    def __init__(self) -> None:
        self._open: dict[str, Visit[Caller]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, question: Question, caller: Caller, until: float) -> None:
        self._open[question.id] = Visit(question, caller, until)

    def end(self, question_id: str) -> Caller | None:
        """Whose visit it was; None if it is over already."""
        visit = self._open.pop(question_id, None)
        return None if visit is None else visit.caller

    def of(self, caller: Caller, elicitation_id: str = "") -> list[str]:
        """The Questions whose links are still visited for this caller, or those by this id of the server."""
        return [
            visit.question.id
            for visit in self._open.values()
            if visit.caller is caller and elicitation_id in ("", visit.question.elicitation_id)
        ]

    def expired(self, now: float) -> list[str]:
        return [visit.question.id for visit in self._open.values() if visit.until <= now]

    def ids(self) -> tuple[str, ...]:
        return tuple(self._open)
