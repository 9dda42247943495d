"""RemoteConnection: one Streamable HTTP server, as the engine sees it, in both eras.

Messages pass byte for byte (newlines between tokens aside). Each request is a POST of its own, so the
connection outlives every failure: the failure of a request becomes an error reply to that request.
It decides nothing: reconnecting after a 404, timeouts and sign-in belong elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from http import HTTPStatus
from itertools import chain, islice
from typing import Any

import msgspec
from msgspec.structs import replace

from bridge.core.ports import ServerPort, ServerSpec
from bridge.core.protocol.jsonrpc import NULL, Envelope, Malformed, edit, envelope_of, failure
from bridge.core.protocol.param_headers import ParamHeaders, read_tools_list
from bridge.core.protocol.revisions import MODERN_REVISION
from bridge.errors import DeskbellError
from bridge.i18n import failure_text, say
from bridge.system.line_buffer import LineTooLong, clean_line
from bridge.upstreams import FillSecrets, unchanged
from bridge.upstreams.http.client import MAX_BYTES, Auth, OriginClient, config_problem, shortened
from bridge.upstreams.http.failures import ReplyBrokenOff, ReplyTooLarge, RequestFailed
from bridge.upstreams.http.fast.http1 import Response
from bridge.upstreams.http.replies import agreed_revision, is_reply, is_reply_to, is_unknown_session
from bridge.upstreams.http.request_headers import OutgoingMessage, parse_message
from bridge.upstreams.http.sse import EventDecoder, StreamPosition

_JSON = "application/json"
_STREAM = "text/event-stream"
_POST = {"Accept": f"{_JSON}, {_STREAM}", "Content-Type": _JSON}
_LAST_NOTIFICATIONS = 0.3  # seconds to send what is under way when the connection closes
_GOODBYE = 0.5  # seconds for the DELETE that ends a legacy session
_FIRST_PAUSE = 0.5  # seconds before a stream is resumed; doubled each time
_LEAST_PAUSE = 0.1  # also for `retry: 0`: a stream that ends at once must not be reopened at once
_LONGEST_PAUSE = 30.0
_RESUMES = 4  # attempts to resume the stream of one reply
_SLICE = 4096  # bytes of a stream that are decoded without a look at the clock
_TURN = 0.002  # seconds of decoding, then of a pause for other hosts
# Later messages wait for these: they bring the id and the revision of the legacy connection.
_GATES = ("initialize", "notifications/initialized")


class RemoteConnection:
    """See `Connection` in core/ports.py."""

    def __init__(
        self,
        conn: int,
        spec: ServerSpec,
        back: ServerPort,
        fill: FillSecrets = unchanged,
        auth: Auth | None = None,
    ) -> None:
        self._conn = conn
        self._spec = spec
        self._back = back
        self._fill = fill
        self._loop = asyncio.get_running_loop()
        self._http = OriginClient(spec, auth)
        self._legacy_id = ""  # Mcp-Session-Id
        self._revision = ""  # agreed on by `initialize`, or the last one a modern request named
        self._mirrors: dict[str, ParamHeaders] = {}  # tool → which arguments its calls repeat in headers
        self._closed = False  # or ended: nothing is reported any more
        self._tasks: set[asyncio.Task[None]] = set()
        self._notifying: set[asyncio.Task[None]] = set()  # tasks that send notifications and responses
        self._requests: dict[bytes, tuple[asyncio.Task[None], bool]] = {}  # request id → (task, is modern)
        self._over = asyncio.Event()
        self._listening: Response | None = None  # the stream for messages outside of any request
        self._gate = self._spawn(self._open())  # the task that later messages wait for

    def send(self, message: bytes) -> None:
        if self._closed:
            return
        out = parse_message(message)
        if out.revision and "" < self._revision < MODERN_REVISION:
            out = replace(out, revision="")  # a legacy host may name another revision in _meta
        if out.method == "notifications/cancelled" and self._cancel(out):
            return
        task = self._spawn(self._carry(out, self._gate))
        if out.method in _GATES:
            self._gate = task
        if not out.id:
            self._notifying.add(task)
            task.add_done_callback(self._notifying.discard)
        else:
            self._requests[out.id] = (task, out.modern)
            task.add_done_callback(lambda _: self._requests.pop(out.id, None))
        if out.cancels in self._requests:  # legacy: once the notification is sent
            task.add_done_callback(lambda _: self._stop(out.cancels))

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._ending = self._loop.create_task(self._shut())

    async def closed(self) -> None:
        await self._over.wait()

    def rouse(self) -> None:
        """Use new connections: those from before the machine slept may be dead without a sign."""
        if self._listening is not None:
            self._listening.close()
        self._http.refresh()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _open(self) -> None:
        try:
            spec = await self._fill(self._spec)
            problem = config_problem(spec)
            if not problem:
                await self._http.open(spec)
        except DeskbellError as error:
            problem = say("Could not reach {server}: {why}", server=self._spec.name, why=failure_text(error))
        except RequestFailed as error:
            problem = error.words
        if problem and not self._closed:
            self._closed = True
            self._over.set()
            self._back.ended(self._conn, problem)

    async def _shut(self) -> None:
        if self._notifying:
            await asyncio.wait(self._notifying, timeout=_LAST_NOTIFICATIONS)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_LAST_NOTIFICATIONS)
        if self._legacy_id:
            with contextlib.suppress(RequestFailed, TimeoutError):
                async with asyncio.timeout(_GOODBYE):
                    (await self._http.request("DELETE", self._headers(None, {}))).close()
        self._http.close()
        self._over.set()

    # --- to the server ---------------------------------------------------------------------------------

    def _cancel(self, out: OutgoingMessage) -> bool:
        """Cancel a modern request by closing its response; True if no notification need be sent."""
        _, modern = self._requests.get(out.cancels, (None, False))
        if modern:
            self._stop(out.cancels)
        return modern or self._revision >= MODERN_REVISION

    def _stop(self, request: bytes) -> None:
        if request in self._requests:
            self._requests[request][0].cancel()

    async def _carry(self, out: OutgoingMessage, gate: asyncio.Task[None]) -> None:
        if not gate.done():
            await asyncio.wait({gate})
        if out.method == "initialize":
            self._legacy_id = self._revision = ""
        elif out.modern:
            self._revision = out.revision
        try:
            await (self._request(out) if out.id else self._notify(out))
        except RequestFailed as error:
            if isinstance(error, ReplyTooLarge):
                self._note(error.words)
            self._report(out, error)

    async def _notify(self, out: OutgoingMessage) -> None:
        """Send a notification or a response; the reply is 202 without a body."""
        response = await self._post(out)
        self._spawn(self._http.finish(response))
        if not response.ok:
            raise self._refusal(response)
        if out.method == "notifications/initialized" and self._revision < MODERN_REVISION:
            self._spawn(self._listen())

    async def _request(self, out: OutgoingMessage) -> None:
        response = await self._post(out)
        try:
            if not response.ok:
                await self._report_refusal(out, response)
            elif response.status == HTTPStatus.ACCEPTED:
                words = say("{server} accepted the request and left it unanswered.", server=self._spec.name)
                raise RequestFailed(words, response.status)
            else:
                await self._read_reply(out, response)
        except BaseException:
            response.close()
            raise

    async def _post(self, out: OutgoingMessage) -> Response:
        return await self._http.request("POST", self._headers(out, _POST), out.message)

    def _headers(self, out: OutgoingMessage | None, more: Mapping[str, str]) -> dict[str, str]:
        headers = {**more, "MCP-Protocol-Version": self._revision} if self._revision else {**more}
        if self._revision < MODERN_REVISION:
            if self._legacy_id:
                headers["Mcp-Session-Id"] = self._legacy_id
        elif out is not None:
            headers |= out.modern_headers(self._mirrors)
        return headers

    # --- from the server -------------------------------------------------------------------------------

    async def _read_reply(self, out: OutgoingMessage, response: Response) -> None:
        if out.method == "initialize":
            self._legacy_id = response.header("mcp-session-id")
        if response.content_type == _JSON:
            self._pass_on_body(out, await self._http.body(response), response)
        elif response.content_type == _STREAM:
            await self._follow(out, response)
        else:
            words = say(
                "{server} answered with {kind}. Is this its MCP address?",
                server=self._spec.name,
                kind=shortened(response.content_type) or say("no Content-Type"),
            )
            raise RequestFailed(words, response.status)

    async def _follow(self, out: OutgoingMessage, response: Response) -> None:
        """Read a stream until the reply; resume a legacy stream that broke off."""
        position = StreamPosition()
        while not await self._read(response, position, out):
            resumed = None
            if position.last_event_id and not out.modern:
                resumed = await self._stream(position, islice(_pauses(), _RESUMES))
            if resumed is None:
                raise RequestFailed(
                    say("{server} ended its answer before the result.", server=self._spec.name)
                )
            response = resumed
        self._spawn(self._http.finish(response))

    async def _read(self, response: Response, position: StreamPosition, out: OutgoingMessage | None) -> bool:
        """Pass on the events of one stream until the reply (True) or its end (False)."""
        events, replied = EventDecoder(MAX_BYTES, position), False
        try:
            async with contextlib.aclosing(self._http.parts(response)) as parts:
                async for part in parts:
                    if replied := await self._take_part(events, part, out):
                        break
        except ReplyBrokenOff:
            pass
        except LineTooLong:
            words = say("{server} sent an event of more than 64 MiB.", server=self._spec.name)
            raise ReplyTooLarge(words) from None
        finally:
            if not replied:
                response.close()
        return replied

    async def _take_part(self, events: EventDecoder, part: bytes, out: OutgoingMessage | None) -> bool:
        """Pass on the events in a part of a stream; True if one is the reply. A flood of events must not keep
        other hosts waiting: they have every other few milliseconds."""
        replied, began = False, self._loop.time()
        for start in range(0, len(part), _SLICE):
            for data in events.feed(part[start : start + _SLICE]):
                replied |= self._pass_on(clean_line(data), out)
            if self._loop.time() - began > _TURN:
                await asyncio.sleep(_TURN)
                began = self._loop.time()
        return replied

    async def _listen(self) -> None:
        """Read the stream of a legacy server's own messages (GET), for as long as the server offers one."""
        position = StreamPosition()
        response = await self._stream(position, chain((0.0,), _pauses()))
        try:
            while response is not None:
                self._listening = response
                await self._read(response, position, None)
                self._listening = None
                response = await self._stream(position, _pauses())
        except RequestFailed as error:
            self._note(error.words)

    async def _stream(self, position: StreamPosition, pauses: Iterable[float]) -> Response | None:
        """Open a stream at `position`; None if the server has none, or failed after every pause."""
        for pause in pauses:
            wanted = max(position.retry, _LEAST_PAUSE) if position.retry else pause
            await asyncio.sleep(min(wanted, _LONGEST_PAUSE))
            with contextlib.suppress(RequestFailed):
                response = await self._get(position)
                if response.status == HTTPStatus.OK and response.content_type == _STREAM:
                    return response
                response.close()
                if response.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                    return None
        return None

    async def _get(self, position: StreamPosition) -> Response:
        headers = self._headers(None, {"Accept": _STREAM})
        if position.last_event_id:
            headers["Last-Event-ID"] = position.last_event_id
        return await self._http.request("GET", headers)

    def _pass_on(self, message: bytes, out: OutgoingMessage | None) -> bool:
        """Pass one message to the engine; True if it is the reply to `out`."""
        envelope = envelope_of(message)
        self._hand_over(message, out, envelope)
        return out is not None and is_reply(envelope) and is_reply_to(out.id, envelope)

    def _hand_over(self, message: bytes, out: OutgoingMessage | None, envelope: Envelope | None) -> None:
        if out is not None and envelope is not None:
            if len(envelope.error) and bytes(envelope.id) in (b"", NULL):
                # Refused before its id was parsed: this can only be the reply to this request.
                message, envelope = failure(out.id, envelope.error), None
            elif len(envelope.result) and out.method == "initialize":
                self._revision = agreed_revision(envelope)
            elif len(envelope.result) and out.modern and out.method == "tools/list":
                message, envelope = self._learned(message, envelope)
        if not self._closed:
            self._back.received(self._conn, message, out.id if out is not None else b"", envelope)

    def _learned(self, message: bytes, envelope: Envelope) -> tuple[bytes, Envelope | None]:
        """Return a tools/list reply without tools whose x-mcp-header is invalid (revision 2026-07-28)."""
        if self._mirrors or b'"x-mcp-header"' in message:
            with contextlib.suppress(Malformed, msgspec.DecodeError, RecursionError):
                usable = read_tools_list(bytes(envelope.result), self._mirrors)
                if usable != bytes(envelope.result):
                    return edit(message, {"result": usable}), None
        return message, envelope

    def _pass_on_body(self, out: OutgoingMessage, body: bytes, response: Response) -> None:
        """Pass on a JSON body: one reply, or a batch (2025-03-26)."""
        message = clean_line(body)
        envelope = envelope_of(message)
        if not is_reply(envelope) and not message.lstrip().startswith(b"["):
            words = say("{server} sent an answer that is not MCP.", server=self._spec.name)
            raise RequestFailed(words, response.status)
        if envelope is not None and not is_reply_to(out.id, envelope):
            words = say("{server} answered another request than this one.", server=self._spec.name)
            raise RequestFailed(words, response.status)
        self._hand_over(message, out, envelope)

    # --- failures --------------------------------------------------------------------------------------

    async def _report_refusal(self, out: OutgoingMessage, response: Response) -> None:
        """Report an HTTP error: by the JSON-RPC error in its body if there is one, else by its status."""
        body = await self._http.body(response) if response.content_type == _JSON else b""
        message = clean_line(body)
        envelope = envelope_of(message)
        error = envelope.error if envelope is not None else b""
        if self._legacy_id and not out.modern and is_unknown_session(response.status, bytes(error)):
            response.close()
            words = say(
                "{server} no longer knows this connection (HTTP {status}).",
                server=self._spec.name,
                status=response.status,
            )
            raise RequestFailed(words, HTTPStatus.NOT_FOUND)
        if not len(error):
            response.close()
            raise self._refusal(response)
        # Whatever its id: it refuses this request (the Python SDK writes "server-error").
        self._hand_over(failure(out.id, error), out, None)

    def _refusal(self, response: Response) -> RequestFailed:
        name, status = self._spec.name, response.status
        if status == HTTPStatus.UNAUTHORIZED:
            return RequestFailed(say("{server} wants you to sign in (HTTP 401).", server=name), status)
        line = f"HTTP {status} {response.reason or ''}".rstrip()
        return RequestFailed(say("{server} answered {told}.", server=name, told=line), status)

    def _report(self, out: OutgoingMessage, error: RequestFailed) -> None:
        if out.id and not self._closed:
            self._back.unreached(self._conn, out.id, error.words, error.status)
        elif not out.id:
            self._note(f"{out.method or 'an answer'} did not arrive: {error.words}")

    def _note(self, line: str) -> None:
        if not self._closed:
            self._back.noted(self._conn, line)


def _pauses() -> Iterator[float]:
    """Yield the seconds to wait before each further attempt."""
    pause = _FIRST_PAUSE
    while True:
        yield pause
        pause = min(pause * 2, _LONGEST_PAUSE)
