"""Hosts as small as they can be, of both eras, over stdio and Streamable HTTP: no more of MCP than is needed.

A request is a Future; whatever ends the wire ends it with `Gone`. A host asked by `elicitation/create`, or by
`input_required`, answers with its `answer`; None leaves the question open.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from bridge.core.policy.unshown_questions import MOST_LOAD, QUICK
from bridge.system.clock import load_of_each_processor

LEGACY = "2025-11-25"
MODERN = "2026-07-28"
WAIT = 120.0  # seconds; far more than anything here takes, even where everything else runs too
_PREFIX = "io.modelcontextprotocol/"

Json = dict[str, Any]
Answering = Callable[[Json], Json | None]
CAN_ASK: Json = {"elicitation": {"form": {}, "url": {}}}


def a_moment() -> float:
    """Return the seconds that a person needs to see a question, on a machine as busy as this one."""
    return 1.5 * QUICK * min(max(load_of_each_processor(), 1.0), MOST_LOAD)


class Gone(Exception):
    """The other side ended the wire."""


class Failed(Exception):
    """The answer was an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data = error.get("data")


class Host:
    """What both wires have in common. Subclasses write."""

    def __init__(self, revision: str, name: str, capabilities: Json | None, answer: Answering | None) -> None:
        self.revision = revision
        self.modern = revision == MODERN
        self.info = {"name": name, "version": "1"}
        self.capabilities = capabilities if capabilities is not None else dict(CAN_ASK) if answer else {}
        self.answer = answer or (lambda params: None)
        self.heard: list[Json] = []  # requests and notifications, in the order they came
        self._news = threading.Condition()
        self._open: dict[int, Future[Json]] = {}
        self.last = 0  # id of the newest request

    def write(self, message: Json) -> None:
        raise NotImplementedError

    # --- speaking ------------------------------------------------------------------------------------

    def open(self) -> Json:
        """Introductions. Returns the other side's."""
        if self.modern:
            return self.request("server/discover")
        hello = {
            "protocolVersion": self.revision,
            "capabilities": self.capabilities,
            "clientInfo": self.info,
        }
        found = self.request("initialize", hello)
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return found

    def open_and_call(self, tool: str) -> Json:
        """Introductions and a call. A server that takes two seconds to start is answered for until then: on a
        busy machine only the call hears why it does not."""
        self.open()
        return self.call(tool)

    def begin(self, method: str, params: Mapping[str, Any] | None = None) -> Future[Json]:
        """A request, not waited for. Its whole response is the Future's result."""
        with self._news:
            self.last = number = self.last + 1
            future = self._open[number] = Future()
        said = dict(params or {})
        if self.modern:
            meta = {
                "protocolVersion": MODERN,
                "clientCapabilities": self.capabilities,
                "clientInfo": self.info,
            }
            said["_meta"] = {**{_PREFIX + key: value for key, value in meta.items()}, **said.get("_meta", {})}
        self.write({"jsonrpc": "2.0", "id": number, "method": method, "params": said})
        return future

    def request(self, method: str, params: Mapping[str, Any] | None = None, within: float = WAIT) -> Json:
        return result_of(self.begin(method, params), within)

    def begin_call(self, tool: str, **arguments: Any) -> Future[Json]:
        return self.begin("tools/call", called(tool, arguments))

    def call(self, tool: str, **arguments: Any) -> Json:
        """The tool's result, through as many rounds of `input_required` as it takes."""
        params = called(tool, arguments)
        result = self.request("tools/call", params)
        while result.get("resultType") == "input_required":
            result = self.request("tools/call", {**params, **self.answers_to(result)})
        return result

    def call_refusing(self, tool: str) -> Json:
        """The result of a call whose question this host refuses at once. On a machine so busy that this takes
        as long as a person, the refusal is believed: then it calls again."""
        for _ in range(20):
            result = self.call(tool)
            if said_in(result)["action"] == "accept":
                break
        return result

    def answers_to(self, required: Json) -> Json:
        """What a retry adds to the params of an `input_required` request."""
        answers = {}
        for key, inquiry in required["inputRequests"].items():
            self._hear(inquiry)
            answers[key] = self.answer(inquiry["params"])
        state = {"requestState": required["requestState"]} if "requestState" in required else {}
        return {"inputResponses": answers, **state}

    def tools(self) -> list[str]:
        return [tool["name"] for tool in self.request("tools/list")["tools"]]

    # --- hearing -------------------------------------------------------------------------------------

    def got(self, message: Json) -> None:
        if "method" not in message:
            with self._news:
                future = self._open.pop(message["id"], None)
            if future is not None:
                future.set_result(message)
            return
        self._hear(message)
        if "id" in message:
            said = self.answer(message["params"])
            if said is not None:
                self.write({"jsonrpc": "2.0", "id": message["id"], "result": said})

    def _hear(self, message: Json) -> None:
        with self._news:
            self.heard.append(message)
            self._news.notify_all()

    def hears(self, method: str, within: float = WAIT) -> Json:
        """The first message of this method, from now or before."""

        def found() -> Json | None:
            return next((one for one in self.heard if one["method"] == method), None)

        with self._news:
            message = self._news.wait_for(found, within)
        assert message is not None, f"no {method} within {within:g} s, only {self.heard}"
        return message

    def _over(self) -> None:
        with self._news:
            left, self._open = self._open, {}
        for future in left.values():
            future.set_exception(Gone())


