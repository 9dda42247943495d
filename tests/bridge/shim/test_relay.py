"""What a host says and hears, through a real shim: handed over or copied, until either side ends."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bridge import shim
from bridge.core.ports import Caller, DeliverCallback, HangUpCallback
from bridge.transports import fd_passing, host_socket
from bridge.transports.host_socket import HostSocket
from tests.bridge.shim.shim_process import BY_PATH, PACKAGE, Process, until
from tests.bridge.transports.socket_rig import Recorder
from tests.fixtures.patience import NEVER, WITHIN

LOADED = """
import sys
sys.path.insert(0, %r)
before = set(sys.modules)
from bridge.__main__ import main
main()
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


PATIENT = """
import sys
sys.path.insert(0, %r)
from bridge import shim
shim.FAREWELL = 3600.0
from bridge.__main__ import main
main()
"""


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_socket, "LINGER", NEVER)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(params=["handed over", "copied"])
async def front(
    home: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Recorder]:
    """In both ways in which a host's words may come."""
    monkeypatch.setattr(fd_passing, "POSSIBLE", request.param == "handed over")
    front = Recorder()
    transport = HostSocket(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    yield front
    await transport.stop()


# ---- bytes


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(BY_PATH, id="by path, without site-packages"),
        pytest.param([sys.executable, "-I", "-S", str(PACKAGE / "shim/__main__.py")], id="the shim by path"),
        pytest.param([sys.executable, "-m", "bridge"], id="as a module"),
    ],
)
async def test_lines_pass_both_ways_unchanged(front: Recorder, home: Path, command: list[str]) -> None:
    host = await Process.spawn(home, "stdio", "--server", "gïthub", "--host-name=H", command=command)
    await front.linked()
    assert front.callers == [Caller("stdio", server="gïthub", host_name="H")]
    up = '{"id":12345678901234567890123,"b":"ünï 🛎","a":1.0}'.encode()
    host.stdin.write(up + b"\n")
    await front.until(lambda front: front.heard == [(0, up)])
    front.say(b'{ "odd"  :\t"spacing" }')
    assert await host.line() == b'{ "odd"  :\t"spacing" }\n'
    await host.leave()
    await front.until(lambda front: front.closed == [0])


async def test_long_lines_pass_both_ways_at_once(front: Recorder, home: Path) -> None:
    host = await Process.spawn(home)
    await front.linked()
    up = [b"%d" % n + b"u" * (5 << 20) for n in range(4)]
    down = [b"%d" % n + b"d" * (5 << 20) for n in range(4)]
    host.stdin.writelines(line + b"\n" for line in up)
    for line in down:
        front.say(line)
    for line in down:
        assert await host.line() == line + b"\n"
    await front.until(lambda front: [message for _, message in front.heard] == up)
    await host.leave()


async def test_pipes_that_do_not_get_through_are_copied(
    front: Recorder, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fd_passing, "_recv_fds", lambda sock: list(sock.recv(1)[1:]))
    host = await Process.spawn(home)
    await front.linked()
    host.stdin.write(b"up\n")
    await front.until(lambda front: front.heard == [(0, b"up")])
    front.say(b"down")
    assert await host.line() == b"down\n"
    await host.leave()


async def test_a_host_that_does_not_read_is_still_heard(front: Recorder, home: Path) -> None:
    host = await Process.spawn(home)
    await front.linked()
    host.stdout._transport.pause_reading()  # type: ignore[attr-defined]
    front.say(b"d" * (5 << 20))
    host.stdin.write(b"u" * (5 << 20) + b"\n")
    await front.until(lambda front: len(front.heard) == 1)
    host.stdout._transport.resume_reading()  # type: ignore[attr-defined]
    assert len(await host.line()) == (5 << 20) + 1
    await host.leave()


async def test_a_refusal_of_the_app_still_reaches_the_host(
    front: Recorder, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_socket, "MAX_LINE", 1 << 20)
    host = await Process.spawn(home)
    host.stdin.write(b"x" * (8 << 20))
    code, out, err = await host.ended()
    assert (code, json.loads(out)["error"]["code"], err) == (0, -32600, "")


