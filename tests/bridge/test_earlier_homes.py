"""Everything in a home that an earlier Deskbell wrote is still there: settings, secrets, history.

tests/fixtures/homes has one for each layout that was ever released, made by that version. A layout that a
release changes gets another folder beside it; none is ever edited. tests/fixtures/journals has histories in
the layouts that came before the first release.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.journal import Journal, JournalEntry
from bridge.settings import Home, SettingsFile
from bridge.vault.file import FileStore
from tests.fixtures.patience import WITHIN

HOMES = sorted((Path(__file__).parents[1] / "fixtures" / "homes").iterdir())
JOURNALS = sorted((Path(__file__).parents[1] / "fixtures" / "journals").iterdir())
_FOR_EVER = 1e6  # days


@pytest.fixture(params=HOMES, ids=lambda path: path.name)
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    shutil.copytree(request.param, tmp_path / "home")
    for path in (tmp_path / "home").iterdir():
        path.chmod(0o600)
    return Home(tmp_path / "home")


def test_settings_of_an_earlier_version_hold(home: Home) -> None:
    before = home.config.read_bytes()
    file = SettingsFile(home.config)
    file.reload()
    assert file.problem == ""
    servers = file.current.servers
    assert servers["files"].env == {"API_KEY": "${vault:files-key}"}
    assert (servers["notes"].url, servers["notes"].enabled) == ("https://notes.example/mcp", False)
    assert [pattern for pattern, _ in file.current.policy] == ["files_read"]
    assert home.config.read_bytes() == before


def test_secrets_of_an_earlier_version_can_be_read(home: Home) -> None:
    store = FileStore(home.root)
    assert store.get("secret/files-key") == "s3cret-value"
    store.set("another", "x")
    assert FileStore(home.root).get("secret/files-key") == "s3cret-value"


def test_history_of_an_earlier_version_is_found_and_goes_on(home: Home) -> None:
    journal = Journal(home.journal, keep_days=_FOR_EVER, contents_days=_FOR_EVER)
    kinds = [row.kind for row in journal.search()]
    assert sorted(kinds) == ["call", "call", "question", "question"]
    assert [row.tool for row in journal.search("Sure?")][:1] == ["elicit_confirm"]
    journal.close()
    assert not list(home.root.glob("*broken*"))


def test_the_command_line_shows_it_without_starting_anything(home: Home) -> None:
    command = (sys.executable, "-m", "bridge", "secrets", "list")
    env = {"DESKBELL_HOME": str(home.root), "PATH": ""}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=WITHIN)
    assert "files-key" in done.stdout, done.stderr


@pytest.mark.parametrize("file", JOURNALS, ids=lambda path: path.stem)
def test_a_history_of_each_earlier_layout_goes_on_and_is_found(file: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(file, tmp_path / "journal.db"))
    journal = Journal(path, keep_days=_FOR_EVER)
    journal.record(JournalEntry("call", tool="late"))
    assert journal.flush(WITHIN)
    assert [row.kind for row in journal.search()] == ["call", "notice", "question", "call"]
    for text, tool in (("files_read", "files_read"), ("Sure?", "files_delete"), ("late", "late")):
        assert [row.tool for row in journal.search(text)] == [tool]
    journal.close()
    assert {path.name for path in tmp_path.iterdir()} == {"journal.db"}
