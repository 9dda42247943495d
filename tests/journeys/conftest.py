"""Journeys: real processes, from the host's pipe to the person's answer. None may leave a process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.journeys.app_under_test import DESKBELL, ROOT, WAIT, App, Person, environment, of_home, until
from tests.journeys.hosts import HttpHost, StdioHost

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., App]
Spawn = Callable[..., StdioHost]
Connect = Callable[..., HttpHost]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def env(home: Path) -> dict[str, str]:
    return environment(home)


@pytest.fixture(autouse=True)
def nobody_is_left(home: Path) -> Iterator[None]:
    """Asserts, when all else is torn down, that no process of this journey lives on."""
    yield
    if sys.platform != "linux":  # no /proc to look into
        return
    try:
        until(lambda: not of_home(home))
    except AssertionError:
        left = of_home(home)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        pytest.fail(f"left running: {left}")


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


@pytest.fixture
def start(home: Path, env: dict[str, str]) -> Iterator[Start]:
    """Starts the app: start(presenter, config)."""
    with ExitStack() as running:

        def start(presenter: str = "silent", config: str = "") -> App:
            home.mkdir(exist_ok=True)
            if config:
                (home / "config.toml").write_text(config)
            app = App(home, env, presenter)
            running.callback(app.stop)
            return app

        yield start


@pytest.fixture
def spawn(start: Start, env: dict[str, str]) -> Iterator[Spawn]:
    """Starts a stdio host: spawn("wrap", "--", …). It is over before the app is stopped."""
    with ExitStack() as running:

        def spawn(*words: str, **options: object) -> StdioHost:
            host = StdioHost([*DESKBELL, *words], env, cwd=str(ROOT), **options)  # type: ignore[arg-type]
            running.callback(host.close)
            return host

        yield spawn


@pytest.fixture
def connect(start: Start) -> Iterator[Connect]:
    """Makes an HTTP host: connect(app, path="/mcp", …)."""
    with ExitStack() as running:

        def connect(app: App, path: str = "/mcp", **options: object) -> HttpHost:
            host = HttpHost(app.port, app.token, path=path, **options)  # type: ignore[arg-type]
            running.callback(host.close)
            return host

        yield connect


@pytest.fixture
def run(env: dict[str, str]) -> Run:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command, silent = [*DESKBELL, *words], subprocess.DEVNULL
        return subprocess.run(
            command, env=env, cwd=ROOT, stdin=silent, capture_output=True, text=True, timeout=WAIT
        )

    return run
