"""The owner-only socket: real sockets and real bytes, with an engine that only records what it receives."""

from __future__ import annotations

import asyncio
import json
import socket

import pytest
import uvloop

from bridge.core.ports import Caller, ServerSpec
from bridge.settings.host_tokens import RevokedToken
from bridge.transports import host_socket
from bridge.transports.host_socket import HostSocket
from tests.bridge.transports.socket_rig import STDIO, Host, Recorder, names_beside, transport_at
from tests.fixtures.patience import NEVER, WITHIN, leap

# ---- the hello


async def test_a_stdio_host_becomes_a_link(front: Recorder, path: str) -> None:
    hello = b'{"deskbell":1,"verb":"stdio","server":"github","host_name":"My host"}\n'
    host = await Host.at(path, hello)
    await front.linked()
    assert front.callers == [Caller("stdio", server="github", host_name="My host")]
    await host.leave()


def identify(token: str) -> str:
    if token == "old":
        raise RevokedToken("Cursor")
    return {"mine": "Cursor"}.get(token, "")


@pytest.mark.parametrize(("token", "identity"), [("mine", "Cursor"), ("other", ""), ("", "")])
async def test_a_token_proves_who_the_host_is(token: str, identity: str, path: str) -> None:
    front = Recorder()
    transport = HostSocket(front, path, front.control, identify=identify)
    await transport.start()
    hello = {"deskbell": 1, "verb": "stdio", "host_name": "Zed", "token": token}
    host = await Host.at(path, json.dumps(hello).encode() + b"\n")
    await front.linked()
    assert front.callers == [Caller("stdio", host_name="Zed", identity=identity)]
    transport.drop("Cursor")
    if identity:
        assert await host.everything() == b""
    await host.leave()
    await transport.stop()


async def test_a_revoked_token_is_refused_in_words(path: str) -> None:
    front = Recorder()
    transport = HostSocket(front, path, front.control, identify=identify)
    await transport.start()
    host = await Host.at(path, b'{"deskbell":1,"verb":"stdio","token":"old"}\n')
    assert b"revoked the access of Cursor" in await host.everything()
    assert front.callers == []
    await transport.stop()


async def test_a_wrapped_command_comes_with_its_folder_and_environment(front: Recorder, path: str) -> None:
    hello = {
        "deskbell": 1,
        "verb": "wrap",
        "name": "",
        "command": "npx",
        "args": ["-y", "@acme/server-ü@1.2"],
        "cwd": "/somewhere",
        "env": {"PATH": "/bin", "ODD": "x\udcff"},
        "host_name": "",
    }
    host = await Host.at(path, json.dumps(hello).encode() + b"\n")
    await front.linked()
    spec = ServerSpec(
        "server-ü",
        "npx",
        ("-y", "@acme/server-ü@1.2"),
        cwd="/somewhere",
        base_env={"PATH": "/bin", "ODD": "x\udcff"},
    )
    assert front.callers == [Caller("stdio", wrap=spec)]
    await host.leave()


async def test_a_given_name_wins_over_the_command(front: Recorder, path: str) -> None:
    host = await Host.at(path, b'{"deskbell":1,"verb":"wrap","name":"mine","command":"npx","args":["x"]}\n')
    await front.linked()
    assert front.callers[0].wrap == ServerSpec("mine", "npx", ("x",), base_env={})
    await host.leave()


async def test_any_other_verb_is_answered_with_one_line(front: Recorder, path: str) -> None:
    host = await Host.at(path, b'{"deskbell":1,"verb":"status"}\n')
    assert await host.everything() == b'{"ok":true}\n'
    [asked] = front.asked
    asked.pop("scripted")  # whether these tests run on a terminal
    assert asked == {"deskbell": 1, "verb": "status"}
    assert front.callers == []
    await host.leave()


@pytest.mark.parametrize(
    ("hello", "problem"),
    [
        (b"GET / HTTP/1.1\r\n", "not JSON"),
        (b"\xff\xfe\x00\n", "not JSON"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b"[1]\n", "does not say what is wanted"),
        (b'{"jsonrpc":"2.0","id":1,"method":"initialize"}\n', "does not say what is wanted"),
        (b'{"deskbell":3,"verb":"stdio"}\n', "different versions"),
        (b'{"deskbell":1,"verb":"stdio","server":7}\n', "`$.server`"),
        (b'{"deskbell":1,"verb":"wrap","args":[]}\n', "names no command"),
        (b"x" * (1 << 26) + b"xx", "longer than 64 MiB"),
    ],
)
async def test_a_bad_hello_is_refused_with_a_reason(
    front: Recorder, path: str, hello: bytes, problem: str
) -> None:
    host = await Host.at(path, hello)
    assert problem in json.loads(await host.line())["error"]
    assert await host.everything() == b""
    assert front.callers == []
    await host.leave()


async def test_a_connection_without_a_hello_leaves_no_trace(front: Recorder, path: str) -> None:
    await (await Host.at(path, b"")).leave()
    await (await Host.at(path)).leave()
    await front.until(lambda front: front.closed == [0])
    assert len(front.callers) == 1


# ---- messages


