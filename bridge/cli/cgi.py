"""`deskbell cgi`: answer one CGI/1.1 request (RFC 3875).

`/NAME` and `/functions/NAME` take POST, `/openapi.json` and `/` take GET. The web server authenticates
callers; requests from web pages of other sites are refused here, since a browser would send them.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, BinaryIO, NamedTuple

import msgspec

from bridge.errors import DeskbellError
from bridge.settings import Home
from bridge.transports import control_client

BODY_LIMIT = 64 * 1024 * 1024  # bytes, as over HTTP
JSON = "application/json"
_HTML = "text/html; charset=utf-8"
_INERT = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_LOOPBACK = re.compile(r"https?://(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.IGNORECASE)
_OF_REQUEST = re.compile(
    r"HTTP_|REQUEST_|REMOTE_|SERVER_|SCRIPT_|PATH_(INFO|TRANSLATED)|QUERY_STRING|CONTENT_|AUTH_TYPE|GATEWAY_|"
    r"DOCUMENT_ROOT|REDIRECT_|SSL_(?!CERT_(FILE|DIR)$)"
)
_NEAR = ("same-origin", "none")  # allowed values of Sec-Fetch-Site
_PREFIX = "/functions/"


class Reply(NamedTuple):
    status: int
    body: bytes
    kind: str = JSON
    headers: tuple[tuple[str, str], ...] = ()  # never contain request data


class Refused(Exception):
    def __init__(self, status: int, message: str, *headers: tuple[str, str]) -> None:
        super().__init__(message)
        self.reply = Reply(status, msgspec.json.encode({"error": message}), headers=headers)


def cgi(arguments: argparse.Namespace, home: Home) -> int:
    env = dict(os.environ)
    for name in env:
        if _OF_REQUEST.match(name):  # an app that we start must not inherit request headers (HTTP_PROXY)
            del os.environ[name]
    method = env.get("REQUEST_METHOD", "")
    try:
        reply = _answer(env, sys.stdin.buffer, home)
    except Refused as refused:
        reply = refused.reply
    except DeskbellError as error:
        reply = Reply(500, msgspec.json.encode({"error": str(error)}))
    sys.stdout.buffer.write(written(reply, head=method == "HEAD"))
    sys.stdout.buffer.flush()
    return 0  # the response tells of a failure; the web server would log another


def written(reply: Reply, head: bool = False) -> bytes:
    lines = [
        f"Status: {reply.status} {HTTPStatus(reply.status).phrase}",
        f"Content-Type: {reply.kind}",
        f"Content-Length: {len(reply.body)}",
        *(f"{name}: {value}" for name, value in reply.headers),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + (b"" if head else reply.body)


def _answer(env: Mapping[str, str], stdin: BinaryIO, home: Home) -> Reply:
    method, path = env.get("REQUEST_METHOD", ""), env.get("PATH_INFO", "") or "/"
    if not method:
        raise Refused(400, "REQUEST_METHOD is not set: `deskbell cgi` is for a web server to start.")
    _keep_out(env)
    if path in ("/", "/openapi.json"):
        if method not in ("GET", "HEAD"):
            raise Refused(405, "Use GET here.", ("Allow", "GET, HEAD"))
        return _page(home) if path == "/" else _openapi(env, home)
    if method != "POST":
        raise Refused(405, "Use POST here.", ("Allow", "POST"))
    name = path.removeprefix(_PREFIX) if path.startswith(_PREFIX) else path[1:]
    try:
        body = _body(env, stdin).decode()
        name.encode()
    except UnicodeError as error:
        raise Refused(400, f"The request is not UTF-8: {error}.") from error
    said = control_client.request_functions(
        home, {"what": "call", "wire": "cgi", "name": name, "arguments": body}
    )
    return _reply(said)


def _keep_out(env: Mapping[str, str]) -> None:
    """Refuse requests of foreign web pages, which can make a browser call a local web server."""
    origin = env.get("HTTP_ORIGIN")
    site = env.get("HTTP_SEC_FETCH_SITE", "none")
    if (origin is not None and not _LOOPBACK.fullmatch(origin)) or site not in _NEAR:
        raise Refused(403, "Web pages from elsewhere may not talk to Deskbell.")


def _body(env: Mapping[str, str], stdin: BinaryIO) -> bytes:
    """Read exactly CONTENT_LENGTH bytes: stdin may stay open (RFC 3875 §4.2)."""
    said = env.get("CONTENT_LENGTH", "") or "0"
    if not (said.isascii() and said.isdigit()):
        raise Refused(400, "CONTENT_LENGTH is not a number.")
    length = int(said[:20])
    if length > BODY_LIMIT:
        raise Refused(413, f"The body is longer than {BODY_LIMIT >> 20} MiB.")
    body = stdin.read(length)
    if len(body) < length:
        raise Refused(400, "The body is shorter than CONTENT_LENGTH says.")
    return body


def _page(home: Home) -> Reply:
    said = control_client.request_functions(home, {"what": "docs", "wire": "cgi"})
    headers = (("Content-Security-Policy", _INERT), ("X-Content-Type-Options", "nosniff"))
    return _reply(said)._replace(kind=_HTML, headers=headers)


def _openapi(env: Mapping[str, str], home: Home) -> Reply:
    return _reply(
        control_client.request_functions(
            home, {"what": "openapi", "wire": "cgi", "base": env.get("SCRIPT_NAME") or "/"}
        )
    )


def _reply(said: dict[str, Any]) -> Reply:
    if "status" not in said:
        return Reply(500, msgspec.json.encode({"error": str(said.get("error", "Deskbell did not answer."))}))
    return Reply(said["status"], said["body"].encode())
