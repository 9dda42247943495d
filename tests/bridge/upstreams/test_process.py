"""ProcessConnection with real processes: the good, the stubborn, the noisy and the dying."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import uvloop

from bridge.core.ports import ServerPort, ServerSpec
from bridge.system.process.reaper import Reaper
from bridge.upstreams.process import connection as process_connection
from bridge.upstreams.process.connection import ProcessConnection
from tests.contracts.upstreams import UpstreamContract, call, finished
from tests.fixtures.patience import NEVER, WITHIN
from tests.fixtures.peers import EVERYTHING, NODE, needs_everything
from tests.fixtures.recording_back import Recorder
from tests.fixtures.running_processes import left_after

ROOT = Path(__file__).parents[3]
FIXTURES = ROOT / "tests" / "fixtures"
Start = Callable[..., ProcessConnection]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")


def fixture(name: str, *args: str, **more) -> ServerSpec:
    return ServerSpec("probe", sys.executable, (str(FIXTURES / name), *args), **more)


def script(code: str, **more) -> ServerSpec:
    return ServerSpec("probe", sys.executable, ("-c", code), **more)


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a server says as it ends is heard, however late it comes."""
    monkeypatch.setattr(process_connection, "_DRAIN", WITHIN)


@pytest.fixture
def reaper() -> Iterator[Reaper]:
    reaper = Reaper()
    yield reaper
    reaper.close()


@pytest.fixture
async def back() -> Recorder:
    return Recorder()


@pytest.fixture
async def start(reaper: Reaper, back: Recorder) -> AsyncIterator[Start]:
    made: list[ProcessConnection] = []

    def connect(spec: ServerSpec) -> ProcessConnection:
        made.append(ProcessConnection(1, spec, back, reaper))
        return made[-1]

    yield connect
    for connection in made:
        connection.close()
        await connection.closed()


def pids(message: bytes) -> list[int]:
    found: list[int] = json.loads(message)["pids"]
    return found


class TestProcessConnection(UpstreamContract):
    @pytest.fixture(autouse=True)
    def _reaper(self, reaper: Reaper) -> None:
        self.reaper = reaper

    def connect(self, back: ServerPort) -> ProcessConnection:
        return ProcessConnection(1, fixture("echo_server.py"), back, self.reaper)


