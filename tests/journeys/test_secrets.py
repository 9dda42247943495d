"""Secrets from the command line to a server's environment, with the app running or not; and the doctor."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import Failed
from tests.journeys.house import DESKBELL, ROOT, Person, server, until

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


@pytest.fixture
def env(env: dict[str, str]) -> dict[str, str]:
    return {**env, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


@pytest.fixture
def run(env: dict[str, str]) -> Run:
    def run(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*DESKBELL, *words], env=env, cwd=ROOT, input=given, capture_output=True, text=True, timeout=30
        )

    return run


def test_a_server_gets_its_secret_and_nobody_else_sees_it(run: Run, start: Start, spawn: Spawn):
    app = start(config=TOLD)
    host = spawn("stdio", "--server", "telltale")
    with pytest.raises(Failed, match="deskbell secrets set tok"):
        host.open()
    assert run("secrets", "set", "tok", given=VALUE).returncode == 0
    assert app.status["vault"]["store"] == "file"
    assert "Secrets are kept in an encrypted file" in run("status").stdout
    host = spawn("stdio", "--server", "telltale")
    with pytest.raises(Failed, match="got •••"):
        host.open()
    assert "•••" in app.until(lambda _: app.state_of("telltale")["problem"])
    until(lambda: "got •••" in run("history", "--json").stdout)
    kept = app.home.journal.read_bytes().decode("latin1")
    for text in (kept, run("history", "--json").stdout, run("status", "--json").stdout):
        assert VALUE not in text


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
        host.open()
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
