"""The process an AI host spawns, for real: pipes, sockets, signals, and an app that it starts itself."""

from __future__ import annotations

import asyncio
import json
import os
import posix
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge import shim
from bridge.core.ports import Caller, Deliver, HangUp
from bridge.transports import hands, stdio
from bridge.transports.stdio import SocketTransport, read_hello
from tests.bridge.test_stdio_transport import Recorder

PACKAGE = Path(shim.__file__).parent
BY_PATH = [sys.executable, "-I", "-S", str(PACKAGE / "__main__.py")]

# An app in place of ours: it answers each line with the same line, and does what STAND_IN says.
STAND_IN = """
import fcntl, os, socket, sys, threading
from bridge.shim import home, socket_path

assert sys.argv[1:] == ["--for-host"]
folder = home(os.environ)
mood = os.environ.get("STAND_IN", "")
print("a line of the log\\n", flush=True)
with open(folder + "/started", "a") as started:
    print(os.getpid(), file=started)
if mood == "broken":
    sys.exit("ImportError: no module named spam")
if mood == "unwell":
    print("config.toml, line 3: what is this?", file=sys.stderr)
    sys.exit(5)
if mood == "asleep":
    sys.stdin.read()
    threading.Event().wait()
lock = open(folder + "/lock", "w")
try:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    sys.exit(0)
with open(folder + "/serving", "a") as serving:
    print(os.getpid(), file=serving)

def serve(link):
    lines = link.makefile("rb")
    lines.readline()
    link.sendall(b"copy\\n")
    for line in lines:
        link.sendall(line)
    link.close()

server = socket.socket(socket.AF_UNIX)
server.bind(socket_path(folder))
server.listen()
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
"""


