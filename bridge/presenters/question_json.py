"""A Question as JSON for another program, and the Answer read from the JSON it returns.

The `command:` presenter and `deskbell questions` share this format (docs/presenters.md).
"""

from __future__ import annotations

import msgspec

from bridge.core.forms import full_validation
from bridge.core.forms.schema import SchemaError
from bridge.core.policy.url_safety import check_url, destination
from bridge.core.questions.question import Action, Answer, Mode, Question
from bridge.errors import UsageError
from bridge.system.public_suffix import registrable


class AnswerRefused(Exception):
    """The answer cannot be used; the text is a sentence for the person."""


class _Reply(msgspec.Struct):
    action: Action
    content: msgspec.Raw = msgspec.Raw(b"{}")


def encode_question(question: Question) -> bytes:
    """Return the Question as one line of JSON."""
    members: dict[str, object] = {
        "id": question.id,
        "server": question.server,
        "host": question.host,
        "tool": question.tool,
        "mode": question.mode,
        "message": str(question.message),
    }
    match question.mode:
        case Mode.FORM:
            members["requestedSchema"] = msgspec.Raw(question.schema or b"{}")
        case Mode.URL:
            members["url"] = question.url
            link = check_url(question.url, registrable)
            members["link"] = {
                "host": destination(link.host),
                "site": destination(link.site),
                "doubts": [doubt.name.lower().replace("_", " ") for doubt in link.doubts],
            }
        case _:
            members["arguments"] = msgspec.Raw(question.arguments or b"{}")
            members |= {"hints": question.hints} if question.hints else {}
            members |= {"change": question.change} if question.change else {}
    return msgspec.json.encode(members) + b"\n"


def is_given_by_hand(question: Question) -> bool:
    """True if a yes has consequences, so that no script may give it."""
    return question.mode in (Mode.CONFIRM, Mode.SAMPLING) or question.consent


def by_hand_only(question: Question) -> UsageError:
    return UsageError(
        "An approval must be given by hand", f"Run `deskbell answer {question.id}` in a terminal."
    )


def read_answer(question: Question, reply: bytes) -> Answer:
    """Return the Answer in `{"action": …, "content": …}`. Raises AnswerRefused."""
    try:
        parsed = msgspec.json.decode(reply, type=_Reply)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise AnswerRefused(f"Its answer cannot be read ({error}).") from error
    if parsed.action is Action.ACCEPT and question.mode is Mode.FORM:
        return Answer(Action.ACCEPT, check_content(question.schema, bytes(parsed.content)))
    return Answer(parsed.action)


def check_content(schema: bytes, content: bytes) -> bytes:
    """Return the content of an accepted form, with the server's defaults. Raises AnswerRefused."""
    try:
        form = full_validation.parse(schema)
        filled = form.check(form.completed(content))
    except SchemaError as error:
        raise AnswerRefused(f"The server's form cannot be used: {error}") from error
    if filled.content is None:
        wrong = " ".join(f"{name}: {reason}" if name else reason for name, reason in filled.errors.items())
        raise AnswerRefused(f"Its answer does not fit the form. {wrong}")
    return filled.content
