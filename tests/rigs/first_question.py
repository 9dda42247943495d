"""From `git clone` to the first answered question, on a private desktop.

    python -m tests.rigs.first_question

A clean clone of this checkout's last commit, a HOME of its own (nothing that pip has kept), the two commands
of README.md, and a person who waits a second before each click. Prints seconds since the start.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.rigs.atspi import Screen, Thing
from tests.rigs.desktop import MISSING, Desktop, desktop

ROOT = Path(__file__).parents[2]
SET_UP = 900.0  # seconds for `make run` until the first window, at most
THINKS = 1.0  # seconds before a click


def main() -> int:
    if MISSING:
        print(f"no private desktop without {MISSING}: run tests/rigs/install.sh", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as person, desktop() as desk:
        walk(desk, Path(person))
    return 0


def walk(desk: Desktop, person: Path) -> None:
    began = time.monotonic()

    def at(step: str) -> None:
        print(f"{time.monotonic() - began:6.1f}  {step}", flush=True)

    env = {**desk.env, "HOME": str(person)}
    env |= {name: str(person / "xdg") for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    subprocess.run(("git", "clone", "--quiet", str(ROOT), "deskbell"), cwd=person, check=True)
    at("git clone")
    run = subprocess.Popen(("make", "run"), cwd=person / "deskbell", env=env, start_new_session=True)
    try:
        screen = Screen(env)
        first = screen.window("Welcome to Deskbell", SET_UP)
        ring = first.find("push button", "Ring the bell")
        at("make run: the first-run window is on the screen")
        click(desk, ring)
        answer = screen.window("Question from desk").find("push button", "Just right")
        at("Ring the bell: the question is on the screen")
        click(desk, answer)
        first.find("push button", "Continue")
        at("answered")
        screen.close()
    finally:
        os.killpg(run.pid, signal.SIGTERM)
        run.wait()


def click(desk: Desktop, thing: Thing) -> None:
    time.sleep(THINKS)
    x, y = thing.middle
    desk.run("xdotool", "mousemove", str(x), str(y), "click", "1")


if __name__ == "__main__":
    sys.exit(main())
