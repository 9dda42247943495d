"""One field of a form: turn what the user enters into a JSON value, nothing, or a reason why it is invalid.
Pure.

A value is plain JSON (str, int, Decimal, bool, None, list, dict); numbers are exact, never float. What a
widget or a terminal yields ("entered"), and what blank means:

    kind              entered                  blank     optional   required
    TEXT              str, kept as it is       ""        absent     invalid, or "" if minLength is 0
    NUMBER, INTEGER   str                      spaces    absent     invalid
    BOOLEAN           bool                     None      absent     invalid
    CHOICE            index into options       None      absent     invalid
    MULTI             indices into options     ()        absent     [] if minItems allows it
    LIST              texts, one for each      ()        absent     [] if minItems allows it
    JSON              str                      spaces    absent     invalid
    any, nullable     as above                           absent     null

A LIST may also be entered as one JSON array.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final, cast

from bridge.core.forms import files, formats
from bridge.core.forms.json_values import (
    LARGEST,
    Number,
    decode,
    equality_key,
    integer_from,
    is_multiple,
    is_number,
    is_type,
    is_unicode,
    number_from,
    number_text,
    shown,
)
from bridge.core.forms.patterns import Pattern
from bridge.i18n import Words, say, together

Entered = str | bool | int | tuple[int, ...] | tuple[str, ...] | None
Validator = Callable[[object], str]  # JSON value → what is wrong with it; "" if valid
MOST_TOLD = 1_000  # characters or items; higher limits are not shown


class Kind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    MULTI = "multi"
    LIST = "list"  # any number of texts or numbers
    JSON = "json"  # nested, malformed or beyond the subset: entered as JSON


class Unset(Enum):
    UNSET = "unset"


UNSET: Final = Unset.UNSET


@dataclass(frozen=True, slots=True)
class Option:
    """The title is shown, the value is sent."""

    value: object
    title: str


@dataclass(frozen=True, slots=True)
class Value:
    v: object


@dataclass(frozen=True, slots=True)
class Absent:
    """The field is left out of the answer."""


@dataclass(frozen=True, slots=True)
class Invalid:
    reason: str


Reading = Value | Absent | Invalid
ABSENT: Final = Absent()


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    kind: Kind
    title: str = ""
    help: str = ""
    required: bool = False
    nullable: bool = False
    default: object = UNSET
    options: tuple[Option, ...] = ()
    types: frozenset[str] = frozenset()  # JSON only: allowed JSON types; empty: any
    format: str = ""
    encoding: str = ""  # TEXT only: the value is a file, as files.BASE64 or files.DATA_URL
    media_type: str = ""  # of the file; "": any
    min_length: int | None = None
    max_length: int | None = None
    pattern: Pattern | None = None
    minimum: Number | None = None
    maximum: Number | None = None
    exclusive_minimum: Number | None = None
    exclusive_maximum: Number | None = None
    multiple_of: Number | None = None
    min_items: int | None = None
    max_items: int | None = None
    unique: bool = False
    item: Field | None = None  # LIST only: schema of an item
    judge: Validator | None = field(default=None, compare=False, repr=False)  # JSON only
    sketch: str = ""  # JSON only: an example value

    @property
    def initial(self) -> Entered:
        """Return the initial entry: the default, or blank."""
        return self.blank if self.default is UNSET else self.enter(self.default)

    @property
    def blank(self) -> Entered:
        if self.kind in (Kind.MULTI, Kind.LIST):
            return ()
        return None if self.kind in (Kind.BOOLEAN, Kind.CHOICE) else ""

    @property
    def limits(self) -> str:
        """Return the limits as sentences, for users; "" if there are none worth mentioning."""
        return together(*_of_numbers(self), *_of_letters(self), *_of_items(self))

    @property
    def note(self) -> str:
        """Return a note on a pattern that only the server can check; "" if there is none."""
        if self.pattern is None or self.pattern.longest_text:
            return ""
        return say("The server expects this pattern: {pattern}", pattern=self.pattern.source)

    def read(self, entered: Entered) -> Reading:
        if entered is None or entered == () or (isinstance(entered, str) and self._is_blank(entered)):
            return self._read_blank()
        try:
            return self._checked(self._value_of(entered))
        except ValueError as error:
            return Invalid(error.args[0])

    def enter(self, value: object) -> Entered:
        """Return the entry that `read` turns into this value, which must be of the field's type."""
        match self.kind:
            case _ if value is None and self.nullable:
                return self.blank
            case Kind.CHOICE:
                return self._places()[equality_key(value)]
            case Kind.MULTI if isinstance(value, list):
                places = self._places()
                return tuple(places[equality_key(item)] for item in value)
            case Kind.LIST if isinstance(value, list) and self.item is not None:
                return tuple(str(self.item.enter(item)) for item in value)
            case Kind.TEXT | Kind.BOOLEAN if isinstance(value, str | bool):
                return value
            case Kind.INTEGER if is_number(value):
                return str(int(value))
            case _:
                return shown(value)

    def problem(self, value: object) -> str:
        """Return what is wrong with this JSON value; "" if it may be sent."""
        match self.kind:
            case _ if value is None and self.nullable:
                return ""
            case Kind.TEXT:
                return self._text_problem(value) if isinstance(value, str) else say("This must be text.")
            case Kind.NUMBER | Kind.INTEGER:
                return self._number_problem(value)
            case Kind.BOOLEAN:
                return "" if isinstance(value, bool) else say("Please choose yes or no.")
            case Kind.CHOICE:
                return (
                    "" if equality_key(value) in self._places() else say("Please choose one of the options.")
                )
            case Kind.MULTI:
                return self._picked_problem(value)
            case Kind.LIST:
                return self._listed_problem(value)
            case _:
                return self._json_problem(value)

    def _is_blank(self, text: str) -> bool:
        return not (text if self.kind is Kind.TEXT else text.strip())

    def _read_blank(self) -> Reading:
        if not self.required:
            return ABSENT
        if self.nullable:
            return Value(None)
        if self.kind in (Kind.MULTI, Kind.LIST):
            return self._checked([])
        if self.kind is Kind.TEXT and self.min_length == 0:
            return self._checked("")
        return Invalid(say("Please choose one.") if self.blank is None else say("Please fill this in."))

    def _checked(self, value: object) -> Reading:
        reason = self.problem(value)
        return Invalid(reason) if reason else Value(value)

    def _value_of(self, entered: Entered) -> object:
        match self.kind, entered:
            case (Kind.TEXT, str()) | (Kind.BOOLEAN, bool()):
                return entered
            case Kind.NUMBER, str():
                return number_from(entered.strip())
            case Kind.INTEGER, str():
                return integer_from(entered.strip())
            case ((Kind.JSON | Kind.LIST), str()):
                return decode(entered)
            case Kind.CHOICE, int() if entered in range(len(self.options)):
                return self.options[entered].value
            case Kind.MULTI, tuple() if set(entered) <= set(range(len(self.options))):
                return [self.options[cast(int, index)].value for index in dict.fromkeys(entered)]
            case Kind.LIST, tuple() if self.item is not None:
                return [_numbered(place, self.item, cast(str, text)) for place, text in enumerate(entered, 1)]
        raise ValueError(say("Please choose from what is offered."))

    def _places(self) -> dict[Hashable, int]:
        return {equality_key(option.value): index for index, option in enumerate(self.options)}

    def _text_problem(self, text: str) -> str:
        if not is_unicode(text):
            return say("This holds a character that cannot be sent.")
        if self.min_length is not None and len(text) < self.min_length:
            return say(
                "Please enter at least {count}; this has {length}.",
                count=_characters(self.min_length),
                length=len(text),
            )
        if self.max_length is not None and len(text) > self.max_length:
            return say(
                "Please enter at most {count}; this has {length}.",
                count=_characters(self.max_length),
                length=len(text),
            )
        if self.pattern is not None and not self.pattern.matches(text):
            return say(
                "This does not have the form the server expects: {pattern}", pattern=self.pattern.source
            )
        if self.encoding:
            return files.problem(self.encoding, text)
        return formats.problem(self.format, text)

    def _number_problem(self, value: object) -> str:
        if not is_number(value):
            return say("Please enter a number.")
        if self.kind is Kind.INTEGER and not is_type(value, "integer"):
            return say("Please enter a whole number.")
        if self.kind is Kind.NUMBER and not -LARGEST <= value <= LARGEST:
            return say("That number is too large.")
        if self.multiple_of is not None and not is_multiple(value, self.multiple_of):
            return say("Please enter a multiple of {number}.", number=shown(self.multiple_of))
        return self._range_problem(value)

    def _range_problem(self, value: Number) -> str:
        if self.minimum is not None and value < self.minimum:
            return say("Please enter {number} or more.", number=number_text(self.minimum))
        if self.maximum is not None and value > self.maximum:
            return say("Please enter {number} or less.", number=number_text(self.maximum))
        if self.exclusive_minimum is not None and value <= self.exclusive_minimum:
            return say("Please enter more than {number}.", number=number_text(self.exclusive_minimum))
        if self.exclusive_maximum is not None and value >= self.exclusive_maximum:
            return say("Please enter less than {number}.", number=number_text(self.exclusive_maximum))
        return ""

    def _picked_problem(self, value: object) -> str:
        places = self._places()
        if not isinstance(value, list) or any(equality_key(item) not in places for item in value):
            return say("Please choose from the options.")
        if self._has_twice(value):
            return say("Please choose each option once.")
        if self.min_items is not None and len(value) < self.min_items:
            return say("Please choose at least {count}.", count=self.min_items)
        if self.max_items is not None and len(value) > self.max_items:
            return say("Please choose at most {count}.", count=self.max_items)
        return ""

    def _listed_problem(self, value: object) -> str:
        if not isinstance(value, list) or self.item is None:
            return say("This must be a list.")
        reasons = ((place, self.item.problem(item)) for place, item in enumerate(value, 1))
        wrong = next(
            (
                say("Item {place}: {reason}", place=place, reason=reason)
                for place, reason in reasons
                if reason
            ),
            "",
        )
        if wrong:
            return wrong
        if self._has_twice(value):
            return say("Please enter each item once.")
        if self.min_items is not None and len(value) < self.min_items:
            return say(
                "Please enter at least {count}; there are {length}.",
                count=_items(self.min_items),
                length=len(value),
            )
        if self.max_items is not None and len(value) > self.max_items:
            return say(
                "Please enter at most {count}; there are {length}.",
                count=_items(self.max_items),
                length=len(value),
            )
        return ""

    def _has_twice(self, values: list[object]) -> bool:
        return self.unique and len({equality_key(item) for item in values}) < len(values)

    def _json_problem(self, value: object) -> str:
        if self.types and not any(is_type(value, name) for name in self.types):
            return say("This must be JSON of type {types}.", types=" / ".join(sorted(self.types)))
        return "" if self.judge is None else self.judge(value)