class Process:
    """The shim, with the test as its host."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.stdin = process.stdin
        self.stdout = process.stdout

    @classmethod
    async def spawn(cls, home: Path, *words: str, command: list[str] = BY_PATH, **env: str) -> Process:
        return cls(
            await asyncio.create_subprocess_exec(
                *command,
                *(words or ("stdio",)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=16 << 20,
                env={**os.environ, "DESKBELL_HOME": str(home), **env},
            )
        )

    async def line(self) -> bytes:
        return await asyncio.wait_for(self.stdout.readline(), 15)

    async def ended(self, within: float = 15) -> tuple[int, bytes, str]:
        """Exit code, the rest of stdout, stderr."""
        assert self.process.stderr is not None
        async with asyncio.timeout(within):
            out, err = await asyncio.gather(self.stdout.read(), self.process.stderr.read())
            return await self.process.wait(), out, err.decode()

    async def leave(self) -> None:
        self.stdin.close()
        assert await self.ended(2) == (0, b"", "")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(params=["handed over", "copied"])
async def front(
    home: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Recorder]:
    """In both ways in which a host's words may come."""
    monkeypatch.setattr(hands, "POSSIBLE", request.param == "handed over")
    front = Recorder()
    transport = SocketTransport(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    yield front
    await transport.stop()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A source tree with a real shim and the stand-in app."""
    root = tmp_path / "source"
    (root / "bridge").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[project]\n")
    (root / "bridge/__init__.py").touch()
    (root / "bridge/__main__.py").write_text(STAND_IN)
    shutil.copy(PACKAGE / "shim.py", root / "bridge/shim.py")
    return root


@pytest.fixture
def standing_in(source: Path, home: Path) -> Iterator[list[str]]:
    """The command of a shim that finds the stand-in; its apps end with the test."""
    yield [sys.executable, "-I", "-S", str(source / "bridge/shim.py")]
    for pid in pids(home / "started"):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def until(done: Callable[[], bool]) -> None:
    def watch() -> None:
        limit = time.monotonic() + 10
        while not done():
            assert time.monotonic() < limit
            time.sleep(0.01)

    await asyncio.to_thread(watch)


def pids(file: Path) -> list[int]:
    return [int(line) for line in file.read_text().split()] if file.exists() else []


# ---- bytes


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(BY_PATH, id="by path, without site-packages"),
        pytest.param([sys.executable, "-I", "-S", str(PACKAGE / "shim.py")], id="shim.py by path"),
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
    monkeypatch.setattr(socket, "recv_fds", lambda sock, *_: (sock.recv(1), [], 0, None))
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
    monkeypatch.setattr(stdio, "MAX_LINE", 1 << 20)
    host = await Process.spawn(home)
    host.stdin.write(b"x" * (8 << 20))
    code, out, err = await host.ended()
    assert (code, json.loads(out)["error"]["code"], err) == (0, -32600, "")


async def test_a_wrapped_server_comes_with_folder_and_environment_to_the_byte(
    front: Recorder, home: Path, tmp_path: Path
) -> None:
    odd = {b"DESKBELL_HOME": os.fsencode(home), b"ODD": b'\xff "\\ \n\x7f', "ÜMLAUT".encode(): "🛎".encode()}
    words = ["wrap", "--host-name", "H", "--", "npx", "-y", "@acme/mcp-ü@1", "--name", "é"]
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
    assert caller.wrap.cwd == str(tmp_path)
    assert caller.wrap.base_env is not None
    assert {os.fsencode(k): os.fsencode(v) for k, v in caller.wrap.base_env.items()}.items() >= odd.items()
    assert await asyncio.wait_for(process.wait(), 2) == 0


# ---- the end of either side


async def test_it_ends_when_the_app_hangs_up_and_says_the_rest_first(front: Recorder, home: Path) -> None:
    host = await Process.spawn(home)
    await front.linked()
    front.say(b"x" * (5 << 20))
    front.hang_up[0]()
    assert await host.ended(2) == (0, b"x" * (5 << 20) + b"\n", "")


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


async def test_it_ends_when_the_host_closes_stdin_even_if_the_app_does_not(
    home: Path, stuck: socket.socket, answer: bytes
) -> None:
    host = await Process.spawn(home)
    link, _ = await asyncio.to_thread(stuck.accept)
    assert (await asyncio.to_thread(link.recv, 65536)).endswith(b"\n")
    link.sendall(answer)
    host.stdin.close()
    await until(lambda: host.process.returncode == 0)
    link.close()


async def test_it_ends_when_the_host_leaves_a_clogged_pipe_behind(
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
    assert await host.ended(2) == (0, b"", "")


class Polite(Recorder):
    def host_sent(self, link: int, message: bytes) -> None:
        super().host_sent(link, message)
        self.say(b"bye", link)


async def test_the_app_may_answer_the_last_word_of_a_host_that_closed_stdin(home: Path) -> None:
    front = Polite()
    transport = SocketTransport(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    host = await Process.spawn(home)
    host.stdin.write(b"a last line without its newline")
    host.stdin.close()
    assert await host.ended(2) == (0, b"bye\n", "")
    await transport.stop()


@pytest.mark.parametrize("front", ["copied"], indirect=True)
async def test_it_rests_while_a_slow_host_has_not_read_the_end(
    front: Recorder, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio, "LINGER", 0.05)
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
    assert (await host.ended(2))[0] == 0


def processor_seconds(host: Process) -> float:
    fields = Path(f"/proc/{host.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def test_it_ends_when_nobody_reads_stdout_any_more(front: Recorder, home: Path) -> None:
    host = await Process.spawn(home)
    await front.linked()
    host.stdout._transport.close()  # type: ignore[attr-defined]
    assert await asyncio.wait_for(host.process.wait(), 2) == 0
    await front.until(lambda front: front.closed == [0], within=2)


async def test_killing_it_closes_the_link(front: Recorder, home: Path) -> None:
    host = await Process.spawn(home)
    await front.linked()
    host.process.kill()
    await front.until(lambda front: front.closed == [0], within=2)
    await host.ended()


async def test_killing_the_app_ends_it(home: Path, standing_in: list[str]) -> None:
    host = await Process.spawn(home, command=standing_in)
    host.stdin.write(b"hello\n")
    assert await host.line() == b"hello\n"
    os.kill(pids(home / "serving")[0], signal.SIGKILL)
    assert await host.ended(2) == (0, b"", "")


async def test_a_host_killed_while_it_waits_for_the_app_takes_it_along(
    home: Path, standing_in: list[str]
) -> None:
    host = await Process.spawn(home, command=standing_in, STAND_IN="asleep")
    await until(lambda: pids(home / "started") != [])
    host.stdout._transport.close()  # type: ignore[attr-defined]
    assert await asyncio.wait_for(host.process.wait(), 2) == 0


class Welcoming(Recorder):
    def open_link(self, caller: Caller, deliver: Deliver, hang_up: HangUp) -> int:
        deliver(b"welcome", b"", False)
        return super().open_link(caller, deliver, hang_up)


async def test_a_host_that_gives_it_no_stdin_hears_what_the_app_says(home: Path) -> None:
    front = Welcoming()
    transport = SocketTransport(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    host = await Process.spawn(home, command=["/bin/sh", "-c", f'exec {" ".join(BY_PATH)} "$@" <&-', "sh"])
    assert await host.ended(5) == (0, b"welcome\n", "")
    await front.until(lambda front: front.closed == [0])
    assert front.heard == []
    await transport.stop()


async def test_it_leaves_a_shared_stdout_as_it_was(front: Recorder, home: Path) -> None:
    reader, writer = os.pipe()
    process = await asyncio.create_subprocess_exec(
        *BY_PATH,
        "stdio",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=writer,
        env={**os.environ, "DESKBELL_HOME": str(home)},
    )
    assert await asyncio.wait_for(process.wait(), 5) == 0
    assert os.get_blocking(writer)
    os.close(reader)
    os.close(writer)


# ---- what it hands over


class Shared:
    """A shim whose ends of stdin and stdout the test holds as well, as a script around it would."""

    def __init__(self, kind: str, home: Path) -> None:
        self.theirs, self.stdin = self._pair(kind)
        self.stdout, theirs = self._pair(kind)
        self.theirs += theirs
        self.process = subprocess.Popen(
            [*BY_PATH, "stdio"],
            stdin=self.theirs[0],
            stdout=self.theirs[1],
            env={**os.environ, "DESKBELL_HOME": str(home)},
        )

    @staticmethod
    def _pair(kind: str) -> tuple[list[int], list[int]]:
        if kind == "pipe":
            reader, writer = os.pipe()
        else:  # as Node makes them, or a shell that closes the half of each that it does not need
            one, other = socket.socketpair()
            one.shutdown(socket.SHUT_WR)
            reader, writer = one.detach(), other.detach()
        return [reader], [writer]

    def write(self, line: bytes) -> None:
        os.write(self.stdin[0], line)

    async def line(self) -> bytes:
        with os.fdopen(os.dup(self.stdout[0]), "rb", buffering=0) as stdout:
            return await asyncio.wait_for(asyncio.to_thread(stdout.readline), 5)

    def is_as_it_was(self) -> bool:
        return all(map(os.get_blocking, self.theirs))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for end in (*self.theirs, *self.stdin, *self.stdout):
            os.close(end)


async def used_and_left(kind: str, home: Path) -> None:
    front = Recorder()
    transport = SocketTransport(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    open_files = len(os.listdir("/proc/self/fd"))
    host = Shared(kind, home)
    try:
        host.write(b"up\n")
        await front.until(lambda front: front.heard == [(0, b"up")])
        front.say(b"down")
        assert await host.line() == b"down\n"
        assert kind != "pipe" or host.is_as_it_was(), "others write and read there meanwhile"
        host.process.kill()
        await front.until(lambda front: front.closed == [0])
        await until(host.is_as_it_was)
    finally:
        host.close()
    await until(lambda: len(os.listdir("/proc/self/fd")) == open_files)
    await transport.stop()


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="of Linux")


@needs_proc
@pytest.mark.parametrize("kind", ["pipe", "socket"])
async def test_what_others_hold_too_is_left_as_it_was_even_if_it_is_killed(kind: str, home: Path) -> None:
    await used_and_left(kind, home)


@needs_proc
async def test_a_pipe_it_copies_to_blocks_for_others_as_before_even_if_it_is_killed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hands, "POSSIBLE", False)
    await used_and_left("pipe", home)


@needs_proc
@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_uvloop_leaves_it_as_well(kind: str, home: Path) -> None:
    uvloop = pytest.importorskip("uvloop")
    uvloop.run(used_and_left(kind, home))


@needs_proc
def test_uvloop_closes_no_file_of_another_thread() -> None:
    uvloop = pytest.importorskip("uvloop")

    async def story() -> None:
        loop = asyncio.get_running_loop()
        reader, writer = os.pipe()
        end, closed = hands.End(reader), asyncio.Event()

        class Reading(asyncio.Protocol):
            def connection_lost(self, error: Exception | None) -> None:
                end.let_go()
                closed.set()

        transport = await end.join(Reading(), loop.connect_read_pipe)
        pipe = transport.get_extra_info("pipe")
        os.close(writer)
        await closed.wait()
        other = os.open(os.devnull, os.O_RDONLY)
        os.dup2(other, pipe.fileno())  # as if another thread's file had got its number
        pipe.close()
        os.fstat(pipe.fileno())
        os.close(pipe.fileno())
        with suppress(OSError):
            os.close(other)  # or it had the number itself

    uvloop.run(story())


@pytest.mark.parametrize("given", [0, 1, 2], ids=["nothing", "one end", "files"])
async def test_what_cannot_be_used_is_copied(given: int, home: Path, tmp_path: Path) -> None:
    front = Recorder()
    transport = SocketTransport(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    file = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
    with socket.socket(socket.AF_UNIX) as caller:
        caller.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(caller, shim.socket_path(str(home)))
        await loop.sock_sendall(caller, b'{"deskbell":2,"verb":"stdio"}\n')
        assert await asyncio.wait_for(loop.sock_recv(caller, 100), 5) == hands.WANTED
        socket.send_fds(caller, [b"\n"], [file] * given)
        os.close(file)
        assert await asyncio.wait_for(loop.sock_recv(caller, 100), 5) == hands.UNWANTED
        await loop.sock_sendall(caller, b"up\n")
        await front.until(lambda front: front.heard == [(0, b"up")])
    await front.until(lambda front: front.closed == [0])
    await transport.stop()


@pytest.mark.parametrize("said", [b"", b"hands\n"])
async def test_an_app_that_breaks_off_ends_it_without_a_word(
    home: Path, stuck: socket.socket, said: bytes
) -> None:
    host = await Process.spawn(home)
    link, _ = await asyncio.to_thread(stuck.accept)
    link.sendall(said)
    link.close()  # with its hello unread: a reset
    assert await host.ended(5) == (0, b"", "")


# ---- starting the app


async def test_it_starts_the_app_which_outlives_it(home: Path, standing_in: list[str]) -> None:
    reader, forgotten = os.pipe()
    os.set_inheritable(forgotten, True)
    process = await asyncio.create_subprocess_exec(
        *standing_in,
        "stdio",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        close_fds=False,
        env={**os.environ, "DESKBELL_HOME": str(home)},
    )
    host = Process(process)
    host.stdin.write(b"are you there?\n")
    assert await host.line() == b"are you there?\n"
    await host.leave()
    os.close(forgotten)
    os.set_blocking(reader, False)
    assert os.read(reader, 1) == b"", "the app holds a pipe of the host"
    [app] = pids(home / "serving")
    os.kill(app, 0)
    assert os.getsid(app) == app
    assert stat.S_IMODE((home / "deskbell.log").stat().st_mode) == 0o600
    assert (home / "deskbell.log").read_text() == "a line of the log\n\n"
    os.close(reader)


async def test_of_several_at_once_each_is_served_by_the_one_app(home: Path, standing_in: list[str]) -> None:
    hosts = [await Process.spawn(home, command=standing_in) for _ in range(6)]
    for n, host in enumerate(hosts):
        host.stdin.write(b"%d\n" % n)
    assert [await host.line() for host in hosts] == [b"%d\n" % n for n in range(6)]
    assert len(pids(home / "serving")) == 1
    await until(lambda: all(children(host) <= set(pids(home / "serving")) for host in hosts))
    for host in hosts:
        await host.leave()


def children(host: Process) -> set[int]:
    """Zombies too."""
    pid = host.process.pid
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


async def test_a_folder_named_bridge_beside_the_host_is_not_taken_for_ours(
    home: Path, source: Path, standing_in: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work/bridge").mkdir(parents=True)
    (tmp_path / "work/bridge/__main__.py").write_text("raise SystemExit('the wrong one')")
    monkeypatch.chdir(tmp_path / "work")
    host = await Process.spawn(home, command=standing_in, PYTHONPATH=str(tmp_path / "work"))
    host.stdin.write(b"x\n")
    assert await host.line() == b"x\n"
    await host.leave()


@pytest.mark.parametrize(
    ("mood", "code", "words"),
    [
        ("broken", 2, "Deskbell did not start. Its last words: ImportError: no module named spam. Run"),
        ("unwell", 5, "Deskbell did not start. Its last words: config.toml, line 3: what is this? Run"),
    ],
)
async def test_an_app_that_cannot_start_is_explained_in_one_line(
    home: Path, standing_in: list[str], mood: str, code: int, words: str
) -> None:
    host = await Process.spawn(home, command=standing_in, STAND_IN=mood)
    exit_code, out, err = await host.ended()
    assert (exit_code, out) == (code, b"")
    assert words in err
    assert str(home / "deskbell.log") in err
    assert err.count("\n") == 1


async def test_an_app_that_does_not_answer_is_given_up(
    home: Path, source: Path, standing_in: list[str]
) -> None:
    file = source / "bridge/shim.py"
    file.write_text(file.read_text().replace("START_LIMIT = 20.0", "START_LIMIT = 0.5"))
    host = await Process.spawn(home, command=standing_in, STAND_IN="asleep")
    code, out, err = await host.ended()
    assert (code, out) == (2, b"")
    assert "did not answer within 0.5 seconds. Its last words: a line of the log. Run `deskbell serve`" in err


async def test_a_home_that_cannot_be_made_is_explained(tmp_path: Path, standing_in: list[str]) -> None:
    (tmp_path / "file").touch()
    host = await Process.spawn(tmp_path / "file/home", command=standing_in)
    code, _, err = await host.ended()
    assert code == 2
    assert "Deskbell cannot be reached: [Errno 20] Not a directory" in err


@pytest.mark.skipif(os.getuid() != 0, reason="only root can act as somebody else")
async def test_another_users_socket_is_told_nothing(home: Path) -> None:
    os.mkdir(home)
    with socket.socket(socket.AF_UNIX) as trap:
        trap.bind(str(home / "deskbell.sock"))
        os.seteuid(65534)
        trap.listen()
        os.seteuid(0)
        host = await Process.spawn(home)
        code, _, err = await host.ended()
        assert code == 5
        assert "belongs to another user" in err
        assert trap.accept()[0].recv(100) == b""


@pytest.mark.parametrize(
    ("frozen", "file", "command", "folder"),
    [
        (True, "", ["/opt/deskbell/deskbell", "--for-host"], ""),
        (
            False,
            "/lib/bridge/shim.py",
            ["/opt/deskbell/deskbell-mcp", "-E", "-P", "-m", "bridge", "--for-host"],
            "",
        ),
    ],
)
def test_an_installed_app_is_found_without_a_source_tree(
    monkeypatch: pytest.MonkeyPatch, frozen: bool, file: str, command: list[str], folder: str
) -> None:
    monkeypatch.setattr(sys, "executable", "/opt/deskbell/deskbell-mcp")
    monkeypatch.setattr(shim, "__file__", file)
    if frozen:
        monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert shim.own_command("--for-host") == (command, folder)


def test_a_frozen_shim_hands_on_the_library_path_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setitem(posix.environ, b"LD_LIBRARY_PATH", b"/opt/deskbell/_internal")
    assert "LD_LIBRARY_PATH" not in shim._environment()
    monkeypatch.setitem(posix.environ, b"LD_LIBRARY_PATH_ORIG", b"/theirs")
    env = shim._environment()
    assert env["LD_LIBRARY_PATH"] == "/theirs"
    assert "LD_LIBRARY_PATH_ORIG" not in env


# ---- words


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*BY_PATH, *words], capture_output=True, text=True, timeout=10, check=False)


@pytest.mark.parametrize("verb", ["stdio", "wrap"])
def test_help_is_the_reference(verb: str) -> None:
    done = run(verb, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: deskbell {verb} ")
    assert "--host-name NAME" in done.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["stdio", "--nmae", "x"], "has no option --nmae"),
        (["stdio", "--server"], "needs a name after --server"),
        (["stdio", "github"], "does not know what to do with 'github'"),
        (["wrap"], "needs the command of a server"),
        (["wrap", "--name", "x", "--"], "needs the command of a server"),
        (["wrap", "--server", "x", "npx"], "has no option --server"),
    ],
)
def test_a_wrong_word_is_explained_in_one_line(words: list[str], problem: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"deskbell: {words[0]} {problem}; see `deskbell {words[0]} --help`\n"


@pytest.mark.parametrize("words", [["--", "npx", "-y", "x"], ["npx", "-y", "x"]])
def test_wrap_takes_a_command_with_and_without_the_two_dashes(words: list[str]) -> None:
    hello = read_hello(shim.hello(["wrap", "--name=n", *words], {}))
    assert hello == {
        "deskbell": 1,
        "verb": "wrap",
        "name": "n",
        "command": "npx",
        "args": ["-y", "x"],
        "cwd": os.getcwd(),
        "env": {},
        "host_name": "",
    }


@given(st.dictionaries(st.text(st.characters()), st.text(st.characters())))
def test_every_environment_survives_the_hello(env: dict[str, str]) -> None:
    line = shim.hello(["wrap", "npx"], env)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line)["env"] == env


# ---- light


def test_it_imports_nothing_that_takes_time(home: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, %r); sys.argv[1:] = ['stdio', '--help']; before = set(sys.modules)\n"
    )
    code += "from bridge.__main__ import main; main(); print(*sorted(set(sys.modules) - before))"
    command = [sys.executable, "-I", "-S", "-c", code % str(PACKAGE.parent)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout.splitlines()[-1].split() == [
        "_socket",
        "bridge",
        "bridge.__main__",
        "bridge.shim",
        "select",
    ]


# ---- where things are


def test_without_a_setting_the_home_is_where_platformdirs_has_it() -> None:
    env = {name: value for name, value in os.environ.items() if name != "DESKBELL_HOME"}
    assert shim.home(env) == platformdirs.user_data_dir("deskbell", appauthor=False)


@pytest.mark.skipif(sys.platform != "linux", reason="XDG")
@pytest.mark.parametrize(
    ("env", "home"),
    [
        ({"HOME": "/h"}, "/h/.local/share/deskbell"),
        ({"HOME": "/h", "XDG_DATA_HOME": "/d"}, "/d/deskbell"),
        ({"HOME": "/h", "XDG_DATA_HOME": "relative"}, "/h/.local/share/deskbell"),
        ({"HOME": "/h", "DESKBELL_HOME": "/x/"}, "/x"),
        ({"HOME": "/h", "DESKBELL_HOME": "~/x"}, "/h/x"),
        ({"HOME": "/h", "DESKBELL_HOME": "x"}, os.getcwd() + "/x"),
        ({}, os.path.expanduser("~root") + "/.local/share/deskbell" if os.getuid() == 0 else None),
    ],
)
def test_the_home_comes_from_the_environment(env: dict[str, str], home: str | None) -> None:
    assert home in (shim.home(env), None)


def test_a_path_too_long_for_a_socket_gets_a_short_one_of_its_own() -> None:
    short, long, other = "/h", "/h" + "ü" * 60, "/h" + "x" * 120
    assert shim.socket_path(short) == "/h/deskbell.sock"
    assert shim.socket_path(long) != shim.socket_path(other)
    for home in (long, other):
        path = shim.socket_path(home)
        assert path.startswith(f"/tmp/deskbell-{os.getuid()}/")
        assert len(path) < 100


async def test_app_and_shim_meet_at_a_short_path(tmp_path: Path) -> None:
    home = tmp_path / ("long" * 30)
    front = Recorder()
    transport = SocketTransport(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    host = await Process.spawn(home)
    await front.linked()
    await host.leave()
    await transport.stop()