class TestWithoutPidfd(TestProcessConnection):
    """As on macOS and old kernels: somebody has to wait for the process."""

    @pytest.fixture(autouse=True)
    def _no_pidfd(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delattr(os, "pidfd_open", raising=False)

    async def test_its_end_is_noticed_and_told_by_its_code(self, start: Start, back: Recorder):
        start(script("raise SystemExit(3)"))
        assert await back.ending() == "probe ended with code 3"


# --- what passes -------------------------------------------------------------------------------------------


async def test_two_thousand_messages_keep_their_order_and_their_bytes(start: Start, back: Recorder):
    connection = start(fixture("echo_server.py"))
    sent = [call(number, 'é\\u00e9 "' + "x" * (number % 700)) for number in range(2000)]
    for message in sent:
        connection.send(message)
    await back.until(lambda: len(back.messages) == 2000)
    assert back.messages == sent


async def test_what_is_no_message_is_noted_and_skipped(start: Start, back: Recorder):
    start(fixture("noisy_server.py"))
    await back.ending()
    assert back.messages == [
        b'{"jsonrpc":"2.0","method":"notifications/one"}',
        b'[{"jsonrpc":"2.0","method":"notifications/two"}]',
        b'{"jsonrpc":"2.0","method":"notifications/three"}',
    ]
    assert back.remarks == ["Listening on stdio", "[info] loaded 3 tools", "\ufffd\ufffd not text"]


async def test_stderr_is_noted_line_by_line_and_long_lines_are_cut(start: Start, back: Recorder):
    start(script("import sys; sys.stderr.write('one\\n' + 'y' * 100_000 + '\\ntwo\\n')"))
    await back.ending()
    assert back.remarks == ["one", "y" * 4096, "two"]


async def test_a_message_in_another_encoding_reaches_hosts_as_utf_8(start: Start, back: Recorder):
    start(script(r"import os; os.write(1, b'{\"a\":\"caf\xe9\"}\n{\"b\":\"caf\xc3\xa9\"}\n')"))
    await back.ending()
    assert back.messages == ['{"a":"caf\ufffd"}'.encode(), '{"b":"café"}'.encode()]


async def test_a_flood_of_remarks_is_noted_in_part(start: Start, back: Recorder):
    start(script("import sys; sys.stderr.write('noise\\n' * 20_000)"))
    await back.ending()
    assert back.remarks.count("noise") <= 500
    assert any("dropped" in remark for remark in back.remarks)


async def test_what_npm_has_to_say_of_itself_is_not_why_a_server_ended(start: Start, back: Recorder):
    start(
        script(
            "import sys; sys.stderr.write('no folder\\nnpm notice\\nnpm notice 12 is out\\n'); sys.exit(1)"
        )
    )
    assert (await back.ending()).endswith("ended with code 1: no folder")
    assert back.remarks[-1] == "npm notice 12 is out"


async def test_a_key_in_a_servers_last_words_is_masked(start: Start, back: Recorder):
    key = "ghp_" + "aB3dE5fG7hI9" * 3
    start(script(f"import sys; sys.exit('cannot log in with {key}')"))
    reason = await back.ending()
    assert "cannot log in with" in reason
    assert key not in reason


async def test_a_line_of_more_than_64_mib_ends_the_connection_and_the_server(start: Start, back: Recorder):
    flood = "import os\nos.write(1, b'{\"pids\":[%d]}\\n' % os.getpid())\nwhile 1: os.write(1, b'{' * 65536)"
    connection = start(script(flood))
    assert "64 MiB in one line" in await back.ending()
    await connection.closed()
    assert left_after(pids(back.messages[0])) == []


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_server_that_never_reads_is_stopped_before_memory_runs_out(
    start: Start, back: Recorder, at_once: bool
):
    connection = start(fixture("stubborn_server.py"))
    family = pids(await back.message())
    for number in range(9):
        connection.send(call(number, "z" * 8_000_000))
        if not at_once:
            await asyncio.sleep(0)
    assert "does not read" in await back.ending()
    await connection.closed()
    assert left_after(family) == []


# --- what it is started with -------------------------------------------------------------------------------

SHOW = "import json, os; print(json.dumps({'env': dict(os.environ), 'cwd': os.getcwd()}))"


async def test_a_server_gets_its_own_environment_and_of_ours_only_what_every_server_needs(
    start: Start, back: Recorder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DESKBELL_PRESENTER", "silent")
    monkeypatch.setenv("DESKBELL_HOME", "/somewhere")
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_of_another_server")
    monkeypatch.setenv("LC_TIME", "de_AT.UTF-8")
    start(script(SHOW, env={"THEIRS": "2"}))
    env = json.loads(await back.message())["env"]
    assert (env["LC_TIME"], env["THEIRS"], env["PATH"]) == ("de_AT.UTF-8", "2", os.environ["PATH"])
    assert not {"GITHUB_TOKEN", "DESKBELL_PRESENTER", "DESKBELL_HOME"} & set(env)


async def test_a_wrapped_server_gets_the_hosts_environment_instead_of_ours(
    start: Start, back: Recorder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OURS", "1")
    start(script(SHOW, base_env={"HOSTS": "3", "PATH": os.environ["PATH"], "DESKBELL_HOME": "/somewhere"}))
    env = json.loads(await back.message())["env"]
    assert env["HOSTS"] == "3"
    assert not {"OURS", "DESKBELL_HOME"} & set(env)


async def test_a_server_runs_at_home_unless_told_where(start: Start, back: Recorder, tmp_path: Path):
    start(script(SHOW))
    start(script(SHOW, cwd=str(tmp_path)))
    await back.message(2)
    assert {json.loads(message)["cwd"] for message in back.messages} == real(Path.home(), tmp_path)


def real(*paths: Path) -> set[str]:
    return {str(path.resolve()) for path in paths}


async def test_a_command_given_by_a_path_is_found_from_its_directory(
    start: Start, back: Recorder, tmp_path: Path
):
    program(tmp_path / "bin" / "serve", "echo '{\"here\":1}'")
    start(ServerSpec("probe", "bin/serve", cwd=str(tmp_path)))
    assert await back.message() == b'{"here":1}'


async def test_a_directory_that_does_not_exist_is_said_so(start: Start, back: Recorder):
    start(script(SHOW, cwd="/no/such/place"))
    assert "its folder /no/such/place does not exist" in await back.ending()


async def test_a_file_that_is_no_program_is_said_so(start: Start, back: Recorder, tmp_path: Path):
    path = tmp_path / "text"
    path.write_bytes(b"\x00\x01\x02")
    path.chmod(0o755)
    start(ServerSpec("probe", str(path)))
    assert (await back.ending()).startswith("Could not start probe: ")


def test_arguments_that_cmd_would_run_are_refused_for_batch_files():
    from bridge.errors import UpstreamError
    from bridge.upstreams.process.launch import refuse_what_cmd_would_interpret

    refuse_what_cmd_would_interpret(ServerSpec("probe", "npx.cmd", ("-y", "@scope/server", "C:\\My Files")))
    for bad in ("a&calc", "%PATH%", 'say "hi"', "one\ntwo", "a|b", "x^y", "!v!"):
        with pytest.raises(UpstreamError, match="batch file"):
            refuse_what_cmd_would_interpret(ServerSpec("probe", "npx.cmd", (bad,)))


def program(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


# --- how it ends -------------------------------------------------------------------------------------------


async def test_a_server_that_dies_says_its_code_and_its_last_words_once(start: Start, back: Recorder):
    connection = start(fixture("dying_server.py", "7"))
    assert await back.ending() == "probe ended with code 7: no API key"
    await connection.closed()
    assert len(back.endings) == 1


async def test_only_the_last_twenty_words_are_kept(start: Start, back: Recorder):
    start(fixture("dying_server.py", "1", "50"))
    first, *rest = (await back.ending()).split("\n")
    assert first == "probe ended with code 1:"
    assert rest == [*(f"at frame {number}" for number in range(30, 49)), "no API key"]
    assert len(back.remarks) == 50


async def test_a_server_ended_by_a_signal_says_which(start: Start, back: Recorder):
    start(fixture("stubborn_server.py"))
    os.kill(pids(await back.message())[0], signal.SIGKILL)
    assert await back.ending() == "probe was ended by SIGKILL"


async def test_all_it_said_is_heard_before_its_end(start: Start, back: Recorder):
    start(script("import sys; sys.stdout.write('{\"n\":1}\\n' * 50_000); sys.stdout.flush()"))
    await back.ending()
    assert len(back.messages) == 50_000


async def test_a_grandchild_that_holds_the_pipes_does_not_delay_the_news(
    start: Start, back: Recorder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(process_connection, "_DRAIN", 0.5)
    connection = start(fixture("forking_server.py", "stubborn"))
    family = pids(await back.message())
    connection.send(b'"leave"')
    assert await back.ending() == "probe ended with code 3"
    await finished(connection)
    assert left_after(family) == []


async def test_a_server_that_closes_its_stdout_and_stays_is_stopped(
    start: Start, back: Recorder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(process_connection, "_DRAIN", 0.5)
    code = "import os, time; os.write(1, b'{\"pids\":[%d]}\\n' % os.getpid()); os.close(1); time.sleep(60)"
    connection = start(script(code))
    assert await back.ending() == "probe closed the connection and kept running"
    await finished(connection)
    assert left_after(pids(back.messages[0])) == []


async def test_a_well_behaved_server_ends_with_its_stdin_and_needs_no_signal(
    start: Start, back: Recorder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(process_connection, "_PATIENCE", NEVER)
    connection = start(fixture("echo_server.py"))
    connection.send(call(1))
    await back.message()
    await finished(connection)
    assert back.endings == []


async def test_a_stubborn_server_is_gone_in_the_end(start: Start, back: Recorder):
    connection = start(fixture("stubborn_server.py"))
    family = pids(await back.message())
    await finished(connection)
    assert left_after(family) == []


@pytest.mark.parametrize("kind", [(), ("stubborn",)])
async def test_grandchildren_go_too_when_the_first_process_leaves_at_once(
    start: Start, back: Recorder, kind: tuple[str, ...]
):
    connection = start(fixture("forking_server.py", *kind))
    family = pids(await back.message())
    await finished(connection)
    assert left_after(family) == []


@pytest.mark.parametrize("factory", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_process_works_in_a_thread_on_either_loop(factory: Callable[[], asyncio.AbstractEventLoop]):
    async def story() -> tuple[bytes, str, list[int]]:
        back, reaper = Recorder(), Reaper()
        echo = ProcessConnection(1, fixture("echo_server.py"), back, reaper)
        echo.send(call(1, "é" * 1_000_000))
        echoed = await back.message()
        stubborn = ProcessConnection(2, fixture("stubborn_server.py"), back, reaper)
        family = pids(await back.message(2))
        await asyncio.gather(finished(echo), finished(stubborn))
        ProcessConnection(3, fixture("dying_server.py", "4"), back, reaper)
        reason = await back.ending()
        reaper.close()
        return echoed, reason, family

    results: list[tuple[bytes, str, list[int]]] = []

    def run() -> None:
        with asyncio.Runner(loop_factory=factory) as runner:
            results.append(runner.run(story()))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(WITHIN)
    echoed, reason, family = results[0]
    assert echoed == call(1, "é" * 1_000_000)
    assert reason == "probe ended with code 4: no API key"
    assert left_after(family) == []


# --- a server others wrote ---------------------------------------------------------------------------------


@needs_everything
async def test_the_official_everything_server_answers_over_stdio(start: Start, back: Recorder):
    connection = start(ServerSpec("everything", str(NODE), (str(EVERYTHING), "stdio")))
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    connection.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode())
    assert json.loads(await back.message())["result"]["protocolVersion"] == "2025-11-25"
    connection.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    connection.send(
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"}}}'
    )
    await back.until(lambda: any(b'"id":2' in message for message in back.messages))
    await finished(connection)
