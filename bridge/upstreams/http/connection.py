"""RemoteConnection: one Streamable HTTP server, as the engine sees it, in both eras.

Messages pass byte for byte (newlines between tokens aside). Each request is a POST of its own, so the
connection outlives every failure: what goes wrong with a request becomes an error reply to that request.
Carries out, decides nothing: connecting anew after a 404, timeouts and sign-in belong elsewhere.
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

from bridge.core.ports import Back, ServerSpec
from bridge.core.protocol.jsonrpc import NULL, Envelope, Malformed, edit, envelope_of, failure, members
from bridge.core.protocol.param_headers import ParamHeaders, read_tools_list
from bridge.core.protocol.revisions import MODERN_REVISION
from bridge.errors import DeskbellError
from bridge.i18n import say, told
from bridge.system.line_buffer import LineTooLong, clean_line
from bridge.upstreams.fill_secrets import Fill, unchanged
from bridge.upstreams.http.client import LIMIT, Auth, Broken, TooMuch, Trouble, Web, config_problem, shortened
from bridge.upstreams.http.fast.http1 import Response
from bridge.upstreams.http.request_headers import Outgoing, outgoing
from bridge.upstreams.http.sse import Events, Place

_JSON = "application/json"
_STREAM = "text/event-stream"
_POST = {"Accept": f"{_JSON}, {_STREAM}", "Content-Type": _JSON}
_LAST_TELLINGS = 0.3
_GOODBYE = 0.5
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_RESUMES = 4
# Later messages need what these bring: the id and the revision of the legacy connection.
_GATES = ("initialize", "notifications/initialized")


class RemoteConnection:
    """See `Connection` in core/ports.py."""

    def __init__(
        self, conn: int, spec: ServerSpec, back: Back, fill: Fill = unchanged, auth: Auth | None = None
    ) -> None:
        self._conn = conn
        self._spec = spec
        self._back = back
        self._fill = fill
        self._loop = asyncio.get_running_loop()
        self._web = Web(spec, auth)
        self._legacy_id = ""  # Mcp-Session-Id
        self._revision = ""  # agreed on by `initialize`, or the last one a modern request named
        self._mirrors: dict[str, ParamHeaders] = {}  # tool → which arguments its calls repeat in headers
        self._quiet = False  # closed or ended: nothing is reported any more
        self._tasks: set[asyncio.Task[None]] = set()
        self._tellings: set[asyncio.Task[None]] = set()
        self._asks: dict[bytes, tuple[asyncio.Task[None], bool]] = {}  # id → its task; is it modern?
        self._over = asyncio.Event()
        self._listening: Response | None = None
        self._gate = self._spawn(self._open())

    def send(self, message: bytes) -> None:
        if self._quiet:
            return
        out = outgoing(message)
        if out.revision and "" < self._revision < MODERN_REVISION:
            out = replace(out, revision="")  # a legacy host may mention another one
        if out.method == "notifications/cancelled" and self._cancel(out):
            return
        task = self._spawn(self._carry(out, self._gate))
        if out.method in _GATES:
            self._gate = task
        if not out.id:
            self._tellings.add(task)
            task.add_done_callback(self._tellings.discard)
        else:
            self._asks[out.id] = (task, out.modern)
            task.add_done_callback(lambda _: self._asks.pop(out.id, None))
        if out.cancels in self._asks:  # a legacy server: once it is told, it may say what it likes
            task.add_done_callback(lambda _: self._stop(out.cancels))

    def close(self) -> None:
        if not self._quiet:
            self._quiet = True
            self._ending = self._loop.create_task(self._shut())

    async def closed(self) -> None:
        await self._over.wait()

    def rouse(self) -> None:
        """Nothing tells of a connection that died."""
        if self._listening is not None:
            self._listening.close()
        self._web.refresh()

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
                await self._web.open(spec)
        except DeskbellError as error:
            problem = say("Could not reach {server}: {why}", server=self._spec.name, why=told(error))
        except Trouble as trouble:
            problem = trouble.words
        if problem and not self._quiet:
            self._quiet = True
            self._over.set()
            self._back.ended(self._conn, problem)

    async def _shut(self) -> None:
        if self._tellings:
            await asyncio.wait(self._tellings, timeout=_LAST_TELLINGS)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_LAST_TELLINGS)
        if self._legacy_id:
            with contextlib.suppress(Trouble, TimeoutError):
                async with asyncio.timeout(_GOODBYE):
                    (await self._web.request("DELETE", self._headers(None, {}))).close()
        self._web.close()
        self._over.set()

    # --- to the server ---------------------------------------------------------------------------------

    def _cancel(self, out: Outgoing) -> bool:
        """In the modern era, closing the response is how a request is cancelled; nothing is posted."""
        _, modern = self._asks.get(out.cancels, (None, False))
        if modern:
            self._stop(out.cancels)
        return modern or self._revision >= MODERN_REVISION

    def _stop(self, request: bytes) -> None:
        if request in self._asks:
            self._asks[request][0].cancel()

    async def _carry(self, out: Outgoing, gate: asyncio.Task[None]) -> None:
        if not gate.done():
            await asyncio.wait({gate})
        if out.method == "initialize":
            self._legacy_id = self._revision = ""
        elif out.modern:
            self._revision = out.revision
        try:
            await (self._ask(out) if out.id else self._tell(out))
        except Trouble as trouble:
            if isinstance(trouble, TooMuch):
                self._note(trouble.words)
            self._report(out, trouble)

    async def _tell(self, out: Outgoing) -> None:
        """A notification or a response: 202, and nothing to read."""
        response = await self._post(out)
        self._spawn(self._web.finish(response))
        if not response.ok:
            raise self._refusal(response)
        if out.method == "notifications/initialized" and self._revision < MODERN_REVISION:
            self._spawn(self._listen())

    async def _ask(self, out: Outgoing) -> None:
        response = await self._post(out)
        try:
            if not response.ok:
                await self._refused(out, response)
            elif response.status == HTTPStatus.ACCEPTED:
                words = say("{server} accepted the request and left it unanswered.", server=self._spec.name)
                raise Trouble(words, response.status)
            else:
                await self._answered(out, response)
        except BaseException:
            response.close()
            raise

    async def _post(self, out: Outgoing) -> Response:
        return await self._web.request("POST", self._headers(out, _POST), out.message)

    def _headers(self, out: Outgoing | None, more: Mapping[str, str]) -> dict[str, str]:
        headers = {**more, "MCP-Protocol-Version": self._revision} if self._revision else {**more}
        if self._revision < MODERN_REVISION:
            if self._legacy_id:
                headers["Mcp-Session-Id"] = self._legacy_id
        elif out is not None:
            headers |= out.modern_headers(self._mirrors)
        return headers

    # --- from the server -------------------------------------------------------------------------------

    async def _answered(self, out: Outgoing, response: Response) -> None:
        if out.method == "initialize":
            self._legacy_id = response.header("mcp-session-id")
        if response.content_type == _JSON:
            self._replied(out, await self._web.body(response), response)
        elif response.content_type == _STREAM:
            await self._follow(out, response)
        else:
            words = say(
                "{server} answered with {kind}. Is `url` its MCP address?",
                server=self._spec.name,
                kind=shortened(response.content_type) or say("no Content-Type"),
            )
            raise Trouble(words, response.status)

    async def _follow(self, out: Outgoing, response: Response) -> None:
        """Reads until the reply, taking a broken legacy stream up again where it stood."""
        place = Place()
        while not await self._read(response, place, out):
            resumed = None
            if place.last and not out.modern:
                resumed = await self._stream(place, islice(_pauses(), _RESUMES))
            if resumed is None:
                raise Trouble(say("{server} ended its answer before the result.", server=self._spec.name))
            response = resumed
        self._spawn(self._web.finish(response))

    async def _read(self, response: Response, place: Place, out: Outgoing | None) -> bool:
        """Passes on the events of one stream; whether the reply was among them. If not, it is over."""
        events, replied = Events(LIMIT, place), False
        try:
            async with contextlib.aclosing(self._web.parts(response)) as parts:
                async for part in parts:
                    replies = [self._pass_on(clean_line(data), out) for data in events.feed(part)]
                    if replied := out is not None and any(replies):
                        break
        except Broken:
            pass
        except LineTooLong:
            words = say("{server} sent an event of more than 64 MiB.", server=self._spec.name)
            raise TooMuch(words) from None
        finally:
            if not replied:
                response.close()
        return replied

    async def _listen(self) -> None:
        """The stream on which a legacy server speaks unasked, for as long as it offers one."""
        place = Place()
        response = await self._stream(place, chain((0.0,), _pauses()))
        try:
            while response is not None:
                self._listening = response
                await self._read(response, place, None)
                self._listening = None
                response = await self._stream(place, _pauses())
        except Trouble as trouble:
            self._note(trouble.words)

    async def _stream(self, place: Place, pauses: Iterable[float]) -> Response | None:
        """A stream from where it stood; None if the server has none, or cannot be reached time after time."""
        for pause in pauses:
            await asyncio.sleep(min(place.retry or pause, _LONGEST_PAUSE))
            with contextlib.suppress(Trouble):
                response = await self._get(place)
                if response.status == HTTPStatus.OK and response.content_type == _STREAM:
                    return response
                response.close()
                if response.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                    return None
        return None

    async def _get(self, place: Place) -> Response:
        headers = self._headers(None, {"Accept": _STREAM})
        if place.last:
            headers["Last-Event-ID"] = place.last
        return await self._web.request("GET", headers)

    def _pass_on(self, message: bytes, out: Outgoing | None) -> bool:
        """Hands one message to the engine; whether it is a reply."""
        envelope = envelope_of(message)
        self._hand_over(message, out, envelope)
        return _is_reply(envelope)

    def _hand_over(self, message: bytes, out: Outgoing | None, envelope: Envelope | None) -> None:
        if out is not None and envelope is not None:
            if len(envelope.error) and bytes(envelope.id) in (b"", NULL):
                # Refused before its id was read; it can only be about this request.
                message, envelope = failure(out.id, envelope.error), None
            elif len(envelope.result) and out.method == "initialize":
                self._revision = _agreed(envelope)
            elif len(envelope.result) and out.modern and out.method == "tools/list":
                message, envelope = self._learned(message, envelope)
        self._deliver(message, out, envelope)

    def _learned(self, message: bytes, envelope: Envelope) -> tuple[bytes, Envelope | None]:
        """A list of tools without those whose headers no client may send (revision 2026-07-28)."""
        if self._mirrors or b'"x-mcp-header"' in message:
            with contextlib.suppress(Malformed, msgspec.DecodeError):
                usable = read_tools_list(bytes(envelope.result), self._mirrors)
                if usable != bytes(envelope.result):
                    return edit(message, {"result": usable}), None
        return message, envelope

    def _replied(self, out: Outgoing, body: bytes, response: Response) -> None:
        """A whole answer: one reply, or a batch (2025-03-26)."""
        message = clean_line(body)
        envelope = envelope_of(message)
        if not _is_reply(envelope) and not message.lstrip().startswith(b"["):
            words = say("{server} answered with something that is not MCP.", server=self._spec.name)
            raise Trouble(words, response.status)
        self._hand_over(message, out, envelope)

    def _deliver(self, message: bytes, out: Outgoing | None, envelope: Envelope | None = None) -> None:
        if not self._quiet:
            self._back.received(self._conn, message, out.id if out is not None else b"", envelope)

    # --- what goes wrong -------------------------------------------------------------------------------

    async def _refused(self, out: Outgoing, response: Response) -> None:
        """A JSON-RPC error in the body is the server's own word; else the status has to speak."""
        body = await self._web.body(response) if response.content_type == _JSON else b""
        message = clean_line(body)
        envelope = envelope_of(message)
        error = envelope.error if envelope is not None else b""
        if self._legacy_id and not out.modern and _is_forgotten(response.status, bytes(error)):
            response.close()
            words = say(
                "{server} no longer knows this connection (HTTP {status}).",
                server=self._spec.name,
                status=response.status,
            )
            raise Trouble(words, HTTPStatus.NOT_FOUND)
        if not len(error):
            response.close()
            raise self._refusal(response)
        self._hand_over(message, out, envelope)

    def _refusal(self, response: Response) -> Trouble:
        name, status = self._spec.name, response.status
        if status == HTTPStatus.UNAUTHORIZED:
            return Trouble(say("{server} wants you to sign in (HTTP 401).", server=name), status)
        told = f"HTTP {status} {response.reason or ''}".rstrip()
        return Trouble(say("{server} answered {told}.", server=name, told=told), status)

    def _report(self, out: Outgoing, trouble: Trouble) -> None:
        if out.id and not self._quiet:
            self._back.unreached(self._conn, out.id, trouble.words, trouble.status)
        elif not out.id:
            self._note(f"{out.method or 'an answer'} did not arrive: {trouble.words}")

    def _note(self, line: str) -> None:
        if not self._quiet:
            self._back.noted(self._conn, line)


def _pauses() -> Iterator[float]:
    """Before each further try, in seconds."""
    pause = _FIRST_PAUSE
    while True:
        yield pause
        pause = min(pause * 2, _LONGEST_PAUSE)


def _is_forgotten(status: int, error: bytes) -> bool:
    """404 by the book; many servers, and the SDK's own examples, say 400 and name the session."""
    return status == HTTPStatus.NOT_FOUND or (
        status == HTTPStatus.BAD_REQUEST and b"session" in error.lower()
    )


def _is_reply(envelope: Envelope | None) -> bool:
    if envelope is None:
        return False
    return envelope.method is None and len(envelope.result) + len(envelope.error) > 0


def _agreed(envelope: Envelope) -> str:
    try:
        return msgspec.json.decode(members(envelope.result).get("protocolVersion", b'""'), type=str)
    except (Malformed, msgspec.DecodeError):
        return ""
