"""The life of one request as a state machine, from its first message to its last, even across retries.

Rule 1: everything that changes the state of a request is in this file, and TABLE is all of it. Pure:
ExchangeEvents in, ExchangeCommands out. The wire is the business of routing/exchange_runner.py and protocol/.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from typing import Any

import msgspec

from bridge.core.exchange.commands import (
    Abandon,
    Ask,
    AskConfirm,
    Call,
    Detach,
    ExchangeCommand,
    Keep,
    LetGo,
    Relay,
    ReplyToHost,
    Resume,
    Withdraw,
)
from bridge.core.exchange.events import (
    Admitted,
    Answered,
    CallRefused,
    CallTimedOut,
    Confirmed,
    ConfirmNeeded,
    ExchangeEvent,
    Expired,
    HostCouldNot,
    HostLeft,
    HostReturned,
    HostSilent,
    HostStoppedWaiting,
    HostWaitsAgain,
    LinkVisited,
    UpstreamAsked,
    UpstreamDied,
    UpstreamReplied,
    UpstreamSentAway,
    UpstreamWithdrew,
)
from bridge.core.protocol.elicitation import ServerQuestion, accepted
from bridge.core.protocol.jsonrpc import (
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    UNANSWERED,
    Outcome,
    OwnReply,
    own_error,
)
from bridge.core.questions.question import CANCEL, Action, Mode

MAX_ROUNDS = 10  # a server that asks forever is stopped
MAX_DETOURS = 3  # and so is one that sends the person to links forever
DENIED, DECLINED = "denied", "declined"  # by the settings; by the person
ASKED_TOO_OFTEN = "asked too often"
DESK_CAN = frozenset({Mode.FORM, Mode.URL})
ANYTHING = frozenset(Mode)
CANCELLED = OwnReply(CANCEL.result())
TOO_MANY_ROUNDS = own_error(
    INTERNAL_ERROR, f"The server asked for input {MAX_ROUNDS} times; the call was stopped."
)


class AskChannel(Enum):
    """How the person is reached, fixed at the Exchange's start."""

    DESK = auto()  # ask here
    HOST_WAITS = auto()  # the host takes requests while its own is open (legacy)
    HOST_RETURNS = auto()  # the host gets its request back and retries (modern)


class State(Enum):
    __hash__ = object.__hash__  # see "fast enums" below

    NEW = auto()  # not yet admitted
    CONFIRMING = auto()  # the person decides whether it may be made
    CALLING = auto()  # the upstream works
    ASKING = auto()  # a Question is open, the host waits
    AWAY = auto()  # the host was handed the Question and will return under a new id
    DONE = auto()


# Fast enums: before Python 3.12, `State.DONE` costs more than a function call, and hashing a member runs
# Enum.__hash__ in Python. Members that every message needs are bound to module globals (here, in
# protocol/revisions.py and in who_asks.py), and State, which is a key of TABLE, is hashed by identity.
CALLING, ASKING, DONE = State.CALLING, State.ASKING, State.DONE
DESK = AskChannel.DESK


