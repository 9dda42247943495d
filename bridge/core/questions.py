"""What only the person knows: a Question, and the Answer to it. Pure values, safe to send between threads.

A Question has no look: which window shows it is the Presenter's choice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import msgspec


class Mode(StrEnum):
    """What kind of answer a Question wants."""

    FORM = "form"
    URL = "url"
    CONFIRM = "confirm"  # our own: may this call be made?
    SAMPLING = "sampling"
    ROOTS = "roots"  # only a host knows them; never on the desk
    OTHER = "other"  # a method we do not know; only a host can answer it


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
    arguments: bytes = b""  # of the call that led here, JSON, shown on demand
    elicitation_id: str = ""
    asked_at: float = 0.0  # seconds since the epoch
    deadline: float = 0.0  # seconds since the epoch; 0: none


@dataclass(frozen=True, slots=True)
class Answer:
    """`content` is the JSON object the person filled in; only an accepted form has one."""

    action: Action
    content: bytes = b""
    always: bool = False  # CONFIRM only: allow this tool from now on

    def result(self) -> bytes:
        """As an ElicitResult."""
        if self.action is Action.ACCEPT and self.content:
            return b'{"action":"accept","content":' + self.content + b"}"
        return b'{"action":"' + self.action.encode() + b'"}'


CANCEL = Answer(Action.CANCEL)
DECLINE = Answer(Action.DECLINE)


def accept(content: object = None) -> Answer:
    """An accepted Answer with this content (anything JSON can hold; None: no content)."""
    return Answer(Action.ACCEPT, b"" if content is None else msgspec.json.encode(content))


def dated(question: Question, asked_at: float, limit: float) -> Question:
    """The same Question with its clock started."""
    return replace(question, asked_at=asked_at, deadline=asked_at + limit if limit else 0.0)
