"""Derive the JSON schemas of a tool from a typed function: parameters, docstring, return type.

Types are those msgspec knows: str, int, float, bool, None, list, dict, Literal, Enum, TypedDict, dataclass,
Struct, dates, and Annotated with msgspec.Meta for bounds.
"""

from __future__ import annotations

import inspect
import keyword
import re
import types
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from bridge.tools.base import Arguments, BadArguments
from bridge.tools.results import Prose, Report

_SECTION = re.compile(r"^(Args|Arguments|Returns|Raises):\s*$", re.MULTILINE)
_ARGUMENT = re.compile(r"^ {1,8}(\w+):\s*(.*)$")
_REF = "#/$defs/{name}"


@dataclass(frozen=True, slots=True)
class Signature:
    """The description and schemas of a function, and `call`, which calls it with JSON arguments."""

    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    call: Callable[[Any, Arguments], Awaitable[Any]]


def described(text: str, *examples: object, **bounds: Any) -> msgspec.Meta:
    """Return the metadata of an Annotated argument: its description, examples and bounds."""
    return msgspec.Meta(description=text, examples=list(examples) or None, **bounds)


def read(function: Callable[..., Awaitable[Any]], names: Mapping[str, str] | None = None) -> Signature:
    """Read a function. `names` maps parameters to argument names; `from_` becomes `from` without it."""
    if not inspect.iscoroutinefunction(function):
        raise TypeError(f"{_name(function)} must be an `async def`")
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())
    description, parameter_texts = parse_docstring(inspect.getdoc(function) or "")
    if not parameters:
        raise TypeError(f"the first parameter of {_name(function)} must be its ToolContext")
    argument_names = {p.name: (names or {}).get(p.name) or _strip_underscore(p.name) for p in parameters[1:]}
    for parameter in parameters[1:]:
        _check_parameter(parameter, hints, _name(function))
    fields = [_field(p, hints, argument_names, parameter_texts) for p in parameters[1:]]
    struct = msgspec.defstruct(function.__name__, fields, kw_only=True, forbid_unknown_fields=True)
    schema = schema_of(struct)

    async def call(ctx: Any, arguments: Arguments) -> Any:
        converted = convert_arguments(arguments, struct, schema, function.__name__)
        return await function(ctx, **{name: getattr(converted, name) for name in argument_names})

    return Signature(description, schema, output_schema(hints.get("return", Any)), call)


def _name(function: object) -> str:
    return getattr(function, "__qualname__", repr(function))


def _strip_underscore(name: str) -> str:
    """Return `from` for `from_`: Python's keywords cannot be parameters."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def _check_parameter(parameter: inspect.Parameter, hints: Mapping[str, Any], function: str) -> None:
    if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
        raise TypeError(f"*{parameter.name} of {function} cannot be described by a schema")
    if parameter.name not in hints:
        raise TypeError(f"{parameter.name} of {function} needs a type")


def _field(
    parameter: inspect.Parameter, hints: Mapping[str, Any], names: Mapping[str, str], texts: Mapping[str, str]
) -> tuple[str, Any, Any]:
    hint, name, description = hints[parameter.name], names[parameter.name], texts.get(parameter.name)
    hint = Annotated[hint, msgspec.Meta(description=description)] if description else hint
    default = parameter.default
    if default is inspect.Parameter.empty:
        return parameter.name, hint, msgspec.field(name=name)
    if isinstance(default, list | dict | set):
        return parameter.name, hint, msgspec.field(default_factory=default.copy, name=name)
    return parameter.name, hint, msgspec.field(default=default, name=name)


def parse_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Return the description of a docstring, and the text of each parameter in its `Args:`."""
    parts = _SECTION.split(text)
    texts: dict[str, str] = {}
    for kind, body in zip(parts[1::2], parts[2::2], strict=True):
        name = ""
        for line in body.splitlines() if kind in ("Args", "Arguments") else ():
            if found := _ARGUMENT.match(line):
                name = found[1]
                texts[name] = found[2]
            elif name and line.strip():
                texts[name] += " " + line.strip()
    return parts[0].strip(), texts