async def test_a_wrapped_server_comes_with_folder_and_environment_to_the_byte(
    front: Recorder, home: Path, tmp_path: Path
) -> None:
    odd = {b"DESKBELL_HOME": os.fsencode(home), b"ODD": b'\xff "\\ \n\x7f', "ÜMLAUT".encode(): "🛎".encode()}
    words = ["wrap", "--host-name", "H", "--era", "legacy", "--", "npx", "-y", "@acme/mcp-ü@1", "--name", "é"]
    process = await asyncio.create_subprocess_exec(
        *BY_PATH,
        *words,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        env=odd,
        cwd=tmp_path,
    )
    await front.linked()
    [caller] = front.callers
    assert caller.host_name == "H"
    assert caller.wrap is not None
    assert (caller.wrap.name, caller.wrap.command) == ("mcp-ü", "npx")
    assert caller.wrap.args == ("-y", "@acme/mcp-ü@1", "--name", "é")
    assert (caller.wrap.cwd, caller.wrap.era) == (str(tmp_path), "legacy")
    assert caller.wrap.base_env is not None
    assert {os.fsencode(k): os.fsencode(v) for k, v in caller.wrap.base_env.items()}.items() >= odd.items()
    assert await asyncio.wait_for(process.wait(), WITHIN) == 0


async def test_the_shim_loads_nothing_that_takes_time_and_copying_only_to_copy(
    front: Recorder, home: Path, request: pytest.FixtureRequest
) -> None:
    command = [sys.executable, "-I", "-S", "-c", LOADED % str(PACKAGE.parent)]
    host = await Process.spawn(home, command=command)
    await front.linked()
    host.stdin.close()
    code, out, err = await host.ended()
    assert (code, out) == (0, b"")
    copying = ["bridge.shim.unix_copy"] if request.node.callspec.params["front"] == "copied" else []
    light = ["_socket", "bridge", "bridge.__main__", "bridge.shim", "bridge.shim.unix", *copying, "select"]
    assert err.split() == light


# ---- the end of either side


async def test_the_shim_ends_when_the_app_hangs_up_and_says_the_rest_first(
    front: Recorder, home: Path
) -> None:
    host = await Process.spawn(home)
    await front.linked()
    front.say(b"x" * (5 << 20))
    front.hang_up[0]()
    assert await host.ended() == (0, b"x" * (5 << 20) + b"\n", "")


@pytest.fixture(params=[b"", b"copy\n", b"hands\n"], ids=["at once", "before copying", "when handed over"])
def answer(request: pytest.FixtureRequest) -> bytes:
    """After what an app has stopped doing anything."""
    said: bytes = request.param
    return said


@pytest.fixture
def stuck(home: Path) -> Iterator[socket.socket]:
    """An app that has stopped doing anything."""
    home.mkdir()
    with socket.socket(socket.AF_UNIX) as stuck:
        stuck.bind(str(home / "deskbell.sock"))
        stuck.listen()
        yield stuck


async def test_the_shim_ends_when_the_host_closes_stdin_even_if_the_app_does_not(
    home: Path, stuck: socket.socket, answer: bytes
) -> None:
    host = await Process.spawn(home)
    link, _ = await asyncio.to_thread(stuck.accept)
    assert (await asyncio.to_thread(link.recv, 65536)).endswith(b"\n")
    link.sendall(answer)
    host.stdin.close()
    await until(lambda: host.process.returncode == 0)
    link.close()


async def test_the_shim_ends_when_the_host_leaves_a_clogged_pipe_behind(
    home: Path, stuck: socket.socket, answer: bytes
) -> None:
    host = await Process.spawn(home)
    link, _ = await asyncio.to_thread(stuck.accept)
    link.sendall(answer)
    host.stdin.write(b"x" * (5 << 20))
    sizes = [-1]

    def clogged() -> bool:
        sizes.append(host.stdin.transport.get_write_buffer_size())
        return sizes[-1] == sizes[-10:][0]

    await until(clogged)
    host.stdin.transport.abort()
    await until(lambda: host.process.returncode == 0)
    link.close()
    assert await host.ended() == (0, b"", "")


