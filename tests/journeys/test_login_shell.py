"""A login shell that takes its time: neither calls nor Deskbell's end wait for it, and it ends by itself."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.login_shell import LoginShell
from tests.journeys.app_under_test import asking, server, until
from tests.journeys.conftest import Connect, Start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="login shells are POSIX")
QUIZ = server("quiz", ["quiz-of-tests"])


@pytest.fixture
def shell(tmp_path: Path, env: dict[str, str]) -> Iterator[LoginShell]:
    """The person's login shell, on whose PATH alone `quiz-of-tests` is."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "quiz-of-tests").write_text(f"#!/bin/sh\nexec {shlex.join(asking('legacy'))}\n")
    (tools / "quiz-of-tests").chmod(0o755)
    shell = LoginShell(tmp_path / "shell", tools)
    env["SHELL"] = str(shell.program)
    yield shell
    shell.let_go()


def test_a_call_is_answered_and_deskbell_ends_while_a_slow_login_shell_is_at_work(
    shell: LoginShell, home: Path, start: Start, connect: Connect
):
    shell.let_go()
    app = start(config=QUIZ)
    until((home / "login-path.json").exists)
    app.stop()
    shell.hold()
    app = start()
    until(shell.lock.exists)  # asked before anybody needs it
    host = connect(app)
    host.open()
    assert not host.call("quiz_count").get("isError")
    host.close()
    app.stop()
    assert app.process.returncode == 0
    assert shell.lock.exists()  # the shell is still in the middle of its work, and may finish it
    shell.let_go()
    until(lambda: not shell.lock.exists())
    assert shell.asked == ["-ilc", "-ilc"]
