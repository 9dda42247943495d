"""Run the Bridge, turn its reports into Qt signals, and pass on the windows' calls of its services.

The one Qt object that knows the Bridge. The engine reports from its own thread, as often as it likes; windows
get the latest Status only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from bridge.api import Arguments, Bridge, Services, Status
from desktop.qt_loop import in_thread
from desktop.system.gui_thread import Delivery

OnStatus = Callable[[Status], None]
OnBusy = Callable[[], None]


class BridgeSignals(QObject):
    """`make` builds the Bridge, from the two functions that the engine's thread calls."""

    status = Signal(object)  # Status, in the GUI thread
    ended = Signal()  # the engine has ended
    busy = Signal()  # about once a second while calls are under way

    def __init__(self, make: Callable[[OnStatus, OnBusy], Bridge]) -> None:
        super().__init__()
        self.services = Services(self._call)
        self._make = make
        self._bridge: Bridge | None = None
        self._reports = _Reports()
        self._deliveries: tuple[Delivery, ...] = ()

    async def start(self) -> None:
        """Start a Bridge; return when it listens. Raises DeskbellError, and may then be called again."""
        self._forget_deliveries()
        self._deliveries = (
            Delivery(self, self._tell, once=False),
            Delivery(self, lambda _: self.busy.emit(), once=False),
            Delivery(self, lambda _: self.ended.emit(), once=False),
        )
        arrived, busy, ended = self._deliveries
        make, report = self._make, partial(self._reports.put, arrived)
        self._bridge = await in_thread(lambda: make(report, partial(busy, None)))
        await in_thread(self._bridge.start)
        self._bridge.when_ended(partial(ended, None))

    async def stop(self) -> None:
        """Stop the Bridge; return when its thread has ended."""
        bridge, self._bridge = self._bridge, None
        if bridge is not None:
            await in_thread(bridge.stop)
        self._forget_deliveries()

    def _call(self, service: str, method: str, arguments: Arguments) -> None:
        """Pass on a call of a service; drop it while no Bridge runs."""
        if self._bridge is not None:
            self._bridge.call(service, method, arguments)

    @property
    def latest(self) -> Status:
        return self._reports.latest

    def _tell(self, _: object) -> None:
        self._reports.delivered = True  # before reading: a report from now on is delivered again
        self.status.emit(self._reports.latest)

    def _forget_deliveries(self) -> None:
        for delivery in self._deliveries:
            delivery.close()


class _Reports:
    """The latest Status, shared with the engine's thread, which must not refer to a Qt object."""

    def __init__(self) -> None:
        self.latest = Status()
        self.delivered = True  # the windows have the latest, or are about to read it

    def put(self, arrived: Delivery, status: Status) -> None:
        """Keep `status`; call this in the engine's thread."""
        self.latest = status
        if self.delivered:
            self.delivered = False
            arrived(None)
