"""`deskbell secrets`, `doctor` and `servers logout` where no app runs: what they print, and their codes."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.cli import parser

VALUE = "hunter2-and-more"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("DESKBELL_HOME", str(home))
    monkeypatch.setenv("DESKBELL_PORT", "0")  # any: 23355 may be somebody else's
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")

    def run(*words: str, given: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        code = parser.main(words)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_secrets_are_kept_listed_and_deleted(run: Run, home: Path):
    assert "No secrets yet" in run("secrets", "list")[1]
    code, said, complaint = run("secrets", "set", "github", given=f"{VALUE}\n")
    assert (code, complaint) == (0, "")
    assert "${vault:github}" in said
    uses = 'env = { T = "x ${vault:github}", U = "${vault:gone}" }'
    (home / "config.toml").write_text(f'[servers.git]\ncommand = "git"\n{uses}\n')
    listed = run("secrets", "list")[1]
    assert "github  (used by git)" in listed
    assert "gone  (missing; git needs it: deskbell secrets set gone)" in listed
    assert "encrypted file" in listed
    assert VALUE not in listed
    told = json.loads(run("secrets", "list", "--json")[1])
    assert told["secrets"] == [{"name": "github", "servers": ["git"]}]
    assert run("secrets", "delete", "github")[0] == 0
    assert run("secrets", "delete", "github")[0] == 3


@pytest.mark.parametrize(("name", "given"), [("no spaces", "x"), ("empty", ""), ("-dash", "x")])
def test_what_cannot_be_kept_is_refused_in_words(name: str, given: str, run: Run):
    code, said, complaint = run("secrets", "set", "--", name, given=given)
    assert (code, said) == (1, "")
    assert complaint.startswith("deskbell: ")


def test_a_passphrase_locks_and_the_command_says_how_to_go_on(run: Run):
    assert run("secrets", "set", "a", given=VALUE)[0] == 0
    assert "Your passphrase encrypts it" in run("secrets", "protect", given="correct horse")[1]
    code, _, complaint = run("secrets", "list")
    assert (code, "locked by a passphrase" in complaint) == (5, True)
    assert run("secrets", "unlock", given="wrong")[0] == 5
    assert run("secrets", "move", "--to", "keyring", given="wrong")[0] == 5


def test_nobody_signs_in_to_what_is_not_there(run: Run, home: Path):
    home.mkdir()
    local, remote = '[servers.git]\ncommand = "git"\n', '[servers.club]\nurl = "https://club.example/mcp"\n'
    keyed = '[servers.keyed]\nurl = "https://x.example/mcp"\nheaders = { Authorization = "k" }\n'
    (home / "config.toml").write_text(local + remote + keyed)
    assert run("servers", "login", "nobody")[0] == 3
    assert run("servers", "login", "git")[0] == 1
    assert run("servers", "login", "keyed")[0] == 1
    assert run("servers", "logout", "club")[0] == 3


def test_the_doctor_says_what_is_well_and_what_is_not(run: Run, home: Path):
    code, said, complaint = run("doctor")
    assert (code, complaint) == (0, "")
    assert "✓ Secrets: " in said
    assert "· App: does not run" in said
    gone, here = (
        '[servers.gone]\ncommand = "no-such-program"\n',
        f"[servers.here]\ncommand = '{sys.executable}'\n",
    )
    (home / "config.toml").write_text(gone + here)
    home.chmod(0o755)
    code, said, _ = run("doctor", "--json")
    assert code == 5
    found = {one["what"]: one["ok"] for one in json.loads(said)}
    assert (found["Home"], found["Server gone"], found["Server here"]) == (False, False, True)
