"""Elicitor: ask the user from a tool. Returns typed answers; raises an exception without an answer.

A question expires after the setting `question_timeout` (five minutes by default), or after `within` seconds
if that is shorter. An expired question is never taken for a yes.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

import msgspec

from bridge.core.forms import schema as forms
from bridge.core.protocol.elicitation import CONSENT_KEY, YES_OR_NO
from bridge.core.questions.question import HOW_TO_BE_ASKED, LATE, NO_ROOM, REASON_KEY, UNANSWERED_KEY, Action
from bridge.tools.base import (
    BadArguments,
    Cancelled,
    Declined,
    NobodyToAsk,
    NotAnswered,
    Peer,
    PeerRefused,
    TimedOut,
    ToolProblem,
)
from bridge.tools.signature import schema_of

T = TypeVar("T")
_CONSENT = {CONSENT_KEY: True}


@dataclass(frozen=True, slots=True)
class Visit:
    """A URL that the user agreed to open. `complete` tells the host that the visit has served its purpose."""

    elicitation_id: str
    _peer: Peer

    async def complete(self) -> None:
        self._peer.notify("notifications/elicitation/complete", {"elicitationId": self.elicitation_id})


class Elicitor:
    """Raises Declined if the user declines, Cancelled if they close the question; its subclasses are TimedOut
    for an expired question, and NobodyToAsk if no question can be shown."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def choose(
        self,
        message: str,
        options: Sequence[str] | Mapping[str, str],
        *,
        field: str = "Choice",
        default: str | None = None,
        within: float | None = None,
    ) -> str:
        """Ask for one of the options. A mapping has the title of each value."""
        if isinstance(options, Mapping):
            field_schema: dict[str, Any] = {"oneOf": [{"const": v, "title": t} for v, t in options.items()]}
        else:
            field_schema = {"enum": list(options)}
        if not options:
            raise ValueError("there is nothing to choose from")
        chosen: str = await self._value(message, {"type": "string", **field_schema}, field, default, within)
        return chosen

    async def text(
        self,
        message: str,
        field: str = "Answer",
        *,
        default: str | None = None,
        format: str = "",
        min_length: int = 1,
        max_length: int | None = None,
        within: float | None = None,
    ) -> str:
        """Ask for a line of text. `format` may be email, uri, date or date-time."""
        field_schema: dict[str, Any] = {"type": "string", "minLength": min_length}
        if max_length is not None:
            field_schema["maxLength"] = max_length
        if format:
            field_schema["format"] = format
        written: str = await self._value(message, field_schema, field, default, within)
        return written

    async def number(
        self,
        message: str,
        minimum: float | None = None,
        maximum: float | None = None,
        *,
        field: str = "Number",
        integer: bool = False,
        default: float | None = None,
        within: float | None = None,
    ) -> float:
        """Ask for a number; returns an int if the user typed one."""
        field_schema: dict[str, Any] = {"type": "integer" if integer else "number"}
        bounds = {"minimum": minimum, "maximum": maximum}
        field_schema |= {name: bound for name, bound in bounds.items() if bound is not None}
        number: float = await self._value(message, field_schema, field, default, within)
        return number

    async def confirm(self, message: str, *, within: float | None = None) -> bool:
        """Ask for a yes or no, on the desktop if there is one: a host may accept unseen. Raises Cancelled if
        the user closes the question."""
        params = {"message": message, "requestedSchema": msgspec.Raw(YES_OR_NO), "_meta": _CONSENT}
        try:
            answer = (await self._ask(params, within)).get("answer")
        except Declined:
            return False
        if answer not in ("yes", "no"):
            raise NobodyToAsk(f"{self._peer.host} accepted it without a yes, as if nobody had seen it.")
        return bool(answer == "yes")

    @overload
    async def form(
        self, message: str, schema: Mapping[str, Any], *, within: float | None = None, consent: bool = False
    ) -> dict[str, Any]: ...
    @overload
    async def form(
        self, message: str, schema: type[T], *, within: float | None = None, consent: bool = False
    ) -> T: ...
    async def form(
        self,
        message: str,
        schema: Mapping[str, Any] | type[T],
        *,
        within: float | None = None,
        consent: bool = False,
    ) -> dict[str, Any] | T:
        """Ask with a flat form. A JSON schema gives a dict; a dataclass, TypedDict or msgspec Struct an
        instance. `consent`: the answer has consequences, so the desktop asks if there is one."""
        flat = dict(schema) if isinstance(schema, Mapping) else dict(schema_of(schema))
        try:
            form = forms.parse(msgspec.json.encode(flat))
        except forms.SchemaError as error:
            raise BadArguments(f"This question cannot be shown. {error}") from error
        meta = {"_meta": _CONSENT} if consent else {}
        content = await self._ask({"message": message, "requestedSchema": flat, **meta}, within)
        filled = form.check(msgspec.json.encode(content))
        if filled.content is None:
            errors = "; ".join(f"{name}: {reason}" for name, reason in filled.errors.items())
            raise ToolProblem(f"{self._peer.host} sent an answer that does not fit the question. {errors}")
        if isinstance(schema, Mapping):
            return content
        return msgspec.convert(content, schema)

    async def visit(self, message: str, url: str, *, within: float | None = None) -> Visit:
        """Ask the user to open a URL; returns when they agree. What they do there is unknown."""
        visit = Visit(secrets.token_hex(8), self._peer)
        params = {"mode": "url", "message": message, "url": url, "elicitationId": visit.elicitation_id}
        await self._ask(params, within)
        return visit

    async def or_default(self, asking: Awaitable[T], default: T) -> T:
        """Return the answer; the default if nobody answers in time, or nobody can be asked. A person who
        declines or closes the question still raises."""
        try:
            return await asking
        except (TimedOut, NobodyToAsk):
            return default

    async def _value(
        self, message: str, field_schema: dict[str, Any], title: str, default: object, within: float | None
    ) -> Any:
        field_schema["title"] = title
        if default is not None:
            field_schema["default"] = default
        schema = {"type": "object", "properties": {"value": field_schema}, "required": ["value"]}
        return (await self.form(message, schema, within=within))["value"]

    async def _ask(self, params: Mapping[str, Any], within: float | None) -> dict[str, Any]:
        try:
            async with asyncio.timeout(within):
                result = await self._peer.request("elicitation/create", params)
        except TimeoutError as error:
            raise TimedOut(f"Nobody answered within {within:g} s.") from error
        except PeerRefused as error:
            raise nobody_to_ask(self._peer.host) from error
        action, content, unanswered = read_answer(result)
        if action is not Action.ACCEPT:
            raise _not_answered(action, unanswered, self._peer.host)
        return content


