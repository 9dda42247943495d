"""Feed events to the core, and carry out the commands it returns, in one asyncio loop.

Rule 1: nothing here decides. An `if` about meaning belongs to core/.
Settings, secrets, accounts and Status are app.py's.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core import ports
from bridge.core.protocol.jsonrpc import Envelope
from bridge.core.questions.question import Answer
from bridge.core.routing.router import Router
from bridge.journal.recorder import Recorder
from bridge.system.clock import awake_seconds, epoch_offset, load_of_each_processor
from bridge.system.fast.write_batch import WriteBatch
from bridge.system.masking import Mask

log = logging.getLogger(__name__)
STOPPING = 2.5  # seconds for everything to end


class AppForEngine(Protocol):
    """What the engine needs of the running Deskbell."""

    def connect(
        self, conn: int, spec: ports.ServerSpec, back: ports.ServerPort, host: Callable[[], str]
    ) -> ports.Connection: ...
    def server_wrote(self, server: str, line: str) -> None: ...
    def publish(self) -> None: ...
    def links_changed(self, count: int) -> None: ...
    def tick(self) -> None: ...


class Engine:
    """`presenter` None: windows show the Questions in Status, and answer them by `answer`.
    `other_commands`: command → function, for commands that do not concern calls."""

    def __init__(
        self,
        app: AppForEngine,
        router: Router,
        presenter: ports.Presenter | None,
        recorder: Recorder,
        mask: Mask,
        other_commands: Mapping[type, Callable[[Any], None]],
    ) -> None:
        self._app = app
        self.router = router
        self._presenter = presenter
        self._recorder = recorder
        self._mask = mask
        self._changed = app.publish
        self._loop = asyncio.get_running_loop()
        self.write_batch = WriteBatch()
        self._links: dict[int, tuple[ports.DeliverCallback, ports.HangUpCallback]] = {}
        self._new_links: set[int] = set()
        self._passing: set[int] = set()  # links of one POST each, by hosts without session: not in Status
        self._conns: dict[int, ports.Connection] = {}
        self._new_conns: set[int] = set()  # before their handshake is over
        self._closing: set[ports.Connection] = set()
        self._asking: dict[str, asyncio.Task[None]] = {}  # Question id → the Presenter's task
        self._todo: deque[do.Command] = deque()
        self._busy = False
        self._last_link = 0
        self._tick: asyncio.TimerHandle | None = None
        self._pace = 0.0
        self._do: dict[type, Callable[[Any], None]] = {
            do.Deliver: self._deliver,
            do.Send: self._send,
            do.Record: self._record,
            do.RecordStart: recorder.begin,
            do.Connect: self._connect,
            do.Disconnect: self._disconnect,
            do.Show: self._show,
            do.TakeBack: self._take_back,
            do.EndVisit: lambda _: app.publish(),
            do.HangUp: self._hang_up,
            do.CheckConnection: self._rouse,
            **other_commands,
        }

    async def end(self) -> None:
        """Tell every peer; return when all connections are closed, or after STOPPING seconds."""
        self.feed(ev.QuitRequested())
        if self._tick is not None:
            self._tick.cancel()
        for task in self._asking.values():
            task.cancel()
        if self._presenter is not None:
            await self._presenter.close()
        closing = [asyncio.ensure_future(conn.closed()) for conn in self._closing]
        if closing:
            await asyncio.wait(closing, timeout=STOPPING)

    # --- events --------------------------------------------------------------------------------------

    def feed(self, event: ev.Event) -> None:
        router = self.router
        router.state.now = awake_seconds()
        try:
            commands = router.feed(event)
        except Exception:  # one peer's message must not stop the others'
            log.exception("The core failed on %s", type(event).__name__)
            return
        if self._busy:  # a command caused this event: the earlier commands come first
            self._todo.extend(commands)
            return
        self._busy = True
        self._carry_out(commands)
        while self._todo:
            self._carry_out([self._todo.popleft()])
        self._busy = False
        if self._pace != 1.0:
            self._keep_time()

    def answer(self, question_id: str, answer: Answer) -> None:
        self.feed(ev.PersonAnswered(question_id, answer))

    def _carry_out(self, commands: list[do.Command]) -> None:
        for command in commands:
            try:
                self._do[type(command)](command)
            except Exception:  # the other commands may concern other peers
                log.exception("%s failed", type(command).__name__)

    def _keep_time(self) -> None:
        """Schedule the next TimePassed, as soon as the core wants it; none while no request is open.

        A scheduled tick stays, even if nothing needs it any more: otherwise each call would schedule anew.
        """
        pace = self.router.pace
        if pace and (self._tick is None or pace < self._pace):
            self._pace = pace
            if self._tick is not None:
                self._tick.cancel()
            self._tick = self._loop.call_later(pace, self._time_passed)

    def _time_passed(self) -> None:
        self._pace, self._tick = 0.0, None
        self.read_clock()
        self.feed(ev.TimePassed())
        self._app.tick()

    def read_clock(self) -> None:
        """Feed the offset of the clock, which jumps after system sleep, and how busy the machine is. Called
        with no request open, too."""
        self.feed(ev.ClockRead(epoch_offset(), load_of_each_processor()))

    # --- HostPort: called by transports --------------------------------------------------------------

    def open_link(
        self, caller: ports.Caller, deliver: ports.DeliverCallback, hang_up: ports.HangUpCallback
    ) -> int:
        self._last_link += 1
        link = self._last_link
        self._links[link] = (deliver, hang_up)
        (self._passing if caller.tenant else self._new_links).add(link)
        self._app.links_changed(len(self._links))
        self.read_clock()
        self.feed(ev.LinkOpened(link, caller))
        return link

    def host_sent(self, link: int, message: bytes) -> None:
        self.feed(ev.HostSent(link, message))
        if link in self._new_links:
            self._new_links.discard(link)
            self._changed()

    def close_link(self, link: int, why: str = "") -> None:
        if self._links.pop(link, None) is None:
            return
        self._new_links.discard(link)
        self.feed(ev.LinkClosed(link, why))
        if link in self._passing:
            self._passing.discard(link)
        else:
            self._changed()
        self._app.links_changed(len(self._links))

    # --- ServerPort: called by upstreams -------------------------------------------------------------

    def received(
        self, conn: int, message: bytes, about: bytes = b"", envelope: Envelope | None = None
    ) -> None:
        self.feed(ev.UpstreamSent(conn, message, about, envelope))
        if conn in self._new_conns:
            known = self.router.state.conns.get(conn)
            if known is not None and known.introduction is not None:
                self._new_conns.discard(conn)
                self._changed()

    def unreached(self, conn: int, request: bytes, words: str, status: int = 0) -> None:
        self.feed(ev.UpstreamUnreached(conn, request, words, status))

    def ended(self, conn: int, reason: str) -> None:
        self._conns.pop(conn, None)
        self._new_conns.discard(conn)
        reason = self._mask.mask_text(reason)
        known = self.router.state.conns.get(conn)
        if known is not None and reason:
            log.info("%s ended: %s", known.spec.name, reason)
        self.feed(ev.UpstreamEnded(conn, reason))
        self._changed()

    def noted(self, conn: int, line: str) -> None:
        known = self.router.state.conns.get(conn)
        self._app.server_wrote(known.spec.name if known else "", line)

    # --- commands ------------------------------------------------------------------------------------

    def _deliver(self, command: do.Deliver) -> None:
        link = self._links.get(command.link)
        if link is not None:
            link[0](command.data, command.about, command.final)

    def _send(self, command: do.Send) -> None:
        conn = self._conns.get(command.conn)
        if conn is not None:
            conn.send(command.data)

    def _connect(self, command: do.Connect) -> None:
        tenant = self.router.state.conns[command.conn].tenant
        conn = self._app.connect(
            command.conn, command.spec, self, lambda: self.router.state.host_name(tenant)
        )
        self._conns[command.conn] = conn
        self._new_conns.add(command.conn)
        self._changed()

    def _disconnect(self, command: do.Disconnect) -> None:
        self._new_conns.discard(command.conn)
        conn = self._conns.pop(command.conn, None)
        if conn is None:
            return
        conn.close()
        self._closing.add(conn)
        gone = self._loop.create_task(conn.closed())
        gone.add_done_callback(lambda _: self._closing.discard(conn))
        self._changed()

    def _show(self, command: do.Show) -> None:
        question = command.question
        if self._presenter is not None:
            self._asking[question.id] = self._loop.create_task(
                self._present(self._presenter, question.id, command)
            )
        self._changed()

    async def _present(self, presenter: ports.Presenter, question_id: str, command: do.Show) -> None:
        answer = await presenter.ask(command.question)
        self._asking.pop(question_id, None)
        self.answer(question_id, answer)

    def _take_back(self, command: do.TakeBack) -> None:
        task = self._asking.pop(command.question, None)
        if task is not None:
            task.cancel(command.answered_in)
        self._changed()

    def _hang_up(self, command: do.HangUp) -> None:
        link = self._links.get(command.link)
        if link is not None:
            link[1]()

    def _rouse(self, command: do.CheckConnection) -> None:
        conn = self._conns.get(command.conn)
        if conn is not None:
            conn.rouse()

    def _record(self, command: do.Record) -> None:
        if command.kind == "notice":
            self._changed()
        self._recorder.record(command)
