"""A Form: the fields of a question, and the answer they make together. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from bridge.core.forms.fields import UNSET, Entered, Field, Invalid, Kind, Validator, Value
from bridge.core.forms.json_values import decode, encode
from bridge.core.protocol.jsonrpc import Malformed, edit, members
from bridge.i18n import say
from bridge.system.masking import MASK
from bridge.system.secret_names import asks_for_secret

_CANNOT_HOLD = (Kind.BOOLEAN, Kind.CHOICE, Kind.MULTI)


def looks_secret(field: Field) -> bool:
    """True if the field seems to ask for a password, key, card or the like."""
    if field.kind in _CANNOT_HOLD:
        return False
    return field.format == "password" or asks_for_secret((field.name, field.title, field.help))


@dataclass(frozen=True, slots=True)
class FormResult:
    """`content`: the JSON object to send; None if there are `errors` (field name, or "" → reason)."""

    content: bytes | None
    errors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Form:
    fields: tuple[Field, ...] = ()
    closed: bool = False  # additionalProperties: false
    judge: Validator | None = field(default=None, compare=False, repr=False)  # for the whole answer

    def fill(self, entered: Mapping[str, Entered]) -> FormResult:
        """Return the answer of these entries; a missing field is blank."""
        readings = {each.name: each.read(entered.get(each.name)) for each in self.fields}
        errors = {name: got.reason for name, got in readings.items() if isinstance(got, Invalid)}
        values = {name: got.v for name, got in readings.items() if isinstance(got, Value)}
        if not errors and self.judge is not None:
            errors = _blame_all(self.judge(values))
        return FormResult(None, errors) if errors else FormResult(encode(values))

    def check(self, content: bytes) -> FormResult:
        """Validate an answer that a program made: JSON values instead of entries."""
        try:
            values = decode(content)
            if not isinstance(values, dict):
                return FormResult(None, {"": say("The content must be a JSON object.")})
            errors = dict(self._problems(values))
            if not errors and self.judge is not None:
                errors = _blame_all(self.judge(values))
        except (ValueError, RecursionError) as error:
            return FormResult(None, {"": error.args[0]})
        return FormResult(None, errors) if errors else FormResult(msgspec.json.format(content, indent=-1))

    def completed(self, content: bytes) -> bytes:
        """Add the default of every field that a program left out (SEP-1034)."""
        try:
            found = members(content)
            return edit(content, {each.name: encode(each.default) for each in self._defaulted(found)})
        except Malformed:
            return content  # `check` reports the problem

    def masked(self, content: bytes) -> bytes:
        """Return the answer with the values of fields that look secret masked."""
        found = members(content)
        hidden = (each.name for each in self.fields if each.name in found and looks_secret(each))
        return edit(content, dict.fromkeys(hidden, encode(MASK)))

    def _defaulted(self, found: Mapping[str, object]) -> Iterator[Field]:
        return (each for each in self.fields if each.default is not UNSET and each.name not in found)

    def _problems(self, values: dict[str, object]) -> Iterator[tuple[str, str]]:
        for each in self.fields:
            if each.name in values:
                reason = each.problem(values[each.name])
            else:
                reason = say("This is missing.") if each.required else ""
            if reason:
                yield each.name, reason
        if self.closed:
            for name in values.keys() - {each.name for each in self.fields}:
                yield name, say("The form has no such field.")


def _blame_all(reason: str) -> dict[str, str]:
    return {"": reason} if reason else {}
