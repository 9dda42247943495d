"""`deskbell tools`, `call`, `cgi` and `completion` as a person or a script uses them."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bridge.running_app import install
from tests.journeys.app_under_test import DESKBELL, ROOT, WAIT, Person, asking, of_home, server, until
from tests.journeys.conftest import Start

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(env: dict[str, str], tmp_path: Path) -> Run:
    install(tmp_path)
    env["PYTHONPATH"] = f"{ROOT}{os.pathsep}{tmp_path}"

    def run(*words: str, stdin: str | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        fed = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
        return subprocess.run(
            [*DESKBELL, *words],
            env={**env, **more},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=WAIT,
            **fed,
        )

    return run


def test_tools_are_listed_and_called_by_key_and_value(run: Run, start: Start, person: Person):
    start(person.says("accept", {"value": "b"}), server("asking", asking("legacy")))
    listed = run("tools")
    assert "math_Add" in listed.stdout
    assert "asking_ask" in listed.stdout
    one = json.loads(run("tools", "--server", "math", "--json").stdout)
    assert {tool["server"] for tool in one} == {"math"}
    assert one[0]["inputSchema"]["required"] == ["a", "b"]
    assert run("tools", "--server", "nobody").returncode == 3

    done = run("call", "math_Add", "a=2", "b=3", "--format", "json")
    assert (done.returncode, done.stdout, done.stderr) == (0, '{"result":5}\n', "")
    assert run("call", "Add", "a=2", "b=3").stdout == "5\n"
    assert run("call", "praise").stdout == "# Well done, Ada\n"
    assert run("call", "Add", "--json", "-", stdin='{"a":2,"b":3}').stdout == "5\n"
    assert run("call", "Add", stdin='{"a":2,"b":3}').stdout == "5\n"
    assert run("call", "choose").stdout == "b\n"


FAILURES = [
    (["Add", "a=2"], 1, "Add needs b."),
    (["Add", "a=two", "b=3"], 1, "a must be of type integer"),
    (["Add", "a"], 1, "'a' is not an argument"),
    (["Add", "a=1", "--json", "{}"], 1, "not both"),
    (["math_Ad", "a=1"], 3, "Function not found: math_Ad. Did you mean math_Add?"),
    (["choose"], 5, "nobody can be asked: Command line cannot show questions"),
    (["asking_ask"], 5, "nobody can be asked here. Start Deskbell on the desktop"),
    (["fail"], 5, "It is broken."),
]


def test_each_failure_has_its_words_and_its_code(run: Run, start: Start):
    start("silent", server("asking", asking("legacy")))
    for words, code, said in FAILURES:
        done = run("call", *words)
        assert (done.returncode, done.stdout) == (code, ""), done.stderr
        assert said in done.stderr
        assert done.stderr.startswith("deskbell: ")
        assert done.stderr.count("\n") == 1


WITHOUT_TOOLS = """
import json, sys
hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "bare", "version": "1"}}
for line in sys.stdin:
    said = json.loads(line)
    answer = {"error": {"code": -32601, "message": "No such method"}}
    if said["method"] == "initialize":
        answer = {"result": hello}
    if "id" in said:
        print(json.dumps({"jsonrpc": "2.0", "id": said["id"], **answer}), flush=True)
