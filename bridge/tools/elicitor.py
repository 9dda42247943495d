"""Asking the person, in the middle of a tool: typed answers, and an exception where there is none.

A question waits as long as the person's settings say (`question_timeout`, five minutes unless they changed
it); `within` makes that shorter. Nothing here ever takes silence for a yes.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

import msgspec

from bridge.core.forms import schema as forms
from bridge.core.questions.question import HOW_TO_BE_ASKED, LATE, NO_ROOM, UNANSWERED_KEY, Action
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


@dataclass(frozen=True, slots=True)
class Visit:
    """A link the person agreed to open. `complete` tells the host that what it was for is done."""

    elicitation_id: str
    _peer: Peer

    async def complete(self) -> None:
        self._peer.notify("notifications/elicitation/complete", {"elicitationId": self.elicitation_id})


class Elicitor:
    """Raises Declined when the person says no, Cancelled when they close the question; of that, TimedOut when
    nobody answered in time and NobodyToAsk when nobody can be asked."""

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
        """One of these. A mapping gives each value the words that stand for it."""
        if isinstance(options, Mapping):
            wanted: dict[str, Any] = {"oneOf": [{"const": v, "title": t} for v, t in options.items()]}
        else:
            wanted = {"enum": list(options)}
        if not options:
            raise ValueError("there is nothing to choose from")
        chosen: str = await self._value(message, {"type": "string", **wanted}, field, default, within)
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
        """A line of text. `format` may be email, uri, date or date-time."""
        wanted: dict[str, Any] = {"type": "string", "minLength": min_length}
        if max_length is not None:
            wanted["maxLength"] = max_length
        if format:
            wanted["format"] = format
        written: str = await self._value(message, wanted, field, default, within)
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
        """A number; an int where the person wrote one."""
        wanted: dict[str, Any] = {"type": "integer" if integer else "number"}
        bounds = {"minimum": minimum, "maximum": maximum}
        wanted |= {name: bound for name, bound in bounds.items() if bound is not None}
        number: float = await self._value(message, wanted, field, default, within)
        return number

    async def confirm(self, message: str, *, within: float | None = None) -> bool:
        """True only for a yes, False for a no. A question that was closed is neither: Cancelled."""
        try:
            await self.form(message, {"type": "object", "properties": {}}, within=within)
        except Declined:
            return False
        return True

    @overload
    async def form(
        self, message: str, schema: Mapping[str, Any], *, within: float | None = None
    ) -> dict[str, Any]: ...
    @overload
    async def form(self, message: str, schema: type[T], *, within: float | None = None) -> T: ...
    async def form(
        self, message: str, schema: Mapping[str, Any] | type[T], *, within: float | None = None
    ) -> dict[str, Any] | T:
        """A flat form: a JSON schema gives a dict; a dataclass, TypedDict or msgspec Struct one of itself."""
        flat = dict(schema) if isinstance(schema, Mapping) else dict(schema_of(schema))
        try:
            form = forms.parse(msgspec.json.encode(flat))
        except forms.SchemaError as error:
            raise BadArguments(f"This question cannot be shown. {error}") from error
        content = await self._ask({"message": message, "requestedSchema": flat}, within)
        filled = form.check(msgspec.json.encode(content))
        if filled.content is None:
            errors = "; ".join(f"{name}: {reason}" for name, reason in filled.errors.items())
            raise ToolProblem(f"{self._peer.host} sent an answer that does not fit the question. {errors}")
        if isinstance(schema, Mapping):
            return content
        return msgspec.convert(content, schema)

    async def visit(self, message: str, url: str, *, within: float | None = None) -> Visit:
        """Have the person open a link. They agreed when this returns; what they do there, nobody tells."""
        visit = Visit(secrets.token_hex(8), self._peer)
        asked = {"mode": "url", "message": message, "url": url, "elicitationId": visit.elicitation_id}
        await self._ask(asked, within)
        return visit

    async def _value(
        self, message: str, wanted: dict[str, Any], title: str, default: object, within: float | None
    ) -> Any:
        wanted["title"] = title
        if default is not None:
            wanted["default"] = default
        schema = {"type": "object", "properties": {"value": wanted}, "required": ["value"]}
        return (await self.form(message, schema, within=within))["value"]

    async def _ask(self, params: Mapping[str, Any], within: float | None) -> dict[str, Any]:
        try:
            async with asyncio.timeout(within):
                said = await self._peer.request("elicitation/create", params)
        except TimeoutError as error:
            raise TimedOut(f"Nobody answered within {within:g} seconds.") from error
        except PeerRefused as error:
            raise nobody(self._peer.host) from error
        action, content, unanswered = read_answer(said)
        if action is not Action.ACCEPT:
            raise _no_answer(action, unanswered, self._peer.host)
        return content


def read_answer(said: Mapping[str, Any]) -> tuple[Action, dict[str, Any], str]:
    """Action, content, and why there is none. A word we do not know is no answer."""
    action = said.get("action")
    content, meta = said.get("content"), said.get("_meta")
    why = meta.get(UNANSWERED_KEY, "") if isinstance(meta, dict) else ""
    known = Action(action) if action in tuple(Action) else Action.CANCEL
    return known, content if isinstance(content, dict) else {}, str(why)


def _no_answer(action: Action, unanswered: str, host: str) -> NotAnswered:
    if action is Action.DECLINE:
        return Declined("The person declined to answer.")
    if unanswered == LATE:
        return TimedOut("Nobody answered in time.")
    if unanswered == NO_ROOM:
        return NobodyToAsk("Too many questions wait for the person already: this one was not asked.")
    if unanswered:
        return nobody(host)
    return Cancelled("The person closed the question without an answer.")


def nobody(host: str) -> NobodyToAsk:
    return NobodyToAsk(
        f"This needs an answer from a person, and nobody can be asked: {host} cannot show questions, and "
        f"Deskbell runs without a way to show them. {HOW_TO_BE_ASKED}"
    )
