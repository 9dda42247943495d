"""A tool that the person tries: called like any other, and what comes back is kept to be looked at.

One at a time. It goes the way of all calls, with policy, approvals and history; its questions come to the
Desk.
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
from bridge.functions.caller import ToolCaller
from bridge.functions.content_blocks import content_blocks
from bridge.i18n import Phrases
from bridge.tools.results import CallResult

_NOTES = 100
_LONGEST = 500  # letters of a note


class Trials:
    def __init__(self, tool_caller: ToolCaller, phrases: Phrases, on_change: Callable[[], None]) -> None:
        self._tool_caller = tool_caller
        self._phrases = phrases
        self._on_change = on_change
        self._task: asyncio.Task[None] | None = None
        self.now = ToolTrial()

    def begin(self, server: str, tool: str, arguments: bytes) -> None:
        """Another one that is still under way is cancelled."""
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
            failed, blocks = await self._looked_at(reply)
            ended = {"failed": failed, "blocks": blocks}
        finally:
            if self.now.number == number:
                self.now = replace(self.now, running=False, seconds=time.monotonic() - begun, **ended)
                self._on_change()

    async def _looked_at(self, reply: Envelope | CallResult) -> tuple[bool, tuple[ContentBlock, ...]]:
        """In a thread: a picture may be large."""
        if isinstance(reply, CallResult):
            return reply.failed, (ContentBlock("text", self._phrases.of(reply.text)),)
        failed, blocks = await asyncio.to_thread(content_blocks, reply)
        if len(reply.error):  # not the tool's own words
            blocks = tuple(replace(one, text=self._phrases.of(one.text)) for one in blocks)
        return failed, blocks

    def _noted(self, number: int, note: Envelope) -> None:
        if self.now.number != number:
            return
        try:
            said = msgspec.json.decode(note.params) if len(note.params) else {}
        except msgspec.DecodeError:
            return
        if isinstance(said, dict):
            self.now = _with_note(self.now, note.method or "", said)
            self._on_change()


def _with_note(now: ToolTrial, method: str, said: dict[str, Any]) -> ToolTrial:
    if method == "notifications/progress":
        message = str(said.get("message") or "")[:_LONGEST]
        return replace(
            now, done=_number(said.get("progress")), total=_number(said.get("total")), message=message
        )
    if method != "notifications/message":
        return now
    data = said.get("data")
    text = data if isinstance(data, str) else msgspec.json.encode(data).decode()
    return replace(now, notes=(*now.notes, f"{said.get('level', '')}: {text}"[:_LONGEST])[-_NOTES:])


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
