"""JSON values of a form: exact numbers, never float; types and equality as in JSON Schema. Pure."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Hashable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from typing import Any, TypeGuard

import msgspec

from bridge.i18n import say

Number = int | Decimal
LARGEST = Decimal(sys.float_info.max)  # the largest number most JSON parsers accept
_LONGEST_NUMBER = 4_300  # characters; Python's own limit for int(str)
_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"\.0+\Z")
_WIDE = Context(prec=10_000, Emax=MAX_EMAX, Emin=MIN_EMIN)  # precise enough never to round input
_decoder = msgspec.json.Decoder(float_hook=Decimal)
encode = msgspec.json.Encoder(decimal_format="number").encode


def decode(text: str | bytes) -> object:
    """Decode JSON with exact numbers. Raises ValueError with a text for users, also for 1e309."""
    try:
        msgspec.json.decode(text)
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, InvalidOperation, RecursionError) as error:
        raise ValueError(say("This is not valid JSON ({reason}).", reason=str(error))) from error


def number_from(text: str) -> Number:
    """Return the number a user entered. Raises ValueError with a text for users."""
    if _INTEGER.fullmatch(text) is not None:
        return integer_from(text)
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(say("Please enter a number, such as 3.5."))
    _refuse_long(text)
    try:
        tidy = Decimal(text).normalize(_WIDE)
    except InvalidOperation as error:
        raise ValueError(say("That number is too large or too small.")) from error
    return int(tidy) if tidy.adjusted() < 21 and _is_whole(tidy) else tidy


def integer_from(text: str) -> int:
    """Return the whole number a user entered. Raises ValueError with a text for users."""
    if _INTEGER.fullmatch(text) is None:
        raise ValueError(say("Please enter a whole number, such as 3."))
    _refuse_long(text)
    return int(text)


def _refuse_long(text: str) -> None:
    if len(text) > _LONGEST_NUMBER:
        raise ValueError(say("That number is too long."))


def shown(value: object) -> str:
    """Return a JSON value as text for users to read and edit."""
    if isinstance(value, Decimal) and -20 < value.adjusted() < 21:
        return f"{value:f}"
    return msgspec.json.format(encode(value), indent=2).decode()


def number_text(number: Number) -> str:
    """Return a number as text, without a trailing .0."""
    return _WHOLE.sub("", shown(number))


def is_multiple(value: Number, of: Number) -> bool:
    try:
        return _WIDE.remainder(Decimal(value), Decimal(of)) == 0
    except InvalidOperation:  # more than 10,000 digits: the server decides
        return True


def is_number(value: object) -> TypeGuard[Number]:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _is_whole(value: Decimal) -> bool:
    return value == value.to_integral_value()


_IS_TYPE: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": is_number,
    "integer": lambda value: is_number(value) and (isinstance(value, int) or _is_whole(value)),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}
TYPES = frozenset(_IS_TYPE)


def is_type(value: object, name: str) -> bool:
    """True if a value is of this JSON Schema type, where 1.0 is an integer."""
    return name in _IS_TYPE and _IS_TYPE[name](value)


def is_unicode(text: str) -> bool:
    """False if the text has lone surrogates, which UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


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
