"""The reply to a call whose Question or approval expired. It must not read like a refusal. Pure."""

from __future__ import annotations

from dataclasses import replace

from bridge.core.exchange.events import CallTimedOut
from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, UNANSWERED, OwnReply
from bridge.core.questions.question import HOW_TO_BE_ASKED, LATE, NO_ROOM, Answer, Mode, Question
from bridge.core.routing.state import OpenRequest, RoutingState
from bridge.i18n import say, together


def end_unanswered(
    state: RoutingState, request: OpenRequest, question: Question, answer: Answer
) -> CallTimedOut | None:
    """Return how the call ends; None if it goes on, because its server got `cancel`.

    A call without its approval ends, and so does that of a caller without MCP, which could not understand
    what the server makes of `cancel`.
    """
    plain = _is_plain(request)
    ends = question.mode is Mode.CONFIRM or (plain and not request.conn.spec.builtin)
    return _ended(state, request, question, answer) if answer.unanswered and ends else None


def unapproved(state: RoutingState, request: OpenRequest, question: Question, answer: Answer) -> CallTimedOut:
    """Return how a call ends whose approval nobody gave through its host."""
    return _ended(state, request, replace(question, mode=Mode.CONFIRM), answer)


def _is_plain(request: OpenRequest) -> bool:
    return request.link is not None and request.link.caller.plain


def _ended(state: RoutingState, request: OpenRequest, question: Question, answer: Answer) -> CallTimedOut:
    text = _words(question, answer.unanswered)
    code = UNANSWERED if answer.unanswered == LATE else INTERNAL_ERROR
    reply = OwnReply(error=state.error_body_of(code, text)) if _is_plain(request) else request.refusal(text)
    return CallTimedOut(reply, answer.unanswered)


def _words(question: Question, why: str) -> str:
    approval = question.mode is Mode.CONFIRM
    what = say("{server} asked something in the middle of the call", server=question.server)
    if approval:
        what = say("{tool} of {server} needs an approval", tool=question.tool, server=question.server)
    if why == NO_ROOM:
        full = say(
            "Too many questions wait already, and this one was not asked. Try again when some are answered."
        )
        return say("{title}. {message}", title=what, message=full)
    if why != LATE:
        return f"{what}, and nobody can be asked here. {HOW_TO_BE_ASKED}"  # not for windows
    return together(_late(question, what), _later() if approval else "")


def _late(question: Question, what: str) -> str:
    if not question.deadline:
        return say("{what}, and nobody answered in time.", what=what)
    seconds = f"{question.deadline - question.asked_at:g}"
    return say("{what}, and nobody answered within {seconds} s.", what=what, seconds=seconds)


def _later() -> str:
    return say(
        "It was not called, and nobody said no: asking again later, when the person is there, makes sense."
    )
