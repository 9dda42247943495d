"""What a server that was given secrets may tell of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.core.protocol.jsonrpc import Envelope, peek
from bridge.system.masking import Mask
from bridge.upstreams.error_masking import RedactingServerPort
from bridge.vault.secret_references import plain_secrets

KEY = 'hunter2"quoted'


class Back:
    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.envelopes: list[Envelope | None] = []

    def received(
        self, conn: int, message: bytes, about: bytes = b"", envelope: Envelope | None = None
    ) -> None:
        self.heard.append(message)
        self.envelopes.append(envelope)

    def unreached(self, conn: int, request: bytes, words: str, status: int = 0) -> None:
        self.heard.append(words.encode())

    def ended(self, conn: int, reason: str) -> None:
        raise AssertionError("not here")

    def noted(self, conn: int, line: str) -> None:
        raise AssertionError("not here")


def heard(said: bytes) -> bytes:
    back, mask = Back(), Mask()
    mask.learn([KEY])
    RedactingServerPort(back, mask).received(1, said)
    (one,) = back.heard
    return one


def answer(**more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, **more}


ERROR = answer(error={"code": -32000, "message": f"bad key {KEY}", "data": {"key": [KEY]}})
FAILED = answer(result={"isError": True, "content": [{"type": "text", "text": f"401 for {KEY}"}]})
LOG = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": KEY}}


@pytest.mark.parametrize("said", [ERROR, FAILED, LOG, [ERROR, FAILED]])
def test_troubles_reach_hosts_without_the_secret(said: Any):
    told = heard(json.dumps(said).encode())
    assert b"hunter2" not in told
    assert json.loads(told) == json.loads(json.dumps(said).replace(json.dumps(KEY)[1:-1], "•••"))


def test_half_an_emoji_does_not_let_a_secret_through():
    told = heard(b'{"id": 7, "error": {"code": 1, "message": "\\ud83d hunter2\\"quoted"}}')
    assert json.loads(told)["error"]["message"] == "\ud83d •••"


def test_nor_does_what_is_nested_very_deeply():
    mask, back = Mask(), Back()
    mask.learn(["hunter2hunter2"])
    deep = b"[" * 600 + b'"hunter2hunter2"' + b"]" * 600
    RedactingServerPort(back, mask).received(
        1, b'{"id": 7, "error": {"code": 1, "message": "no", "data": ' + deep + b"}}"
    )
    assert b"hunter2" not in back.heard[0]


def test_what_was_read_on_the_way_is_passed_on_unless_the_message_was_changed():
    back, mask = Back(), Mask()
    mask.learn([KEY])
    fine, bad = (json.dumps(said).encode() for said in (answer(result={}), ERROR))
    for said in (fine, bad):
        RedactingServerPort(back, mask).received(1, said, b"", peek(said))
    assert back.envelopes == [peek(fine), None]


@pytest.mark.parametrize(
    "said",
    [
        json.dumps(answer(result={"content": [{"type": "text", "text": KEY}], "isError": False})).encode(),
        b'{"id": 1,  "error": {"code": 1, "message": "plain"}}',
        b'{"id": 1, "error": hunter2',
        b'["error"]',
    ],
)
def test_all_else_passes_byte_for_byte(said: bytes):
    assert heard(said) == said


def test_a_value_in_the_open_is_a_secret_if_its_name_says_so():
    env = {"PLAINKEY": "sk-12345678", "API_TOKEN": "short", "HOME": "/home/alice", "KEY": "${vault:github}"}
    assert plain_secrets(env) == {"sk-12345678"}
    assert plain_secrets({"Authorization": "Bearer abcdefgh"}) == {"Bearer abcdefgh", "abcdefgh"}
