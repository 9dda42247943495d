"""From `git clone`, or from a downloaded .deb, to the first answered question, on a private desktop.

    python -m tests.rigs.first_question
    sudo python3 -m tests.rigs.first_question dist/deskbell_VERSION_amd64.deb

The first takes a clean clone of this checkout's last commit and the two commands of README.md. The second
installs the file with apt, on a copy of this machine that is discarded afterwards (an overlay), and starts
it as the applications menu does. Both have a HOME of their own (nothing that pip has kept), and a person who
waits a second before each click. Prints seconds since the start.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.rigs.atspi import Screen, Thing
from tests.rigs.desktop import MISSING, Desktop, desktop

ROOT = Path(__file__).parents[2]
SET_UP = 900.0  # seconds until the first window, at most
THINKS = 1.0  # seconds before a click
# Installs $2 on a copy of this machine, and starts the program there. The copy ends with its processes.
ON_A_COPY = """
mount -t tmpfs none "$1" && mkdir "$1/changed" "$1/work" "$1/machine" || exit 1
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/changed,workdir=$1/work" "$1/machine" || exit 1
for shared in /dev /proc /sys /tmp /run; do mount --rbind $shared "$1/machine$shared" || exit 1; done
chroot "$1/machine" apt-get install --quiet --quiet --yes "$2" >&2 && echo installed || exit 1
exec chroot "$1/machine" deskbell
"""
At = Callable[[str], None]  # prints a step and its time


def main() -> int:
    if MISSING:
        print(f"no private desktop without {MISSING}: run tests/rigs/install.sh", file=sys.stderr)
        return 1
    package = Path(sys.argv[1]).resolve() if sys.argv[1:] else None
    began = time.monotonic()

    def at(step: str) -> None:
        print(f"{time.monotonic() - began:6.1f}  {step}", flush=True)

    folder = tempfile.TemporaryDirectory
    with (
        folder() as person,
        folder(dir="/var/tmp") as copy,
        desktop() as desk,
    ):  # /tmp is shared with the copy
        env = {**desk.env, "HOME": person}
        env |= dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), f"{person}/xdg")
        began = time.monotonic()
        program = install(package, copy, env, at) if package else clone(Path(person), env, at)
        try:
            answer(desk, env, at)
        finally:
            os.killpg(program.pid, signal.SIGTERM)
            program.wait()
    return 0


def clone(person: Path, env: Mapping[str, str], at: At) -> subprocess.Popen[str]:
    subprocess.run(("git", "clone", "--quiet", str(ROOT), "deskbell"), cwd=person, check=True)
    at("git clone")
    return subprocess.Popen(
        ("make", "run"), cwd=person / "deskbell", env=env, start_new_session=True, text=True
    )


def install(package: Path, copy: str, env: Mapping[str, str], at: At) -> subprocess.Popen[str]:
    line = ("unshare", "--mount", "sh", "-c", ON_A_COPY, "sh", copy, str(package))
    program = subprocess.Popen(line, env=env, stdout=subprocess.PIPE, start_new_session=True, text=True)
    assert program.stdout is not None
    if program.stdout.readline() != "installed\n":
        raise SystemExit(f"failed, as root: {shlex.join(line)}")
    at("apt-get install")
    return program


def answer(desk: Desktop, env: Mapping[str, str], at: At) -> None:
    screen = Screen(env)
    first = screen.window("Welcome to Deskbell", SET_UP)
    ring = first.find("push button", "Ring the bell")
    at("the first-run window is on the screen")
    click(desk, ring)
    button = screen.window("Question from desk").find("push button", "Just right")
    at("Ring the bell: the question is on the screen")
    click(desk, button)
    first.find("push button", "Continue")
    at("answered")
    screen.close()


def click(desk: Desktop, thing: Thing) -> None:
    time.sleep(THINKS)
    x, y = thing.middle
    desk.run("xdotool", "mousemove", str(x), str(y), "click", "1")


if __name__ == "__main__":
    sys.exit(main())
