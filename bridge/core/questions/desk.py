"""The Desk: Questions that wait for the person, oldest first, and who gets each Answer. And opened links.

A Question's limit counts only time in which the person could answer: all clocks stop while the Desk is paused
(the person snoozes, or is away), and one Question's clock stops while they work on its answer. A clock starts
again with the time that was left, at least MOMENT seconds. A limit shorter than MOMENT is stopped by a snooze
only.

A link stays open after its Question was answered (accept means consent, no more): windows wait with the
person until the server reports completion, the call ends, the person says so, or time is up. Meanwhile the
call does not time out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Generic, NamedTuple, TypeVar

from bridge.core.questions.question import Question

Asker = TypeVar("Asker")
MOST_OF_ONE = 100  # waiting Questions of one server through one host
MOST = 1000  # waiting Questions in all
LONGEST_PAUSE = 8 * 3600.0  # seconds a Question waits for a person who snoozes or is away
MOMENT = 60.0  # seconds a Question has at least when its clock goes on
SNOOZE, AWAY = "snooze", "away"  # why the Desk is paused


class Desk(Generic[Asker]):
    """A Question is on the Desk from the moment it is shown until it is answered, withdrawn or expired."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[Question, Asker]] = {}
        self._of: Counter[tuple[str, str]] = Counter()  # (server, host) → number of waiting Questions
        self._pauses: dict[str, float] = {}  # why the Desk is paused → Unix time it began
        self._held: set[str] = set()  # Questions whose answer the person is working on
        self._left: dict[str, float] = {}  # Question whose clock is stopped → seconds it had left

    def put(self, question: Question, asker: Asker) -> Question | None:
        """Add a Question and return it as it waits; None if there is no room.

        One server through one host has a limit of its own: it takes no other host's room.
        """
        if self._of[question.server, question.host] >= MOST_OF_ONE or len(self._waiting) >= MOST:
            return None
        self._of[question.server, question.host] += 1
        question = self._clocked(question, question.asked_at)
        self._waiting[question.id] = (question, asker)
        return question

    def take(self, question_id: str) -> tuple[Question, Asker] | None:
        """Remove a Question and return it with its asker; None if it is gone: nothing is answered twice."""
        found = self._waiting.pop(question_id, None)
        if found is not None:
            self._left.pop(question_id, None)
            self._held.discard(question_id)
            self._of -= Counter([(found[0].server, found[0].host)])
        return found

    def hand_to(self, question_id: str, asker: Asker) -> bool:
        """Have this asker get the Answer; False if the Question is gone."""
        found = self._waiting.get(question_id)
        if found is not None:
            self._waiting[question_id] = (found[0], asker)
        return found is not None

    def __len__(self) -> int:
        return len(self._waiting)

    def mark_left(self, question_id: str, left: bool) -> bool:
        """Note whether the host of a Question has stopped waiting; True if that is news."""
        question, asker = self._waiting[question_id]
        self._waiting[question_id] = (replace(question, host_left=left), asker)
        return question.host_left != left

    def waiting(self) -> tuple[Question, ...]:
        return tuple(question for question, _ in self._waiting.values())

    def count(self, server: str) -> int:
        return sum(number for (name, _), number in self._of.items() if name == server)

    def expired(self, now: float) -> tuple[str, ...]:
        """Return the Questions whose time is up; also those that wait too long for an absent person."""
        since = min(self._pauses.values(), default=now)
        waits = [q.id for q in self.waiting() if q.id in self._left and q.id not in self._held]
        late = [q for q in waits if max(since, self._waiting[q][0].asked_at) + LONGEST_PAUSE < now]
        return (*late, *(q.id for q in self.waiting() if q.deadline and q.deadline <= now))

    def pause(self, now: float, why: str = SNOOZE) -> None:
        """Stop the clocks; a second pause for the same reason changes nothing."""
        self._pauses.setdefault(why, now)
        self._redate(lambda question: self._clocked(question, now))

    def resume(self, now: float, why: str = SNOOZE) -> None:
        """Start the clocks again, each with the time it had left, unless there is another reason to pause."""
        self._pauses.pop(why, None)
        self._redate(lambda question: self._clocked(question, now))

    def hold(self, question_id: str, on: bool, now: float) -> None:
        """Stop the clock of one Question while the person works on its answer, or let it go on."""
        if question_id in self._waiting:
            (self._held.add if on else self._held.discard)(question_id)
            self._redate(lambda question: self._clocked(question, now))

    def add_time(self, question_id: str, seconds: float) -> None:
        """Give a Question this much more time; one without a clock needs none."""
        if question_id in self._left:
            self._left[question_id] += seconds
            return

        def extended(question: Question) -> Question:
            longer = question.id == question_id and question.deadline
            return replace(question, deadline=question.deadline + seconds) if longer else question

        self._redate(extended)

    def shift(self, seconds: float) -> None:
        """Move all deadlines, because the time of day jumped by this many seconds."""
        self._pauses = {why: since + seconds for why, since in self._pauses.items()}
        self._redate(lambda one: replace(one, deadline=one.deadline + seconds) if one.deadline else one)

    def _clocked(self, question: Question, now: float) -> Question:
        """Return the Question with its clock stopped or started, as the person is there or not."""
        left = self._left.get(question.id)
        if self._is_stopped(question):
            if question.deadline:
                self._left[question.id] = question.deadline - now
            return replace(question, deadline=0.0)
        if left is None:
            return question
        del self._left[question.id]
        return replace(question, deadline=now + max(left, MOMENT))

    def _is_stopped(self, question: Question) -> bool:
        if SNOOZE in self._pauses:
            return True
        limit = question.deadline - question.asked_at
        literal = question.deadline > 0 and limit < MOMENT
        return not literal and (AWAY in self._pauses or question.id in self._held)

    def _redate(self, change: Callable[[Question], Question]) -> None:
        self._waiting = {key: (change(question), asker) for key, (question, asker) in self._waiting.items()}


Caller = TypeVar("Caller")


class VisitedUrl(NamedTuple, Generic[Caller]):
    question: Question
    caller: Caller
    until: float


class VisitedUrls(Generic[Caller]):
    def __init__(self) -> None:
        self.open: dict[str, VisitedUrl[Caller]] = {}  # by Question id

    def begin(self, question: Question, caller: Caller, until: float) -> None:
        self.open[question.id] = VisitedUrl(question, caller, until)

    def end(self, question_id: str) -> Caller | None:
        """Close a link and return its caller; None if it is closed already."""
        visit = self.open.pop(question_id, None)
        return None if visit is None else visit.caller

    def of(self, caller: Caller, elicitation_id: str = "") -> list[str]:
        """Return the Questions whose links are open for this caller: all, or those of one elicitation."""
        return [
            visit.question.id
            for visit in self.open.values()
            if visit.caller is caller and elicitation_id in ("", visit.question.elicitation_id)
        ]

    def expired(self, now: float) -> list[str]:
        return [visit.question.id for visit in self.open.values() if visit.until <= now]

    def ids(self) -> tuple[str, ...]:
        return tuple(self.open)
