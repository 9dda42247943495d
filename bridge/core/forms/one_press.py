"""Forms that one press answers: nothing to fill in, one yes or no, one choice of a few. Pure.

`one_press` returns the answers in the order of their buttons; () for any other form. A field that looks
secret, or that is checked against the rest of the form, is never one of them: a choice cannot hold a secret.
"""

from __future__ import annotations

from typing import NamedTuple

from bridge.core.forms.fields import Entered, Field, Kind
from bridge.core.forms.form import Form

MOST = 5  # options that are buttons
YES, NO, SKIP = "yes", "no", "skip"  # answers whose words are ours


class PressAnswer(NamedTuple):
    """`word`: YES, NO or SKIP; "" for an option of the server's, with its `title`."""

    content: bytes
    word: str = ""
    title: str = ""
    is_default: bool = False


def one_press(form: Form) -> tuple[PressAnswer, ...]:
    if form.judge is not None or len(form.fields) > 1:
        return ()
    if not form.fields:
        return (PressAnswer(b"{}", YES),)
    (field,) = form.fields
    if field.kind is Kind.BOOLEAN:
        options: list[tuple[Entered, str, str]] = [(True, YES, ""), (False, NO, "")]
    elif field.kind is Kind.CHOICE and 0 < len(field.options) <= MOST:
        options = [(place, "", option.title) for place, option in enumerate(field.options)]
    else:
        return ()
    if not field.required or field.nullable:
        options.append((None, SKIP, ""))
    return tuple(_answers(form, field, options))


def _answers(form: Form, field: Field, options: list[tuple[Entered, str, str]]) -> list[PressAnswer]:
    def answer(entered: Entered, word: str, title: str) -> PressAnswer:
        content = form.fill({field.name: entered}).content or b"{}"  # each of these entries is valid
        return PressAnswer(content, word, title, entered is not None and entered == field.initial)

    return [answer(*option) for option in options]
