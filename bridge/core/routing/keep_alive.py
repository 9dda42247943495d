"""Keep hosts waiting: `notifications/progress` of our own while a request is silent. Pure.

Several hosts give up a call after a minute without a message. One that sent a progressToken gets progress
every EVERY seconds, with words for the person. The values a host gets rise, as MCP demands: ours are a
STEP above the highest so far, so that those of the server, which are usually whole, pass unchanged. A value
of the server that is not above ours is raised to a STEP above it.
"""

from __future__ import annotations

from math import inf, isfinite, nextafter

from msgspec import Raw

from bridge.core import commands as do
from bridge.core.exchange.state_machine import CALLING
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import edit
from bridge.core.questions.question import Mode
from bridge.core.routing.state import Link, OpenRequest, RouterPart, RoutingState
from bridge.core.routing.subscriptions.filter import LISTEN

EVERY = 10.0  # seconds
STEP = 0.001
PROGRESS = "notifications/progress"


class _Progress:
    """What the host of one request was told."""

    __slots__ = ("at", "is_ours", "token", "value")

    def __init__(self, token: bytes) -> None:
        self.token = token
        self.at = 0.0  # monotonic; the last notification
        self.value = 0.0  # the highest so far
        self.is_ours = False  # some came from here


class KeepAlive(RouterPart):
    def __init__(self, state: RoutingState) -> None:
        self.state = state
        self._told: dict[int, _Progress] = {}  # OpenRequest.id → what its host was told

    def relay(self, request: OpenRequest, params: Raw, value: Raw) -> bytes:
        """Return the params of a server's progress for its host. `value`: their `progress`."""
        told = self._of(request)
        told.at = self.state.now
        changes: dict[str, bytes | None] = {"progressToken": request.token}
        number = _number(value)
        if told.is_ours and number <= told.value:
            number = _above(told.value)
            changes["progress"] = b"%r" % number
        told.value = max(told.value, number)
        return edit(params, changes)

    def time_passed(self, now: float) -> None:
        open_requests = self.state.open_requests
        for gone in self._told.keys() - open_requests.keys():
            del self._told[gone]
        for request in open_requests.values():
            if request.token and request.link is not None and request.method != LISTEN:
                told = self._told.get(request.id)
                if max(told.at if told else 0.0, request.waits_since) + EVERY <= now:
                    self._tell(request, request.link)

    def _of(self, request: OpenRequest) -> _Progress:
        told = self._told.get(request.id)
        if told is None or told.token != request.token:  # the host waits under another token
            told = self._told[request.id] = _Progress(request.token)
        return told

    def _tell(self, request: OpenRequest, link: Link) -> None:
        told = self._of(request)
        told.at, told.is_ours = self.state.now, True
        if not isfinite(told.value):
            return  # nothing is above it
        told.value = _above(told.value)
        params = b'{"progressToken":%b,"progress":%r,"message":%b}' % (
            request.token,
            told.value,
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