def _numbered(place: int, item: Field, entered: Entered) -> object:
    """Return the value of one list item; an error names its number."""
    try:
        return item._value_of(entered)
    except ValueError as error:
        raise ValueError(say("Item {place}: {reason}", place=place, reason=error.args[0])) from error


def _characters(number: int) -> Words:
    return say("1 character") if number == 1 else say("{number} characters", number=number)


def _items(number: int) -> Words:
    return say("1 item") if number == 1 else say("{number} items", number=number)


# ---- limits in words -----------------------------------------------------------------------------------


def _of_numbers(field: Field) -> Iterator[str]:
    low, high = field.minimum, field.maximum
    if low is not None and high is not None:
        yield say("{low}–{high}", low=number_text(low), high=number_text(high))
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
        yield say("Choose {low}", low=low) if field.options else say("{low} lines", low=low)
    elif low and high:
        few = {"low": low, "high": high}
        yield say("Choose {low} to {high}", **few) if field.options else say("{low} to {high} lines", **few)
    elif low:
        yield say("Choose at least {low}", low=low) if field.options else say("At least {low} lines", low=low)
    elif high:
        yield say("Choose up to {high}", high=high) if field.options else say("Up to {high} lines", high=high)


def _worth_telling(low: int | None, high: int | None) -> tuple[int, int]:
    """Replace limits not worth mentioning by 0: a minimum of 1, a very high maximum."""
    return (low if low is not None and low > 1 else 0), (
        high if high is not None and high <= MOST_TOLD else 0
    )
