"""Choose the input widget of a field.

TEXT                a line if it is short or has a format; else a box that grows with the text
  date, date-time   a line with a calendar; with time and zone
  base64, data URL  a file or picture that is chosen, dropped or pasted
NUMBER, INTEGER     a line; never a spin box, which cannot be blank. A slider beside it between two bounds;
                    stars for a small rating
BOOLEAN             Yes, No and, where it may be left out, neither
CHOICE              radio buttons up to five options, a searchable list above
MULTI               check boxes, a searchable list of them when there are many
LIST, JSON          a box, with an item on each line or with JSON
secrets             a masked line, whatever their kind
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from bridge.api import schema
from desktop.widgets.inputs.base import Input, entered_text
from desktop.widgets.inputs.choice import CheckBoxInput, RadioInput
from desktop.widgets.inputs.date_time import DateInput, DateTimeInput
from desktop.widgets.inputs.file import FileInput
from desktop.widgets.inputs.scale import SliderInput, StarsInput, has_slider, has_stars
from desktop.widgets.inputs.search_list import MultiChoiceList, SingleChoiceList
from desktop.widgets.inputs.text import LineInput, MultiLineInput
from desktop.widgets.text.safe_text import one_line

__all__ = ["Input", "make_input"]

translate = QCoreApplication.translate

_FEW_CHOICES = 5
_FEW_CHECKS = 8
_LONG_TEXT = 300


def make_input(field: schema.Field) -> Input:
    return LineInput(field, secret=True) if schema.looks_secret(field) else _MAKERS[field.kind](field)


def _make_text(field: schema.Field) -> Input:
    if field.encoding:
        return FileInput(field)
    if field.format in _DATES:
        return _DATES[field.format](field)
    if (field.max_length or 0) >= _LONG_TEXT or "\n" in entered_text(field.initial):
        return MultiLineInput(field)
    if field.max_length is None and not field.format and field.pattern is None:
        return MultiLineInput(field, lines=1, eager=True)
    return LineInput(field)


def _make_number(field: schema.Field) -> Input:
    if has_stars(field):
        return StarsInput(field)
    return SliderInput(field) if has_slider(field) else LineInput(field)


def _make_yes_no(field: schema.Field) -> Input:
    return RadioInput(
        field, [(True, translate("inputs", "Yes")), (False, translate("inputs", "No")), *_blank(field)]
    )


def _make_choice(field: schema.Field) -> Input:
    if len(field.options) > _FEW_CHOICES:
        return SingleChoiceList(field)
    titles: list[tuple[schema.Entered, str]] = [
        (place, one_line(option.title, 200)) for place, option in enumerate(field.options)
    ]
    return RadioInput(field, [*titles, *_blank(field)])


def _make_multi(field: schema.Field) -> Input:
    return CheckBoxInput(field) if len(field.options) <= _FEW_CHECKS else MultiChoiceList(field)


def _blank(field: schema.Field) -> list[tuple[schema.Entered, str]]:
    return [(None, translate("inputs", "Skip"))] if not field.required or field.nullable else []


_DATES: dict[str, Callable[[schema.Field], Input]] = {"date": DateInput, "date-time": DateTimeInput}
_MAKERS: dict[schema.Kind, Callable[[schema.Field], Input]] = {
    schema.Kind.TEXT: _make_text,
    schema.Kind.NUMBER: LineInput,
    schema.Kind.INTEGER: _make_number,
    schema.Kind.BOOLEAN: _make_yes_no,
    schema.Kind.CHOICE: _make_choice,
    schema.Kind.MULTI: _make_multi,
    schema.Kind.LIST: MultiLineInput,
    schema.Kind.JSON: MultiLineInput,
}