class Exchange(msgspec.Struct, eq=False):
    """`request`: the host's current id of the request; empty when a server asks outside any call."""

    request: bytes
    via: AskChannel = AskChannel.DESK
    can: frozenset[Mode] = ANYTHING  # what the host can answer, when asked at all
    state: State = State.NEW
    open: dict[str, ServerQuestion] = {}  # key → Question without an answer
    held: dict[str, ServerQuestion] = {}  # key → Question asked while the host is away, for its return
    answers: dict[str, Outcome] = {}  # key → answer, collected for a retry
    ticket: bytes | None = None  # the upstream's requestState; None while its call is open
    rounds: int = 0
    detour: UpstreamSentAway | None = None
    visits: set[str] = set()  # keys of the detour's links that are not complete
    outcome: Outcome | None = None  # reply that came while the host was away
    refusal: Outcome = CANCELLED
    attended: bool = True  # False: its host stopped waiting, and the outcome is kept

    @classmethod
    def of_server(cls, via: AskChannel = AskChannel.DESK, can: frozenset[Mode] = ANYTHING) -> Exchange:
        return cls(b"", via, can, State.CALLING)

    def on(self, event: ExchangeEvent) -> list[ExchangeCommand]:
        """Apply `event`. Events the current state has no entry for arrived too late and are ignored."""
        step = TABLE[self.state].get(type(event))
        return step(self, event) if step else []

    def ask_first(
        self, questions: dict[str, ServerQuestion], answers: dict[str, Outcome], ticket: bytes
    ) -> None:
        """Have these Questions asked here before the host's retry is sent, with the answers to them."""
        self.held, self.answers, self.ticket = questions, answers, ticket

    def shift_deadlines(self, seconds: float) -> None:
        """Move the deadlines of the open Questions: the time of day jumped."""
        for key, asked in self.open.items():
            question = asked.question
            if question.deadline:
                moved = replace(question, deadline=question.deadline + seconds)
                self.open[key] = asked._replace(question=moved)

    # --- admission -----------------------------------------------------------------------------------

    def _call(self, event: Admitted) -> list[ExchangeCommand]:
        self.state = CALLING
        if self.held:  # a retry by which the host refused Questions that nobody has seen
            questions, self.held = self.held, {}
            return self._ask(UpstreamAsked(questions, self.ticket))
        return [_CALL]

    def _refuse(self, event: CallRefused) -> list[ExchangeCommand]:
        self.state = State.DONE
        return [ReplyToHost(self.request, event.outcome, DENIED)]

    def _confirm(self, event: ConfirmNeeded) -> list[ExchangeCommand]:
        self.state = State.CONFIRMING
        self.refusal = event.refusal
        return [AskConfirm(event.question)]

    def _confirmed(self, event: Confirmed) -> list[ExchangeCommand]:
        if event.answer.action is Action.ACCEPT:
            return self._call(Admitted())
        self.state = State.DONE
        return [self._conclude(self.refusal, DECLINED)]

    def _unconfirmed(self, event: HostLeft) -> list[ExchangeCommand]:
        if not self.attended:
            return []
        self.state = State.DONE
        return [Withdraw(())]

    def _not_made(self, event: UpstreamDied | CallTimedOut) -> list[ExchangeCommand]:
        self.state = State.DONE
        return [Withdraw(()), self._conclude(event.outcome, event.history)]

    # --- questions -----------------------------------------------------------------------------------

    def _ask(self, event: UpstreamAsked) -> list[ExchangeCommand]:
        if event.ticket is not None:
            self.ticket = event.ticket
            self.rounds += 1
            if self.rounds > MAX_ROUNDS:
                return self._end(TOO_MANY_ROUNDS, ASKED_TOO_OFTEN)
        self.open |= event.moved
        commands: list[ExchangeCommand] = []
        for_host: dict[str, ServerQuestion] = {}
        for key, asked in event.questions.items():
            mode = asked.question.mode
            if self.via is not AskChannel.DESK and mode in self.can and not asked.desk:
                for_host[key] = asked
            elif mode in DESK_CAN:
                self.open[key] = asked
                commands.append(Ask(key, asked))
            else:
                commands += self._take(key, nobody_can(asked.method))
        if self.state is State.AWAY:
            self.held |= for_host
            return commands
        return commands + self._hand_over(for_host) + self._settle()

    def _hand_over(self, questions: dict[str, ServerQuestion]) -> list[ExchangeCommand]:
        """Ask these Questions through the host."""
        if not questions:
            return []
        self.open |= questions
        if self.via is AskChannel.HOST_RETURNS:
            self.state = State.AWAY
        return [Relay(self.request, questions)]

    def _answered(self, event: Answered) -> list[ExchangeCommand]:
        if event.key not in self.open:
            return []
        return self._take_open(event.key, event.outcome) + self._settle()

    def _ask_here(self, event: HostCouldNot | HostSilent) -> list[ExchangeCommand]:
        asked = self.open[event.key] = self.open[event.key]._replace(desk=True)
        return [Ask(event.key, asked)]

    def _take_open(self, key: str, outcome: Outcome) -> list[ExchangeCommand]:
        """Take the first answer to an open Question; the Desk or the host, if asked as well, is told."""
        asked_twice = self.open.pop(key).desk
        withdrawn: list[ExchangeCommand] = [Withdraw((key,), answered=True)] if asked_twice else []
        return withdrawn + self._take(key, outcome)

    def _take(self, key: str, outcome: Outcome) -> list[ExchangeCommand]:
        """Pass an answer to an open call at once; collect the answers of a retry."""
        if self.ticket is None:
            return [Resume({key: outcome})]
        self.answers[key] = outcome
        return []

    def _settle(self) -> list[ExchangeCommand]:
        """Set the state after a Question was asked, answered or withdrawn."""
        if self.state is State.AWAY:
            return []
        if self.detour is not None and not all(accepted(one.result) for one in self.answers.values()):
            return self._end(self.detour.refusal, DECLINED)
        if self.open:
            self.state = State.ASKING
            return []
        if self.detour is not None:
            return self._after_links(self.detour)
        self.state = State.CALLING if self.request else State.DONE
        if self.ticket is None:
            return []
        failed = [outcome for outcome in self.answers.values() if outcome.failed]
        if failed:
            return self._end(failed[0])
        resume = Resume(self.answers, self.ticket)
        self.answers, self.ticket = {}, None
        return [resume]

    def _withdrawn(self, event: UpstreamWithdrew) -> list[ExchangeCommand]:
        if self.held.pop(event.key, None) is not None or self.open.pop(event.key, None) is None:
            return []
        return [Withdraw((event.key,)), *self._settle()]

    def _expired(self, event: Expired) -> list[ExchangeCommand]:
        asked = self.open.pop(event.key)
        return [Withdraw((event.key,)), *self._take(event.key, unanswered(asked)), *self._settle()]

    # --- links to visit first ------------------------------------------------------------------------

    def _detour(self, event: UpstreamSentAway) -> list[ExchangeCommand]:
        commands = self._close()
        self.rounds += 1
        if self.rounds > MAX_DETOURS:
            return commands + self._end(event.refusal, ASKED_TOO_OFTEN)
        self.detour, self.ticket = event, b""
        self.visits = set(event.questions)
        return commands + self._ask(UpstreamAsked(event.questions))

    def _hold_detour(self, event: UpstreamSentAway) -> list[ExchangeCommand]:
        return self._hold(UpstreamReplied(event.refusal))

    def _after_links(self, detour: UpstreamSentAway) -> list[ExchangeCommand]:
        """All links were opened: ask the person whether they are done, unless the server has said so."""
        key = detour.done.question.id
        if self.visits and key not in self.answers:
            self.state = State.ASKING
            self.open[key] = detour.done
            return [Ask(key, detour.done)]
        self.state = State.CALLING
        self.detour, self.ticket, self.answers, self.visits = None, None, {}, set()
        return [Resume({}, b"")]

    def _visited(self, event: LinkVisited) -> list[ExchangeCommand]:
        if self.detour is None:
            return []
        known = self.detour.questions
        over = {key for key in self.visits if known[key].question.elicitation_id == event.elicitation_id}
        self.visits -= over
        if over and not self.visits:
            over.add(self.detour.done.question.id)
        closed = tuple(key for key in list(self.open) if key in over and self.open.pop(key))
        return [Withdraw(closed), *self._settle()] if closed else []

    # --- the host returns ----------------------------------------------------------------------------

    def _returned(self, event: HostReturned) -> list[ExchangeCommand]:
        self.request = event.request
        self.state = State.ASKING
        commands: list[ExchangeCommand] = []
        for key, outcome in event.answers.items():
            if key in self.open:
                commands += self._take_open(key, outcome)
        if self.outcome is not None:
            return commands + self._let_go(self.outcome) + self._close() + self._end(self.outcome)
        for key in event.unshown:
            if not self.open[key].desk:
                commands += self._ask_here(HostCouldNot(key))
        again = {
            key: asked
            for key, asked in self.open.items()
            if asked.question.mode in self.can and not asked.desk
        }
        again, self.held = again | self.held, {}
        return commands + self._hand_over(again) + self._settle()

    def _hold(self, event: UpstreamReplied) -> list[ExchangeCommand]:
        """Hold the reply until the host returns. Open Questions stay open: with several calls in flight the
        server does not say which one asked."""
        self.outcome = event.outcome
        return []

    def _hold_end(self, event: UpstreamDied) -> list[ExchangeCommand]:
        self.outcome = self.outcome or event.outcome
        return self._drop_open()

    # --- the host stops waiting ----------------------------------------------------------------------

    def _go_on_alone(self, event: HostStoppedWaiting) -> list[ExchangeCommand]:
        """Go on without the host. From now on only the Desk can ask."""
        if not self.attended:
            return []
        self.attended, self.via = False, AskChannel.DESK
        return [LetGo(self.request, event.outcome)]

    def _take_up(self, event: HostWaitsAgain) -> list[ExchangeCommand]:
        self.request, self.attended = event.request, True
        return []

    # --- the end -------------------------------------------------------------------------------------

    def _reply(self, event: UpstreamReplied) -> list[ExchangeCommand]:
        if self.attended and not self.open:  # the common case
            self.state = DONE
            return [ReplyToHost(self.request, event.outcome)]
        return self._let_go(event.outcome) + self._close() + self._end(event.outcome)

    def _let_go(self, outcome: Outcome) -> list[ExchangeCommand]:
        """Give up the Questions that may be of no call: they outlive a call that succeeds without them."""
        waiting = {} if outcome.failed else {**self.open, **self.held}
        loose = {key: asked for key, asked in waiting.items() if asked.loose}
        for key in loose:
            self.open.pop(key, None)
            self.held.pop(key, None)
        return [Detach(loose)] if loose else []

    def _fail(self, event: UpstreamDied) -> list[ExchangeCommand]:
        return self._end(event.outcome)

    def _end(self, outcome: Outcome, history: str = "") -> list[ExchangeCommand]:
        dropped = self._drop_open()
        self.state = State.DONE
        return [*dropped, self._conclude(outcome, history)] if self.request else dropped

    def _conclude(self, outcome: Outcome, history: str = "") -> ExchangeCommand:
        if self.attended:
            return ReplyToHost(self.request, outcome, history)
        return Keep(outcome, history)

    def _abandon(self, event: HostLeft | CallTimedOut) -> list[ExchangeCommand]:
        if not self.attended:
            return []  # its host was gone before
        commands = self._call_off()
        self.state = State.DONE
        return commands

    def _time_out(self, event: CallTimedOut) -> list[ExchangeCommand]:
        return self._call_off() + self._end(event.outcome, event.history)

    def _call_off(self) -> list[ExchangeCommand]:
        """End the open Questions, and tell the upstream that its call is off."""
        commands = self._close()
        live = self.request and self.ticket is None and self.outcome is None
        return [*commands, Abandon()] if live else commands

    def _close(self) -> list[ExchangeCommand]:
        """End the open Questions; a server whose call is open gets an answer to each of its requests."""
        waiting = {**self.open, **self.held}
        commands = self._drop_open()
        if waiting and self.ticket is None:
            commands.append(Resume({key: unanswered(asked) for key, asked in waiting.items()}))
        return commands

    def _drop_open(self) -> list[ExchangeCommand]:
        keys = tuple(self.open)
        self.open, self.held = {}, {}
        return [Withdraw(keys)] if keys else []