"""


def test_servers_that_tell_no_tools_are_named_with_the_reason(run: Run, start: Start):
    dies = [sys.executable, "-c", "import sys; sys.exit('no key was given')"]
    bare = [sys.executable, "-c", WITHOUT_TOOLS]
    start("silent", server("dies", dies) + server("bare", bare) + server("asking", asking("legacy")))
    listed = run("tools")
    assert "asking_ask" in listed.stdout
    why = "The tools of dies are missing. dies ended with code 1: no key was given"
    assert (listed.returncode, listed.stderr) == (5, f"deskbell: {why}\n")
    only = run("tools", "--server", "dies", "--json")
    assert (only.returncode, only.stdout, only.stderr) == (5, "[]\n", f"deskbell: {why}\n")
    assert run("tools", "--server", "bare").stderr == "No server offers a tool just now.\n"
    calls = (run("call", "dies_x") for _ in range(9))  # each rest is longer than the last
    resting = next(done for done in calls if "again" in done.stderr)
    words = "deskbell: dies ended with code 1: no key was given. It is tried again in "
    assert (resting.returncode, resting.stderr.startswith(words)) == (5, True)


def test_a_question_that_nobody_answers_in_time_ends_the_call_with_the_timeouts_code(
    run: Run, start: Start, person: Person
):
    start(person.never_answers(), "question_timeout = 1\n" + server("asking", asking("legacy")))
    done = run("call", "asking_ask", "--format", "json")
    assert done.returncode == 4
    assert "nobody answered within 1 s" in json.loads(done.stdout)["error"]


def test_ctrl_c_takes_the_question_back(run: Run, start: Start, person: Person, env: dict[str, str]):
    app = start(person.never_answers(), server("asking", asking("legacy")))
    calling = subprocess.Popen([*DESKBELL, "call", "asking_ask"], env=env, cwd=ROOT, stdin=subprocess.DEVNULL)
    assert app.question()["host"] == "Command line"
    calling.send_signal(signal.SIGINT)
    assert calling.wait(WAIT) == 130
    app.until(lambda status: not status["waiting"])


def test_call_starts_deskbell_where_it_does_not_run(run: Run, home: Path):
    done = run("call", "elicit_input", "message=What?", "default=tea", "--format", "json")
    assert (done.returncode, done.stdout) == (0, '{"result":{"action":"cancel","value":"tea"}}\n')
    for pid in of_home(home):
        os.kill(pid, 15)
    until(lambda: not of_home(home))


def test_what_cannot_be_started_is_told(run: Run, home: Path):
    home.mkdir()
    (home / "deskbell.lock").mkdir()
    done = run("tools")
    assert done.returncode in (2, 5)
    assert "Deskbell did not start" in done.stderr


def test_progress_is_drawn_on_a_terminal_and_nowhere_else(run: Run, start: Start, env: dict[str, str]):
    start("silent")
    assert "half way" not in run("call", "divide", "a=7", "b=2").stderr
    main, terminal = pty.openpty()
    command = [*DESKBELL, "call", "divide", "a=7", "b=2", "--format", "json"]
    done = subprocess.run(
        command, env=env, cwd=ROOT, stdin=terminal, stdout=-1, stderr=terminal, timeout=WAIT
    )
    os.close(terminal)
    drawn = os.read(main, 4096).decode()
    os.close(main)
    assert "[############------------]  50% half way" in drawn
    assert drawn.endswith("\r\x1b[K")
    assert done.stdout == b'{"result0":3,"result1":1}\n'


def test_a_web_servers_request_is_answered_and_its_headers_stay_outside(run: Run, home: Path):
    body = '{"message":"What?","default":"tea"}'
    request = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/elicit_input",
        "CONTENT_LENGTH": str(len(body)),
        "GATEWAY_INTERFACE": "CGI/1.1",
        "HTTP_PROXY": "http://evil.example",
    }
    done = run("cgi", stdin=body + "more than was announced", **request)
    assert done.returncode == 0
    head, _, said = done.stdout.partition("\n\n")
    assert head.splitlines() == ["Status: 200 OK", "Content-Type: application/json", "Content-Length: 44"]
    assert said == '{"result":{"action":"cancel","value":"tea"}}'
    for pid in of_home(home):  # the app that was started for it
        if os.getuid() == 0:  # nobody else may look into the app
            assert b"HTTP_PROXY" not in Path(f"/proc/{pid}/environ").read_bytes()
        os.kill(pid, 15)
    until(lambda: not of_home(home))


LINES = {
    "deskbell ca": ["call"],
    "deskbell call math_A": ["math_Add"],
    "deskbell call praise w": ["whom="],
    "deskbell call praise whom=": ["Ada", "Alan"],
    "deskbell call Add a=1 ": ["b="],
    "deskbell call Add --format ": ["text", "json"],
    "deskbell hosts connect cl": ["claude-code", "claude-desktop", "cline", "cline-cli"],
}
SHELLS = {
    "bash": 'source "$1"; COMP_WORDS=(deskbell); COMP_LINE="$2"; COMP_POINT=${#2}; compopt() { :; }; '
    '_deskbell; printf "%s\\n" "${COMPREPLY[@]}"',
    "fish": 'source $argv[1]; complete -C "$argv[2]"',
}


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_shell_completes_verbs_tools_and_arguments(
    shell: str, run: Run, start: Start, env: dict[str, str], tmp_path: Path
):
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"there is no {shell}")
    start("silent")
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "deskbell").write_text(f'#!/bin/sh\ncd {ROOT} && exec {" ".join(DESKBELL)} "$@"\n')
    (folder / "deskbell").chmod(0o755)
    script = tmp_path / f"deskbell.{shell}"
    script.write_text(run("completion", shell).stdout)
    path = {"PATH": f"{folder}{os.pathsep}{env.get('PATH', os.defpath)}"}
    for line, wanted in LINES.items():
        extra = [shell] if shell == "bash" else []
        command = [found, "-c", SHELLS[shell], *extra, str(script), line]
        own = {**env, **path, "HOME": str(tmp_path), "XDG_CONFIG_HOME": ""}  # fish reads its config even so
        done = subprocess.run(command, env=own, capture_output=True, text=True, timeout=50)
        words = [word.rpartition("=")[2] or word for word in done.stdout.split()]
        assert sorted(words) == sorted(wanted), (line, done.stderr)


def test_where_deskbell_does_not_run_completion_is_silent_and_starts_nothing(run: Run, home: Path):
    done = run("completion", "candidates", "bash", "deskbell call m")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not of_home(home)
