"""Turn a server's request for input into a Question: `elicitation/create`, `input_required`, error -32042.
Pure.

Error -32042 (URLElicitationRequired, revision 2025-11-25 only): the user must visit links, then the call is
retried. Later revisions use `input_required`.
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
    is_object,
    members,
    quote,
    read,
    read_error,
)
from bridge.core.protocol.revisions import NEWEST_LEGACY
from bridge.core.questions.question import Mode, Question

CONSENT_KEY = "deskbell/consent"  # in `_meta` of a built-in server's elicitation: see Question.consent
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


class _ConsentMeta(msgspec.Struct, frozen=True):
    consent: bool = msgspec.field(default=False, name=CONSENT_KEY)


class _Consent(msgspec.Struct, frozen=True):
    meta: _ConsentMeta = msgspec.field(default=_ConsentMeta(), name="_meta")


class _Elicitation(msgspec.Struct, frozen=True, rename="camel"):
    mode: str = "form"
    message: str = ""
    requested_schema: Raw = ABSENT
    url: str = ""
    elicitation_id: str = ""


class _Reply(msgspec.Struct, frozen=True):
    action: str = ""
    content: dict[str, Raw] | None = None


class _YesOrNo(msgspec.Struct, frozen=True):
    answer: str = ""


class _ConsentReply(msgspec.Struct, frozen=True):
    action: str = ""
    content: _YesOrNo = _YesOrNo()


class _Schema(msgspec.Struct, frozen=True):
    properties: dict[str, Raw] = {}
    required: list[str] = []


class _Tools(msgspec.Struct, frozen=True, rename="camel"):
    tools: list[Raw] | None = None
    tool_choice: object = None


def uses_tools(params: bytes) -> bool:
    """True if these params of sampling/createMessage, which need not be valid, mention tools."""
    try:
        found = read(_Tools, params)
    except Malformed:
        return False
    return bool(found.tools) or found.tool_choice is not None


def input_request(asked: ServerQuestion) -> bytes:
    """Return one member of `inputRequests`."""
    params = b',"params":' + asked.params if asked.params else b""
    return b'{"method":' + quote(asked.method) + params + b"}"


def input_required(requests: dict[str, bytes], ticket: str) -> bytes:
    """Return an `input_required` result of our own, for a modern host."""
    return edit(
        b'{"resultType":"input_required"}',
        {"inputRequests": edit(b"{}", dict(requests)), "requestState": quote(ticket)},
    )


class ServerQuestion(NamedTuple):
    """A server's request: the Question to show, and the method and params as sent."""

    question: Question
    method: str
    params: bytes
    desk: bool = False  # the Desk asks: in the host's place, or as well as the host
    loose: bool = False  # the wire does not tell which call asks: it may be none


_CONTEXT = (
    "x-elicit-context"  # what a server asks about, for programs: a key of the schema, or in the message
)
_CONTEXT_MARK = f"\n\n--{_CONTEXT}:"


def _split_context(message: str, schema: Raw) -> tuple[str, bytes]:
    """Return the message without a context at its end, and the context as JSON, first of all the schema's."""
    shown, _, carried = message.partition(_CONTEXT_MARK)
    found = members(schema).get(_CONTEXT) if is_object(schema) else None
    context = bytes(found) if found is not None else carried.partition("\n")[2].encode()
    return shown.strip(), context


def question_from(inquiry: ServerRequest, question_id: str, server: str, host: str) -> ServerQuestion:
    """Return a server's request as a Question. No `mode` means form (2025-11-25).

    Raises Malformed for an unknown mode: nobody can tell what its answer would mean.
    """
    params = bytes(inquiry.params)
    if inquiry.method != "elicitation/create":
        mode = ASKING_METHODS.get(inquiry.method, Mode.OTHER)
        if mode is Mode.SAMPLING and uses_tools(params):
            mode = Mode.SAMPLING_TOOLS
        return ServerQuestion(Question(question_id, mode, server, host), inquiry.method, params)
    request = read(_Elicitation, params)
    if request.mode not in (Mode.FORM, Mode.URL):
        raise Malformed("its mode is unknown")
    message, context = request.message, b""
    if _CONTEXT.encode() in params:
        message, context = _split_context(message, request.requested_schema)
    question = Question(
        question_id,
        Mode(request.mode),
        server,
        host,
        message,
        context=context,
        schema=bytes(request.requested_schema),
        url=request.url,
        elicitation_id=request.elicitation_id,
    )
    return ServerQuestion(question, inquiry.method, params)


def for_host(asked: ServerQuestion, legacy: bool, revision: str = NEWEST_LEGACY) -> ServerQuestion:
    """Add the `elicitationId` that legacy hosts require of a URL (2025-11-25); modern ones do not know it.
    Before 2025-11-25 the titles of choices are `enumNames`, since then a `oneOf`."""
    question = asked.question
    if revision < NEWEST_LEGACY and b'"oneOf"' in question.schema:
        schema = _with_enum_names(question.schema)
        return asked._replace(params=edit(asked.params, {"requestedSchema": schema}))
    if legacy and question.mode is Mode.URL and not question.elicitation_id:
        return asked._replace(params=edit(asked.params, {"elicitationId": quote(question.id)}))
    if question.elicitation_id and not legacy:
        return asked._replace(params=edit(asked.params, {"elicitationId": None}))
    return asked


