"""Secrets from the command line to a server's environment, with the app running or not; and the doctor."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.app_under_test import DESKBELL, ROOT, WAIT, Person, server, until
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import Failed, result_of

Run = Callable[..., "subprocess.CompletedProcess[str]"]
VALUE = "hunter2-and-more"
# A server that says on stderr what it was given, and dies of it.
TELLTALE = [sys.executable, "-c", "import os, sys; sys.exit('got ' + os.environ['TOKEN'])"]
TOLD = server("telltale", TELLTALE) + 'env = { TOKEN = "${vault:tok}" }\n'
# One that starts well, and quotes it in each answer.
QUOTING = """
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        about = dict(name="quoting", version="1")
        done = dict(protocolVersion="2025-11-25", capabilities=dict(tools={}), serverInfo=about)
        print(json.dumps(dict(jsonrpc="2.0", id=asked["id"], result=done)), flush=True)
    elif "id" in asked:
        error = dict(code=-32000, message="401 for " + os.environ["TOKEN"])
        print(json.dumps(dict(jsonrpc="2.0", id=asked["id"], error=error)), flush=True)
"""
QUOTED = server("quoting", [sys.executable, "-c", QUOTING]) + 'env = { TOKEN = "${vault:tok}" }\n'

# And one that answers each call with a digest of it; `wait` does so when its file is there.
DIGESTING = """
import hashlib, json, os, sys, threading, time
digest = hashlib.sha256(os.environ["TOKEN"].encode()).hexdigest()[:8]
def answer(id, path):
    while path and not os.path.exists(path):
        time.sleep(0.01)
    done = dict(content=[dict(type="text", text=digest)])
    print(json.dumps(dict(jsonrpc="2.0", id=id, result=done)), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        about = dict(name="digesting", version="1")
        done = dict(protocolVersion="2025-11-25", capabilities=dict(tools={}), serverInfo=about)
        print(json.dumps(dict(jsonrpc="2.0", id=asked["id"], result=done)), flush=True)
    elif asked.get("method") == "tools/call":
        path = asked["params"].get("arguments", {}).get("path", "")
        threading.Thread(target=answer, args=(asked["id"], path)).start()
    elif "id" in asked:
        print(json.dumps(dict(jsonrpc="2.0", id=asked["id"], result=dict(tools=[]))), flush=True)
"""
DIGEST = [sys.executable, "-I", "-S", "-c", DIGESTING]
DIGESTED = server("digesting", DIGEST) + 'env = { TOKEN = "${vault:tok}" }\n'


def digest(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()[:8]


def told(result: Any) -> str:
    return str(result["content"][0]["text"])


@pytest.fixture
def env(env: dict[str, str]) -> dict[str, str]:
    return {**env, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


@pytest.fixture
def run(env: dict[str, str]) -> Run:
    def run(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*DESKBELL, *words], env=env, cwd=ROOT, input=given, capture_output=True, text=True, timeout=WAIT
        )

    return run


def test_a_server_gets_its_secret_and_nobody_else_sees_it(run: Run, start: Start, spawn: Spawn):
    app = start(config=TOLD)
    host = spawn("stdio", "--server", "telltale")
    with pytest.raises(Failed, match="deskbell secrets set tok"):
        host.open_and_call("count")
    assert run("secrets", "set", "tok", given=VALUE).returncode == 0
    assert app.status["vault"]["store"] == "file"
    assert "Keys are stored in an encrypted file" in run("status").stdout
    host = spawn("stdio", "--server", "telltale")
    with pytest.raises(Failed, match="got •••"):
        host.open_and_call("count")
    assert "•••" in app.until(lambda _: app.state_of("telltale")["problem"])
    until(lambda: "got •••" in run("history", "--json").stdout)
    kept = app.home.journal.read_bytes().decode("latin1")
    for text in (kept, run("history", "--json").stdout, run("status", "--json").stdout):
        assert VALUE not in text


def test_a_server_that_could_not_start_for_want_of_a_secret_can_as_soon_as_it_is_set(
    run: Run, start: Start, spawn: Spawn
):
    app = start(config=DIGESTED)
    host = spawn("stdio")
    host.open()
    for _ in range(5):
        with pytest.raises(Failed, match="deskbell secrets set tok"):
            host.call("digesting_it")
    assert app.state_of("digesting")["state"] == "back-off"
    assert run("secrets", "set", "tok", given=VALUE).returncode == 0
    state = app.state_of("digesting")
    assert (state["state"], state["problem"], state["missing"]) == ("idle", "", [])
    assert host.hears("notifications/tools/list_changed")
    assert told(host.call("digesting_it")) == digest(VALUE)


def test_status_says_how_to_set_a_secret_that_is_missing(run: Run, start: Start):
    start("silent", TOLD)
    assert run("secrets", "set", "tok", given=VALUE).returncode == 0
    assert run("secrets", "delete", "tok").returncode == 0
    told = next(line for line in run("status").stdout.splitlines() if line.startswith("telltale"))
    assert told.split(maxsplit=3)[2:] == ["secret", "needs a secret: deskbell secrets set tok"]


@pytest.mark.parametrize("way", ["stdio", "wrap"])
def test_a_running_server_gets_another_secret_and_its_call_ends_with_the_old_one(
    way: str, run: Run, start: Start, spawn: Spawn, env: dict[str, str], tmp_path: Path, person: Person
):
    assert run("secrets", "set", "tok", given=VALUE).returncode == 0
    app = start(person.says("accept"), DIGESTED)
    words = ["stdio"] if way == "stdio" else ["wrap", "--name", "mine", "--", *DIGEST]
    name = "digesting_it" if way == "stdio" else "it"
    env["TOKEN"] = "${vault:tok}"  # which is how a wrapped one refers to it
    host = spawn(*words)
    host.open()
    waiting = host.begin_call(name, path=str(tmp_path / "go"))
    assert told(host.call(name)) == digest(VALUE)
    assert run("secrets", "set", "tok", given="another one").returncode == 0
    assert told(host.call(name)) == digest("another one")
    (tmp_path / "go").touch()
    assert told(result_of(waiting)) == digest(VALUE)
    until(lambda: len({*app.children("hashlib")} - {host.pid}) == 1)
    assert run("secrets", "delete", "tok").returncode == 0
    if way == "stdio":
        assert app.state_of("digesting")["missing"] == ["tok"]
    with pytest.raises(Failed, match="deskbell secrets set tok"):
        host.call(name)
    until(lambda: "no secret named tok" in run("history", "--json").stdout)
    for text in (run("history", "--json").stdout, run("status", "--json").stdout, app.home.log.read_text()):
        assert VALUE not in text
        assert "another one" not in text


def test_an_error_that_quotes_a_secret_reaches_the_host_without_it(run: Run, start: Start, spawn: Spawn):
    assert run("secrets", "set", "tok", given=VALUE).returncode == 0
    start(config=QUOTED)
    host = spawn("stdio", "--server", "quoting")
    host.open()
    with pytest.raises(Failed, match="401 for •••"):
        host.call("go")


def test_a_passphrase_is_asked_for_on_the_desk_when_a_secret_is_needed(
    run: Run, start: Start, spawn: Spawn, person: Person
):
    assert run("secrets", "set", "tok", given=VALUE).returncode == 0
    assert run("secrets", "protect", given="correct horse").returncode == 0
    locked = run("secrets", "list")
    assert (locked.returncode, "locked by a passphrase" in locked.stderr) == (5, True)
    start(
        person.says("accept", {"passphrase": "correct horse"}),
        TOLD,
    )
    host = spawn("stdio", "--server", "telltale")
    with pytest.raises(Failed, match="got •••"):
        host.open_and_call("count")
    [asked] = person.asked
    assert (asked["server"], asked["mode"]) == ("Deskbell", "form")
    assert "correct horse" not in run("history", "--json").stdout
    assert run("secrets", "list").returncode == 0


def test_a_passphrase_can_be_given_on_the_command_line(run: Run, start: Start):
    assert run("secrets", "set", "tok", given=VALUE).returncode == 0
    assert run("secrets", "protect", given="correct horse").returncode == 0
    app = start("silent")
    assert app.status["vault"]["state"] == "locked"
    assert "secrets unlock" in run("secrets", "list").stderr
    assert run("secrets", "unlock", given="wrong").returncode == 5
    assert run("secrets", "unlock", given="correct horse").returncode == 0
    assert "tok" in run("secrets", "list").stdout


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_a_program_that_helps_itself_to_a_secret_is_asked_about_once_and_recorded(
    answer: str, run: Run, start: Start, spawn: Spawn, env: dict[str, str], person: Person
):
    assert run("secrets", "set", "tok", given=VALUE).returncode == 0
    start(person.says(answer))
    env["TOKEN"] = "${vault:tok}"
    for _ in range(2):
        host = spawn("wrap", "--name", "mine", "--", *DIGEST)
        if answer == "accept":
            host.open()
            assert told(host.call("it")) == digest(VALUE)
        else:
            with pytest.raises(Failed, match="may not have the secret tok"):
                host.open_and_call("count")
        host.close()
    [asked] = person.asked
    assert (asked["mode"], asked["server"]) == ("confirm", "mine")
    assert "wants your secret tok" in asked["message"]
    outcome = "secret given" if answer == "accept" else "secret refused"
    until(lambda: outcome in run("history", "--json").stdout)


def test_where_nobody_can_be_asked_no_program_gets_a_secret(
    run: Run, start: Start, spawn: Spawn, env: dict[str, str]
):
    assert run("secrets", "set", "tok", given=VALUE).returncode == 0
    start()
    env["TOKEN"] = "${vault:tok}"
    with pytest.raises(Failed, match="may not have the secret tok"):
        spawn("wrap", "--", *DIGEST).open_and_call("count")
