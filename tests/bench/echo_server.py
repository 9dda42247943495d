"""The cheapest honest stdio server: one tool, `echo`, or as many as the first argument says. Standard library
only; run with -I -S."""

from __future__ import annotations

import json
import os
import sys

SCHEMA = {"type": "object", "properties": {"text": {"type": "string", "description": "What to say again"}}}
MORE = range(1, int(sys.argv[1])) if len(sys.argv) > 1 and __name__ == "__main__" else ()
NAMES = [*(f"tool_{number}" for number in MORE), "echo"]
LIST = {"tools": [{"name": name, "description": "Says it again.", "inputSchema": SCHEMA} for name in NAMES]}


LARGE: dict[int, bytes] = {}  # size → a result, made once: else it would cost more than all that is measured


def large(size: int) -> bytes:
    """Of words, with quotes and line ends among them, as texts have."""
    if size not in LARGE:
        words = 'All that a "tool" may find, line by line.\n'
        text = (words * (size // len(words) + 1))[:size]
        LARGE[size] = json.dumps({"content": [{"type": "text", "text": text}]}).encode()
    return LARGE[size]


def answer(line: bytes) -> bytes:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        return b""
    method, params = message["method"], message.get("params") or {}
    result: dict[str, object]
    if method == "tools/call":
        arguments = params.get("arguments") or {}
        if "size" in arguments:
            number = json.dumps(message["id"]).encode()
            return b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (number, large(arguments["size"]))
        result = {"content": [{"type": "text", "text": arguments.get("text", "")}]}
    elif method == "initialize":
        result = {
            "protocolVersion": params.get("protocolVersion"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "echo", "version": "1"},
        }
    else:
        result = {**LIST} if method == "tools/list" else {}
    reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    return json.dumps(reply, separators=(",", ":")).encode() + b"\n"


def main() -> None:
    rest = b""
    buffer = bytearray(65536)
    view = memoryview(buffer)
    while size := os.readv(0, (buffer,)):
        *lines, rest = (rest + view[:size]).split(b"\n")
        out = memoryview(b"".join(answer(line) for line in lines if line.strip()))
        while out:
            out = out[os.write(1, out) :]


if __name__ == "__main__":
    main()
