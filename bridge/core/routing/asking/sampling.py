"""Answer `sampling/createMessage` here: by a model, after the person agreed, or by the person. Pure.

The host comes first, if it declares what the request needs (core/exchange). Owns the budgets, and what is
sent to models. A request is kept until its answer, and then only in the history.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.exchange.events import Answered, ExchangeEvent, UpstreamDied
from bridge.core.ports import ServerSpec
from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    UNANSWERED,
    OwnReply,
)
from bridge.core.questions.question import Action, Answer, Mode, Question
from bridge.core.questions.sampling_review import DATA
from bridge.core.routing.asking import question_history
from bridge.core.routing.asking.model_proxy_policy import ModelProxyPolicy, calls, count
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import OpenRequest, RoutingState
from bridge.core.sampling import completion, edits, kept_messages, params, review, structured
from bridge.core.sampling.budget import Budget, Usage
from bridge.core.sampling.content import BadParams
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.params import SamplingRequest
from bridge.core.sampling.rules import PERSON, SAMPLING_MODES
from bridge.i18n import say

if TYPE_CHECKING:
    from bridge.core.routing.exchange_runner import ExchangeRunner

REFUSALS = 2  # of one host, before it is not asked any more
REJECTED = -1  # "User rejected sampling request", as the specification has it
_REJECTED = "User rejected sampling request"
_YES = Answer(Action.ACCEPT)
_TEXT_FORM = msgspec.json.encode(
    {
        "type": "object",
        "properties": {"answer": {"type": "string", "title": "Your answer", "maxLength": 100_000}},
        "required": ["answer"],
    }
)


class _Sample(msgspec.Struct, eq=False):
    """One request of a server for a model, from asking the person until the answer."""

    asker: OpenRequest
    key: str
    question: Question
    params: bytes
    sampling_request: SamplingRequest
    model: ModelSpec | None
    started: float = 0.0  # Unix time
    tokens_in: int = 0
    tokens_out: int = 0
    check_answer: bool = False  # the person sees the answer before it is returned


class Sampling(RouterPart):
    def __init__(self, state: RoutingState, runner: ExchangeRunner) -> None:
        self._state = state
        self._runner = runner
        self._questions = runner.questions
        self.budget = Budget()
        self.proxy_policy = ModelProxyPolicy(state, self.budget)
        self.running: dict[str, _Sample] = {}  # id of the Question → what a model works on

    # --- hosts that refuse ---------------------------------------------------------------------------

    def host_refused(self, request: OpenRequest, mode: Mode) -> None:
        """Count the requests for its model that a host answered with an error."""
        if mode in SAMPLING_MODES:
            request.tenant.sampling_refusals += 1

    def passes_by_host(self, request: OpenRequest, mode: Mode) -> bool:
        """True if this host has refused too often: requests that can be answered here skip it."""
        refused = request.tenant.sampling_refusals >= REFUSALS
        return refused and mode in SAMPLING_MODES and mode in request.conn.here

    # --- asking --------------------------------------------------------------------------------------

    def ask(self, request: OpenRequest, key: str, asked: ServerQuestion) -> None:
        """Find out who answers: a model, which needs consent, or the person."""
        spec, rules = request.conn.spec, self._state.settings.sampling
        try:
            wanted = params.read(asked.params)
            model = rules.model_for(spec, wanted)
            if model is not None:
                model.provider.body(wanted, model.dialect)  # names what this provider cannot take
        except BadParams as error:
            self._refuse(request, key, asked.question, INVALID_PARAMS, str(error))
            return
        sample = _Sample(request, key, asked.question, asked.params, wanted, model)
        if self._is_background(request) and spec.name not in rules.background:
            text = f"{_REJECTED}: {spec.name} may not use models outside a call."
            self._refuse(request, key, asked.question, REJECTED, text)
        elif model is not None:
            self._ask_consent(sample, model)
        elif rules.asks_person(spec, self._state.has_desk) and (
            wanted.schema is not None or not wanted.tools
        ):
            self._ask_person(sample)
        else:
            code = INVALID_PARAMS if wanted.tools else METHOD_NOT_FOUND
            text = f"No model that {spec.name} may use can answer {asked.method}."
            self._refuse(request, key, asked.question, code, text)

    def _is_background(self, request: OpenRequest) -> bool:
        """True if the server asks while none of its calls is under way."""
        return not request.exchange.request and not request.task and next(calls(request.conn), None) is None

    def _refuse(self, request: OpenRequest, key: str, question: Question, code: int, text: str) -> None:
        """Answer with an error as soon as the Exchange has carried out its event."""
        self._questions.later(partial(self._end_refused, request, key, question, code, text))

    def _end_refused(self, request: OpenRequest, key: str, question: Question, code: int, text: str) -> None:
        record = question_history.line(question, "refused", 0.0)
        self._questions.recall(msgspec.structs.replace(record, detail=text), request)
        self._fail(request, key, code, text)

    def _fail(self, request: OpenRequest, key: str, code: int, text: str) -> None:
        """Answer the server with an error. One that waits for a retry cannot get any: its call ends, and is
        not retried without the answer, because servers would ask again."""
        event: ExchangeEvent = Answered(key, self._state.own_error(code, text))
        if request.exchange.ticket is not None:
            event = UpstreamDied(request.refusal(text))
        self._runner.advance(request, event)

    def _ask_consent(self, sample: _Sample, model: ModelSpec) -> None:
        state, server = self._state, sample.asker.conn.spec.name
        why = self.budget.exceeded(server, state.epoch, sample.asker.samples)
        if server in state.settings.sampling.allow and not why:
            most = self.budget.capped(server, state.epoch, sample.sampling_request.max_tokens)
            sample.sampling_request = replace(sample.sampling_request, max_tokens=most)
            self._start(sample, model)
            return
        seen = review.review(sample.sampling_request, model, why)
        sample.question = replace(sample.question, mode=Mode.SAMPLING, message=review.text(seen), review=seen)
        self._questions.ask(
            sample.asker, sample.key, sample.question, partial(self._consented, sample, model)
        )

    def _consented(self, sample: _Sample, model: ModelSpec, request: OpenRequest, answer: Answer) -> None:
        """Take the person's decision; `content` has the params that the person changed."""
        sample.asker = request  # its call may have ended meanwhile
        if answer.action is not Action.ACCEPT:
            self._rejected(sample, answer)
            return
        if answer.content:
            try:
                sample.sampling_request = edits.edited(sample.params, answer.content)
            except BadParams as error:
                self._fail(sample.asker, sample.key, INVALID_PARAMS, str(error))
                return
        sample.check_answer = answer.check_answer
        self._start(sample, model)
        if answer.always:
            server = sample.asker.conn.spec.name
            self._state.emit(do.AllowSampling(server))
            for one in self._questions.desk.waiting():
                seen = one.review
                if one.server == server and one.mode is Mode.SAMPLING and seen and not seen.answer_kind:
                    self._questions.answered(ev.PersonAnswered(one.id, _YES))

    def _rejected(self, sample: _Sample, answer: Answer) -> None:
        code, text = (UNANSWERED, "Nobody allowed it.") if answer.unanswered else (REJECTED, _REJECTED)
        self._fail(sample.asker, sample.key, code, text)

    def _ask_person(self, sample: _Sample) -> None:
        schema = sample.sampling_request.schema
        seen = review.review(sample.sampling_request, None, _why_person(sample.asker.conn.spec))
        exchange = tuple(kept_messages.asked(sample.sampling_request))
        seen = replace(seen, structured=schema is not None, exchange=exchange)
        form = _TEXT_FORM if schema is None else msgspec.json.encode(schema)
        question = replace(
            sample.question, mode=Mode.FORM, message=review.text(seen), schema=form, review=seen
        )
        self._questions.ask(sample.asker, sample.key, question, partial(self._person_answered, sample))

    def _person_answered(self, sample: _Sample, request: OpenRequest, answer: Answer) -> None:
        sample.asker = request
        if answer.action is not Action.ACCEPT:
            self._rejected(sample, answer)
            return
        content = msgspec.json.decode(answer.content or b"{}")
        schema = sample.sampling_request.schema
        if schema is None:
            result = completion.person_result(str(content.get("answer", "")))
        else:
            content, problem = structured.check(content, schema)
            if problem:
                text = f"The person's answer is not valid: {problem}"
                self._fail(sample.asker, sample.key, INTERNAL_ERROR, text)
                return
            result = completion.structured_result(sample.sampling_request, content, completion.PERSON)
        self._runner.advance(sample.asker, Answered(sample.key, OwnReply(msgspec.json.encode(result))))

    # --- a model works -------------------------------------------------------------------------------

    def _start(self, sample: _Sample, model: ModelSpec) -> None:
        state, server = self._state, sample.asker.conn.spec.name
        count(sample.asker)
        sample.started = state.epoch
        self.budget.sent(server, state.epoch)
        self.running[sample.question.id] = sample
        state.emit(do.AskModel(sample.question.id, server, model, sample.sampling_request))

    def used(self, event: ev.ModelUsed) -> None:
        """Count the tokens of one attempt, also of one that was cancelled."""
        self.budget.spend(event.server, event.tokens_in, event.tokens_out, self._state.epoch)
        self._state.emit(do.SaveUsage())
        sample = self.running.get(event.sample)
        if sample is not None:
            sample.tokens_in += event.tokens_in
            sample.tokens_out += event.tokens_out

    def sampled(self, event: ev.Sampled) -> None:
        """Take a model's answer; one that nobody waits for any more is dropped."""
        sample = self.running.pop(event.sample, None)
        if sample is None:
            return
        if event.problem:
            self._record(sample, "failed", detail=event.problem)
            self._fail(sample.asker, sample.key, event.code or INTERNAL_ERROR, event.problem)
        else:
            self._record(sample, "answered", event.result)
            if sample.check_answer or self._state.settings.sampling.check_answers:
                self._ask_to_return(sample, event.result)
            else:
                self._runner.advance(sample.asker, Answered(sample.key, OwnReply(event.result)))

    def _ask_to_return(self, sample: _Sample, result: bytes) -> None:
        """Show the model's answer to the person, who may change it or keep it back."""
        request = sample.sampling_request
        kind, words = edits.answer_text(request, msgspec.json.decode(result))
        seen = replace(review.review(request, sample.model), answer_kind=kind, answer=words)
        question = self._state.dated(
            sample.question,
            id=f"{sample.question.id}-answer",
            mode=Mode.SAMPLING,
            message=review.text(seen),
            schema=msgspec.json.encode(request.schema) if kind == DATA else b"",
            review=seen,
        )
        taker = partial(self._checked, sample, result)
        self._questions.ask(sample.asker, sample.key, question, taker)
        self._questions.conclude_refused()

    def _checked(self, sample: _Sample, result: bytes, request: OpenRequest, answer: Answer) -> None:
        """Return the model's answer, with the person's changes; `content` has the `answer` as changed."""
        sample.asker = request
        if answer.action is not Action.ACCEPT:
            self._rejected(sample, answer)
            return
        if answer.content:
            words = str(msgspec.json.decode(answer.content)["answer"])
            try:
                changed = edits.edited_answer(sample.sampling_request, msgspec.json.decode(result), words)
            except BadParams as error:
                self._fail(sample.asker, sample.key, INTERNAL_ERROR, str(error))
                return
            result = msgspec.json.encode(changed)
        self._runner.advance(sample.asker, Answered(sample.key, OwnReply(result)))

    def _record(self, sample: _Sample, outcome: str, result: bytes = b"", detail: str = "") -> None:
        """Write a line of history: which model, how many tokens, and the beginning of what was said."""
        question = sample.question
        if not question.message:
            seen = review.review(sample.sampling_request, sample.model)
            question = replace(question, message=review.text(seen))
        took = self._state.epoch - sample.started
        made = question_history.line(replace(question, mode=Mode.SAMPLING), outcome, took)
        facts: dict[str, object] = {
            **made.facts,
            "tokens in": sample.tokens_in,
            "tokens out": sample.tokens_out,
        }
        facts["model"] = sample.model.name if sample.model is not None else completion.PERSON
        if result:
            content = msgspec.json.decode(result)["content"]
            facts |= kept_messages.facts(sample.sampling_request, content)
        made = msgspec.structs.replace(made, facts=facts, detail=detail)
        self._questions.recall(made, sample.asker)

    def withdraw(self, request: OpenRequest, key: str) -> None:
        """Stop the model that works on this request's Question, if one does."""
        for sample_id, sample in list(self.running.items()):
            if sample.asker is request and sample.key == key:
                del self.running[sample_id]
                self._state.emit(do.StopSample(sample_id))
                self._record(sample, "withdrawn")

    def move(self, request: OpenRequest, to: OpenRequest, key: str) -> bool:
        """Have a model's answer passed to another request; False if no model works on it."""
        found = [one for one in self.running.values() if one.asker is request and one.key == key]
        for sample in found:
            sample.asker = to
        return bool(found)

    # --- settings ------------------------------------------------------------------------------------

    def settings_changed(self, old: ev.SettingsChanged, new: ev.SettingsChanged) -> None:
        self.budget.limits = new.sampling.limits

    def load_usage(self, usage: dict[str, Usage]) -> None:
        """Load the use of models by servers in earlier runs."""
        self.budget.usage.update(usage)


def _why_person(spec: ServerSpec) -> str:
    """Tell the person who answers how to have a model do it; "" if they chose to."""
    if spec.sampling == PERSON:
        return ""
    return say("None of your models can answer this. Choose one under Models, and you will not be asked.")
