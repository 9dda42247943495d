"""The log and the diagnostics tell what happened, stay small, and hold no secrets."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bridge import __version__
from bridge.api import Home, ServerStatus, Status, VaultStatus, diagnose, log_tail
from bridge.journal import Journal, JournalEntry
from bridge.system import log_file
from tests.bridge.running_app import House
from tests.journeys.app_under_test import ROOT, environment

LOG = logging.getLogger("bridge.somewhere")


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Path]:
    end = log_file.log_to_file(tmp_path / "deskbell.log", lambda text: text.replace("hunter2", "•••"))
    yield tmp_path / "deskbell.log"
    end()


def test_what_is_logged_is_in_the_file_without_what_must_not_be(written: Path) -> None:
    LOG.info("it is %s", "hunter2")
    LOG.debug("too much")
    text = written.read_text()
    assert text.endswith("INFO bridge.somewhere: it is •••\n")
    assert "too much" not in text
    assert written.stat().st_mode & 0o777 == 0o600


def test_the_file_stays_small_and_keeps_its_end(written: Path) -> None:
    for number in range(30):
        LOG.info("%d %s", number, "x" * 50_000)
    assert written.stat().st_size < log_file.LARGEST
    assert "INFO bridge.somewhere: 29 x" in written.read_text()
    assert len(log_tail(written, 60_000).splitlines()) == 1


def test_a_line_cannot_move_the_cursor_or_begin_another_one(written: Path) -> None:
    LOG.info("it is %s", "a\x1b[2Jb\rc\u202ed")
    assert "it is a\ufffd[2Jb\ufffdc\ufffdd\n" in written.read_text()


def test_after_its_end_nothing_is_written(tmp_path: Path) -> None:
    log_file.log_to_file(tmp_path / "deskbell.log", str)()
    LOG.warning("too late")
    assert (tmp_path / "deskbell.log").read_text() == ""
    assert log_tail(tmp_path / "none") == ""


def test_a_file_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    end = log_file.log_to_file(tmp_path / "missing" / "deskbell.log", str)
    LOG.warning("still here")
    end()


def test_a_process_whose_stderr_is_the_log_writes_each_line_once(tmp_path: Path) -> None:
    code = (
        "import sys, logging, pathlib\nfrom bridge.system import log_file\n"
        "log_file.log_to_terminal('warning')\n"
        "end = log_file.log_to_file(pathlib.Path(sys.argv[1]), str)\n"
        "logging.getLogger('bridge').warning('once')\nend()\n"
    )
    path = tmp_path / "deskbell.log"
    with path.open("ab") as file:
        subprocess.run([sys.executable, "-c", code, str(path)], stderr=file, check=True, cwd=ROOT, timeout=30)
    assert path.read_text().count("once") == 1


CONFIG = """\
port = 0
[servers.mail]
command = "mail-server"
args = ["--password", "hunter2hunter2"]
env = { MAIL_PIN = "4711471147", LEVEL = "debug-level" }
[servers.web]
url = "https://user:pw@example.org/mcp?key=querysecret"
headers = { Authorization = "Bearer headersecret" }
"""


def test_the_report_tells_what_helps_and_no_secret(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.config.write_text(CONFIG)
    token = home.read_token()
    journal = Journal(home.journal)
    journal.record(
        JournalEntry("server", server="mail", outcome="stderr", detail={"line": "no route to host"})
    )
    journal.record(
        JournalEntry("question", server="mail", outcome="accept", detail={"sent": {"pin": "private words"}})
    )
    journal.close()
    home.log.write_text(f"2026 WARNING something with {token} and headersecret\n")
    mail = ServerStatus("mail", "stdio", "failed", problem="It ended with code 1.")
    status = replace(Status(version=__version__, vault=VaultStatus("keyring", "ready")), servers=(mail,))

    text = diagnose(home, status)

    for helps in (
        f"Deskbell {__version__}",
        "mail (stdio): failed",
        "mail stderr",
        "mail-server; 2 arguments",
    ):
        assert helps in text
    assert "https://example.org/mcp" in text
    assert "headers Authorization" in text
    secrets = (token, "hunter2", "4711471147", "querysecret", "headersecret", "private words", "user:pw")
    words = ("no route to host", "It ended with code 1")  # of a server
    assert [secret for secret in (*secrets, *words) if secret in text] == []


def test_a_running_deskbell_logs_its_start_and_its_trouble(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.ensure()
    home.config.write_text("port = 0\n[desktop]\nsounds = true\n")
    house = House(home)
    house.bridge.start()
    house.bridge.stop()
    text = home.log.read_text()
    assert f"Deskbell {__version__} runs; http://127.0.0.1:" in text
    assert "sounds is not a setting" in text


def test_the_report_is_a_verb_too(tmp_path: Path) -> None:
    env = {**environment(tmp_path), "HOME": os.environ["HOME"]}
    said = subprocess.run(
        [sys.executable, "-m", "bridge", "doctor", "--report"],
        env=env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=40,
        check=True,
    ).stdout
    assert said.startswith("## Deskbell\n")
    assert "It does not run." in said
