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

from bridge.core.exchange import commands as do
from bridge.core.exchange import events as ev
from bridge.core.exchange import replies
from bridge.core.exchange.commands import ExchangeCommand
from bridge.core.exchange.replies import CANCELLED, DESK_CAN, MAX_ROUNDS, TOO_MANY_ROUNDS, with_reason
from bridge.core.exchange.who_asks import DESK, AskChannel
from bridge.core.protocol.elicitation import ServerQuestion, accepted
from bridge.core.protocol.jsonrpc import Outcome
from bridge.core.questions.question import Action, Mode

MAX_DETOURS = 3  # a server that sends the person to links forever is stopped
DENIED, DECLINED = "denied", "declined"  # by the settings; by the person
ASKED_TOO_OFTEN = "asked too often"
CONFIRM_KEY = "deskbell/approval"  # of the approval, among the keys of Questions
ANYTHING = frozenset(Mode)


class State(Enum):
    __hash__ = object.__hash__  # see "fast enums" below

    NEW = auto()  # not yet admitted: the policy may wait for the server's list of tools
    CONFIRMING = auto()  # the person decides whether it may be made
    CONFIRMING_AWAY = auto()  # the host was handed the approval and will return under a new id
    CALLING = auto()  # the upstream works
    ASKING = auto()  # a Question is open, the host waits
    AWAY = auto()  # the host was handed the Question and will return under a new id
    DONE = auto()


# Fast enums: before Python 3.12, `State.DONE` costs more than a function call, and hashing a member runs
# Enum.__hash__ in Python. Members that every message needs are bound to module globals (here, in
# protocol/revisions.py and in who_asks.py), and State, which is a key of TABLE, is hashed by identity.
CALLING, ASKING, DONE = State.CALLING, State.ASKING, State.DONE


