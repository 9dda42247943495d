"""Derive the JSON schemas of a tool from a typed function: parameters, docstring, return type.

Types are those msgspec knows: str, int, float, bool, None, list, dict, Literal, Enum, TypedDict, dataclass,
Struct, dates, and Annotated with msgspec.Meta for bounds.
"""

from __future__ import annotations

import asyncio
import inspect
import keyword
import re
import types
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from bridge.tools.arguments import InvalidArguments, fit
from bridge.tools.base import Arguments, BadArguments
from bridge.tools.results import Prose, Report, Values, named

_SECTION = re.compile(r"^(Args|Arguments|Returns|Raises):\s*$", re.MULTILINE)
_ARGUMENT = re.compile(r"^ {1,8}(\w+):\s*(.*)$")
_REF = "#/$defs/{name}"
_Adapt = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Signature:
    """The description and schemas of a function, and `call`, which calls it with JSON arguments."""

    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    call: Callable[[Any, Arguments], Awaitable[Any]]
    raw: Callable[[Any, Arguments], Awaitable[Any]]  # calls the function and returns its bare value
    convert: Callable[[Arguments], dict[str, Any]]  # JSON arguments → the function's parameters
    wants_context: bool = False


def described(text: str, *examples: object, **bounds: Any) -> msgspec.Meta:
    """Return the metadata of an Annotated argument: its description, examples and bounds."""
    return msgspec.Meta(description=text, examples=list(examples) or None, **bounds)


def read(function: Callable[..., Any], names: Mapping[str, str] | None = None, tool: str = "") -> Signature:
    """Read a function; a plain `def` will run in a thread. `names` maps parameters to argument names; `from_`
    becomes `from` without it. `tool` is the name in error texts."""
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())
    description, parameter_texts = parse_docstring(inspect.getdoc(function) or "")
    wants_context = bool(parameters) and _is_context(parameters[0], hints)
    parameters = parameters[wants_context:]
    argument_names = {p.name: (names or {}).get(p.name) or _strip_underscore(p.name) for p in parameters}
    for parameter in parameters:
        _check_parameter(parameter, hints, _name(function))
    fields = [_field(p, hints, argument_names, parameter_texts) for p in parameters]
    struct = msgspec.defstruct(function.__name__, fields, kw_only=True, forbid_unknown_fields=True)
    returns = return_type(function)
    try:
        schema, answer = schema_of(struct), output_schema(returns)
    except TypeError as error:  # its last line names the type
        why = str(error).splitlines()[-1]
        raise TypeError(f"{_name(function)} cannot be described by a schema: {why}") from error
    run, declared = as_coroutine(function), checker(returns)

    def convert(arguments: Arguments) -> dict[str, Any]:
        converted = convert_arguments(arguments, struct, schema, tool or function.__name__)
        return {name: getattr(converted, name) for name in argument_names}

    async def raw(ctx: Any, arguments: Arguments) -> Any:
        context = (ctx,) if wants_context else ()
        return await run(*context, **convert(arguments))

    async def call(ctx: Any, arguments: Arguments) -> Any:
        return declared(await raw(ctx, arguments))

    return Signature(description, schema, answer, call, raw, convert, wants_context)