def read_answer(result: Mapping[str, Any]) -> tuple[Action, dict[str, Any], str]:
    """Return action, content, and the reason of a missing answer: of a refusal, in the person's words. An
    unknown action counts as cancel."""
    action = result.get("action")
    content, meta = result.get("content"), result.get("_meta")
    known = Action(action) if action in tuple(Action) else Action.CANCEL
    key = REASON_KEY if known is Action.DECLINE else UNANSWERED_KEY
    why = meta.get(key, "") if isinstance(meta, dict) else ""
    return known, content if isinstance(content, dict) else {}, str(why)


def _not_answered(action: Action, unanswered: str, host: str) -> NotAnswered:
    if action is Action.DECLINE:
        return Declined("The person declined to answer.", unanswered)
    if unanswered == LATE:
        return TimedOut("Nobody answered in time.")
    if unanswered == NO_ROOM:
        return NobodyToAsk("Too many questions wait for the person already: this one was not asked.")
    if unanswered:
        return nobody_to_ask(host)
    return Cancelled("The person closed the question without an answer.")


def nobody_to_ask(host: str) -> NobodyToAsk:
    return NobodyToAsk(
        f"This needs an answer from a person, and nobody can be asked: {host} cannot show questions, and "
        f"Deskbell runs without a way to show them. {HOW_TO_BE_ASKED}"
    )
