"""The reaper process ends all servers when Deskbell is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridge.system.process.reaper import Reaper
from tests.fixtures.patience import WITHIN
from tests.fixtures.running_processes import children, left_after

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")


ROOT = Path(__file__).parents[3]


FIXTURES = ROOT / "tests" / "fixtures"


@pytest.fixture
def reaper() -> Iterator[Reaper]:
    reaper = Reaper()
    yield reaper
    reaper.close()


def pids(message: bytes) -> list[int]:
    found: list[int] = json.loads(message)["pids"]
    return found


class Owner:
    """A process that stands for Deskbell, with two servers."""

    def __init__(self, loop: str, server: str, *args: str) -> None:
        command = [sys.executable, str(FIXTURES / "process_owner.py"), loop, str(FIXTURES / server), *args]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=env, start_new_session=True
        )
        assert self.process.stdout is not None
        self.family = [pid for _ in range(2) for pid in pids(self.process.stdout.readline().encode())]
        (self.guardian,) = children(self.process.pid, "reaper.py")

    def clear_away(self) -> None:
        self.process.kill()
        self.process.communicate()
        for pid in left_after(self.family, 0.0):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def own() -> Iterator[Callable[..., Owner]]:
    owners: list[Owner] = []

    def start(*args: str) -> Owner:
        owners.append(Owner(*args))
        return owners[-1]

    yield start
    for owner in owners:
        owner.clear_away()


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize("server", [("stubborn_server.py",), ("forking_server.py", "stubborn")])
def test_killing_the_app_leaves_no_process(own: Callable[..., Owner], loop: str, server: tuple[str, ...]):
    owner = own(loop, *server)
    owner.process.kill()
    assert left_after([*owner.family, owner.guardian]) == []


def test_the_reaper_outlives_a_ctrl_c_and_still_does_its_work(own: Callable[..., Owner]):
    owner = own("asyncio", "stubborn_server.py")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(owner.guardian, number)
    os.killpg(owner.process.pid, signal.SIGINT)
    os.killpg(owner.process.pid, signal.SIGKILL)
    assert left_after([*owner.family, owner.guardian]) == []


def guardian_for(reaper: Reaper, group: int) -> int:
    """The guardian that it starts for this group; other engines of this process may have theirs. (It is told
    from them by its number: a process that has just begun has no command line for a moment.)"""
    others = set(children(os.getpid(), ""))
    reaper.add(group)
    (guardian,) = set(children(os.getpid(), "")) - others
    return guardian


def test_the_reaper_is_deaf_to_signals_from_its_first_moment(reaper: Reaper):
    group = subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
    guardian = guardian_for(reaper, group.pid)
    os.kill(guardian, signal.SIGTERM)
    assert left_after([guardian], 0.2) == [guardian]
    group.kill()
    group.wait()


RESTART = """
import os, signal, sys
from bridge.system.process.reaper import Reaper
from tests.fixtures.running_processes import children, left_after
reaper = Reaper()
reaper.add(int(sys.argv[1]))
(first,) = children(os.getpid(), "")
os.kill(first, signal.SIGKILL)
assert left_after([first]) == []
reaper.add(int(sys.argv[2]))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_reaper_that_died_is_started_again_and_told_all():
    groups = [subprocess.Popen(["/bin/sleep", "60"], start_new_session=True) for _ in range(2)]
    app = [sys.executable, "-c", RESTART, *(str(group.pid) for group in groups)]
    assert subprocess.run(app, cwd=ROOT).returncode == -signal.SIGKILL
    assert [group.wait(WITHIN) for group in groups] == [-signal.SIGTERM, -signal.SIGTERM]


def test_a_reaper_told_to_quit_harms_nobody(reaper: Reaper):
    group = subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
    guardian = guardian_for(reaper, group.pid)
    reaper.close()
    assert left_after([guardian]) == []
    assert group.poll() is None
    group.kill()
    group.wait()