def as_coroutine(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """Return the function, or for a plain `def` one that runs it in a thread."""
    return function if inspect.iscoroutinefunction(function) else partial(asyncio.to_thread, function)


def return_type(function: Callable[..., Any]) -> Any:
    return get_type_hints(function, include_extras=True).get("return", Any)


def _is_context(parameter: inspect.Parameter, hints: Mapping[str, Any]) -> bool:
    """True if the function wants its ToolContext as this parameter."""
    from bridge.tools.context import ToolContext  # imports this module

    hint = hints.get(parameter.name)
    return (
        parameter.name == "ctx" if hint is None else isinstance(hint, type) and issubclass(hint, ToolContext)
    )


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
    if _is_context(parameter, hints):
        raise TypeError(f"{parameter.name} of {function} must be its first parameter")


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
    try:
        return msgspec.json.decode(
            fit(tool, schema, msgspec.json.encode(arguments)), type=struct, strict=False
        )
    except InvalidArguments as problem:
        raise BadArguments(str(problem)) from problem
    except msgspec.ValidationError as error:
        raise BadArguments(f"The arguments of {tool} do not fit. {_reformat_error(str(error))}") from error


def _reformat_error(problem: str) -> str:
    """ "Expected `int`, got `str` - at `$.count`" → "count: expected int, got str." """
    what, _, where = problem.partition(" - at `$.")
    place = f"{where.rstrip('`')}: {what[:1].lower()}{what[1:]}" if where else what
    return place.replace("`", "") + "."


# --- schemas ---------------------------------------------------------------------------------------------


def schema_of(kind: Any, *, output: bool = False) -> dict[str, Any]:
    """Return the JSON schema of a type, without references unless the type is recursive. `output`: an
    optional member may be null."""
    (root,), parts = msgspec.json.schema_components([kind], ref_template=_REF)
    adapt = _typed if output else lambda node: _typed(_optional(node))
    whole = _inlined(root, parts, (), adapt)
    recursive = {name: _inlined(parts[name], parts, (name,), adapt) for name in _referenced(whole)}
    if whole.get("type") == "object":
        whole.pop("title", None)
    return {**whole, "$defs": recursive} if recursive else whole


def _inlined(node: Any, parts: Mapping[str, Any], inside: tuple[str, ...], adapt: _Adapt) -> Any:
    if isinstance(node, list):
        return [_inlined(one, parts, inside, adapt) for one in node]
    if not isinstance(node, dict):
        return node
    name = str(node.get("$ref", "")).removeprefix(_REF.format(name=""))
    if name and name not in inside:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return {**_inlined(parts[name], parts, (*inside, name), adapt), **rest}
    return adapt({key: _inlined(value, parts, inside, adapt) for key, value in node.items()})


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
    """Return the schema of the answer (results.py); None for Prose and Any."""
    if get_origin(kind) is Report:
        return _answer([get_args(kind)[0]])
    alternatives = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    if kind in (Any, Report) or any(map(_is_prose, alternatives)):
        return None
    return _answer([] if _is_none(kind) else get_args(kind) if _is_several(kind) else [kind])


def checker(kind: Any) -> Callable[[Any], Any]:
    """Return a function that turns a value into the values that the output schema of its declared type
    promises. It raises TypeError for a value of another type: a host would refuse the result."""
    if output_schema(kind) is None or _is_none(kind):
        return lambda value: Values() if _is_none(kind) else value
    in_report = get_origin(kind) is Report
    decoder = msgspec.json.Decoder(get_args(kind)[0] if in_report else kind)

    def declared(value: Any) -> Any:
        if isinstance(value, Prose) or isinstance(value, Report) is not in_report:
            raise TypeError(f"it returned {type(value).__name__}, which is not the declared {kind}")
        try:
            decoder.decode(msgspec.json.encode(value.data if in_report else value))
        except msgspec.ValidationError as error:
            raise TypeError(f"it returned what is not the declared {kind}: {error}") from error
        return value if in_report else Values(value if _is_several(kind) else (value,))

    return declared


def _is_none(kind: Any) -> bool:
    return kind in (None, type(None))


def _is_several(kind: Any) -> bool:
    """True for a tuple of fixed length, whose members are separate values of the answer."""
    return get_origin(kind) is tuple and Ellipsis not in get_args(kind)


def _is_prose(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Prose)


def _answer(kinds: Sequence[Any]) -> dict[str, Any]:
    """Return the schema of an answer; `$defs` move to its top, where references start."""
    properties = named([schema_of(kind, output=True) for kind in kinds])
    parts: dict[str, Any] = {}
    for one in properties.values():
        parts |= one.pop("$defs", {})
    whole = {"type": "object", "properties": properties, "required": list(properties)}
    return {**whole, "$defs": parts} if parts else whole