def unanswered(asked: ServerQuestion) -> Outcome:
    if asked.question.mode in DESK_CAN:
        return CANCELLED
    return own_error(UNANSWERED, f"Nobody answered {asked.method}.")


def nobody_can(method: str) -> Outcome:
    return own_error(METHOD_NOT_FOUND, f"Neither the host nor Deskbell can answer {method}.")


_CALL = Call()
_Step = Callable[[Exchange, Any], list[ExchangeCommand]]
TABLE: dict[State, dict[type, _Step]] = {
    State.NEW: {
        Admitted: Exchange._call,
        ConfirmNeeded: Exchange._confirm,
        CallRefused: Exchange._refuse,
    },
    State.CONFIRMING: {
        Confirmed: Exchange._confirmed,
        UpstreamDied: Exchange._not_made,
        CallTimedOut: Exchange._not_made,
        HostLeft: Exchange._unconfirmed,
        HostStoppedWaiting: Exchange._go_on_alone,
        HostWaitsAgain: Exchange._take_up,
    },
    State.CALLING: {
        UpstreamReplied: Exchange._reply,
        UpstreamAsked: Exchange._ask,
        UpstreamSentAway: Exchange._detour,
        UpstreamDied: Exchange._fail,
        HostLeft: Exchange._abandon,
        CallTimedOut: Exchange._time_out,
        HostStoppedWaiting: Exchange._go_on_alone,
        HostWaitsAgain: Exchange._take_up,
    },
    State.ASKING: {
        UpstreamAsked: Exchange._ask,
        UpstreamSentAway: Exchange._detour,
        LinkVisited: Exchange._visited,
        Answered: Exchange._answered,
        HostCouldNot: Exchange._ask_here,
        HostSilent: Exchange._ask_here,
        Expired: Exchange._expired,
        UpstreamWithdrew: Exchange._withdrawn,
        UpstreamReplied: Exchange._reply,
        UpstreamDied: Exchange._fail,
        HostLeft: Exchange._abandon,
        CallTimedOut: Exchange._time_out,
        HostStoppedWaiting: Exchange._go_on_alone,
        HostWaitsAgain: Exchange._take_up,
    },
    State.AWAY: {
        HostReturned: Exchange._returned,
        UpstreamAsked: Exchange._ask,
        Answered: Exchange._answered,
        HostSilent: Exchange._ask_here,
        UpstreamWithdrew: Exchange._withdrawn,
        UpstreamSentAway: Exchange._hold_detour,
        LinkVisited: Exchange._visited,
        UpstreamReplied: Exchange._hold,
        UpstreamDied: Exchange._hold_end,
        HostLeft: Exchange._abandon,
        CallTimedOut: Exchange._abandon,
    },
    State.DONE: {},
}