async def test_lines_become_messages_however_they_are_cut(front: Recorder, path: str) -> None:
    host = await Host.at(path, STDIO + b'{"id":1}\n{"id":2}\r\n\n  \n{"te')
    await front.until(lambda front: len(front.heard) == 2)
    host.writer.write('xt":"ünï"}\n[{"id":3},{"id":4}]\n'.encode())
    await front.until(lambda front: len(front.heard) == 4)
    assert [message for _, message in front.heard] == [
        b'{"id":1}',
        b'{"id":2}',
        '{"text":"ünï"}'.encode(),
        b'[{"id":3},{"id":4}]',
    ]
    await host.leave()


async def test_a_last_line_without_newline_is_a_message_too(front: Recorder, path: str) -> None:
    host = await Host.at(path, STDIO + b'{"id":1}')
    host.writer.write_eof()
    await front.until(lambda front: front.closed == [0])
    assert front.heard == [(0, b'{"id":1}')]
    await host.leave()


async def test_what_is_delivered_arrives_in_order_and_whole(front: Recorder, path: str) -> None:
    host = await Host.at(path)
    await front.linked()
    said = [b'{"n":%d,"fill":"%s"}' % (n, b"x" * (n * 37 % 5000)) for n in range(1000)]
    for message in said:
        front.say(message)
    assert [await host.line() for _ in said] == [message + b"\n" for message in said]
    await host.leave()


async def test_hosts_do_not_mix(front: Recorder, path: str) -> None:
    hosts = [await Host.at(path) for _ in range(20)]
    await front.linked(20)
    for host in hosts:
        host.writer.write(b'{"ping":1}\n')
    await front.until(lambda front: len(front.heard) == 20)
    for link, _ in front.heard:
        front.say(b"%d" % link, link)
    assert sorted([int(await host.line()) for host in hosts]) == list(range(20))
    for host in hosts:
        await host.leave()
    await front.until(lambda front: sorted(front.closed) == list(range(20)))


async def test_a_message_without_end_closes_the_link_with_an_error(
    front: Recorder, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_socket, "MAX_LINE", 2 << 20)
    host = await Host.at(path, STDIO + b'{"id":1}\n')
    host.writer.write(b"x" * (3 << 20))
    reply = json.loads(await host.line())
    assert reply["id"] is None
    assert reply["error"]["code"] == -32600
    assert "longer than 2 MiB" in reply["error"]["message"]
    await front.until(lambda front: front.closed == [0])
    assert front.heard == [(0, b'{"id":1}')]
    assert front.why == ["It sent a message of more than 2 MiB."]
    host.writer.transport.abort()


async def test_a_host_that_never_reads_is_hung_up_on(
    front: Recorder, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_socket, "MAX_UNREAD", 4 << 20)
    deaf = socket.socket(socket.AF_UNIX)
    deaf.connect(path)
    deaf.sendall(STDIO)
    await front.linked()
    said = 0
    while not front.closed:
        front.say(b"x" * (1 << 20))
        said += 1
        assert said < 10
        await asyncio.sleep(0)
    assert front.why == ["It does not read what it is sent: more than 4 MiB are waiting."]
    deaf.close()


# ---- the end


async def test_a_killed_host_closes_its_link_once(front: Recorder, path: str) -> None:
    host = await Host.at(path)
    await front.linked()
    host.writer.transport.abort()
    await front.until(lambda front: front.closed == [0])
    front.say(b"into the void")
    front.hang_up[0]()
    assert front.closed == [0]


async def test_hanging_up_sends_the_delivered_messages_first(front: Recorder, path: str) -> None:
    host = await Host.at(path)
    await front.linked()
    big = b"x" * (8 << 20)
    for message in (b"1", b"2", big):
        front.say(message)
    front.hang_up[0]()
    front.say(b"too late")
    assert await host.everything() == b"1\n2\n" + big + b"\n"
    await front.until(lambda front: front.closed == [0])
    await host.leave()


async def test_stopping_removes_the_socket_and_does_not_wait_long(
    path: str,
) -> None:
    front = Recorder()
    transport = transport_at(path, front)
    await transport.start()
    deaf, host = await Host.at(path), await Host.at(path)
    deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]
    await front.linked(2)
    for link in range(2):
        front.say(b"x" * (8 << 20), link)
    stopping = asyncio.create_task(transport.stop())
    assert len(await host.everything()) == (8 << 20) + 1
    assert not stopping.done()
    leap(NEVER)
    async with asyncio.timeout(WITHIN):
        await stopping
    assert names_beside(path) == []
    assert sorted(front.closed) == [0, 1]
    await transport.stop()
    for one in (deaf, host):
        one.writer.transport.abort()


def test_uvloop_serves_as_well(path: str) -> None:
    async def story() -> list[bytes]:
        front = Recorder()
        transport = transport_at(path, front)
        await transport.start()
        host = await Host.at(path, STDIO + b'{"id":1}\n')
        await front.until(lambda front: bool(front.heard))
        front.say(b"one")
        front.say(b"two")
        lines = [await host.line(), await host.line()]
        await transport.stop()
        lines.append(await host.everything())
        assert front.closed == [0]
        return lines

    assert uvloop.run(story()) == [b"one\n", b"two\n", b""]
