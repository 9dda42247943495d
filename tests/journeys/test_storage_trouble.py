"""The disk is full, the home was deleted, a writer was killed: calls go on, status tells, nothing is lost."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.api import Home, ask_running
from bridge.journal import Journal
from bridge.system.atomic_file import _SUFFIX
from tests.journeys.app_under_test import DESKBELL, ROOT, App, asking, server, until
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import said_in

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits another process by prlimit")


def let_write(app: App, largest: int) -> None:
    """As a full disk, for a process that may not make files larger than this."""
    _, hard = resource.prlimit(app.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(app.pid, resource.RLIMIT_FSIZE, (largest, hard))


def recorded(app: App) -> int:
    return sum(row.tool == "count" for row in Journal(app.home.journal).search("quiz", 1000))


def test_with_a_full_disk_calls_go_on_status_tells_and_history_is_complete_when_there_is_room(
    start: Start, spawn: Spawn
):
    app = start(config=server("quiz", asking("legacy")))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    host.call("count")
    until(lambda: recorded(app) == 1)
    let_write(app, 1)
    for number in range(2, 40):
        assert said_in(host.call("count"))["calls"] == number
    app.until(lambda status: any("history cannot be written" in one for one in status["problems"]))
    assert recorded(app) == 1
    let_write(app, resource.RLIM_INFINITY)
    app.until(lambda status: not status["problems"])
    until(lambda: recorded(app) == 39)


def test_a_home_that_is_deleted_is_told_and_calls_go_on(
    start: Start, spawn: Spawn, home: Path, tmp_path: Path
):
    app = start(config=server("quiz", asking("legacy")))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    host.call("count")
    other = Home(tmp_path / "other")  # another name of the socket, to ask the app by
    other.ensure()
    os.link(app.home.socket, other.socket)
    shutil.rmtree(home)
    home.mkdir()  # as the next file that Deskbell saves would
    assert said_in(host.call("count"))["calls"] == 2
    until(lambda: any("was deleted while" in one for one in (ask_running(other, "status") or {})["problems"]))
    assert said_in(host.call("count"))["calls"] == 3


def test_what_a_killed_writer_left_is_gone_after_the_next_start(start: Start, home: Path):
    home.mkdir()
    left = home / f".config.toml.abcdefgh{_SUFFIX}"
    left.write_text("half")
    os.utime(left, (0, 0))
    start()
    until(lambda: not left.exists())


def test_a_running_app_writes_no_core_and_its_servers_may(start: Start, spawn: Spawn):
    app = start()
    host = spawn("wrap", "--", *asking("legacy"))
    host.open()
    ours = resource.prlimit(app.pid, resource.RLIMIT_CORE)
    theirs = resource.prlimit(said_in(host.call("count"))["pid"], resource.RLIMIT_CORE)
    assert ours[0] == 0
    assert theirs == resource.getrlimit(resource.RLIMIT_CORE)
    if os.getuid() != 0:
        with pytest.raises(PermissionError):
            Path(f"/proc/{app.pid}/environ").read_bytes()


KINDS = [b'{"x":{"y":"\xff"}}', b'["\xff"]', b'[{"x":"\xed\xa0\x80"}]', b"\0" * 64, b"[" * 5000]


@pytest.mark.parametrize("damage", KINDS, ids=["object", "list", "surrogate", "zeros", "depth"])
def test_whatever_a_bad_disk_made_of_saved_files_deskbell_starts_and_serves(
    damage: bytes, start: Start, spawn: Spawn, home: Path, env: dict[str, str]
):
    home.mkdir()
    names = [name for name, kept in vars(Home).items() if type(kept).__name__ == "_HomePath"]
    files = [getattr(Home(home), name) for name in names if getattr(Home(home), name).suffix == ".json"]
    assert len(files) > 10
    for path in files:
        path.write_bytes(damage)
    env["DESKBELL_LOG"] = "error"
    app = start(config=server("quiz", asking("legacy")))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    assert said_in(host.call("count"))["calls"] == 1
    assert app.status["servers"]
    for verb in (["hosts", "list"], ["doctor", "--report"]):
        said = subprocess.run([*DESKBELL, *verb], env=env, cwd=ROOT, capture_output=True, text=True)
        assert "Traceback" not in said.stderr, (verb, said.stderr)
