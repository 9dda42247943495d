"""The reference of the API for tool authors, made from the docstrings and signatures of bridge.tools."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any

import bridge.tools

_ORDER = (
    "Toolbox",
    "ToolContext",
    "Elicitor",
    "Visit",
    "Files",
)  # first; then the values, then the exceptions


def page() -> str:
    """Return a section for each public class."""
    from bridge.tools.files import Files

    public = {name: getattr(bridge.tools, name) for name in bridge.tools.__all__} | {"Files": Files}
    values = [name for name in public if name not in _ORDER and not issubclass(public[name], Exception)]
    problems = [name for name in public if issubclass(public[name], Exception)]
    parts = [_section(name, public[name]) for name in (*_ORDER, *values)]
    return "\n\n".join((*parts, "## Exceptions", _exceptions({name: public[name] for name in problems})))


def _section(name: str, kind: type) -> str:
    lines = [f"## {name}", "", _plain(inspect.getdoc(kind) or "")]
    if dataclasses.is_dataclass(kind) and (
        fields := [one.name for one in dataclasses.fields(kind) if one.name[0] != "_"]
    ):
        lines += ["", "Fields: " + ", ".join(f"`{one}`" for one in fields) + "."]
    if members := [f"| {_signature(name, value)} | {_cell(_doc(value))} |" for name, value in _members(kind)]:
        lines += ["", "| member | does |", "|---|---|", *members]
    return "\n".join(lines).rstrip()


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties that have a docstring, inherited ones too."""
    for name, value in inspect.getmembers_static(kind):
        own = value.fget if isinstance(value, property) else value
        if not name.startswith("_") and inspect.isfunction(own) and _doc(value):
            yield name, value


def _doc(value: object) -> str:
    own = value.fget if isinstance(value, property) else value
    return inspect.getdoc(own) or ""


def _signature(name: str, value: object) -> str:
    if isinstance(value, property):
        return f"`{name}`"
    bare = inspect.unwrap(value)  # type: ignore[arg-type]
    given = [_parameter(one) for one in inspect.signature(bare).parameters.values() if one.name != "self"]
    awaited = (
        "await "
        if inspect.iscoroutinefunction(bare)
        else "async with "
        if inspect.isasyncgenfunction(bare)
        else ""
    )
    if any(one.kind is one.KEYWORD_ONLY for one in inspect.signature(bare).parameters.values()):
        given.insert(_first_keyword(bare), "*")
    return f"`{awaited}{name}({', '.join(given)})`"


def _first_keyword(function: Any) -> int:
    parameters = [one for one in inspect.signature(function).parameters.values() if one.name != "self"]
    return next(place for place, one in enumerate(parameters) if one.kind is one.KEYWORD_ONLY)


def _parameter(one: inspect.Parameter) -> str:
    mark = "**" if one.kind is one.VAR_KEYWORD else "*" if one.kind is one.VAR_POSITIONAL else ""
    return f"{mark}{one.name}" + ("" if one.default is one.empty else f"={one.default!r}")


def _exceptions(found: dict[str, type]) -> str:
    rows = [
        f"| `{name}` | `{kind.__bases__[0].__name__}` | {_cell(_doc(kind))} |" for name, kind in found.items()
    ]
    return "\n".join(("| exception | is a | raised when |", "|---|---|---|", *rows))


def _plain(text: str) -> str:
    """Return a docstring as Markdown: each paragraph on one line."""
    return "\n\n".join(" ".join(one.split()) for one in re.split(r"\n\s*\n", text.strip()))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
