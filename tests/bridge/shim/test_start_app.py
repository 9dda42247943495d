"""An app that does not run: the shim starts it, waits for it, and explains why it does not come."""

from __future__ import annotations

import asyncio
import os
import posix
import shutil
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bridge.shim import start_app, unix
from tests.bridge.shim.shim_process import PACKAGE, Process, until
from tests.fixtures.patience import WITHIN

# An app in place of ours: it answers each line with the same line, and does what DESKBELL_STAND_IN says.

STAND_IN = """
import fcntl, os, socket, sys, threading
from bridge.shim import home, socket_path

assert sys.argv[1:] == ["--for-host"]
folder = home(os.environ)
mood = os.environ.get("DESKBELL_STAND_IN", "")
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


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A source tree with a real shim and the stand-in app."""
    root = tmp_path / "source"
    (root / "bridge").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[project]\n")
    (root / "bridge/__init__.py").touch()
    (root / "bridge/__main__.py").write_text(STAND_IN)
    shutil.copytree(PACKAGE / "shim", root / "bridge/shim", ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture
def standing_in(source: Path, home: Path) -> Iterator[list[str]]:
    """The command of a shim that finds the stand-in; its apps end with the test."""
    yield [sys.executable, "-I", "-S", str(source / "bridge/shim/__main__.py")]
    for pid in pids(home / "started"):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def pids(file: Path) -> list[int]:
    return [int(line) for line in file.read_text().split()] if file.exists() else []


async def test_the_shim_starts_the_app_which_outlives_it(home: Path, standing_in: list[str]) -> None:
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


async def test_killing_the_app_ends_it(home: Path, standing_in: list[str]) -> None:
    host = await Process.spawn(home, command=standing_in)
    host.stdin.write(b"hello\n")
    assert await host.line() == b"hello\n"
    os.kill(pids(home / "serving")[0], signal.SIGKILL)
    assert await host.ended() == (0, b"", "")


async def test_a_host_killed_while_it_waits_for_the_app_takes_it_along(
    home: Path, standing_in: list[str]
) -> None:
    host = await Process.spawn(home, command=standing_in, DESKBELL_STAND_IN="asleep")
    await until(lambda: pids(home / "started") != [])
    host.stdout._transport.close()  # type: ignore[attr-defined]
    assert await asyncio.wait_for(host.process.wait(), WITHIN) == 0


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
    host = await Process.spawn(home, command=standing_in, DESKBELL_STAND_IN=mood)
    exit_code, out, err = await host.ended()
    assert (exit_code, out) == (code, b"")
    assert words in err
    assert str(home / "deskbell.log") in err
    assert err.count("\n") == 1


async def test_an_app_that_does_not_answer_is_given_up(
    home: Path, source: Path, standing_in: list[str]
) -> None:
    file = source / "bridge/shim/start_app.py"
    file.write_text(file.read_text().replace("START_LIMIT = 60.0", "START_LIMIT = 0.5"))
    host = await Process.spawn(home, command=standing_in, DESKBELL_STAND_IN="asleep")
    code, out, err = await host.ended()
    assert (code, out) == (2, b"")
    assert "did not answer within 0.5 seconds. Its last words: a line of the log. Run `deskbell serve`" in err


async def test_a_home_that_cannot_be_made_is_explained(tmp_path: Path, standing_in: list[str]) -> None:
    (tmp_path / "file").touch()
    host = await Process.spawn(tmp_path / "file/home", command=standing_in)
    code, _, err = await host.ended()
    assert code == 2
    assert "Deskbell cannot be reached: [Errno 20] Not a directory" in err


@pytest.mark.parametrize(
    ("frozen", "file", "command", "folder"),
    [
        (True, "", ["/opt/deskbell/deskbell", "--for-host"], ""),
        (
            False,
            "/lib/bridge/shim/start_app.py",
            ["/opt/deskbell/deskbell-mcp", "-E", "-P", "-m", "bridge", "--for-host"],
            "",
        ),
    ],
)
def test_an_installed_app_is_found_without_a_source_tree(
    monkeypatch: pytest.MonkeyPatch, frozen: bool, file: str, command: list[str], folder: str
) -> None:
    monkeypatch.setattr(sys, "executable", "/opt/deskbell/deskbell-mcp")
    monkeypatch.setattr(start_app, "__file__", file)
    if frozen:
        monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert start_app.own_command("--for-host") == (command, folder)


def test_a_frozen_shim_hands_on_the_library_path_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setitem(posix.environ, b"LD_LIBRARY_PATH", b"/opt/deskbell/_internal")
    assert "LD_LIBRARY_PATH" not in unix.environment()
    monkeypatch.setitem(posix.environ, b"LD_LIBRARY_PATH_ORIG", b"/theirs")
    env = unix.environment()
    assert env["LD_LIBRARY_PATH"] == "/theirs"
    assert "LD_LIBRARY_PATH_ORIG" not in env
