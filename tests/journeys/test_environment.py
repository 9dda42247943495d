"""Whoever calls first starts the app for everybody: what is in that caller's environment stays its own."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.app_under_test import asking, of_home, server
from tests.journeys.conftest import Spawn
from tests.journeys.hosts import StdioHost, said_in

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads environments in /proc")
SECRET = "GITHUB_TOKEN=of-the-first-entry"


@pytest.fixture(autouse=True)
def ended(home: Path) -> Iterator[None]:
    """An app that a shim started has no parent to end it."""
    yield
    for pid in _apps(home):
        os.kill(pid, signal.SIGTERM)


def _apps(home: Path) -> list[int]:
    return [pid for pid, command in of_home(home).items() if "--for-host" in command]


def _environment(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/environ").read_text().split("\0")


def _server_of(host: StdioHost) -> list[str]:
    host.open()
    return _environment(said_in(host.call("count"))["pid"])


def test_a_token_of_the_host_that_starts_the_app_reaches_its_own_server_and_nobody_else(
    spawn: Spawn, home: Path, env: dict[str, str]
):
    home.mkdir()
    (home / "config.toml").write_text(server("other", asking("legacy")) + 'env = { ITS_OWN = "1" }\n')
    name, _, value = SECRET.partition("=")
    env[name] = value
    first = _server_of(spawn("wrap", "--", *asking("legacy")))
    assert SECRET in first
    del env[name]
    second = _server_of(spawn("stdio", "--server", "other"))
    [app] = _apps(home)
    if os.getuid() == 0:  # nobody else may look into the app
        assert SECRET not in _environment(app)
    assert SECRET not in second
    assert "ITS_OWN=1" in second
    ours = [line for line in (*first, *second) if line.startswith("DESKBELL_")]
    assert {line.partition("=")[0] for line in ours} <= {"DESKBELL_STARTED"}
