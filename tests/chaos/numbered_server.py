"""A server whose `number` returns the number it is given. Standard library only; run it with -I -S.

numbered_server.py                 stdio
numbered_server.py PORT EXPIRED    Streamable HTTP on 127.0.0.1; 401 while the file EXPIRED exists
"""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOOL = {"name": "number", "inputSchema": {"type": "object", "properties": {"number": {"type": "integer"}}}}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "numbered", "version": "1"},
}


def reply(message):
    """None for a notification."""
    method, params = message.get("method"), message.get("params") or {}
    if "id" not in message:
        return None
    said = {"jsonrpc": "2.0", "id": message["id"]}
    if method == "tools/call":
        text = str(params["arguments"]["number"])
        return {**said, "result": {"content": [{"type": "text", "text": text}]}}
    results = {"initialize": HELLO, "tools/list": {"tools": [TOOL]}, "ping": {}}
    if method in results:
        return {**said, "result": results[method]}
    return {**said, "error": {"code": -32601, "message": "Method not found"}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(405, None)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if os.path.exists(sys.argv[2]):
            self.answer(401, None)
        else:
            said = reply(message)
            self.answer(200 if said else 202, said)

    def answer(self, status, said):
        body = b"" if said is None else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        """Say nothing: a killed app's connections break off."""


if len(sys.argv) > 1:
    server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
    server.daemon_threads = True
    server.serve_forever()
for line in sys.stdin:
    said = reply(json.loads(line))
    if said is not None:
        print(json.dumps(said), flush=True)
