"""Describe a field's limits before anything is entered. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from bridge.core.forms.fields import Field, number_text
from bridge.i18n import say, together

MOST = 1_000  # characters or items; a higher limit is not worth mentioning


def limits(field: Field) -> str:
    """Return the limits of a field as a sentence; "" if there are none worth mentioning."""
    return together(*_of_numbers(field), *_of_letters(field), *_of_items(field))


def _of_numbers(field: Field) -> Iterator[str]:
    low, high = field.minimum, field.maximum
    if low is not None and high is not None:
        yield say("From {low} to {high}.", low=number_text(low), high=number_text(high))
    elif low is not None:
        yield say("{number} or more.", number=number_text(low))
    elif high is not None:
        yield say("{number} or less.", number=number_text(high))
    if field.exclusive_minimum is not None:
        yield say("More than {number}.", number=number_text(field.exclusive_minimum))
    if field.exclusive_maximum is not None:
        yield say("Less than {number}.", number=number_text(field.exclusive_maximum))
    if field.multiple_of is not None and field.multiple_of != 1:
        yield say("A multiple of {number}.", number=number_text(field.multiple_of))


def _of_letters(field: Field) -> Iterator[str]:
    low, high = _worth_telling(field.min_length, field.max_length)
    if low and low == high:
        yield say("Exactly {low} characters.", low=low)
    elif low and high:
        yield say("{low} to {high} characters.", low=low, high=high)
    elif low:
        yield say("At least {low} characters.", low=low)
    elif high:
        yield say("At most {high} characters.", high=high)


def _of_items(field: Field) -> Iterator[str]:
    low, high = _worth_telling(field.min_items, field.max_items)
    if low and low == high:
        yield say("Exactly {low} of them.", low=low)
    elif low and high:
        yield say("{low} to {high} of them.", low=low, high=high)
    elif low:
        yield say("At least {low} of them.", low=low)
    elif high:
        yield say("At most {high} of them.", high=high)


def _worth_telling(low: int | None, high: int | None) -> tuple[int, int]:
    """Replace limits not worth mentioning by 0: a minimum of 1, a very high maximum."""
    return (low if low is not None and low > 1 else 0), (high if high is not None and high <= MOST else 0)