class _Choice(msgspec.Struct, frozen=True):
    const: str
    title: str


class _Titled(msgspec.Struct, frozen=True, rename="camel"):
    one_of: list[_Choice]


def _with_enum_names(schema: bytes) -> bytes:
    fields = read(_Schema, schema).properties
    older = {name: _enum_names(field) for name, field in fields.items()}
    return edit(schema, {"properties": edit(b"{}", older)})


def _enum_names(field: Raw) -> bytes:
    """Return a titled choice in its form of 2025-06-18; any other field unchanged."""
    try:
        choices = read(_Titled, field).one_of
    except Malformed:
        return bytes(field)
    values, titles = [one.const for one in choices], [one.title for one in choices]
    enum = {"enum": msgspec.json.encode(values), "enumNames": msgspec.json.encode(titles)}
    return edit(field, {"oneOf": None, **enum})


def cannot_ask(error: bytes | Raw) -> bool:
    """True if the host's error means that it cannot show the Question, so that nobody has seen it."""
    return read_error(error).code in (METHOD_NOT_FOUND, INVALID_PARAMS)


def accepted(answer: bytes) -> bool:
    """True if this ElicitResult accepts."""
    try:
        return read(_Reply, answer).action == "accept"
    except Malformed:
        return False


YES_OR_NO = (  # a confirmation: an accept without content is no yes
    b'{"type":"object","properties":{"answer":{"type":"string","title":"Answer","enum":["yes","no"]}},'
    b'"required":["answer"]}'
)
YES = b'{"answer":"yes"}'


def approval(question: Question, message: str) -> ServerQuestion:
    """Return an approval as a form that a host can show, where there is no Desk."""
    form = replace(question, mode=Mode.FORM, message=message, schema=YES_OR_NO, consent=True)
    params = edit(b"{}", {"message": quote(message), "requestedSchema": YES_OR_NO})
    return ServerQuestion(form, "elicitation/create", params)


def says_yes(answer: bytes) -> bool:
    """True if this ElicitResult chooses the yes of a confirmation."""
    try:
        reply = read(_ConsentReply, answer)
    except Malformed:
        return False
    return reply.action == "accept" and reply.content.answer == "yes"


def wants_consent(params: bytes) -> bool:
    """True if a built-in server marks its elicitation as one whose yes has consequences."""
    return read(_Consent, params).meta.consent


def for_desk(asked: ServerQuestion) -> ServerQuestion:
    """Return a Question as the Desk asks it: a confirmation needs no field beside the buttons."""
    question = asked.question
    if question.consent and question.schema == YES_OR_NO:
        asked = asked._replace(question=replace(question, schema=NO_FIELDS))
    return asked._replace(desk=True)


def desk_content(question: Question, content: bytes) -> bytes:
    """Return the content of an accepted form as its server expects it (see `for_desk`)."""
    return YES if question.consent and question.schema == NO_FIELDS else content


def is_confirmation(question: Question) -> bool:
    """True if a yes is all that the Question asks for, as to a link."""
    if question.mode is Mode.FORM:
        return question.consent or not _has_fields(question.schema)
    return question.consent or question.mode is Mode.URL


def is_unfilled(question: Question, answer: bytes) -> bool:
    """True if an ElicitResult that accepts a form lacks a field that must be filled in."""
    try:
        content = read(_Reply, answer).content or {}
        return question.mode is Mode.FORM and not content.keys() >= set(
            read(_Schema, question.schema).required
        )
    except Malformed:
        return False


def _has_fields(requested_schema: bytes) -> bool:
    try:
        return bool(read(_Schema, requested_schema).properties)
    except Malformed:
        return True


URLS_FIRST = -32042  # 2025-11-25 only
NO_FIELDS = b'{"type":"object","properties":{}}'
DONE_VISITING = "Continue when you are done in the browser."


class _Links(msgspec.Struct, frozen=True):
    elicitations: list[Raw] = []


def urls_first(error: bytes | Raw) -> list[ServerRequest]:
    """Return the links of an error -32042; [] for any other error."""
    body = read_error(error)
    links = body.read_data(_Links).elicitations if body.code == URLS_FIRST else []
    try:
        return [ServerRequest("elicitation/create", Raw(edit(link, {"mode": b'"url"'}))) for link in links]
    except Malformed:
        return []


def done_visiting(link: Question, question_id: str) -> ServerQuestion:
    """Return the Question shown while the user is in the browser: a form without fields."""
    done = replace(link, id=question_id, mode=Mode.FORM, url="", message=DONE_VISITING, schema=NO_FIELDS)
    return ServerQuestion(
        replace(done, asked_at=0.0, first=False, follows=link.id), "elicitation/create", b""
    )
