"""A small MCP server for `deskbell self-test`, by stdio: `echo` returns its text, `ask` asks a question."""

from __future__ import annotations

import json
import sys
from typing import Any

QUESTION = "self-test"  # id of the request that asks
_SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
_TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}
_TOOLS = [
    {"name": "ask", "description": "Ask who is there.", "inputSchema": {"type": "object"}},
    {"name": "echo", "description": "Return the text.", "inputSchema": _TEXT},
]


def serve() -> int:
    asking: object = None  # id of the call that waits for the answer
    for line in sys.stdin:
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if message.get("id") == QUESTION and method is None:
            _send(id=asking, result=_text(json.dumps(message.get("result", message.get("error")))))
        elif method == "tools/call" and params["name"] == "ask":
            asking = message["id"]
            question = {"message": "Who is there?", "requestedSchema": _SCHEMA}
            _send(id=QUESTION, method="elicitation/create", params=question)
        elif method is not None and "id" in message:
            _send(id=message["id"], **_reply(method, params))
    return 0


def _reply(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        server = {"name": "self-test", "version": "1"}
        return {
            "result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": server}
        }
    if method == "tools/list":
        return {"result": {"tools": _TOOLS}}
    if method == "tools/call":
        return {"result": _text(str(params.get("arguments", {}).get("text", "")))}
    if method == "ping":
        return {"result": {}}
    return {"error": {"code": -32601, "message": f"{method} is not known here"}}


def _text(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


def _send(**message: object) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()
