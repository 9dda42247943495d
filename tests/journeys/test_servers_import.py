"""`deskbell servers import`: from the applications' own files into config.toml, and from there to a host."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from bridge.vault.file import FileStore
from tests.journeys.app_under_test import DESKBELL, ROOT, WAIT, asking
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import said_in


@pytest.fixture
def person_home(tmp_path: Path) -> Path:
    """A home directory with two applications in it, one of which already uses Deskbell."""
    command, *args = asking("legacy")
    cursor, zed = tmp_path / ".cursor" / "mcp.json", tmp_path / ".config" / "zed" / "settings.json"
    quiz = {"command": command, "args": args, "env": {"QUIZ_TOKEN": "hush"}}
    wrapped = {"command": "deskbell", "args": ["wrap", "--", "npx", "-y", "sign"]}
    itself = {"command": "deskbell", "args": ["stdio"]}
    cursor.parent.mkdir(parents=True)
    cursor.write_text(json.dumps({"mcpServers": {"my quiz": quiz, "bell": itself}}))
    zed.parent.mkdir(parents=True)
    zed.write_text(f'{{ // mine\n"context_servers": {{"sign": {json.dumps(wrapped)},}}, }}')
    (tmp_path / ".claude.json").write_text("{")
    return tmp_path


def imports(env: dict[str, str], person_home: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    env = {**env, "HOME": str(person_home), "XDG_CONFIG_HOME": ""}
    command = [*DESKBELL, "servers", "import", *map(str, words)]
    return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=WAIT)


def test_the_servers_of_all_applications_are_added_once_and_can_be_used(
    env: dict[str, str], home: Path, person_home: Path, start: Start, spawn: Spawn
):
    rehearsed = imports(env, person_home, "--dry-run")
    assert "Would add my quiz as my-quiz" in rehearsed.stdout
    assert not home.exists()
    done = imports(env, person_home)
    assert done.returncode == 0
    for said in ("Cursor: 2 in ", "Added my quiz as my-quiz", "Skipped bell: it is Deskbell itself"):
        assert said in done.stdout
    assert "Added sign: npx -y sign" in done.stdout
    assert "QUIZ_TOKEN looks like a secret" in done.stderr
    assert "hush" not in done.stdout + done.stderr
    assert ".claude.json has a mistake" in done.stderr
    again = imports(env, person_home)
    assert "Skipped my quiz: it is there already, as my-quiz" in again.stdout
    start()
    host = spawn("stdio", "--server", "my-quiz")
    host.open()
    assert said_in(host.call("count"))["calls"] == 1


def test_one_file_is_imported_by_name_and_a_missing_one_is_an_error(env: dict[str, str], person_home: Path):
    done = imports(env, person_home, person_home / ".config" / "zed" / "settings.json")
    assert done.stdout == "Added sign: npx -y sign\n"
    gone = imports(env, person_home, person_home / "gone.json")
    assert gone.returncode == 3
    assert "There is no file" in gone.stderr
    nothing = imports(env, person_home / "nowhere")
    assert (nothing.returncode, nothing.stdout) == (0, "No servers were found.\n")


def test_a_piece_of_settings_is_imported_from_stdin_and_its_server_switched_off_and_on(
    env: dict[str, str], home: Path
):
    def servers(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        command = [*DESKBELL, "servers", *words]
        return subprocess.run(
            command, env=env, cwd=ROOT, input=given, capture_output=True, text=True, timeout=WAIT
        )

    done = servers("import", "-", given='"sign": {"command": "npx", "args": ["-y", "a b"]},')
    assert done.stdout == "Added sign: npx -y 'a b'\n"
    assert servers("disable", "sign").stdout == "Switched sign off.\n"
    assert "enabled = false" in (home / "config.toml").read_text()
    assert "(switched off)" in servers("list").stdout
    assert servers("enable", "sign").returncode == 0
    assert "enabled" not in (home / "config.toml").read_text()
    assert servers("enable", "nobody").returncode == 3


def test_keys_go_into_the_vault_with_consent_and_the_server_still_gets_them(
    env: dict[str, str], home: Path, person_home: Path
):
    env = {**env, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    plain = imports(env, person_home, "--dry-run", person_home / ".cursor" / "mcp.json")
    assert plain.returncode == 0
    done = imports(env, person_home, "--secrets", "vault", person_home / ".cursor" / "mcp.json")
    assert "QUIZ_TOKEN is in the vault now" in done.stderr
    config = (home / "config.toml").read_text()
    assert 'QUIZ_TOKEN = "${vault:my-quiz/QUIZ_TOKEN}"' in config
    assert "hush" not in config
    assert FileStore(home).get("secret/my-quiz/QUIZ_TOKEN") == "hush"


def test_keys_of_servers_that_are_there_already_are_moved_when_asked_for(
    env: dict[str, str], home: Path, person_home: Path
):
    env = {**env, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    config, cursor = home / "config.toml", person_home / ".cursor" / "mcp.json"
    imports(env, person_home, "--secrets", "plain", cursor)
    assert "hush" in config.read_text()
    assert imports(env, person_home, "--secrets", "plain", cursor).stderr == ""
    hint = "my-quiz: QUIZ_TOKEN looks like a secret and is in config.toml as plain text. `--secrets vault`"
    assert hint in imports(env, person_home, cursor).stderr
    rehearsed = imports(env, person_home, "--dry-run", "--secrets", "vault", cursor)
    assert "Would move QUIZ_TOKEN of my-quiz from config.toml into the vault." in rehearsed.stdout
    assert "hush" in config.read_text()

    done = imports(env, person_home, "--secrets", "vault", cursor)
    assert "Skipped my quiz: it is there already, as my-quiz." in done.stdout
    assert "my-quiz: QUIZ_TOKEN is in the vault now, and no longer in config.toml." in done.stderr
    assert not [file for file in home.glob("config*") if "hush" in file.read_text()]
    assert FileStore(home).get("secret/my-quiz/QUIZ_TOKEN") == "hush"
    again = imports(env, person_home, "--secrets", "vault", cursor)
    assert "Skipped my quiz: it is there already, as my-quiz." in again.stdout
    assert again.stderr == ""
