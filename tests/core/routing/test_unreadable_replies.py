"""An answer that cannot be read must not cost its host the whole time limit."""

from __future__ import annotations

import pytest

from tests.core.fake_peers import MODERN, Upstream, Wire, script

DEEP = b"[" * 1_000_000 + b"]" * 1_000_000  # Python 3.14 reads 100 000


def files(wire: Wire) -> Upstream:
    return wire.upstreams["files"]


@pytest.mark.parametrize(
    "answer",
    [
        b'{"jsonrpc":"2.0","id":%b,"result":{"content":' + DEEP + b"}}",
        b'{"result":{"text":"\x00' + b"x" * 500 + b'"},"jsonrpc":"2.0","id":%b}',
    ],
)
def test_the_host_hears_at_once_that_the_answer_cannot_be_read(answer: bytes):
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls()
    files(wire).says(answer.replace(b"%b", files(wire).last().id))
    assert "files sent an answer that cannot be read" in host.last().json["error"]["message"]
    assert wire.state.open_requests == {}


def test_a_list_goes_out_without_the_server_whose_share_cannot_be_read():
    good = script("good", answers={"tools/list": {"tools": [{"name": "ok"}]}})
    wire = Wire(good, script("files"))
    host = wire.legacy_host(server="")
    host.requests("tools/list")
    files(wire).says(b'{"jsonrpc":"2.0","id":%b,"result":{' % files(wire).last().id)
    assert [tool["name"] for tool in host.last().json["result"]["tools"]] == ["good_ok"]


def test_an_unreadable_introduction_is_tried_in_the_other_era():
    wire = Wire(script("files", MODERN, mute=True))
    wire.modern_host().calls()
    server = files(wire)
    server.says(b'{"jsonrpc":"2.0","id":%b,"result":{' % server.last().id)
    assert server.last().method == "initialize"


def test_what_belongs_to_nobody_is_only_noted():
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls()
    for rubbish in (b'{"id":', b'{"jsonrpc":"2.0","id":999,"result":{'):
        files(wire).says(rubbish)
    assert len(wire.state.open_requests) == 1