def convert_arguments(arguments: Arguments, struct: type, schema: Mapping[str, Any], tool: str) -> Any:
    """Convert JSON arguments to the types of the function; "3" becomes a number where a number is wanted."""
    missing = [name for name in schema.get("required", ()) if name not in arguments]
    if missing:
        raise BadArguments(f"{tool} needs {', '.join(missing)}.")
    unknown = [name for name in arguments if name not in schema["properties"]]
    if unknown:
        known = ", ".join(schema["properties"]) or "none"
        raise BadArguments(f"{tool} has no argument called {', '.join(unknown[:8])}. It has: {known}.")
    try:
        return msgspec.convert(arguments, struct, strict=False)
    except msgspec.ValidationError as error:
        raise BadArguments(f"The arguments of {tool} do not fit. {_reformat_error(str(error))}") from error


def _reformat_error(problem: str) -> str:
    """ "Expected `int`, got `str` - at `$.count`" → "count: expected int, got str." """
    what, _, where = problem.partition(" - at `$.")
    place = f"{where.rstrip('`')}: {what[:1].lower()}{what[1:]}" if where else what
    return place.replace("`", "") + "."


# --- schemas ---------------------------------------------------------------------------------------------


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON schema of a type, without references unless the type is recursive."""
    (root,), parts = msgspec.json.schema_components([kind], ref_template=_REF)
    whole = _inlined(root, parts, ())
    recursive = {name: _inlined(parts[name], parts, (name,)) for name in _referenced(whole)}
    if whole.get("type") == "object":
        whole.pop("title", None)
    return {**whole, "$defs": recursive} if recursive else whole


def _inlined(node: Any, parts: Mapping[str, Any], inside: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_inlined(one, parts, inside) for one in node]
    if not isinstance(node, dict):
        return node
    name = str(node.get("$ref", "")).removeprefix(_REF.format(name=""))
    if name and name not in inside:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return {**_inlined(parts[name], parts, (*inside, name)), **rest}
    return _typed(_optional({key: _inlined(value, parts, inside) for key, value in node.items()}))


def _optional(node: dict[str, Any]) -> dict[str, Any]:
    """Remove `null` from an optional argument: many models would send the string "null"."""
    alternatives = node.get("anyOf")
    if isinstance(alternatives, list) and "default" in node and node["default"] is None:
        options = [option for option in alternatives if option != {"type": "null"}]
        rest = {key: value for key, value in node.items() if key not in ("anyOf", "default")}
        return {**options[0], **rest} if len(options) == 1 else {**rest, "anyOf": options}
    return node


def _typed(node: dict[str, Any]) -> dict[str, Any]:
    """Add the type to an enum of strings: the APIs of some models require a type."""
    choices = node.get("enum")
    is_text = isinstance(choices, list) and all(isinstance(one, str) for one in choices)
    return {"type": "string", **node} if is_text and "type" not in node else node


def _referenced(node: Any) -> set[str]:
    """Return the names of types that are still referenced: recursive ones."""
    if isinstance(node, list):
        return set().union(*map(_referenced, node)) if node else set()
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"].removeprefix(_REF.format(name=""))} if isinstance(node.get("$ref"), str) else set()
    return own.union(*map(_referenced, node.values())) if node else own


def output_schema(kind: Any) -> dict[str, Any] | None:
    """Return the schema of the answer (results.py); None for Prose, None and Any."""
    if get_origin(kind) is Report:
        kind = get_args(kind)[0]
    alternatives = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    if kind in (Any, None, type(None)) or any(map(_is_prose, alternatives)):
        return None
    if get_origin(kind) is tuple and Ellipsis not in get_args(kind):
        return _answer({f"result{n}": schema_of(one) for n, one in enumerate(get_args(kind))})
    return _answer({"result": schema_of(kind)})


def _is_prose(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Prose)


def _answer(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an answer; `$defs` move to its top, where references start."""
    parts: dict[str, Any] = {}
    for one in properties.values():
        parts |= one.pop("$defs", {})
    whole = {"type": "object", "properties": properties, "required": list(properties)}
    return {**whole, "$defs": parts} if parts else whole
