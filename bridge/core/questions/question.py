"""A Question to the person, and the Answer to it. Frozen values, safe to send between threads.

A Question has no look: which window shows it is the Presenter's choice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import msgspec

from bridge.core.questions.sampling_review import SamplingReview


class Mode(StrEnum):
    """What kind of answer a Question wants."""

    FORM = "form"
    URL = "url"
    CONFIRM = "confirm"  # ours: the approval of a call
    SAMPLING = "sampling"  # on the Desk: consent to send a request to a model
    SAMPLING_TOOLS = "sampling-tools"  # sampling with tools, which fewer hosts know; never on the Desk
    ROOTS = "roots"  # only a host can answer; never on the Desk
    OTHER = "other"  # an unknown method; only a host can answer it


class Action(StrEnum):
    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Question:
    """`server` is the name the person configured, never what the server calls itself."""

    id: str
    mode: Mode
    server: str
    host: str
    message: str = ""
    tool: str = ""
    schema: bytes = b""  # requestedSchema as it was sent
    url: str = ""
    arguments: bytes = b""  # of the call that asks, JSON, shown on demand
    context: bytes = b""  # what the server tells beside its message, JSON, shown on demand
    elicitation_id: str = ""
    asked_at: float = 0.0  # Unix time
    deadline: float = 0.0  # Unix time; 0: none
    first: bool = False  # this server has not been answered before
    follows: str = ""  # id of the URL Question whose visit this one asks about
    ours: bool = False  # Deskbell itself asks
    consent: bool = False  # a yes has consequences that Deskbell itself brings about
    wants_reason: bool = False  # the person's reason for declining is sent with the answer
    host_left: bool = False  # the host stopped waiting; the answer is kept for its next try
    # CONFIRM only:
    tool_title: str = ""  # the tool's own title; "": it has none
    tool_about: str = ""  # the tool's own description
    scope: str = ""  # the host that "Allow always" would be for; "": all hosts
    hints: tuple[str, ...] = ()  # the server's annotations of the tool (core/policy/tool_pins.py)
    change: str = ""  # diff of the tool against the allowed definition
    # SAMPLING, and FORM where the person answers in place of a model:
    review: SamplingReview | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """`content` is the JSON object the person filled in; only an accepted form has one."""

    action: Action
    content: bytes = b""
    always: bool = False  # CONFIRM and SAMPLING: allow this tool, or this server's requests, from now on
    check_answer: bool = False  # SAMPLING only: show the model's answer before it is returned
    unanswered: str = ""  # CANCEL only: why nobody answered (see below)
    reason: str = ""  # DECLINE and CANCEL: why, in the person's words; for our own servers and approvals
    this_host: bool = False  # CONFIRM with `always`: for the host that asked only
    seconds: float = 0.0  # CONFIRM: allow this tool for so long, for the host that asked, without a rule

    def result(self, why: bool = False) -> bytes:
        """Return an ElicitResult. `why`: add why there is no answer, for our own servers."""
        if self.action is Action.ACCEPT and self.content:
            return b'{"action":"accept","content":' + self.content + b"}"
        known = ((UNANSWERED_KEY, self.unanswered), (REASON_KEY, self.reason))
        meta = {key: value for key, value in known if value} if why else {}
        return msgspec.json.encode({"action": self.action.value, **({"_meta": meta} if meta else {})})


HOW_TO_BE_ASKED = (
    "Start Deskbell on the desktop, or with `deskbell serve --presenter terminal`, and call again."
)
UNANSWERED_KEY = "deskbell/unanswered"
REASON_KEY = "deskbell/reason"
CANCEL = Answer(Action.CANCEL)
LATE, NO_ONE, NO_ROOM = "expired", "nobody", "too many"  # why nobody answered; also the outcome in history
EXPIRED = Answer(Action.CANCEL, unanswered=LATE)
NOBODY = Answer(Action.CANCEL, unanswered=NO_ONE)
CROWDED = Answer(Action.CANCEL, unanswered=NO_ROOM)
DECLINE = Answer(Action.DECLINE)


def accept(content: object = None) -> Answer:
    """Return an accepted Answer with this content (anything JSON can hold; None: no content)."""
    return Answer(Action.ACCEPT, b"" if content is None else msgspec.json.encode(content))


def dated(question: Question, asked_at: float, limit: float, **changes: Any) -> Question:
    """Return the Question with its clock started, and other fields changed. `limit`: seconds; 0: none."""
    return replace(question, asked_at=asked_at, deadline=asked_at + limit if limit else 0.0, **changes)
