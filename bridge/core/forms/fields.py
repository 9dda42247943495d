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

import re
import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from enum import Enum, StrEnum
from typing import Any, Final, TypeGuard, cast

import msgspec

from bridge.core.forms import formats
from bridge.core.forms.patterns import Pattern
from bridge.i18n import Words, say

Number = int | Decimal
_WHOLE = re.compile(r"\.0+\Z")
Entered = str | bool | int | tuple[int, ...] | tuple[str, ...] | None
Validator = Callable[[object], str]  # JSON value → what is wrong with it; "" if valid

_LONGEST_NUMBER = 4_300  # Python's own limit for int(str)
_LARGEST = Decimal(sys.float_info.max)  # the largest number most JSON parsers accept
_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WIDE = Context(prec=10_000, Emax=MAX_EMAX, Emin=MIN_EMIN)  # precise enough never to round input
_decoder = msgspec.json.Decoder(float_hook=Decimal)
encode = msgspec.json.Encoder(decimal_format="number").encode


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
                return _number(entered.strip())
            case Kind.INTEGER, str():
                return _integer(entered.strip())
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
        return formats.problem(self.format, text)

    def _number_problem(self, value: object) -> str:
        if not is_number(value):
            return say("Please enter a number.")
        if self.kind is Kind.INTEGER and not is_type(value, "integer"):
            return say("Please enter a whole number.")
        if self.kind is Kind.NUMBER and not -_LARGEST <= value <= _LARGEST:
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


def is_number(value: object) -> TypeGuard[Number]:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def is_unicode(text: str) -> bool:
    """False if the text has lone surrogates, which UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_type(value: object, name: str) -> bool:
    """True if a value is of this JSON Schema type, where 1.0 is an integer."""
    match name:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "number":
            return is_number(value)
        case "integer":
            return is_number(value) and (isinstance(value, int) or value == value.to_integral_value())
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case _:
            return name == "null" and value is None


def equality_key(value: Any) -> Hashable:
    """Return a key that is equal for values JSON Schema calls equal: 1 and 1.0, but not 1 and true."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, list):
        return ("array", tuple(map(equality_key, value)))
    if isinstance(value, dict):
        return ("object", frozenset((key, equality_key(item)) for key, item in value.items()))
    leaf: Hashable = value
    return leaf


def shown(value: object) -> str:
    """Return a JSON value as text for users to read and edit."""
    if isinstance(value, Decimal) and -20 < value.adjusted() < 21:
        return f"{value:f}"
    return msgspec.json.format(encode(value), indent=2).decode()


def number_text(number: Number) -> str:
    """Return a number as text, without a trailing .0."""
    return _WHOLE.sub("", shown(number))


def decode(text: str | bytes) -> object:
    """Decode JSON with exact numbers. Raises ValueError with a text for users, also for 1e309."""
    try:
        msgspec.json.decode(text)
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, InvalidOperation, RecursionError) as error:
        raise ValueError(say("This is not valid JSON ({reason}).", reason=str(error))) from error


def _number(text: str) -> Number:
    if _INTEGER.fullmatch(text) is not None:
        return _integer(text)
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(say("Please enter a number, such as 3.5."))
    tidy = _decimal(text).normalize(_WIDE)
    whole = tidy.adjusted() < 21 and tidy == tidy.to_integral_value()
    return int(tidy) if whole else tidy


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(_not_too_long(text))
    except InvalidOperation as error:
        raise ValueError(say("That number is too large or too small.")) from error


def _integer(text: str) -> int:
    if _INTEGER.fullmatch(text) is None:
        raise ValueError(say("Please enter a whole number, such as 3."))
    return int(_not_too_long(text))


def _not_too_long(text: str) -> str:
    if len(text) > _LONGEST_NUMBER:
        raise ValueError(say("That number is too long."))
    return text


def is_multiple(value: Number, of: Number) -> bool:
    try:
        return _WIDE.remainder(Decimal(value), Decimal(of)) == 0
    except InvalidOperation:  # more than 10,000 digits: the server decides
        return True


def _characters(number: int) -> Words:
    return say("1 character") if number == 1 else say("{number} characters", number=number)


def _items(number: int) -> Words:
    return say("1 item") if number == 1 else say("{number} items", number=number)
