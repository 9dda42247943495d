"""Hosts that cost next to nothing, so that what is measured is what they talk to. Blocking, one thread."""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


def call(number: int, method: str, params: Any = None) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}
    return json.dumps(message, separators=(",", ":")).encode()


class Calls:
    """tools/call requests of which only the id changes."""

    def __init__(self, tool: str, arguments: Mapping[str, Any]) -> None:
        whole = call(7777777, "tools/call", {"name": tool, "arguments": arguments})
        self._head, self._tail = whole.split(b"7777777")

    def __call__(self, number: int) -> bytes:
        return b"%b%d%b" % (self._head, number, self._tail)


class StdioHost:
    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=env,
        )
        assert self.process.stdin
        assert self.process.stdout
        self._in, self._out = self.process.stdout.fileno(), self.process.stdin.fileno()
        self._rest: list[bytes] = []
        self._lines: list[bytes] = []
        self._number = 0

    def open(self) -> None:
        self.request("initialize", HELLO)
        self._write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def request(self, method: str, params: Any = None) -> Any:
        self._number += 1
        self._write(call(self._number, method, params) + b"\n")
        return json.loads(self.line())["result"]

    def tell(self, message: bytes) -> None:
        """Says it, and waits for nothing."""
        self._write(message + b"\n")

    def tool(self) -> str:
        return next(t["name"] for t in self.request("tools/list")["tools"] if t["name"].endswith("echo"))

    def sequential(self, calls: Calls, count: int) -> list[float]:
        times = []
        for _ in range(count):
            self._number += 1
            began = time.perf_counter()
            self._write(calls(self._number) + b"\n")
            self.line()
            times.append(time.perf_counter() - began)
        return times

    def pipelined(self, calls: Calls, count: int, window: int) -> float:
        """Calls a second with so many in flight."""
        began = time.perf_counter()
        sent = received = 0
        while received < count:
            burst = min(window - (sent - received), count - sent)
            if burst > 0:
                self._write(b"".join(calls(self._number + i + 1) + b"\n" for i in range(burst)))
                self._number += burst
                sent += burst
            self.line()
            received += 1
            received += len(self._lines)
            self._lines.clear()
        return count / (time.perf_counter() - began)

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(5)
        self.process.stdout.close()

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._out, data) :]

    def line(self) -> bytes:
        while not self._lines:
            chunk = os.read(self._in, 65536)
            if not chunk:
                raise EOFError("the server closed its output")
            if b"\n" in chunk:
                *self._lines, rest = b"".join([*self._rest, chunk]).split(b"\n")
                self._rest = [rest]
            else:
                self._rest.append(chunk)
        return self._lines.pop(0)


class HttpHost:
    """Streamable HTTP, legacy, over keep-alive connections."""

    def __init__(self, port: int, path: str, token: str) -> None:
        self._address = ("127.0.0.1", port)
        self._head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        ).encode()
        self._key = b""
        self._connections: list[socket.socket] = []
        self._number = 0

    def open(self) -> None:
        head, _ = self._exchange(0, call(0, "initialize", HELLO))
        keys = [line for line in head.split(b"\r\n") if line.lower().startswith(b"mcp-session-id:")]
        self._key = b"".join(key + b"\r\n" for key in keys)
        self._exchange(0, b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def tool(self) -> str:
        _, body = self._exchange(0, call(1, "tools/list"))
        return next(t["name"] for t in json.loads(body)["result"]["tools"] if t["name"].endswith("echo"))

    def sequential(self, calls: Calls, count: int) -> list[float]:
        times = []
        for _ in range(count):
            self._number += 1
            began = time.perf_counter()
            self._exchange(0, calls(self._number + 10))
            times.append(time.perf_counter() - began)
        return times

    def pipelined(self, calls: Calls, count: int, window: int) -> float:
        poll = selectors.DefaultSelector()
        for i in range(window):
            poll.register(self._connection(i), selectors.EVENT_READ, i)
        parts = [b""] * window
        began = time.perf_counter()
        for i in range(window):
            self._send(i, calls(1000 + i))
        sent, done = window, 0
        while done < count:
            for key, _ in poll.select(10):
                i = key.data
                parts[i] += self._connections[i].recv(65536)
                if not _whole(parts[i]):
                    continue
                parts[i] = b""
                done += 1
                if sent < count:
                    sent += 1
                    self._send(i, calls(1000 + sent))
        return count / (time.perf_counter() - began)

    def close(self) -> None:
        for connection in self._connections:
            connection.close()

    def _connection(self, index: int) -> socket.socket:
        while len(self._connections) <= index:
            connection = socket.create_connection(self._address)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connections.append(connection)
        return self._connections[index]

    def _send(self, index: int, body: bytes) -> None:
        head = self._head + self._key + b"Content-Length: %d\r\n\r\n" % len(body)
        self._connection(index).sendall(head + body)

    def _exchange(self, index: int, body: bytes) -> tuple[bytes, bytes]:
        self._send(index, body)
        data: list[bytes] = []
        while True:
            chunk = self._connections[index].recv(65536)
            if not chunk:
                raise EOFError("the server closed the connection")
            data.append(chunk)
            if len(chunk) < 65536 and _whole(whole := b"".join(data)):
                head, _, content = whole.partition(b"\r\n\r\n")
                return head, content


def _whole(data: bytes) -> bool:
    head, found, body = data.partition(b"\r\n\r\n")
    if not found:
        return False
    length = head.lower().partition(b"content-length:")[2]
    return len(body) >= int(length.partition(b"\r\n")[0] or b"0")
