"""History records of Questions and Answers: bounded in size, and never a secret. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import msgspec

from bridge.core.commands import Record
from bridge.core.forms import schema
from bridge.core.questions.question import Action, Answer, Question
from bridge.system.masking import MASK

MESSAGE = 2000  # characters
VALUE = 300
TOO_QUICK = "answered sooner than anybody can read the question"
FIELDS = 50
_KEPT_SCHEMA = 20_000  # bytes; a longer one is parsed each time


def line(question: Question, outcome: str, seconds: float = 0.0, answer: Answer | None = None) -> Record:
    """Return the record of a Question's end."""
    facts: dict[str, Any] = {"mode": question.mode.value}
    if question.message:
        facts["message"] = short(question.message, MESSAGE)
    if question.url:
        facts["page"] = page(question.url)
    secrets: tuple[str, ...] = ()
    if answer is not None and answer.content:
        facts["sent"], secrets = sent(question, answer)
    if answer is not None and answer.always:
        facts["always"] = True
    review = question.review
    if review is not None and answer is not None and review.exchange:  # the person answers for a model
        facts |= {"messages": list(review.exchange), "structured": review.structured}
        facts |= {"system": short(review.system, MESSAGE)} if review.system else {}
    if question.change:
        facts["change"] = short(question.change, MESSAGE)
    host, server, tool = question.host, question.server, question.tool
    return Record("question", host, server, tool, outcome, seconds, facts=facts, secrets=secrets)


class _ElicitResult(msgspec.Struct, frozen=True):
    """An ElicitResult as a host sends it."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] = {}


def relayed(question: Question, result: bytes, seconds: float, quick: bool = False) -> Record:
    """Return the record of a Question that the host itself asked; its answer need not be valid. `quick`: it
    came sooner than anybody can read the Question."""
    try:
        reply = msgspec.json.decode(result, type=_ElicitResult)
    except (msgspec.DecodeError, RecursionError):
        return _by_host(line(question, "answered", seconds), quick)
    content = msgspec.json.encode(reply.content) if reply.content else b""
    return _by_host(line(question, reply.action, seconds, Answer(Action(reply.action), content)), quick)


def _by_host(record: Record, quick: bool) -> Record:
    facts = {**record.facts, "asked by": "the app", **({"doubt": TOO_QUICK} if quick else {})}
    return msgspec.structs.replace(record, facts=facts)


def sent(question: Question, answer: Answer) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the values by field, those that look secret masked (all are, if the form cannot be read), and
    the secret texts."""
    content: dict[str, Any] = msgspec.json.decode(answer.content, type=dict)
    known = _secret_fields if len(question.schema) <= _KEPT_SCHEMA else _secret_fields.__wrapped__
    secret = known(question.schema)
    if secret is None:
        secret = frozenset(content)
    values = {name: MASK if name in secret else brief(value) for name, value in content.items()}
    values |= dict.fromkeys(_file_fields(question.schema) & content.keys(), "(file)")
    secrets = tuple(str(value) for name, value in content.items() if name in secret)
    return dict(list(values.items())[:FIELDS]), secrets


@lru_cache(maxsize=64)
def _secret_fields(requested_schema: bytes) -> frozenset[str] | None:
    """Return the names of the fields that may hold a secret; None if the form cannot be read.

    Servers ask by the same form again and again, and to parse it costs more than the rest of an answer.
    """
    try:
        fields = schema.parse(requested_schema).fields
    except schema.SchemaError:
        return None
    return frozenset(field.name for field in fields if schema.looks_secret(field))


@lru_cache(maxsize=64)
def _file_fields(requested_schema: bytes) -> frozenset[str]:
    """Return the names of the fields that hold a file, whose contents are not kept."""
    if not any(mark in requested_schema for mark in (b"contentEncoding", b"data-ur")):
        return frozenset()
    try:
        fields = schema.parse(requested_schema).fields
    except schema.SchemaError:
        return frozenset()
    return frozenset(field.name for field in fields if field.encoding)


def brief(value: Any) -> Any:
    if isinstance(value, str):
        return short(value, VALUE)
    text = msgspec.json.encode(value).decode()
    return value if len(text) <= VALUE else short(text, VALUE)


def short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def page(url: str) -> str:
    """Return a URL without what may hold a key: user, query, fragment."""
    scheme, mark, rest = url.partition("://")
    place = rest.partition("#")[0].partition("?")[0]
    host, slash, path = place.partition("/")
    return short(f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}", VALUE) if mark else ""
