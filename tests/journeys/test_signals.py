"""A signal ends the app with its windows in order, whatever it is doing and however often it is repeated."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path

import pytest

from bridge.api import Home, ask_running
from tests.journeys.app_under_test import DESKBELL, ROOT, WAIT, asking, until
from tests.journeys.conftest import Spawn

pytest.importorskip("PySide6")


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize("times", [1, 20])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_ends_the_app_in_order_while_a_question_is_open(
    number: int, times: int, spawn: Spawn, home: Path, env: dict[str, str]
):
    env["QT_QPA_PLATFORM"] = "offscreen"
    with subprocess.Popen(DESKBELL, env=env, cwd=ROOT, stderr=subprocess.PIPE) as app:
        try:
            until(lambda: ask_running(Home(home), "status"))
            host = spawn("wrap", "--", *asking("legacy"))
            host.open()
            host.begin_call("ask")
            until(lambda: (ask_running(Home(home), "status") or {})["waiting"])
            for _ in range(times):
                app.send_signal(number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    app.wait(0.02)  # so that each comes at another moment of the end
            errors = app.communicate(timeout=WAIT)[1].decode()
        finally:
            app.kill()
    assert app.returncode == 0, errors
    assert "Traceback" not in errors
