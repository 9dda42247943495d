"""A server's request to its host as a Question, in both eras: `elicitation/create`, `input_required`. Pure.

Detours: a server that must see a person at a link before it does what it was asked for (error -32042).

Revision 2025-11-25 only; later ones ask by `input_required`. Pure: wire forms in, Questions out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import msgspec
from msgspec import Raw

from bridge.core.protocol.jsonrpc import (
    ABSENT,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Malformed,
    edit,
    quote,
    read,
)
from bridge.core.questions.question import Mode, Question

ASKING_METHODS = {"sampling/createMessage": Mode.SAMPLING, "roots/list": Mode.ROOTS}


class MaybeInputRequired(msgspec.Struct, frozen=True, rename="camel"):
    """A result that may be `input_required`."""

    result_type: str = "complete"
    input_requests: dict[str, Raw] = {}
    request_state: Raw = ABSENT


class ServerRequest(msgspec.Struct, frozen=True):
    """A server's request to its host, in either era."""

    method: str = ""
    params: Raw = ABSENT


class _Elicitation(msgspec.Struct, frozen=True, rename="camel"):
    mode: str = "form"
    message: str = ""
    requested_schema: Raw = ABSENT
    url: str = ""
    elicitation_id: str = ""


class _Reply(msgspec.Struct, frozen=True):
    action: str = ""


class _Failure(msgspec.Struct, frozen=True):
    code: int = 0


def input_request(asked: Asked) -> bytes:
    """One member of `inputRequests`."""
    params = b',"params":' + asked.params if asked.params else b""
    return b'{"method":' + quote(asked.method) + params + b"}"


def input_required(requests: dict[str, bytes], ticket: str) -> bytes:
    """Our own `input_required` result, to a modern host."""
    return edit(
        b'{"resultType":"input_required"}',
        {"inputRequests": edit(b"{}", dict(requests)), "requestState": quote(ticket)},
    )


class Asked(NamedTuple):
    """A server's inquiry: what we would show, and what it said word for word."""

    question: Question
    method: str
    params: bytes


def question_from(inquiry: ServerRequest, question_id: str, server: str, host: str) -> Asked:
    """A server's request as a Question. Missing `mode` is a form (2025-11-25); an unknown one is OTHER."""
    params = bytes(inquiry.params)
    if inquiry.method != "elicitation/create":
        mode = ASKING_METHODS.get(inquiry.method, Mode.OTHER)
        return Asked(Question(question_id, mode, server, host), inquiry.method, params)
    said = read(_Elicitation, params)
    mode = Mode(said.mode) if said.mode in (Mode.FORM, Mode.URL) else Mode.OTHER
    question = Question(
        question_id,
        mode,
        server,
        host,
        said.message,
        schema=bytes(said.requested_schema),
        url=said.url,
        elicitation_id=said.elicitation_id,
    )
    return Asked(question, inquiry.method, params)


def for_legacy_host(inquiry: Asked) -> Asked:
    """The same for a legacy host, where a link to be opened has an id (2025-11-25)."""
    question = inquiry.question
    if question.mode is not Mode.URL or question.elicitation_id:
        return inquiry
    return inquiry._replace(params=edit(inquiry.params, {"elicitationId": quote(question.id)}))


def for_modern_host(inquiry: Asked) -> Asked:
    """The same for a modern host, where a link has no id."""
    if not inquiry.question.elicitation_id:
        return inquiry
    return inquiry._replace(params=edit(inquiry.params, {"elicitationId": None}))


def cannot_ask(error: bytes | Raw) -> bool:
    """Does a host refuse a Question because it cannot show it? Then nobody has seen it."""
    try:
        return read(_Failure, error).code in (METHOD_NOT_FOUND, INVALID_PARAMS)
    except Malformed:
        return False


def accepted(answer: bytes) -> bool:
    """Is this ElicitResult a yes?"""
    try:
        return read(_Reply, answer).action == "accept"
    except Malformed:
        return False


LINKS_FIRST = -32042  # 2025-11-25 only
NO_FIELDS = b'{"type":"object","properties":{}}'
DONE_VISITING = "Continue when you are done in the browser."


class _Links(msgspec.Struct, frozen=True):
    elicitations: list[Raw] = []


class _LinksFirst(msgspec.Struct, frozen=True):
    code: int = 0
    data: _Links = _Links()


def links_first(error: bytes | Raw) -> list[ServerRequest]:
    """The links that a legacy server wants visited before the same call; none: it is some other error."""
    try:
        said = read(_LinksFirst, error)
        links = said.data.elicitations if said.code == LINKS_FIRST else []
        return [ServerRequest("elicitation/create", Raw(edit(link, {"mode": b'"url"'}))) for link in links]
    except Malformed:
        return []


def done_visiting(link: Question, question_id: str) -> Asked:
    """What the person is asked while in the browser: a form with nothing to fill in."""
    done = replace(link, id=question_id, mode=Mode.FORM, url="", message=DONE_VISITING, schema=NO_FIELDS)
    return Asked(replace(done, asked_at=0.0, first=False, follows=link.id), "elicitation/create", b"")
