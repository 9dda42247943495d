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
from typing import BinaryIO, NamedTuple

import msgspec

from bridge.errors import DeskbellError, wrong_method
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
_PREFIX = "/functions/"


class CgiReply(NamedTuple):
    status: int
    body: bytes
    kind: str = JSON
    headers: tuple[tuple[str, str], ...] = ()  # never contain request data


class CgiRefusal(Exception):
    def __init__(self, status: int, message: str, *headers: tuple[str, str]) -> None:
        super().__init__(message)
        self.reply = CgiReply(status, msgspec.json.encode({"error": message}), headers=headers)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=cgi)


def cgi(arguments: argparse.Namespace, home: Home) -> int:
    env = dict(os.environ)
    for name in env:
        if _OF_REQUEST.match(name):  # an app that we start must not inherit request headers (HTTP_PROXY)
            del os.environ[name]
    method = env.get("REQUEST_METHOD", "")
    try:
        reply = _answer(env, sys.stdin.buffer, home)
    except CgiRefusal as refused:
        reply = refused.reply
    except DeskbellError as error:
        reply = CgiReply(500, msgspec.json.encode({"error": str(error)}))
    sys.stdout.buffer.write(written(reply, head=method == "HEAD"))
    sys.stdout.buffer.flush()
    return 0  # the response reports a failure; for another exit code the web server would log one more


def written(reply: CgiReply, head: bool = False) -> bytes:
    lines = [
        f"Status: {reply.status} {HTTPStatus(reply.status).phrase}",
        f"Content-Type: {reply.kind}",
        f"Content-Length: {len(reply.body)}",
        *(f"{name}: {value}" for name, value in reply.headers),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + (b"" if head else reply.body)


def _answer(env: Mapping[str, str], stdin: BinaryIO, home: Home) -> CgiReply:
    method, path = env.get("REQUEST_METHOD", ""), env.get("PATH_INFO", "") or "/"
    if not method:
        raise CgiRefusal(400, "REQUEST_METHOD is not set: `deskbell cgi` is for a web server to start.")
    _refuse_foreign_pages(env)
    if path in ("/", "/openapi.json"):
        if method not in ("GET", "HEAD"):
            raise CgiRefusal(405, wrong_method("GET"), ("Allow", "GET, HEAD"))
        if path == "/":
            return _page(home)
        return _request(home, what="openapi", base=env.get("SCRIPT_NAME") or "/")
    if method != "POST":
        raise CgiRefusal(405, wrong_method("POST"), ("Allow", "POST"))
    name = path.removeprefix(_PREFIX) if path.startswith(_PREFIX) else path[1:]
    body = _body(env, stdin)
    try:
        name.encode()
        return _request(home, what="call", name=name, arguments=body.decode())
    except UnicodeEncodeError as error:
        raise CgiRefusal(400, f"The path is not UTF-8: {error}.") from error
    except UnicodeDecodeError as error:
        raise CgiRefusal(400, _not_json(body)) from error


def _not_json(body: bytes) -> str:
    """Return what REST replies to a body that is not UTF-8."""
    from bridge.tools import arguments  # rarely needed, and slow to import

    try:
        return str(arguments.decode_body(body))
    except arguments.InvalidArguments as problem:
        return str(problem)


def _refuse_foreign_pages(env: Mapping[str, str]) -> None:
    """Refuse requests of foreign web pages, which can make a browser call a local web server."""
    origin = env.get("HTTP_ORIGIN")
    site = env.get("HTTP_SEC_FETCH_SITE", "none")
    if (origin is not None and not _LOOPBACK.fullmatch(origin)) or site not in ("same-origin", "none"):
        raise CgiRefusal(403, "Web pages from elsewhere may not talk to Deskbell.")


def _body(env: Mapping[str, str], stdin: BinaryIO) -> bytes:
    """Read exactly CONTENT_LENGTH bytes: stdin may stay open (RFC 3875 §4.2)."""
    text = env.get("CONTENT_LENGTH", "") or "0"
    if not (text.isascii() and text.isdigit()):
        raise CgiRefusal(400, "CONTENT_LENGTH is not a number.")
    length = int(text[:20])
    if length > BODY_LIMIT:
        raise CgiRefusal(413, f"The body is longer than {BODY_LIMIT >> 20} MiB.")
    body = stdin.read(length)
    if len(body) < length:
        raise CgiRefusal(400, "The body is shorter than CONTENT_LENGTH says.")
    return body


def _page(home: Home) -> CgiReply:
    headers = (("Content-Security-Policy", _INERT), ("X-Content-Type-Options", "nosniff"))
    return _request(home, what="docs")._replace(kind=_HTML, headers=headers)


def _request(home: Home, **request: str) -> CgiReply:
    reply = control_client.request_functions(home, {"wire": "cgi", **request})
    if "status" not in reply:
        return CgiReply(
            500, msgspec.json.encode({"error": str(reply.get("error", "Deskbell did not answer."))})
        )
    return CgiReply(reply["status"], reply["body"].encode())
