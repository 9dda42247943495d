"""Forms for the tests, made the way a server would: from JSON."""

from __future__ import annotations

import json
from typing import Any

from bridge.core.forms import schema
from bridge.core.forms.fields import Invalid
from bridge.core.forms.schema import Entered, Field, Form

EVERY_KIND: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": "number"},
    {"type": "integer"},
    {"type": "boolean"},
    {"enum": ["a"]},
    {"type": "array", "items": {"enum": ["a"]}, "minItems": 1},
    {"type": "array", "items": {"type": "string"}, "minItems": 1},
    {"type": "object"},
]


def form(properties: dict[str, Any], *required: str, **more: Any) -> Form:
    root = {"type": "object", "properties": properties, "required": required, **more}
    return schema.parse(json.dumps(root).encode())


def only(node: Any, *, required: bool = False, defs: dict[str, Any] | None = None) -> Field:
    (field,) = form({"it": node}, *(["it"] if required else []), **{"$defs": defs or {}}).fields
    return field


def reason(field: Field, entered: Entered) -> str:
    """Why this cannot be entered."""
    read = field.read(entered)
    assert isinstance(read, Invalid), read
    return read.reason
