"""What reads foreign bytes, as functions of bytes. Each returns, whatever the bytes are; a law that does not
hold is an AssertionError, and any exception but the reader's own is a finding."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

from bridge.core.forms import full_validation
from bridge.core.forms.schema import SchemaError
from bridge.core.policy.tool_pins import fingerprint, tool_summary
from bridge.core.policy.url_safety import check_url, destination
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.ambiguous_json import Ambiguous, refuse_repeats
from bridge.core.protocol.jsonrpc import Malformed
from bridge.core.questions.question import Mode, Question
from bridge.errors import SettingsError
from bridge.hosts.formats import document
from bridge.hosts.formats.edits import Put
from bridge.journal.writer import arguments_kept, reply_kept
from bridge.presenters import question_json
from bridge.presenters.question_json import AnswerRefused
from bridge.settings import parser
from bridge.system.key_shapes import redact
from bridge.system.line_buffer import LineTooLong
from bridge.system.oauth_callback import OAuthCallback
from bridge.tools.bluesky.repo import car
from bridge.transports.hello import BadHello, read_hello
from bridge.upstreams.http.sse import EventDecoder

ENTRY = {"command": "deskbell", "args": ["stdio"]}
FORM = b'{"type":"object","properties":{"name":{"type":"string"},"n":{"type":"integer"}},"required":["name"]}'
QUESTION = Question("q1", Mode.FORM, "server", "host", schema=FORM)
STATE = "the state that only the browser knows"


def message(data: bytes) -> None:
    with suppress(Malformed):
        envelope = jsonrpc.peek(data)
        jsonrpc.members(data)
        if len(envelope.id):
            changed = jsonrpc.set_id(data, envelope, b'"x"')
            assert bytes(jsonrpc.peek(changed).id) == b'"x"'
    with suppress(Malformed):
        jsonrpc.elements(data)
    with suppress(Malformed, Ambiguous):
        refuse_repeats(data)


def tool(data: bytes) -> None:
    tool_summary(data)
    assert fingerprint(data) == fingerprint(data)


def form(data: bytes) -> None:
    with suppress(SchemaError):
        read = full_validation.parse(data)
        for content in (b"{}", b'{"name":"x"}', b"[]", b"nonsense"):
            read.check(content)


def answer(data: bytes) -> None:
    with suppress(AnswerRefused):
        read = question_json.read_answer(QUESTION, data)
        if read.content:
            assert isinstance(json.loads(read.content)["name"], str)


def config(name: str) -> Callable[[bytes], None]:
    """An editor of other applications' files: what it writes, it can read, and our entry is in it."""

    def edit(data: bytes) -> None:
        with suppress(SettingsError):
            before = document.read(Path(name), data)
            after = document.read(Path(name), document.edited(before, [Put(("servers", "deskbell"), ENTRY)]))
            assert after.data["servers"]["deskbell"] == ENTRY

    return edit


def settings(data: bytes) -> None:
    with suppress(SettingsError):
        parser.read(parser.decoded(Path("config.toml"), data), "config.toml", {})


def repository(data: bytes) -> None:
    with suppress(car.DamagedRepository):
        list(car.blocks(BytesIO(data))[1])
    with suppress(car.DamagedRepository):
        assert all(len(entry.key) <= 1024 for entry in car.node(data)[1])


def url(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    checked = check_url(text)
    destination(checked.host)
    if checked.refusal is None:
        split = urlsplit(text)
        assert split.scheme in ("http", "https")
        assert checked.host.lower().strip("[]") == split.hostname
        assert not set("\\ \t\n\r") & set(text)


def events(data: bytes) -> None:
    """However a stream is cut, the same events come out of it."""
    whole, cut = EventDecoder(1 << 16), EventDecoder(1 << 16)
    with suppress(LineTooLong):
        expected = whole.feed(data)
        assert [event for at in range(len(data)) for event in cut.feed(data[at : at + 1])] == expected


def masks(data: bytes) -> None:
    redact(data.decode("utf-8", "replace"))
    arguments_kept(data, len(data), lambda value: value)
    reply_kept(data, len(data) + 1, lambda value: value)


def hello(data: bytes) -> None:
    with suppress(BadHello):
        assert isinstance(read_hello(data)["verb"], str)


def callback(data: bytes) -> None:
    """No request but one with the right state ends a sign-in."""

    async def visit() -> None:
        waiting = OAuthCallback()
        waiting.port = 1
        waiting.expect(STATE)
        page = await waiting._answer(data.decode("latin-1"))
        assert page.startswith(b"HTTP/1.1 ")
        assert not waiting.arrived or b"state=" in data

    asyncio.run(visit())


TARGETS: dict[str, Callable[[bytes], None]] = {
    "message": message,
    "tool": tool,
    "form": form,
    "answer": answer,
    "JSON with comments": config("settings.json"),
    "TOML": config("config.toml"),
    "YAML": config("config.yaml"),
    "settings": settings,
    "repository": repository,
    "url": url,
    "events": events,
    "masks": masks,
    "hello": hello,
    "callback": callback,
}
SEEDS: dict[str, list[bytes]] = {
    "message": [b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}', b"[{},{}]"],
    "tool": [b'{"name":"x","description":"y","inputSchema":{"type":"object"},"annotations":{}}'],
    "form": [FORM, b'{"type":"object","properties":{"a":{"enum":["x"],"default":"x","pattern":"^x"}}}'],
    "answer": [b'{"action":"accept","content":{"name":"x","n":1}}', b'{"action":"decline"}'],
    "JSON with comments": [b'{// a\n"servers": {"b": {"c": [1, 2,],},}, /* d */ "e": null}'],
    "TOML": [b'# a\n[servers.b]\nc = ["d"]\n[[e]]\nf = 1\n'],
    "YAML": [b"# a\nservers:\n  b: {c: [1]}\n  d: |\n    text\n"],
    "settings": [
        b'port = 1\n[servers.a]\ncommand = "b"\n[policy]\n"a_*" = "deny"\n[hosts."*"]\nservers = []\n'
    ],
    "repository": [b"\x01\xa0", b"\x3a\xa2\x65roots\x80\x67version\x01", b"\xa2\x61e\x80\x61l\xf6"],
    "url": [b"https://user@xn--80ak6aa92e.com:444/a?b#c", b"http://127.0.0.1:1/", b"https://[::1]/"],
    "events": [b"id: 1\nevent: message\ndata: {}\n\n: c\r\ndata: a\rdata: b\r\n\r\n"],
    "masks": [b'{"token":["ghp_0123456789012345678901234567890123456789"],"a":"Bearer abcdefgh"}'],
    "hello": [b'{"deskbell":1,"verb":"stdio","server":"a"}'],
    "callback": [b"GET /callback?state=a&code=b HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n"],
}
