"""Whatever is killed, stopped, broken or pulled: each request ends once, nothing stays, history agrees.

`CHAOS_SEED` and `CHAOS_KILLS` choose; the figures are printed (pytest -s) and in docs/reliability.md.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.chaos.load import SERVERS
from tests.chaos.world import World, signal_one, stop_and_continue
from tests.journeys.app_under_test import environment, until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc, limits by prlimit"),
    pytest.mark.timeout(900),
]
SEED = int(os.environ.get("CHAOS_SEED", "1"))
KILLS = int(os.environ.get("CHAOS_KILLS", "200"))
Trouble = Callable[[World], None]
FAKETIME = next(iter([*Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None]))
STOPPED = 0.5  # seconds that something is stopped


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[subprocess.Popen[str] | None]:
    """A session bus of our own, if the machine has the program."""
    if shutil.which("dbus-daemon") is None:
        yield None
        return
    command = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=null, text=True) as process:
        yield process
        process.kill()


@pytest.fixture
def world(tmp_path: Path, bus: subprocess.Popen[str] | None) -> Iterator[World]:
    env = environment(tmp_path / "home")
    if bus is not None and bus.stdout is not None:
        env["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
    clock = tmp_path / "clock"
    clock.write_text("+0")
    faked = {"LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(clock)}
    faked |= {"FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1"}
    world = World(tmp_path / "home", env, SEED, clock, bus)
    try:
        world.start(env | faked if FAKETIME else env)
        yield world
    finally:
        world.stop()
    print(f"\n{world.figures()}")


# --- what is done ------------------------------------------------------------------------------------------


def kill_a_server(world: World) -> None:
    assert signal_one(world.servers(), signal.SIGKILL, world.dice)


def stop_a_server(world: World) -> None:
    stop_and_continue(world.dice.choice(world.servers()), STOPPED)


def kill_a_host(world: World) -> None:
    """A host and its shim: nothing of a killed host lives on but its shim, which the system ends."""
    assert signal_one(world.shims(), signal.SIGKILL, world.dice)


def stop_a_host(world: World) -> None:
    stop_and_continue(world.dice.choice(world.shims()), STOPPED)


def stop_the_app(world: World) -> None:
    stop_and_continue(world.app, STOPPED)


def fill_the_disk(world: World) -> None:
    limit(world.app, 1)
    world.goes_on()
    limit(world.app, resource.RLIM_INFINITY)


def break_the_network(world: World) -> None:
    assert world.remote is not None
    world.remote.kill()
    world.remote.wait()
    errors = world.tally.kinds["errors"]
    until(lambda: world.tally.kinds["errors"] > errors)
    world.start_remote()


def expire_tokens(world: World) -> None:
    world.expired.touch()
    errors = world.tally.kinds["errors"]
    until(lambda: world.tally.kinds["errors"] > errors)
    world.expired.unlink()


def corrupt_files(world: World) -> None:
    """All that Deskbell has saved but what the person wrote, and that too for a moment."""
    good = world.home.config.read_bytes()
    for path in world.home.root.glob("*.json"):
        path.write_bytes(os.urandom(64))
    world.home.config.write_bytes(good[: len(good) // 2] + b"\0[[[")
    world.goes_on()
    world.home.config.write_bytes(good)


def move_the_clock(world: World) -> None:
    if FAKETIME is None:
        pytest.skip("needs libfaketime (Debian: apt-get install faketime)")
    recorded = world.recorded()
    for step in ("+400d", "-400d", "+0"):
        world.clock.write_text(step)
        world.goes_on()
        assert world.recorded() >= recorded
    assert world.recorded(after=time.time() + 399 * 86_400)


def pull_the_bus(world: World) -> None:
    if world.bus is None:
        pytest.skip("needs dbus-daemon")
    world.bus.kill()
    world.bus.wait()


def limit(pid: int, largest: int) -> None:
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, hard))


TROUBLES: list[Trouble] = [
    kill_a_server,
    stop_a_server,
    kill_a_host,
    stop_a_host,
    stop_the_app,
    fill_the_disk,
    break_the_network,
    expire_tokens,
    corrupt_files,
    move_the_clock,
    pull_the_bus,
]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__)
def test_after_one_trouble_everybody_goes_on_and_history_agrees(trouble: Trouble, world: World):
    app = world.app
    trouble(world)
    world.goes_on(5)
    assert world.app == app
    answered = world.tally.kinds["answered"]
    until(lambda: world.recorded() >= answered)


def test_a_killed_app_comes_back_with_the_next_host(world: World):
    for _ in range(3):
        os.kill(world.app, signal.SIGKILL)
        world.goes_on()


def test_two_hundred_random_kills_lose_nothing_and_answer_nothing_twice(world: World):
    apps = 0
    for _ in range(KILLS):
        kind = world.dice.random()
        if kind < 0.05 and world.app:
            os.kill(world.app, signal.SIGKILL)
            apps += 1
        elif kind < 0.4:
            signal_one(world.shims(), signal.SIGKILL, world.dice)
        else:
            signal_one(world.servers(), signal.SIGKILL, world.dice)
        time.sleep(world.dice.random() * 0.2)
        assert world.tally.wrong == []
    world.goes_on()
    print(f"\n{KILLS} kills, {apps} of them of the app; {world.figures()}")


def test_when_the_hosts_have_left_nothing_of_them_stays(world: World):
    """Processes of servers and descriptors; shared servers stay for the next host."""
    for trouble in (kill_a_server, kill_a_host):
        trouble(world)
        world.goes_on()
    world._over.set()
    for caller in world.callers:
        caller.join(60)
    until(lambda: len(world.servers()) <= len(SERVERS), 120)
    if os.getuid() == 0:
        until(lambda: len(os.listdir(f"/proc/{world.app}/fd")) < 64, 120)
