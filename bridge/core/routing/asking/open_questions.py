"""Questions from the moment they are asked until they are history: the Desk, its limits, its person. Pure.

Owns the Desk, the links a person has opened, flood control, and which servers were answered before. An Answer
that can be undone is held back for some seconds; its Question waits no longer, unless the person takes the
Answer back. snooze.py pauses the Desk and mutes servers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.exchange.events import Answered, CallTimedOut, Confirmed
from bridge.core.exchange.state_machine import CALLING, CONFIRM_KEY
from bridge.core.policy.url_safety import check_url
from bridge.core.protocol.elicitation import desk_content
from bridge.core.protocol.jsonrpc import Outcome, OwnReply
from bridge.core.questions.desk import AWAY, Desk, VisitedUrls
from bridge.core.questions.flood_control import FloodControl
from bridge.core.questions.question import CANCEL, CROWDED, DECLINE, EXPIRED, Action, Answer, Mode, Question
from bridge.core.routing.asking import question_history
from bridge.core.routing.asking.unanswered import end_unanswered
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import OpenRequest, RoutingState

if TYPE_CHECKING:
    from bridge.core.routing.exchange_runner import ExchangeRunner

MUTED = "muted"
MOST_ELSEWHERE = 20  # Questions answered in a host, for windows
MOST_IN_CALL = 20  # Questions in the history line of one call
MOST_MISSED = 20  # Questions that expired, for windows
ALLOWED = Answer(Action.ACCEPT)
_YES_OR_NO = (Action.ACCEPT, Action.DECLINE)


Taker = Callable[[OpenRequest, Answer], None]


@dataclass(frozen=True, slots=True)
class HeldAnswer:
    """An Answer that can still be undone. `until`: Unix time it is passed on."""

    answer: Answer
    until: float


class Questions(RouterPart):
    """`met`: identities of the servers whose questions were answered in earlier runs."""

    def __init__(self, state: RoutingState, runner: ExchangeRunner, met: Iterable[str]) -> None:
        self._state = state
        self._runner = runner
        self._emit = state.emit
        self.desk: Desk[tuple[OpenRequest, str] | None] = Desk()  # None: Deskbell itself asks
        self.visits: VisitedUrls[OpenRequest] = VisitedUrls()
        self.floods = FloodControl()
        self.elsewhere: dict[str, str] = {}  # id of a Question taken off the Desk → host that answered it
        self.missed: dict[str, Question] = {}  # that expired, until the person has seen it
        self.undoable: dict[str, HeldAnswer] = {}  # by Question id
        self.refused: list[Callable[[], None]] = []  # calls to make after the Exchange's commands
        self._takers: dict[str, Taker] = {}  # Question id → who takes its Answer in place of the Exchange
        self._met = set(met)

    def is_first(self, identity: str) -> bool:
        """True if the person has not answered this server before."""
        return identity not in self._met

    def meet(self, identity: str) -> None:
        if identity not in self._met:
            self._met.add(identity)
            self._emit(do.SaveAnswered(identity))

    # --- asking --------------------------------------------------------------------------------------

    def ask(self, request: OpenRequest, key: str, question: Question, taker: Taker | None = None) -> None:
        """Put a dated Question on the Desk, or have it refused. `taker` gets its Answer, if there is one."""
        if taker is not None:
            self._takers[question.id] = taker
        if question.mode is Mode.CONFIRM or request.conn.spec.builtin:
            question = replace(question, wants_reason=True)
        refusal = self._put(question, (request, key))
        if refusal is None:
            request.shown[key] = question.id
        else:
            self.later(partial(self._conclude, question, request, key, *refusal))

    def later(self, work: Callable[[], None]) -> None:
        """Call `work` as soon as the Exchange has carried out its event."""
        self.refused.append(work)

    def ask_own(self, event: ev.DeskbellAsked) -> None:
        question = self._state.dated(event.question)
        refusal = self._put(question, None)
        if refusal is not None:
            self._answer_own(question, *refusal)

    def _put(self, question: Question, asker: tuple[OpenRequest, str] | None) -> tuple[Answer, str] | None:
        """Show the Question; or return the Answer of one that may not wait, and its outcome for history."""
        now, server = self._state.now + self._state.offset, question.server
        if asker is not None and question.mode is Mode.URL and check_url(question.url).refusal is not None:
            text = f"{server} wanted a page opened that Deskbell never opens: {question.url[:200]!a}."
            self._emit(do.Record("notice", question.host, server, outcome="link refused", detail=text))
            return CANCEL, "link refused"
        if self.floods.muted and self.floods.is_muted(server, now):
            return DECLINE, MUTED
        waiting = self.desk.put(question, asker)
        if waiting is None:
            return CROWDED, CROWDED.unanswered
        if self.floods.asked(server, now):
            text = f"{server} asked more than {self.floods.limit} times within a minute."
            self._emit(do.Record("notice", question.host, server, outcome="flood", detail=text))
        self._emit(do.Show(waiting))
        return None

    def waiting(self) -> tuple[Question, ...]:
        """Return the Questions that wait for the person, oldest first."""
        return tuple(one for one in self.desk.waiting() if one.id not in self.undoable)

    def withdraw(self, request: OpenRequest, key: str, answered: bool = False) -> None:
        """Take back a Question of this request, if it is on the Desk. `answered`: in its host."""
        found = self.desk.take(request.shown.pop(key, ""))
        if found is None:
            return
        question = found[0]
        self._takers.pop(question.id, None)
        self.undoable.pop(question.id, None)
        self._emit(do.TakeBack(question.id, question.host if answered else ""))
        if answered:
            self.elsewhere = {**self.elsewhere, question.id: question.host}
            if len(self.elsewhere) > MOST_ELSEWHERE:
                del self.elsewhere[next(iter(self.elsewhere))]
        else:
            self.record(question, "withdrawn", request)
        self._left(question)

    def move(self, request: OpenRequest, to: OpenRequest, key: str) -> bool:
        """Have the Answer to a Question on the Desk passed to another request; False if it is not there."""
        question_id = request.shown.pop(key, "")
        if not self.desk.hand_to(question_id, (to, key)):
            return False
        to.shown[key] = question_id
        return True

    def record(
        self, question: Question, outcome: str, request: OpenRequest, answer: Answer | None = None
    ) -> None:
        """Write the end of a Question into history: a line of its own, and a part of its call's."""
        seconds = self._state.now + self._state.offset - question.asked_at
        self.recall(question_history.line(question, outcome, seconds, answer), request)

    def recall(self, record: do.Record, request: OpenRequest) -> None:
        """Write this line into history, and into that of its call."""
        self._emit(record)
        if len(request.questions) < MOST_IN_CALL:
            facts = {key: value for key, value in record.facts.items() if key != "messages"}  # long
            request.questions.append({**facts, "outcome": record.outcome})

    # --- the person answers --------------------------------------------------------------------------

    def answered(self, event: ev.PersonAnswered) -> None:
        """Take an Answer: to a Question on the Desk, or to the page of a link that was opened."""
        answer = event.answer
        if event.undo and any(one.id == event.question for one in self.waiting()):
            self.undoable[event.question] = HeldAnswer(answer, self._state.epoch + event.undo)
            return
        visitor = self.end_visit(event.question) if self.visits.open else None
        if visitor is None:
            self._settle(event.question, answer, answer.unanswered or answer.action.value)
        elif answer.action is Action.CANCEL:
            self._cancel_visit(visitor)

    def undo(self, event: ev.AnswerUndone) -> None:
        self.undoable.pop(event.question, None)

    def withdraw_own(self, event: ev.DeskbellWithdrew) -> None:
        self._settle(event.question, CANCEL, "withdrawn")

    def _settle(self, question_id: str, answer: Answer, outcome: str) -> None:
        """Take a Question off the Desk with this Answer; one that is not there was answered before."""
        self.undoable.pop(question_id, None)
        found = self.desk.take(question_id)
        if found is None:
            return
        question, asker = found
        self._emit(do.TakeBack(question.id))
        if answer is EXPIRED:
            self.missed = dict([*self.missed.items(), (question.id, question)][-MOST_MISSED:])
        if asker is None:
            self._answer_own(question, answer, outcome)
            return
        request, key = asker
        request.shown.pop(key, None)
        if question.first and outcome in _YES_OR_NO:
            self.meet(request.conn.identity)
        self._left(question, answer.action is Action.ACCEPT)
        self._conclude(question, request, key, answer, outcome)

    def decline_muted(self, server: str) -> None:
        """Decline every waiting Question of a server that the person has muted."""
        for question in [one for one in self.waiting() if one.server == server]:
            self._settle(question.id, DECLINE, MUTED)

    def _left(self, question: Question, said_yes: bool = False) -> None:
        self.floods.left(question.server, self.desk.count(question.server), said_yes)

    def _answer_own(self, question: Question, answer: Answer, outcome: str) -> None:
        """Answer Deskbell itself. What the person typed stays out of history."""
        self._left(question)
        seconds = self._state.now + self._state.offset - question.asked_at
        self._emit(question_history.line(question, outcome, seconds))
        self._emit(do.ReturnAnswer(question.id, answer))

    def conclude_refused(self) -> None:
        """Answer the Questions that could not wait, now that the Exchange is done with its event."""
        while self.refused:
            self.refused.pop(0)()

    def _conclude(
        self, question: Question, request: OpenRequest, key: str, answer: Answer, outcome: str
    ) -> None:
        """Record the Answer and pass it to the Exchange that asked, or to the taker of its Question."""
        self.record(question, outcome, request, answer)
        taker = self._takers.pop(question.id, None)
        end = end_unanswered(self._state, request, question, answer) if answer.unanswered else None
        if end is not None:
            self._runner.advance(request, end)
        elif question.mode is Mode.CONFIRM:
            self._confirmed(question, request, answer)
        elif taker is not None:
            taker(request, answer)
        else:
            if answer.action is Action.ACCEPT:
                answer = replace(answer, content=desk_content(question, answer.content))
            result = answer.result(why=request.conn.spec.builtin)
            self._runner.advance(request, Answered(key, OwnReply(result)))
            if question.mode is Mode.URL and answer.action is Action.ACCEPT:
                self._open_link(question, request)

    def _confirmed(self, question: Question, request: OpenRequest, answer: Answer) -> None:
        self._runner.advance(request, Confirmed(answer))
        state, spec = self._state, request.conn.spec
        if answer.action is not Action.ACCEPT or not (answer.always or answer.seconds):
            return
        if answer.always:
            if not spec.builtin and state.pins.approve(spec.name, request.name):
                self._emit(do.SavePins())
            if not question.change:
                table = state.policy.own_table(question.host) if answer.this_host else request.table
                self._emit(do.AllowAlways(request.public, table, question.host))
        else:
            definition = state.pins.definition(spec.name, request.name)
            until = state.now + answer.seconds
            state.allowances.add(question.host, request.public, definition, until)
        everyone = answer.always and not answer.this_host
        self._settle_same(request, "" if everyone else question.host)

    def _settle_same(self, request: OpenRequest, host: str) -> None:
        """Allow the other calls that wait for the same approval. `host`: of this host only; "": of all."""
        approved = (request.public, request.table)
        calls = [one for one in self._state.open_requests.values() if host in ("", one.tenant.name)]
        same = [one for one in calls if (one.public, one.table) == approved]
        for waiting in [one.shown[CONFIRM_KEY] for one in same if CONFIRM_KEY in one.shown]:
            self._settle(waiting, ALLOWED, ALLOWED.action.value)

    # --- the host answers ----------------------------------------------------------------------------

    def host_answered(self, question: Question, outcome: Outcome, request: OpenRequest, quick: bool) -> None:
        """Record the Answer a host brings to a Question it asked itself."""
        seconds = self._state.now + self._state.offset - question.asked_at
        self.recall(question_history.relayed(question, outcome.result, seconds, quick), request)

    # --- links that were opened ----------------------------------------------------------------------

    def _open_link(self, question: Question, request: OpenRequest) -> None:
        if request.id in self._state.open_requests:
            self.visits.begin(question, request, self._state.now + self._state.question_limit)

    def end_visit(self, question_id: str) -> OpenRequest | None:
        """Close the page of a link that is not needed any more. Return its request, whose clock restarts."""
        request = self.visits.end(question_id)
        if request is not None:
            self._emit(do.EndVisit(question_id))
            self._runner.start_clock(request)
        return request

    def awaits_person(self, request: OpenRequest) -> bool:
        """True if a person has to act before the server can go on.

        A server does not say for which of its calls it asks, so none of them times out, except those of other
        hosts where the asking host is known.
        """
        if self.visits.of(request):
            return True
        asking = (asker.tenant for asker, _ in request.conn.asked.values())
        return request.exchange.state is CALLING and any(
            tenant in (request.tenant, request.conn.tenant) for tenant in asking
        )

    def close_links(self, request: OpenRequest, elicitation_id: str = "") -> None:
        """Close the pages opened for this request: all, or those of one elicitation of its server."""
        for question_id in self.visits.of(request, elicitation_id):
            self.end_visit(question_id)

    def _cancel_visit(self, request: OpenRequest) -> None:
        """End a call because the person gave up on the page of its link."""
        text = f"The person cancelled this on the page {request.conn.spec.name} had sent them to."
        self._runner.advance(request, CallTimedOut(request.refusal(text)))

    # --- the person's presence -----------------------------------------------------------------------

    def person_left(self, event: ev.PersonLeft) -> None:
        self.desk.pause(self._state.epoch, AWAY)

    def person_returned(self, event: ev.PersonReturned) -> None:
        self.desk.resume(self._state.epoch, AWAY)

    def answer_begun(self, event: ev.AnswerBegun) -> None:
        self.desk.hold(event.question, event.on, self._state.epoch)

    def add_time(self, event: ev.TimeAdded) -> None:
        self.desk.add_time(event.question, event.seconds)

    def missed_seen(self, event: ev.MissedSeen) -> None:
        self.missed = {}

    # --- time, settings, the end ---------------------------------------------------------------------

    def time_passed(self, now: float) -> None:
        epoch = self._state.epoch
        self._pass_on(lambda held: held.until <= epoch)
        for question_id in self.desk.expired(epoch):
            if question_id not in self.undoable:
                self._settle(question_id, EXPIRED, EXPIRED.unanswered)
        for question_id in self.visits.expired(now):
            self.end_visit(question_id)

    def settings_changed(self, old: ev.SettingsChanged, new: ev.SettingsChanged) -> None:
        self.floods.limit = new.flood

    def _pass_on(self, due: Callable[[HeldAnswer], bool]) -> None:
        """Pass on the Answers that cannot be undone any more."""
        for question_id, held in [(key, one) for key, one in self.undoable.items() if due(one)]:
            self._settle(question_id, held.answer, held.answer.action.value)

    def cancel_all(self) -> None:
        """Cancel every waiting Question; an approval ends with its call. Answers held back are passed on."""
        self._pass_on(lambda held: True)
        for question in self.desk.waiting():
            if question.mode is not Mode.CONFIRM:
                self._settle(question.id, CANCEL, CANCEL.action.value)

    def shift(self, seconds: float) -> None:
        """Move all deadlines: the time of day jumped by so much."""
        self.desk.shift(seconds)