class Exchange(msgspec.Struct, eq=False):
    """`request`: the host's current id of the request; empty when a server asks outside any call."""

    request: bytes
    via: AskChannel = DESK
    can: frozenset[Mode] = ANYTHING  # what the host can answer, when asked at all
    here: frozenset[Mode] = DESK_CAN  # what is answered here, if the host cannot
    state: State = State.NEW
    open: dict[str, ServerQuestion] = {}  # key → Question without an answer
    held: dict[str, ServerQuestion] = {}  # key → Question asked while the host is away, for its return
    answers: dict[str, Outcome] = {}  # key → answer, collected for a retry
    ticket: bytes | None = None  # the upstream's requestState; None while its call is open
    rounds: int = 0
    detour: ev.UpstreamSentAway | None = None
    visits: set[str] = set()  # keys of the detour's links that are not complete
    outcome: Outcome | None = None  # reply that came while the host was away
    refusal: Outcome = CANCELLED
    attended: bool = True  # False: its host stopped waiting, and the outcome is kept

    @classmethod
    def of_server(
        cls,
        via: AskChannel = DESK,
        can: frozenset[Mode] = ANYTHING,
        here: frozenset[Mode] = DESK_CAN,
    ) -> Exchange:
        return cls(b"", via, can, here, State.CALLING)

    def on(self, event: ev.ExchangeEvent) -> list[ExchangeCommand]:
        """Apply `event`. Events the current state has no entry for arrived too late and are ignored."""
        step = TABLE[self.state].get(type(event))
        return step(self, event) if step else []

    def ask_first(
        self, questions: dict[str, ServerQuestion], answers: dict[str, Outcome], ticket: bytes
    ) -> None:
        """Have these Questions asked here before the host's retry is sent, with the answers to them."""
        self.held, self.answers, self.ticket = questions, answers, ticket

    def retry_here(self, questions: dict[str, ServerQuestion], ticket: bytes) -> None:
        """Have these Questions asked here, and the retry sent, in place of the host that got them."""
        self.ask_first(questions, {}, ticket)
        self.attended = False

    def shift_deadlines(self, seconds: float) -> None:
        """Move the deadlines of the open Questions: the time of day jumped."""
        for key, asked in self.open.items():
            question = asked.question
            if question.deadline:
                moved = replace(question, deadline=question.deadline + seconds)
                self.open[key] = asked._replace(question=moved)

    # --- admission -----------------------------------------------------------------------------------

    def _call(self, event: ev.Admitted) -> list[ExchangeCommand]:
        self.state = CALLING
        if self.held:  # a retry by which the host refused Questions that nobody has seen
            questions, self.held = self.held, {}
            return self._ask(ev.UpstreamAsked(questions, self.ticket))
        return [_CALL]

    def _refuse(self, event: ev.CallRefused) -> list[ExchangeCommand]:
        self.state = State.DONE
        return [do.ReplyToHost(self.request, event.outcome, DENIED)]

    def _wait(self, event: ev.CheckNeeded) -> list[ExchangeCommand]:
        return []

    def _leave(self, event: ev.HostLeft) -> list[ExchangeCommand]:
        self.state = State.DONE
        return []

    def _confirm(self, event: ev.ConfirmNeeded) -> list[ExchangeCommand]:
        self.state = State.CONFIRMING
        self.refusal = event.refusal
        if event.through_host is None:
            return [do.AskConfirm(event.question)]
        self.open = {CONFIRM_KEY: event.through_host}
        return self._confirm_through_host()

    def _confirm_through_host(self) -> list[ExchangeCommand]:
        returns = self.via is AskChannel.HOST_RETURNS
        self.state = State.CONFIRMING_AWAY if returns else State.CONFIRMING
        return [do.Relay(self.request, self.open)]

    def _confirm_returned(self, event: ev.HostReturned) -> list[ExchangeCommand]:
        """Wait for `Confirmed`, which follows an answer; hand the Question back again without one."""
        self.request, self.state = event.request, State.CONFIRMING
        return [] if CONFIRM_KEY in event.answers else self._confirm_through_host()

    def _confirmed(self, event: ev.Confirmed) -> list[ExchangeCommand]:
        self.open = {}
        if event.answer.action is Action.ACCEPT:
            return self._call(ev.Admitted())
        self.state = State.DONE
        return [self._conclude(with_reason(self.refusal, event.answer.reason), DECLINED)]

    def _unconfirmed(self, event: ev.HostLeft | ev.CallTimedOut | ev.UpstreamDied) -> list[ExchangeCommand]:
        if not self.attended:
            return []
        self.state = State.DONE
        return [do.Withdraw(())]

    def _not_made(self, event: ev.UpstreamDied | ev.CallTimedOut) -> list[ExchangeCommand]:
        self.state = State.DONE
        return [do.Withdraw(()), self._conclude(event.outcome, event.history)]

    # --- questions -----------------------------------------------------------------------------------

    def _ask(self, event: ev.UpstreamAsked) -> list[ExchangeCommand]:
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
            elif mode in self.here:
                self.open[key] = asked
                commands.append(do.Ask(key, asked))
            else:
                commands += self._take(key, replies.nobody_can(asked.method))
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
        return [do.Relay(self.request, questions)]

    def _answered(self, event: ev.Answered) -> list[ExchangeCommand]:
        if event.key not in self.open:
            return []
        return self._take_open(event.key, event.outcome) + self._settle()

    def _ask_here(self, event: ev.HostCouldNot | ev.HostSilent) -> list[ExchangeCommand]:
        asked = self.open[event.key] = self.open[event.key]._replace(desk=True)
        return [do.Ask(event.key, asked)]

    def _take_open(self, key: str, outcome: Outcome) -> list[ExchangeCommand]:
        """Take the first answer to an open Question; the Desk or the host, if asked as well, is told."""
        asked_twice = self.open.pop(key).desk
        withdrawn: list[ExchangeCommand] = [do.Withdraw((key,), answered=True)] if asked_twice else []
        return withdrawn + self._take(key, outcome)

    def _take(self, key: str, outcome: Outcome) -> list[ExchangeCommand]:
        """Pass an answer to an open call at once; collect the answers of a retry."""
        if self.ticket is None:
            return [do.Resume({key: outcome})]
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
        resume = do.Resume(self.answers, self.ticket)
        self.answers, self.ticket = {}, None
        return [resume]

    def _withdrawn(self, event: ev.UpstreamWithdrew) -> list[ExchangeCommand]:
        if self.held.pop(event.key, None) is not None or self.open.pop(event.key, None) is None:
            return []
        return [do.Withdraw((event.key,)), *self._settle()]

    def _expired(self, event: ev.Expired) -> list[ExchangeCommand]:
        asked = self.open.pop(event.key)
        outcome = event.outcome or replies.unanswered(asked)
        return [do.Withdraw((event.key,)), *self._take(event.key, outcome), *self._settle()]

    # --- links to visit first ------------------------------------------------------------------------

    def _detour(self, event: ev.UpstreamSentAway) -> list[ExchangeCommand]:
        commands = self._close()
        self.rounds += 1
        if self.rounds > MAX_DETOURS:
            return commands + self._end(event.refusal, ASKED_TOO_OFTEN)
        self.detour, self.ticket = event, b""
        self.visits = set(event.questions)
        return commands + self._ask(ev.UpstreamAsked(event.questions))

    def _hold_detour(self, event: ev.UpstreamSentAway) -> list[ExchangeCommand]:
        return self._hold(ev.UpstreamReplied(event.refusal))

    def _after_links(self, detour: ev.UpstreamSentAway) -> list[ExchangeCommand]:
        """All links were opened: ask the person whether they are done, unless the server has said so."""
        key = detour.done.question.id
        if self.visits and key not in self.answers:
            self.state = State.ASKING
            self.open[key] = detour.done
            return [do.Ask(key, detour.done)]
        self.state = State.CALLING
        self.detour, self.ticket, self.answers, self.visits = None, None, {}, set()
        return [do.Resume({}, b"")]

    def _visited(self, event: ev.UrlVisited) -> list[ExchangeCommand]:
        if self.detour is None:
            return []
        known = self.detour.questions
        over = {key for key in self.visits if known[key].question.elicitation_id == event.elicitation_id}
        self.visits -= over
        if over and not self.visits:
            over.add(self.detour.done.question.id)
        closed = tuple(key for key in list(self.open) if key in over and self.open.pop(key))
        return [do.Withdraw(closed), *self._settle()] if closed else []

    # --- the host returns ----------------------------------------------------------------------------

    def _returned(self, event: ev.HostReturned) -> list[ExchangeCommand]:
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
                commands += self._ask_here(ev.HostCouldNot(key))
        again = {k: one for k, one in self.open.items() if one.question.mode in self.can and not one.desk}
        again, self.held = again | self.held, {}
        return commands + self._hand_over(again) + self._settle()

    def _hold(self, event: ev.UpstreamReplied) -> list[ExchangeCommand]:
        """Hold the reply until the host returns. Open Questions stay open: with several calls in flight the
        server does not say which one asked."""
        self.outcome = event.outcome
        return []

    def _hold_end(self, event: ev.UpstreamDied) -> list[ExchangeCommand]:
        self.outcome = self.outcome or event.outcome
        return self._drop_open()

    # --- the host stops waiting ----------------------------------------------------------------------

    def _go_on_alone(self, event: ev.HostStoppedWaiting) -> list[ExchangeCommand]:
        """Go on without the host. From now on only the Desk can ask."""
        if not self.attended:
            return []
        self.attended, self.via = False, DESK
        return [do.LetGo(self.request, event.outcome)]

    def _expect_no_return(self, event: ev.HostStoppedWaiting) -> list[ExchangeCommand]:
        """Go on without the host that was handed Questions: the Desk has those, and asks what came since."""
        self.attended, self.via, self.state = False, DESK, ASKING
        if self.outcome is not None:
            return self._let_go(self.outcome) + self._close() + self._end(self.outcome)
        unseen, self.held = self.held, {}
        self.open |= unseen
        return [do.Ask(key, asked) for key, asked in unseen.items()] + self._settle()

    def _take_up(self, event: ev.HostWaitsAgain) -> list[ExchangeCommand]:
        self.request, self.attended = event.request, True
        return []

    # --- the end -------------------------------------------------------------------------------------

    def _reply(self, event: ev.UpstreamReplied) -> list[ExchangeCommand]:
        if self.attended and not self.open:  # the common case
            self.state = DONE
            return [do.ReplyToHost(self.request, event.outcome)]
        return self._let_go(event.outcome) + self._close() + self._end(event.outcome)

    def _let_go(self, outcome: Outcome) -> list[ExchangeCommand]:
        """Give up the Questions that may belong to no call: they stay open after a call that succeeds without
        them."""
        waiting = {} if outcome.failed else {**self.open, **self.held}
        loose = {key: asked for key, asked in waiting.items() if asked.loose}
        for key in loose:
            self.open.pop(key, None)
            self.held.pop(key, None)
        return [do.Detach(loose)] if loose else []

    def _fail(self, event: ev.UpstreamDied | ev.CallTimedOut) -> list[ExchangeCommand]:
        return self._end(event.outcome)

    def _end(self, outcome: Outcome, history: str = "") -> list[ExchangeCommand]:
        dropped = self._drop_open()
        self.state = State.DONE
        return [*dropped, self._conclude(outcome, history)] if self.request else dropped

    def _conclude(self, outcome: Outcome, history: str = "") -> ExchangeCommand:
        if self.attended:
            return do.ReplyToHost(self.request, outcome, history)
        return do.Keep(outcome, history)

    def _abandon(self, event: ev.HostLeft | ev.CallTimedOut) -> list[ExchangeCommand]:
        if not self.attended:
            return []  # its host had left before
        commands = self._cancel_everything()
        self.state = State.DONE
        return commands

    def _time_out(self, event: ev.CallTimedOut) -> list[ExchangeCommand]:
        return self._cancel_everything() + self._end(event.outcome, event.history)

    def _cancel_everything(self) -> list[ExchangeCommand]:
        """End the open Questions, and cancel the upstream's call."""
        commands = self._close()
        live = self.request and self.ticket is None and self.outcome is None
        return [*commands, do.Abandon()] if live else commands

    def _close(self) -> list[ExchangeCommand]:
        """End the open Questions; a server whose call is open gets an answer to each of its requests."""
        waiting = {**self.open, **self.held}
        commands = self._drop_open()
        if waiting and self.ticket is None:
            commands.append(do.Resume({key: replies.unanswered(asked) for key, asked in waiting.items()}))
        return commands

    def _drop_open(self) -> list[ExchangeCommand]:
        keys = tuple(self.open)
        self.open, self.held = {}, {}
        return [do.Withdraw(keys)] if keys else []


