"""The PATH of the login shell: asked for once, remembered, never waited for without need, never by force."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvloop

from bridge.core.ports import ServerSpec
from bridge.errors import UpstreamError
from bridge.upstreams.process.launch import look_ahead, prepare
from bridge.upstreams.process.login_path import LoginPath, wait_gently
from tests.fixtures.login_shell import LoginShell
from tests.fixtures.running_processes import alive
from tests.journeys.app_under_test import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="login shells are POSIX")


def program(path: Path, body: str = "exit 0") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoginShell]:
    """The login shell of this test; `npx-of-tests` is on its PATH only. It does not outlive the test."""
    program(tmp_path / "tools" / "npx-of-tests")
    shell = LoginShell(tmp_path / "shell", tmp_path / "tools")
    monkeypatch.setenv("SHELL", str(shell.program))
    yield shell
    shell.let_go()
    until(lambda: not waiting_threads())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "login-path.json"


def waiting_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "deskbell-login-shell"]


def server(command: str) -> ServerSpec:
    return ServerSpec("probe", command)


async def is_asked(shell: LoginShell) -> None:
    await asyncio.to_thread(until, lambda: shell.asked)


async def remembered(file: Path) -> LoginPath:
    login = LoginPath(file, limit=60)
    login.ask()
    await login.remember()
    return login


# --- how a program is found --------------------------------------------------------------------------------


async def test_a_command_missing_on_path_is_found_on_the_login_shells_path(
    shell: LoginShell, file: Path, tmp_path: Path
):
    shell.let_go()
    launch = await prepare(server("npx-of-tests"), login=LoginPath(file, limit=60))
    assert launch.argv == (str(tmp_path / "tools" / "npx-of-tests"),)
    ours = list(dict.fromkeys(os.environ["PATH"].split(":")))
    assert launch.env["PATH"].split(":") == [*ours, str(tmp_path / "tools")]


async def test_a_command_set_up_only_for_interactive_shells_is_found_by_a_real_bash(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
):
    node = program(tmp_path / "nvm" / "node-of-tests")
    (tmp_path / ".bashrc").write_text(
        f'case $- in *i*) ;; *) return;; esac\nexport PATH="{tmp_path}/nvm:$PATH"\n'
    )
    (tmp_path / ".bash_profile").write_text(". ~/.bashrc\n")
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.setenv("HOME", str(tmp_path))
    launch = await prepare(server("node-of-tests"), login=LoginPath(file, limit=60))
    assert launch.argv == (str(node),)


async def test_a_login_shell_is_asked_once_however_many_servers_need_its_path(shell: LoginShell, file: Path):
    shell.let_go()
    login = LoginPath(file, limit=60)
    await look_ahead([server("npx-of-tests"), server("uvx-of-tests")], login)
    await asyncio.gather(*(prepare(server("npx-of-tests"), login=login) for _ in range(3)))
    with pytest.raises(UpstreamError, match=r"`uvx-of-tests` was not found\. Install it"):
        await prepare(server("uvx-of-tests"), login=login)
    assert shell.asked == ["-ilc"]


async def test_a_login_shell_is_not_asked_where_every_command_is_found_without_it(
    shell: LoginShell, file: Path, tmp_path: Path
):
    login = LoginPath(file)
    there, gone = str(tmp_path / "tools" / "npx-of-tests"), str(tmp_path / "gone")
    off = ServerSpec("off", "npx-of-tests", enabled=False)
    web = ServerSpec("web", url="http://127.0.0.1:1/mcp")
    await look_ahead([server("sh"), server(there), server(gone), off, web], login)
    await prepare(server("sh"), login=login)
    with pytest.raises(UpstreamError, match=r"was not found\. Install it"):
        await prepare(server(gone), login=login)
    assert not login.asked
    assert not waiting_threads()


async def test_a_login_shell_that_is_none_is_not_started(file: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHELL", "/usr/sbin/nologin")
    login = LoginPath(file)
    assert await login.answer() == ""
    assert not waiting_threads()


async def test_a_shell_that_ends_without_an_answer_is_asked_again_without_being_interactive(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
):
    body = 'if [ "$1" = -ilc ]; then exit 1; fi; PATH="/only/login:$PATH"; export PATH; eval "$2"'
    monkeypatch.setenv("SHELL", str(program(tmp_path / "shell", body)))
    assert (await LoginPath(file, limit=60).answer()).startswith("/only/login:")


# --- a slow shell ------------------------------------------------------------------------------------------


async def test_a_path_is_remembered_for_the_next_start_by_its_owner_alone(shell: LoginShell, file: Path):
    shell.let_go()
    path = (await remembered(file)).known
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    shell.hold()
    login = LoginPath(file)
    assert login.known == path
    assert (await prepare(server("npx-of-tests"), login=login)).argv
    await is_asked(shell)
    assert not login.answered  # the program was found while the shell is at work


async def test_a_new_answer_takes_the_place_of_the_remembered_one(
    shell: LoginShell, file: Path, tmp_path: Path
):
    shell.let_go()
    await remembered(file)
    shell.use(program(tmp_path / "newer" / "uvx-of-tests").parent)
    login = await remembered(file)
    assert str(tmp_path / "newer") in login.known.split(":")
    assert LoginPath(file).known == login.known


async def test_the_path_of_another_shell_or_person_is_not_used(
    shell: LoginShell, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shell.let_go()
    await remembered(file)
    with monkeypatch.context() as other:
        other.setenv("HOME", str(tmp_path / "else"))
        assert LoginPath(file).known == ""
    monkeypatch.setenv("SHELL", "/bin/another")
    assert LoginPath(file).known == ""


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"shell":1,"home":"","path":""}'])
def test_a_damaged_file_is_as_good_as_none(shell: LoginShell, file: Path, content: bytes):
    file.write_bytes(content)
    assert LoginPath(file).known == ""


async def test_a_command_found_nowhere_waits_for_a_slow_shell_and_is_found_on_its_new_path(
    shell: LoginShell, file: Path, tmp_path: Path
):
    shell.let_go()
    await remembered(file)
    shell.hold()
    shell.use(program(tmp_path / "newer" / "uvx-of-tests").parent)
    started = asyncio.create_task(prepare(server("uvx-of-tests"), login=LoginPath(file, limit=60)))
    await asyncio.to_thread(until, lambda: len(shell.asked) == 2)
    assert not started.done()
    shell.let_go()
    assert (await started).argv == (str(tmp_path / "newer" / "uvx-of-tests"),)


async def test_a_server_whose_shell_takes_too_long_is_told_so_and_found_when_the_shell_is_done(
    shell: LoginShell, file: Path
):
    login = LoginPath(file, limit=0.01)
    late = (
        "`npx-of-tests` was not found. The PATH of your login shell is not known yet: try again in a minute. "
        "Install it or edit the command."
    )
    for _ in range(2):
        with pytest.raises(UpstreamError) as error:
            await prepare(server("npx-of-tests"), login=login)
        assert error.value.message == late
    await is_asked(shell)
    shell.let_go()
    await asyncio.to_thread(until, lambda: login.answered)
    assert (await prepare(server("npx-of-tests"), login=login)).argv
    assert shell.asked == ["-ilc"]


# --- how the shell ends ------------------------------------------------------------------------------------


@pytest.mark.parametrize("factory", [asyncio.new_event_loop, uvloop.new_event_loop])
@pytest.mark.filterwarnings("error")
def test_a_loop_that_ends_while_the_shell_works_leaves_nothing_behind_and_the_shell_its_peace(
    shell: LoginShell, file: Path, factory: Callable[[], asyncio.AbstractEventLoop]
):
    login = LoginPath(file, limit=60)

    async def story() -> None:
        waits: list[asyncio.Task[object]] = [asyncio.create_task(login.remember())]
        waits += [asyncio.create_task(login.answer()) for _ in range(2)]
        await asyncio.to_thread(until, shell.lock.exists)
        assert not any(task.done() for task in waits)

    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(story())
    gc.collect()
    assert shell.lock.exists()
    shell.let_go()
    until(lambda: not waiting_threads())
    gc.collect()
    assert not shell.lock.exists()
    assert login.answered
    assert not file.exists()  # whoever has ended writes nothing any more


HEARS = """
trap 'echo HUP >>heard' HUP
trap 'echo TERM >>heard; {then}' TERM
: >ready
while [ ! -e go ]; do sleep 0.05; done
exit 7
"""


def listening(folder: Path, then: str) -> subprocess.Popen[bytes]:
    """A shell that notes its signals, and is ready for them."""
    words = [str(program(folder / "shell", HEARS.format(then=then)))]
    process = subprocess.Popen(words, cwd=folder, start_new_session=True)
    until((folder / "ready").exists)
    return process


def test_a_shell_that_never_ends_is_hung_up_on_then_terminated(tmp_path: Path):
    process = listening(tmp_path, "exit 5")
    wait_gently(process, patience=0.05)
    assert (process.returncode, (tmp_path / "heard").read_text()) == (5, "HUP\nTERM\n")


def test_a_shell_that_heeds_no_signal_is_left_to_itself(tmp_path: Path):
    process = listening(tmp_path, ":")
    waits = threading.Thread(target=wait_gently, args=(process,), kwargs={"patience": 0.05})
    waits.start()
    until(lambda: "TERM" in _text(tmp_path / "heard"))
    assert process.poll() is None
    (tmp_path / "go").touch()
    waits.join()
    assert (process.returncode, _text(tmp_path / "heard")) == (7, "HUP\nTERM\n")


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def test_what_a_shell_started_is_hung_up_on_with_it(tmp_path: Path):
    shell = program(tmp_path / "shell", "sleep 1000 & echo $! >child; : >ready; wait")
    process = subprocess.Popen([str(shell)], cwd=tmp_path, start_new_session=True)
    until((tmp_path / "ready").exists)
    wait_gently(process, patience=0.05)
    assert process.returncode == -signal.SIGHUP
    until(lambda: not alive(int(_text(tmp_path / "child"))))


def test_a_shell_that_ends_by_itself_gets_no_signal_and_is_looked_at_meanwhile(tmp_path: Path):
    process = listening(tmp_path, ":")
    wait_gently(process, look=(tmp_path / "go").touch)
    assert (process.returncode, _text(tmp_path / "heard")) == (7, "")


async def test_an_answer_is_known_before_its_shell_has_ended(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
):
    body = f'eval "$2"; cd "{tmp_path}"; while [ ! -e go ]; do sleep 0.05; done'
    monkeypatch.setenv("SHELL", str(program(tmp_path / "shell", body)))
    assert await LoginPath(file, limit=60).answer() == os.environ["PATH"]
    assert waiting_threads()
    (tmp_path / "go").touch()
    await asyncio.to_thread(until, lambda: not waiting_threads())