@pytest.mark.parametrize("said", [b"", b"hands\n"])
async def test_an_app_that_breaks_off_ends_it_without_a_word(
    home: Path, stuck: socket.socket, said: bytes
) -> None:
    host = await Process.spawn(home)
    link, _ = await asyncio.to_thread(stuck.accept)
    link.sendall(said)
    link.close()  # with its hello unread: a reset
    assert await host.ended() == (0, b"", "")


class Polite(Recorder):
    def host_sent(self, link: int, message: bytes) -> None:
        super().host_sent(link, message)
        self.say(b"bye", link)


async def test_the_app_may_answer_the_last_word_of_a_host_that_closed_stdin(home: Path) -> None:
    front = Polite()
    transport = HostSocket(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    host = await Process.spawn(
        home, command=[sys.executable, "-I", "-S", "-c", PATIENT % str(PACKAGE.parent)]
    )
    host.stdin.write(b"a last line without its newline")
    host.stdin.close()
    assert await host.ended() == (0, b"bye\n", "")
    await transport.stop()


@pytest.mark.parametrize("front", ["copied"], indirect=True)
async def test_the_shim_rests_while_a_slow_host_has_not_read_the_end(
    front: Recorder, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_socket, "LINGER", 0.05)
    host = await Process.spawn(home)
    await front.linked()
    host.stdout._transport.pause_reading()  # type: ignore[attr-defined]
    front.say(b"x" * (5 << 20))
    front.hang_up[0]()
    await front.until(lambda front: front.closed == [0])
    before = processor_seconds(host)
    await asyncio.sleep(0.3)  # to see nothing happen takes a while
    assert processor_seconds(host) - before < 0.1
    host.stdout._transport.resume_reading()  # type: ignore[attr-defined]
    assert (await host.ended())[0] == 0


def processor_seconds(host: Process) -> float:
    fields = Path(f"/proc/{host.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def test_the_shim_ends_when_nobody_reads_stdout_any_more(front: Recorder, home: Path) -> None:
    host = await Process.spawn(home)
    await front.linked()
    host.stdout._transport.close()  # type: ignore[attr-defined]
    assert await asyncio.wait_for(host.process.wait(), WITHIN) == 0
    await front.until(lambda front: front.closed == [0])


async def test_killing_it_closes_the_link(front: Recorder, home: Path) -> None:
    host = await Process.spawn(home)
    await front.linked()
    host.process.kill()
    await front.until(lambda front: front.closed == [0])
    await host.ended()


class Welcoming(Recorder):
    def open_link(self, caller: Caller, deliver: DeliverCallback, hang_up: HangUpCallback) -> int:
        deliver(b"welcome", b"", False)
        return super().open_link(caller, deliver, hang_up)


async def test_a_host_that_gives_it_no_stdin_hears_what_the_app_says(home: Path) -> None:
    front = Welcoming()
    transport = HostSocket(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    host = await Process.spawn(home, command=["/bin/sh", "-c", f'exec {" ".join(BY_PATH)} "$@" <&-', "sh"])
    assert await host.ended() == (0, b"welcome\n", "")
    await front.until(lambda front: front.closed == [0])
    assert front.heard == []
    await transport.stop()


async def test_the_shim_leaves_a_shared_stdout_as_it_was(front: Recorder, home: Path) -> None:
    reader, writer = os.pipe()
    process = await asyncio.create_subprocess_exec(
        *BY_PATH,
        "stdio",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=writer,
        env={**os.environ, "DESKBELL_HOME": str(home)},
    )
    assert await asyncio.wait_for(process.wait(), WITHIN) == 0
    assert os.get_blocking(writer)
    os.close(reader)
    os.close(writer)
