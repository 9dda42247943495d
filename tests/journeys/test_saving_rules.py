"""While config.toml is saved, however editors do that, no denied call gets through."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.app_under_test import asking, server
from tests.journeys.conftest import Spawn, Start

Save = Callable[[Path, str], None]


def vim(path: Path, text: str) -> None:
    """Rename the old one away, write the new one, remove the old one."""
    backup = path.with_name("config.toml~")
    path.rename(backup)
    path.write_text(text)
    backup.unlink()


def truncating(path: Path, text: str) -> None:
    path.write_text("")
    path.write_text(text)


def in_two_writes(path: Path, text: str) -> None:
    """All but the last table, which has the rules, and then the rest."""
    half = text.index("[policy]")
    with path.open("w") as file:
        file.write(text[:half])
        file.flush()
        os.utime(path)
        file.write(text[half:])


def removing(path: Path, text: str) -> None:
    path.unlink()
    path.write_text(text)


@pytest.mark.parametrize("save", [vim, truncating, in_two_writes, removing])
def test_a_denied_call_stays_denied_while_the_file_is_saved(start: Start, spawn: Spawn, save: Save):
    config = server("quiz", asking("legacy")) + '[policy]\nquiz_count = "deny"\n'
    app = start(config=config)
    host = spawn("stdio", "--server", "quiz")
    host.open()
    over = threading.Event()

    def keep_saving() -> None:
        for number in range(60):
            save(app.home.config, config + f"# {number}\n")
            over.wait(0.02)
        over.set()

    saving = threading.Thread(target=keep_saving)
    saving.start()
    refused = passed = 0
    while not over.is_set():
        told = str(host.call("count"))
        refused, passed = refused + ("do not allow quiz_count" in told), passed + ("pid" in told)
    saving.join()
    assert refused > 0
    assert passed == 0


def test_rules_that_are_deleted_go_after_a_second_and_are_named(start: Start, spawn: Spawn):
    config = server("quiz", asking("legacy"))
    app = start(config=config + '[policy]\nquiz_count = "deny"\n')
    host = spawn("stdio", "--server", "quiz")
    host.open()
    app.home.config.write_text(config)
    app.until(lambda status: status["config"]["loosened"] == "quiz_count = deny")
    assert "pid" in str(host.call("count"))
