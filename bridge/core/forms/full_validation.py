"""Validate the rules of a form that schema.py does not know, by `jsonschema`.

The library is imported with the first such rule. Nothing is fetched, patterns have bounded cost
(patterns.py), and the rules evaluated for one answer are limited: beyond that, or for an invalid schema, the
server decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cache, partial
from itertools import islice
from typing import Any

from bridge.core.forms import formats, patterns, schema
from bridge.core.forms.fields import Validator
from bridge.core.forms.json_values import equality_key, is_multiple, is_number, is_type, shown
from bridge.core.forms.schema import Form
from bridge.i18n import Words, say

STEPS = 10_000  # rules evaluated for one answer
_SHOWN = 3  # errors shown at once
_LONGEST = 120  # characters of a quoted rule
_REACH = 1_000  # longest property name that patternProperties are matched with
_TEXTS = 100  # texts that share the time for one pattern
_left: ContextVar[int] = ContextVar("left")


class _Enough(Exception):
    """More than STEPS rules for one answer."""


def parse(requested: bytes) -> Form:
    """Return the Form of this requestedSchema, with all its rules. Raises SchemaError."""
    return schema.parse(requested, _judging)


def problem_of(root: dict[str, Any], value: object) -> str:
    """Return what is wrong with this value by the JSON Schema `root`; "" if nothing is, as far as known."""
    return _judge(root, root, value)


def _judging(root: dict[str, Any], node: object) -> Validator:
    return partial(_judge, root, node)


def _judge(root: dict[str, Any], node: object, value: object) -> str:
    """Return what is wrong with this value; "" if it is valid or cannot be checked."""
    import jsonschema  # type: ignore[import-untyped]
    import referencing

    if not _has_harmless_names(root, value):
        return ""
    left = _left.set(STEPS)
    try:
        _validator().check_schema(node)
        judge = _validator()(root, registry=referencing.Registry(), format_checker=_formats())
        found = judge.descend(value, node)
        reasons = list(dict.fromkeys(_in_words(error) for error in islice(found, _SHOWN)))
        return reasons[0] if len(reasons) == 1 else " ".join(reasons)
    except (jsonschema.SchemaError, referencing.exceptions.Unresolvable, _Enough, RecursionError):
        return ""
    finally:
        _left.reset(left)


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend  # type: ignore[import-untyped]

    rules = {**Draft202012Validator.VALIDATORS, **_OURS}
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: is_type(value, "integer"))
    return extend(
        Draft202012Validator, {name: _counted(rule) for name, rule in rules.items()}, type_checker=types
    )


@cache
def _formats() -> Any:
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    for name in formats.KNOWN:
        checker.checks(name)(partial(_has_format, name))
    return checker


def _has_format(name: str, value: object) -> bool:
    return not isinstance(value, str) or not formats.problem(name, value)


def _counted(rule: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    def check(validator: Any, wanted: Any, value: Any, node: Any) -> Iterator[Any]:
        _left.set(_left.get(STEPS) - 1)
        if _left.get() < 0:
            raise _Enough
        yield from rule(validator, wanted, value, node) or ()

    return check


# ---- rules that must be exact or bounded -------------------------------------------------------------


def _pattern(_: Any, wanted: str, value: Any, __: Any) -> Iterator[Any]:
    yield from _failed(isinstance(value, str) and not patterns.read(wanted, _TEXTS).matches(value))


def _multiple(_: Any, wanted: Any, value: Any, __: Any) -> Iterator[Any]:
    yield from _failed(is_number(value) and not is_multiple(value, wanted))


def _unique(_: Any, wanted: bool, value: Any, __: Any) -> Iterator[Any]:
    yield from _failed(
        wanted and isinstance(value, list) and len({equality_key(item) for item in value}) < len(value)
    )


def _failed(failed: bool) -> Iterator[Any]:
    from jsonschema import ValidationError

    if failed:
        yield ValidationError("")


_OURS: dict[str, Callable[..., Any]] = {"pattern": _pattern, "multipleOf": _multiple, "uniqueItems": _unique}


def _has_harmless_names(root: object, value: object) -> bool:
    """False if patternProperties could cost too much: `jsonschema` matches them with unbounded `re`."""
    nodes = [node for node in _walk(root) if isinstance(node, dict)]
    named = [
        name
        for node in nodes
        if isinstance(node.get("patternProperties"), dict)
        for name in node["patternProperties"]
    ]
    if any(patterns.read(name).longest_text < _REACH for name in named):
        return False
    return not named or all(
        len(name) <= _REACH for node in _walk(value) if isinstance(node, dict) for name in node
    )


def _walk(value: object) -> Iterator[object]:
    todo = [value]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, dict):
            todo.extend(node.values())
        elif isinstance(node, list):
            todo.extend(node)


# ---- words --------------------------------------------------------------------------------------------


def _in_words(error: Any) -> Words:
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    reason = _REASONS.get(error.validator, _other)(error)
    return say("At {place}: {reason}", place=place.removeprefix("."), reason=reason) if place else reason


def _missing(error: Any) -> Words:
    names = [name for name in error.validator_value if name not in error.instance]
    return say("Missing: {names}.", names=", ".join(names))


def _unknown(error: Any) -> Words:
    known = error.schema.get("properties", {})
    names = [name for name in error.instance if name not in known]
    return say("Does not belong here: {names}.", names=", ".join(names) or "…")


def _mistyped(error: Any) -> Words:
    wanted = error.validator_value
    return say("This must be {types}.", types=" / ".join(wanted) if isinstance(wanted, list) else wanted)


def _other(error: Any) -> Words:
    rule = " ".join(shown(error.validator_value).split())
    short = rule if len(rule) <= _LONGEST else f"{rule[:_LONGEST]}…"
    return say("This must keep the rule {name}: {rule}", name=error.validator, rule=short)


_REASONS: dict[str, Callable[[Any], Words]] = {
    "required": _missing,
    "additionalProperties": _unknown,
    "unevaluatedProperties": _unknown,
    "type": _mistyped,
}
