"""Record the core's events in the Journal; while the Activity page is open, add running calls to Status."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace

from bridge.core import commands as do
from bridge.core.routing.running_calls import running
from bridge.core.routing.state import RoutingState
from bridge.core.status import Status
from bridge.i18n import say
from bridge.journal import Journal, JournalEntry
from bridge.system.masking import Mask

GLANCE = 0.4  # seconds between updates of running calls
MOST = 200  # running calls in Status


class Recorder:
    """`on_change`: called when Status should show something else."""

    def __init__(
        self, journal: Journal, mask: Mask, state: RoutingState, on_change: Callable[[], None]
    ) -> None:
        self._journal = journal
        self._mask = mask
        self._state = state
        self._on_change = on_change
        self._seen: tuple[object, ...] = ()
        self._next: asyncio.TimerHandle | None = None
        self._cut_short = 0  # calls interrupted by the last exit, until the Activity page was opened
        self._loop = asyncio.get_running_loop()
        journal.hide = mask.mask_json
        journal.on_problem = lambda: self._submit(on_change)
        journal.recover(self._recovered)

    @property
    def problem(self) -> str:
        """Why the history is not written; "" if it is."""
        if not self._journal.problem:
            return ""
        return say(
            "The history cannot be written ({why}). It is kept in memory and tried again.",
            why=self._journal.problem,
        )

    def _recovered(self, calls: int) -> None:
        """Called from the Journal's thread."""

        def tell() -> None:
            self._cut_short = calls
            self._on_change()

        self._submit(tell)

    def _submit(self, work: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(work)

    def record(self, command: do.Record) -> None:
        detail: dict[str, object] = {}
        if command.secrets:
            self._mask.learn_answers(command.secrets)
        if command.detail or command.facts:
            detail = {**({"text": command.detail} if command.detail else {}), **command.facts}
            detail = self._mask.mask_json(detail)
        entry = JournalEntry(
            kind=command.kind,
            host=command.host,
            server=command.server,
            tool=command.tool,
            outcome=command.outcome,
            ms=command.seconds * 1000,
            size=command.size,
            detail=detail,
        )
        if command.kind == "call":
            self._journal.record_call(entry, command.arguments, command.reply, command.begun)
        else:
            self._journal.record(entry)

    def begin(self, command: do.RecordStart) -> None:
        entry = JournalEntry("call", command.host, command.server, command.tool, at=command.at)
        self._journal.begin(command.call, entry)

    def noted(self, server: str, line: str) -> None:
        """Record a line of a server's stderr, masked before."""
        entry = JournalEntry(kind="server", server=server, outcome="stderr", detail={"line": line})
        self._journal.record(entry)

    # --- running calls -------------------------------------------------------------------------------

    def look(self, on: bool) -> None:
        """Note whether the Activity page is open."""
        self.close()
        if on:
            self._cut_short = 0
            self._glance()

    def close(self) -> None:
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def add_to_status(self, status: Status) -> Status:
        if self._cut_short:
            notice = say(
                "The last time, Deskbell was ended in the middle of its work. "
                "Calls that were cut short: {count}. Activity shows them.",
                count=self._cut_short,
            )
            status = replace(status, notices=(*status.notices, notice))
        if self._next is None:
            return status
        return replace(status, running=running(self._state, MOST), recorded=self._journal.recorded)

    def _glance(self) -> None:
        self._next = asyncio.get_running_loop().call_later(GLANCE, self._glance)
        seen = (self._journal.recorded, running(self._state, MOST))
        if seen != self._seen:
            self._seen = seen
            self._on_change()