class StdioHost(Host):
    """Spawns `command` as an AI application would. Its stderr is kept in `errors` when it has ended."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        *,
        revision: str = LEGACY,
        name: str = "journey",
        capabilities: Json | None = None,
        answer: Answering | None = None,
        cwd: str | None = None,
    ) -> None:
        super().__init__(revision, name, capabilities, answer)
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=env, cwd=cwd)
        self.errors = b""
        self._writing = threading.Lock()
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._read, self._read_errors)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self.process.pid

    def write(self, message: Json) -> None:
        assert self.process.stdin
        with self._writing, contextlib.suppress(BrokenPipeError, ValueError):
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def ended(self, within: float = WAIT) -> int:
        """Waits for the end of what it spawned, and of all it said."""
        code = self.process.wait(within)
        for thread in self._threads:
            thread.join(within)
            assert not thread.is_alive(), "somebody else holds its pipes open"
        return code

    def close(self) -> int:
        """Leaves as a host does: by closing the pipe."""
        assert self.process.stdin
        with self._writing, contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            return self.ended()
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                self.got(json.loads(line))
        self._over()

    def _read_errors(self) -> None:
        assert self.process.stderr
        with self.process.stderr as errors:
            self.errors = errors.read()


class HttpHost(Host):
    """Streamable HTTP: one connection for each POST, and for a legacy host one more for the GET stream."""

    def __init__(
        self,
        port: int,
        token: str,
        *,
        path: str = "/mcp",
        revision: str = LEGACY,
        name: str = "journey",
        capabilities: Json | None = None,
        answer: Answering | None = None,
    ) -> None:
        super().__init__(revision, name, capabilities, answer)
        self._port = port
        self._path = path
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "MCP-Protocol-Version": revision,
        }
        self._wires: set[http.client.HTTPConnection] = set()
        self._threads: list[threading.Thread] = []

    def open(self) -> Json:
        found = super().open()
        if not self.modern:
            listening = threading.Event()
            self._start(self._listen, listening)
            assert listening.wait(WAIT), "the GET stream did not open"
        return found

    def write(self, message: Json) -> None:
        if "id" in message and "method" in message:
            self._start(self._exchange, message)
        else:
            self._exchange(message)

    def _start(self, work: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _exchange(self, message: Json) -> None:
        """One POST and all that comes back on it."""
        headers = dict(self._headers)
        if self.modern:
            headers["Mcp-Method"] = message["method"]
            if name := message["params"].get("name"):
                headers["Mcp-Name"] = name
        try:
            with self._wire("POST", json.dumps(message).encode(), headers) as response:
                if key := response.headers.get("Mcp-Session-Id"):
                    self._headers["Mcp-Session-Id"] = key
                for said in messages_of(response):
                    refused = "id" in said and said["id"] is None
                    self.got({**said, "id": message.get("id", 0)} if refused else said)
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            pass  # cut off: by the other side, or by `vanish` while http.client reads
        with self._news:
            future = self._open.pop(message.get("id", 0), None) if "method" in message else None
        if future is not None:
            future.set_exception(Gone())

    def _listen(self, listening: threading.Event) -> None:
        with (
            contextlib.suppress(OSError, http.client.HTTPException, ValueError, AttributeError),
            self._wire("GET", b"", self._headers) as response,
        ):
            listening.set()
            for said in messages_of(response):
                self.got(said)

    @contextlib.contextmanager
    def _wire(self, method: str, body: bytes, headers: Json) -> Iterator[http.client.HTTPResponse]:
        wire = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        self._wires.add(wire)
        try:
            wire.request(method, self._path, body or None, headers)
            yield wire.getresponse()
        finally:
            self._wires.discard(wire)
            wire.close()

    def vanish(self) -> None:
        """As if it had been killed: the system resets its connections."""
        for wire in list(self._wires):
            if wire.sock is not None:
                with contextlib.suppress(OSError):
                    wire.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    wire.sock.shutdown(socket.SHUT_RD)
        self._join()

    def close(self) -> None:
        """Leaves politely: a legacy host ends its session."""
        if "Mcp-Session-Id" in self._headers:
            with contextlib.suppress(OSError), self._wire("DELETE", b"", self._headers) as response:
                response.read()
        self._join()

    def _join(self) -> None:
        for thread in self._threads:
            thread.join(WAIT)
            assert not thread.is_alive(), "a connection is still open"


def messages_of(response: http.client.HTTPResponse) -> Iterator[Json]:
    if response.headers.get_content_type() == "text/event-stream":
        for line in response:
            if line.startswith(b"data:") and line[5:].strip():
                yield json.loads(line[5:])
    elif body := response.read():
        yield json.loads(body)


def called(tool: str, arguments: Json) -> Json:
    """The params of a tools/call; progress is always wanted."""
    return {"name": tool, "arguments": arguments, "_meta": {"progressToken": f"of {tool}"}}


def result_of(future: Future[Json], within: float = WAIT) -> Json:
    response = future.result(within)
    if "error" in response:
        raise Failed(response["error"])
    result: Json = response["result"]
    return result


def said_in(result: Json) -> Any:
    """What a tool returned, from its text."""
    return json.loads(result["content"][0]["text"])
