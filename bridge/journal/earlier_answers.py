"""Earlier answers to the same question, from the history: the same server, tool and fields. Never secrets."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from bridge.core.forms import schema
from bridge.core.questions.question import Question
from bridge.journal.entries import HistoryFilter
from bridge.journal.reader import History
from bridge.system.masking import MASK

_LOOKED = 200  # entries
_CUT = "…"  # ends a value that the history has only the beginning of


class EarlierAnswer(NamedTuple):
    entered: dict[str, schema.Entered]  # by field
    at: float  # Unix time


def earlier_answers(
    history: History, question: Question, form: schema.Form, most: int
) -> tuple[EarlierAnswer, ...]:
    """Return different answers that fit this form, newest first."""
    wanted = HistoryFilter(kind="question", server=question.server, outcomes=("accept",))
    found: dict[str, EarlierAnswer] = {}
    for row in history.find(wanted, _LOOKED):
        sent = row.detail.get("sent")
        if row.tool != question.tool or row.detail.get("mode") != "form" or not isinstance(sent, dict):
            continue
        entered = _entries(form, sent)
        if entered:
            found.setdefault(repr(entered), EarlierAnswer(entered, row.at))
        if len(found) == most:
            break
    return tuple(found.values())


def _entries(form: schema.Form, sent: Mapping[str, Any]) -> dict[str, schema.Entered]:
    """Return what was sent as it would be entered now; {} if it was for another form."""
    fields = {field.name: field for field in form.fields}
    if not sent.keys() <= fields.keys():
        return {}
    complete = {name: value for name, value in sent.items() if _is_whole(value)}
    values = {
        name: Decimal(str(value)) if isinstance(value, float) else value for name, value in complete.items()
    }
    return {
        name: fields[name].enter(value)
        for name, value in values.items()
        if not schema.looks_secret(fields[name]) and not fields[name].problem(value)
    }


def _is_whole(value: object) -> bool:
    return value != MASK and not (isinstance(value, str) and value.endswith(_CUT))
