"""A tool in three phases: `before` prepares, the function asks people and models, `after` finishes.

Only the function gets a ToolContext. `before` and `after` run once each, before and after all questions:
what has a cost or an effect belongs there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bridge.tools import signature
from bridge.tools.base import Arguments
from bridge.tools.signature import Signature


def read(
    function: Callable[..., Any],
    before: Callable[..., Any],
    after: Callable[..., Any] | None,
    names: Mapping[str, str] | None,
    tool: str,
) -> Signature:
    """Read the three functions: the parameters are those of `before`, the answer is that of the last.

    before(**arguments) returns the handoff; function(ctx, handoff) a value; after(handoff, value, arguments)
    the answer.
    """
    _check(function, 2, "a ToolContext and what `before` returned")
    asked = signature.read(before, names, tool)
    if asked.wants_context:
        raise TypeError(f"`before` of {tool} takes arguments only: it cannot ask anybody")
    last = after or function
    if after is not None:
        _check(after, 3, "what `before` returned, what the tool returned, and the arguments")
    returns = signature.return_type(last)
    declared = signature.checker(returns)
    prepare, work = signature.as_coroutine(before), signature.as_coroutine(function)
    finish = signature.as_coroutine(after) if after is not None else None

    async def raw(ctx: Any, arguments: Arguments) -> Any:
        given = asked.convert(arguments)
        handoff = await prepare(**given)
        value = await work(ctx, handoff)
        return await finish(handoff, value, given) if finish is not None else value

    async def call(ctx: Any, arguments: Arguments) -> Any:
        return declared(await raw(ctx, arguments))

    description, _ = signature.parse_docstring(inspect.getdoc(function) or inspect.getdoc(before) or "")
    answer = signature.output_schema(returns)
    return replace(asked, description=description, output_schema=answer, call=call, raw=raw)


def _check(function: Callable[..., Any], count: int, what: str) -> None:
    if len(inspect.signature(function).parameters) != count:
        raise TypeError(f"{getattr(function, '__qualname__', function)} must take {count} parameters: {what}")