_CALL = do.Call()
_Step = Callable[[Exchange, Any], list[ExchangeCommand]]
TABLE: dict[State, dict[type, _Step]] = {
    State.NEW: {
        ev.Admitted: Exchange._call,
        ev.ConfirmNeeded: Exchange._confirm,
        ev.CallRefused: Exchange._refuse,
        ev.CheckNeeded: Exchange._wait,
        ev.UpstreamDied: Exchange._fail,
        ev.CallTimedOut: Exchange._fail,
        ev.HostLeft: Exchange._leave,
    },
    State.CONFIRMING: {
        ev.Confirmed: Exchange._confirmed,
        ev.UpstreamDied: Exchange._not_made,
        ev.CallTimedOut: Exchange._not_made,
        ev.HostLeft: Exchange._unconfirmed,
        ev.HostStoppedWaiting: Exchange._go_on_alone,
        ev.HostWaitsAgain: Exchange._take_up,
    },
    State.CONFIRMING_AWAY: {
        ev.HostReturned: Exchange._confirm_returned,
        ev.UpstreamDied: Exchange._unconfirmed,
        ev.CallTimedOut: Exchange._unconfirmed,
        ev.HostLeft: Exchange._unconfirmed,
    },
    State.CALLING: {
        ev.UpstreamReplied: Exchange._reply,
        ev.UpstreamAsked: Exchange._ask,
        ev.UpstreamSentAway: Exchange._detour,
        ev.UpstreamDied: Exchange._fail,
        ev.HostLeft: Exchange._abandon,
        ev.CallTimedOut: Exchange._time_out,
        ev.HostStoppedWaiting: Exchange._go_on_alone,
        ev.HostWaitsAgain: Exchange._take_up,
    },
    State.ASKING: {
        ev.UpstreamAsked: Exchange._ask,
        ev.UpstreamSentAway: Exchange._detour,
        ev.UrlVisited: Exchange._visited,
        ev.Answered: Exchange._answered,
        ev.HostCouldNot: Exchange._ask_here,
        ev.HostSilent: Exchange._ask_here,
        ev.Expired: Exchange._expired,
        ev.UpstreamWithdrew: Exchange._withdrawn,
        ev.UpstreamReplied: Exchange._reply,
        ev.UpstreamDied: Exchange._fail,
        ev.HostLeft: Exchange._abandon,
        ev.CallTimedOut: Exchange._time_out,
        ev.HostStoppedWaiting: Exchange._go_on_alone,
        ev.HostWaitsAgain: Exchange._take_up,
    },
    State.AWAY: {
        ev.HostReturned: Exchange._returned,
        ev.UpstreamAsked: Exchange._ask,
        ev.Answered: Exchange._answered,
        ev.HostSilent: Exchange._ask_here,
        ev.HostStoppedWaiting: Exchange._expect_no_return,
        ev.UpstreamWithdrew: Exchange._withdrawn,
        ev.UpstreamSentAway: Exchange._hold_detour,
        ev.UrlVisited: Exchange._visited,
        ev.UpstreamReplied: Exchange._hold,
        ev.UpstreamDied: Exchange._hold_end,
        ev.HostLeft: Exchange._abandon,
        ev.CallTimedOut: Exchange._abandon,
    },
    State.DONE: {},
}
