"""Call a tool from the window "Try a tool", one call at a time, and keep its result for Status.

The call is like any host's: policy, approvals and history apply, and its Questions come to the Desk.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from bridge.core.ports import OWN_WINDOWS
from bridge.core.protocol.jsonrpc import Envelope
from bridge.core.status.servers import ContentBlock, ToolTrial
from bridge.functions.content_blocks import content_blocks
from bridge.functions.tool_caller import ToolCaller
from bridge.i18n import Phrases
from bridge.tools.results import CallResult

_NOTES = 100  # log messages kept
_LONGEST = 500  # characters of one


class Trials:
    def __init__(self, tool_caller: ToolCaller, phrases: Phrases, on_change: Callable[[], None]) -> None:
        self._tool_caller = tool_caller
        self._phrases = phrases
        self._on_change = on_change
        self._task: asyncio.Task[None] | None = None
        self.now = ToolTrial()

    def begin(self, server: str, tool: str, arguments: bytes) -> None:
        """Call a tool; cancel the call that is under way."""
        self.cancel()
        self.now = ToolTrial(self.now.number + 1, server, tool, running=True)
        self._task = asyncio.create_task(self._run(self.now.number, tool, arguments))
        self._on_change()

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def close(self) -> None:
        self.cancel()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, number: int, tool: str, arguments: bytes) -> None:
        begun = time.monotonic()
        ended: dict[str, Any] = {"cancelled": True}
        try:
            noted = partial(self._noted, number)
            reply = await self._tool_caller.call_raw(OWN_WINDOWS, tool, arguments, noted)
            failed, blocks = await self._content(reply)
            ended = {"failed": failed, "blocks": blocks}
        finally:
            if self.now.number == number:
                self.now = replace(self.now, running=False, seconds=time.monotonic() - begun, **ended)
                self._on_change()

    async def _content(self, reply: Envelope | CallResult) -> tuple[bool, tuple[ContentBlock, ...]]:
        """Return whether the call failed, and its content. Decodes in a thread: a picture may be large."""
        if isinstance(reply, CallResult):
            return reply.failed, (ContentBlock("text", self._phrases.of(reply.text)),)
        failed, blocks = await asyncio.to_thread(content_blocks, reply)
        if len(reply.error):  # an error of Deskbell's, which windows translate
            blocks = tuple(replace(one, text=self._phrases.of(one.text)) for one in blocks)
        return failed, blocks

    def _noted(self, number: int, note: Envelope) -> None:
        if self.now.number != number:
            return
        try:
            params = msgspec.json.decode(note.params) if len(note.params) else {}
        except (msgspec.DecodeError, RecursionError):
            return
        if isinstance(params, dict):
            self.now = _with_note(self.now, note.method or "", params)
            self._on_change()


def _with_note(now: ToolTrial, method: str, params: dict[str, Any]) -> ToolTrial:
    if method == "notifications/progress":
        message = str(params.get("message") or "")[:_LONGEST]
        return replace(
            now, done=_number(params.get("progress")), total=_number(params.get("total")), message=message
        )
    if method != "notifications/message":
        return now
    data = params.get("data")
    text = data if isinstance(data, str) else msgspec.json.encode(data).decode()
    return replace(now, notes=(*now.notes, f"{params.get('level', '')}: {text}"[:_LONGEST])[-_NOTES:])


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
