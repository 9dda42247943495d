"""A model on 127.0.0.1 that follows a script: it calls one tool, and repeats what came back.

It has no memory but the request: the results in it tell how far the script is. Where a result asks to call
`desk_wait` with a ticket, or the tool again, it does, as any model would; and where a call timed out. Where
tools are hidden behind a search, it searches first.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from tests.rigs.ai_hosts.dialects import DIALECTS, OfferedTool, Reply, ToolCall, ToolResult

CALL, SEARCH = "call_script_", "call_script_search_"  # how the ids of our calls begin
FINISHED = "RESULT: "
_SEARCHES = ("tool_search", "toolsearch", "search_tools", "tool_search_tool")
_INDIRECT = ("tool_call", "call_tool")  # call what a search found, by its name
_TICKET = re.compile(r"""ticket\W{1,8}([A-Za-z0-9_-]{4,})""")
_TRY_AGAIN = re.compile(r"try again|timed? ?out", re.IGNORECASE)
_MOST_CALLS = 40
_MODEL = {"id": "scripted", "object": "model", "type": "model", "display_name": "Scripted", "created": 0}
_GEMINI_MODEL = {"name": "models/scripted", "supportedGenerationMethods": ["generateContent"]}
_MODELS = {"object": "list", "data": [_MODEL], "models": [_GEMINI_MODEL]}


class Turn(NamedTuple):
    """One request to the model that offered tools or carried results."""

    at: float
    offered: tuple[str, ...]
    results: tuple[ToolResult, ...]
    reply: Reply


Preparation = Callable[[str], tuple[str, dict[str, Any]]]  # request → tool and arguments


class ScriptedModel:
    """Serve until the block ends. `times`: how often the tool is called. `first`: the call before them.
    `results`: what came of each call, as the model read it."""

    def __init__(
        self, tool: str, arguments: dict[str, Any], times: int = 1, first: Preparation | None = None
    ) -> None:
        self._tool = tool
        self._arguments = arguments
        self._first = first
        self._times = times + (first is not None)
        self._lock = threading.Lock()
        self.turns: list[Turn] = []

    def __enter__(self) -> ScriptedModel:
        self._server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def forget(self) -> None:
        """Begin a new conversation: the application is run again."""
        with self._lock:
            self.turns.clear()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def results(self) -> list[str]:
        """What came of each call, in order, without searches."""
        return _own_texts(max((turn.results for turn in self.turns), key=len, default=()))

    @property
    def finished(self) -> bool:
        return any(isinstance(turn.reply, str) and turn.reply.startswith(FINISHED) for turn in self.turns)

    def reply(
        self, offered: Sequence[OfferedTool], results: Sequence[ToolResult], request: str = ""
    ) -> Reply:
        reply = self._decide(offered, results, request)
        if offered or results:
            turn = Turn(time.time(), tuple(tool.name for tool in offered), tuple(results), reply)
            with self._lock:
                self.turns.append(turn)
        return reply

    def _decide(self, offered: Sequence[OfferedTool], results: Sequence[ToolResult], request: str) -> Reply:
        if not offered:
            return "A title"  # a side request: a title, a summary
        texts = _own_texts(results)
        done = [text for text in texts if not _is_held(text)]
        if len(done) >= self._times or len(texts) >= _MOST_CALLS:
            return FINISHED + texts[-1]
        number = len(texts) + 1
        wanted, arguments = self._tool, self._arguments
        if self._first is not None and not texts:
            wanted, arguments = self._first(request)
        ticket = _TICKET.search(texts[-1]) if texts else None
        if ticket is not None and _find("desk_wait", offered):
            wanted, arguments = "desk_wait", {"ticket": ticket[1]}
        if found := _find(wanted, offered):
            return ToolCall(f"{CALL}{number}", found, arguments)
        searched = [one.text for one in results if one.call.startswith(SEARCH)]
        if not searched and (search := _find_any(_SEARCHES, offered)):
            return ToolCall(f"{SEARCH}{number}", search, {"query": wanted})
        known = [
            OfferedTool(name) for text in searched for name in re.findall(r'"name"\s*:\s*"([^"]+)"', text)
        ]
        if (found := _find(wanted, known)) and (caller := _find_any(_INDIRECT, offered)):
            return ToolCall(f"{CALL}{number}", caller, {"name": found.name, "arguments": arguments})
        return f"There is no tool {wanted} among {', '.join(tool.name for tool in offered)}"


def _own_texts(results: Sequence[ToolResult]) -> list[str]:
    return [one.text for one in results if not one.call.startswith(SEARCH)]


def _is_held(text: str) -> bool:
    """True if the result tells the model to call again, or the application that it may."""
    return "desk_wait" in text or _TRY_AGAIN.search(text) is not None


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def _find(wanted: str, offered: Sequence[OfferedTool]) -> OfferedTool | None:
    """Return the tool of this name; applications put prefixes before it."""
    ends = [tool for tool in offered if _plain(tool.name).endswith(_plain(wanted))]
    return min(ends, key=lambda tool: len(tool.name), default=None)


def _find_any(names: Sequence[str], offered: Sequence[OfferedTool]) -> OfferedTool | None:
    return next((tool for tool in offered if _plain(tool.name) in names), None)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Print only what is not the end of an application."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ScriptedModel

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        listed = path.endswith(("/models", "/api/tags"))
        one = {**_MODEL, **_GEMINI_MODEL} if "/models/" in path else {}
        self._send("application/json", json.dumps(_MODELS if listed else one).encode())

    do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

    def do_POST(self) -> None:
        body, path = self._body(), self.path.partition("?")[0]
        dialect = next((one for one in DIALECTS if path.endswith(one.path)), None)
        if dialect is None:
            self._send("application/json", b'{"input_tokens": 1, "totalTokens": 1}')
            return
        offered, results = tuple(dialect.offered(body)), tuple(dialect.results(body))
        reply = self.model.reply(offered, results, json.dumps(body))
        self._send(*dialect.encode(reply, body, path))

    def _body(self) -> dict[str, Any]:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            data = b""
            while size := int(self.rfile.readline().partition(b";")[0] or b"0", 16):
                data += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        match self.headers.get("Content-Encoding", ""):
            case "gzip":
                data = gzip.decompress(data)
            case "deflate":
                data = zlib.decompress(data)
        body = json.loads(data or b"{}")
        return body if isinstance(body, dict) else {}

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
