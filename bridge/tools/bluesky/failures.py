"""Errors of Bluesky tools: a text for the model, and the reason for callers with exit codes."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from bridge.core.protocol.translate import TOO_LATE
from bridge.errors import DeskbellError, RequestRefused
from bridge.tools.base import ToolProblem
from bridge.tools.results import NOT_FOUND, UNREACHABLE

P = ParamSpec("P")
T = TypeVar("T")

_ERROR_TEXTS = {
    "NotFound": "Post not found",
    "RecordNotFound": "Post not found",
    "InvalidRequest": "",
    "AccountTakedown": "This account is suspended",
    "AccountDeactivated": "This account is deactivated",
    "RepoTakendown": "This account is suspended",
    "RepoDeactivated": "This account is deactivated",
    "RepoNotFound": "There is no such account",
    "BlockedActor": "You have blocked this account",
    "BlockedByActor": "This account has blocked you",
    "UnknownFeed": "There is no such feed",
    "UnknownList": "There is no such list",
}
_MISSING = ("NotFound", "RecordNotFound", "RepoNotFound", "UnknownFeed", "UnknownList")
_MISSING_MESSAGES = ("Profile not found.", "Actor not found.", "could not find feed.")  # of InvalidRequest
_REASONS = {2: UNREACHABLE, 3: NOT_FOUND, 4: TOO_LATE}  # exit code of an error → reason


def errors_as_text(function: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Raise the errors of a tool as ToolProblem, with a text for the model."""

    @functools.wraps(function)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await function(*args, **kwargs)
        except DeskbellError as error:
            raise as_problem(error) from error

    return run


def as_problem(error: DeskbellError | ToolProblem) -> ToolProblem:
    """Return the error with a text for the model."""
    if isinstance(error, ToolProblem):
        return error
    return ToolProblem(f"⚠️ {error_text(error)}", failure_reason(error))


def failure_reason(error: DeskbellError) -> str:
    """Return the reason of a failure for callers with exit codes; "" if it has none of its own."""
    if isinstance(error, RequestRefused) and (error.name in _MISSING or error.message in _MISSING_MESSAGES):
        return NOT_FOUND
    return _REASONS.get(error.exit_code, "")


def error_text(error: DeskbellError) -> str:
    """Return the text of an error; known error names of servers have texts of their own."""
    if isinstance(error, RequestRefused):
        text = _ERROR_TEXTS.get(error.name, "")
        return f"{text}." if text else error.message or error.title
    return str(error)
