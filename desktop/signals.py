"""Bridge callbacks become Qt signals. The only QObject that knows Bridge; what crosses is frozen values.

The engine reports from its own thread, as often as it likes; the windows hear of the latest only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot

from bridge.api import Answer, Status
from desktop.loop import in_thread


class BridgeLike(Protocol):
    """As much of Bridge as the desktop uses."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def answer(self, question_id: str, answer: Answer) -> None: ...
    def snooze(self, seconds: float | None = None) -> None: ...
    def resume(self) -> None: ...
    def mute(self, server: str, seconds: float) -> None: ...
    def unmute(self, server: str) -> None: ...
    def spare(self, server: str) -> None: ...
    def sign_in_to(self, server: str) -> None: ...
    def prefer(self, table: str, key: str, value: object) -> None: ...
    def forget(self, rows: tuple[int, ...] | None) -> None: ...
    def sign_in(self, who: str = "", service: str = "", password: str = "") -> None: ...
    def cancel_sign_in(self) -> None: ...
    def delete_account(self, did: str) -> None: ...
    def make_default(self, did: str) -> None: ...
    def read_autoreply(self) -> None: ...
    def look_for_pictures(self) -> None: ...
    def renew_token(self) -> None: ...
    def ask_for_updates(self) -> None: ...


class BridgeSignals(QObject):
    status = Signal(object)  # Status, in the GUI's thread
    _arrived = Signal()

    def __init__(
        self, make: Callable[[Callable[[Status], None]], BridgeLike], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._make = make
        self._bridge: BridgeLike | None = None
        self._latest = Status()
        self._told = True  # the windows know of the latest Status
        self._arrived.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    async def start(self) -> None:
        """The bridge is up, or a DeskbellError is raised. May be tried again."""
        self._bridge = self._make(self._report)
        await in_thread(self._bridge.start)

    async def stop(self) -> None:
        """Nothing of the bridge is left."""
        bridge, self._bridge = self._bridge, None
        if bridge is not None:
            await in_thread(bridge.stop)

    @Slot(str, object)
    def answer(self, question_id: str, answer: Answer) -> None:
        if self._bridge is not None:
            self._bridge.answer(question_id, answer)

    def ask(self, wish: Callable[[BridgeLike], None]) -> None:
        """Whatever else the person wants of the bridge; nothing while there is none."""
        if self._bridge is not None:
            wish(self._bridge)

    def _report(self, status: Status) -> None:
        """In the engine's thread."""
        self._latest = status
        if self._told:
            self._told = False
            self._arrived.emit()

    def _tell(self) -> None:
        self._told = True  # before reading: a report from now on rings again
        self.status.emit(self._latest)
