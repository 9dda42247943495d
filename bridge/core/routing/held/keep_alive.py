"""Keep hosts waiting: `notifications/progress` of our own while a request is silent. Pure.

Several hosts give up a call after a minute without a message. One that sent a progressToken gets progress
every EVERY seconds, with words for the person. The values a host gets rise, as MCP demands: ours are a
STEP above the highest so far, so that those of the server, which are usually whole, pass unchanged. A value
of the server that is not above ours is raised to a STEP above it.
"""

from __future__ import annotations

from math import inf, isfinite, nextafter

import msgspec
from msgspec import Raw

from bridge.core import commands as do
from bridge.core.exchange.state_machine import CALLING
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import edit
from bridge.core.questions.question import Mode
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import Link, OpenRequest, RoutingState
from bridge.core.routing.subscriptions.filter import LISTEN

EVERY = 10.0  # seconds
STEP = 0.001
PROGRESS = "notifications/progress"


class _Progress(msgspec.Struct, eq=False):
    """What the host of one request was told."""

    token: bytes
    at: float = 0.0  # monotonic; the last notification
    value: float = 0.0  # the highest so far
    is_ours: bool = False  # some came from here


class KeepAlive(RouterPart):
    def __init__(self, state: RoutingState) -> None:
        self.state = state
        self._progress: dict[int, _Progress] = {}  # OpenRequest.id → progress that its host got

    def relay(self, request: OpenRequest, params: Raw, value: Raw) -> bytes:
        """Return the params of a server's progress for its host. `value`: their `progress`."""
        progress = self._of(request)
        progress.at = self.state.now
        changes: dict[str, bytes | None] = {"progressToken": request.token}
        number = _number(value)
        if progress.is_ours and number <= progress.value:
            number = _above(progress.value)
            changes["progress"] = b"%r" % number
        progress.value = max(progress.value, number)
        return edit(params, changes)

    def time_passed(self, now: float) -> None:
        open_requests = self.state.open_requests
        for gone in self._progress.keys() - open_requests.keys():
            del self._progress[gone]
        for request in open_requests.values():
            if request.token and request.link is not None and request.method != LISTEN:
                progress = self._progress.get(request.id)
                if max(progress.at if progress else 0.0, request.waits_since) + EVERY <= now:
                    self._tell(request, request.link)

    def _of(self, request: OpenRequest) -> _Progress:
        progress = self._progress.get(request.id)
        if progress is None or progress.token != request.token:  # the host waits under another token
            progress = self._progress[request.id] = _Progress(request.token)
        return progress

    def _tell(self, request: OpenRequest, link: Link) -> None:
        progress = self._of(request)
        progress.at, progress.is_ours = self.state.now, True
        if not isfinite(progress.value):
            return  # nothing is above it
        progress.value = _above(progress.value)
        params = b'{"progressToken":%b,"progress":%r,"message":%b}' % (
            request.token,
            progress.value,
            jsonrpc.quote(_words(request)),
        )
        data = jsonrpc.notification(PROGRESS, params)
        self.state.emit(do.Deliver(link.id, data, request.exchange.request))


def _number(value: Raw) -> float:
    """Return a JSON number; below all others for what is none."""
    try:
        return float(bytes(value))
    except ValueError:
        return -inf


def _above(value: float) -> float:
    raised = round(value + STEP, 3)
    return raised if raised > value else nextafter(value, inf)


def _words(request: OpenRequest) -> str:
    """Return for the person what the request waits for. Hosts get English."""
    if request.shown:
        return "Waiting for your answer on the desktop"
    if request.exchange.state is CALLING:
        return f"Waiting for {request.conn.spec.name}"
    modes = {asked.question.mode for asked in request.exchange.open.values()}
    return "Waiting for a model" if Mode.SAMPLING in modes else "Waiting for your answer"
