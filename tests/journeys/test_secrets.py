"""Secrets from the command line to a server's environment, with the app running or not; and the doctor."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import Failed
from tests.journeys.house import DESKBELL, ROOT, Person, server, until

Run = Callable[..., "subprocess.CompletedProcess[str]"]
VALUE = "hunter2-and-more"
# A server that says on stderr what it was given, and dies of it.
TELLTALE = [sys.executable, "-c", "import os, sys; sys.exit('got ' + os.environ['TOKEN'])"]
TOLD = server("telltale", TELLTALE) + 'env = { TOKEN = "${vault:tok}" }\n'


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


def test_secrets_are_kept_listed_and_deleted_without_the_app(run: Run, home: Path):
    assert "No secrets yet" in run("secrets", "list").stdout
    kept = run("secrets", "set", "github", given=f"{VALUE}\n")
    assert (kept.returncode, kept.stderr) == (0, "")
    assert "${vault:github}" in kept.stdout
    assert run("servers", "add", "git", "--", "git").returncode == 0
    config = home / "config.toml"
    config.write_text(config.read_text() + 'env = { T = "x ${vault:github}", U = "${vault:gone}" }\n')
    listed = run("secrets", "list").stdout
    assert "github  (used by git)" in listed
    assert "gone  (missing; git needs it: deskbell secrets set gone)" in listed
    assert "encrypted file" in listed
    assert json.loads(run("secrets", "list", "--json").stdout)["secrets"] == [
        {"name": "github", "servers": ["git"]}
    ]
    assert VALUE not in listed
    assert run("secrets", "delete", "github").returncode == 0
    assert run("secrets", "delete", "github").returncode == 3
    for words, given in ((("secrets", "set", "no spaces"), "x"), (("secrets", "set", "empty"), "")):
        refused = run(*words, given=given)
        assert refused.returncode == 1
        assert "Traceback" not in refused.stderr


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


def test_the_doctor_says_what_is_well_and_what_is_not(run: Run, start: Start, home: Path):
    well = run("doctor")
    assert (well.returncode, well.stderr) == (0, "")
    assert "✓ Secrets: " in well.stdout
    assert "· App: does not run" in well.stdout
    start(config=server("gone", ["no-such-program"]) + server("here", [sys.executable]))
    home.chmod(0o755)
    ill = run("doctor")
    assert ill.returncode == 5
    for line in ("✗ Home: others can look", "✓ App: runs", "✗ Server gone: ", "✓ Server here: "):
        assert line in ill.stdout
    assert "✗ Questions: are all cancelled" in ill.stdout
    found = json.loads(run("doctor", "--json").stdout)
    assert {one["what"]: one["ok"] for one in found}["Server gone"] is False
