"""Prove `make run` and `make test` on bare machines: from a clean clone, as a plain user.

  sudo python3 -m tests.rigs.machines                     everything: hours
  sudo python3 -m tests.rigs.machines debian-13 --how plain --what run

Tests what is committed. Each system first shows that set-up says in one line what is missing; exactly that is
installed. Then each --how starts from the same bare machine, without .venv and with an empty cache of pip,
and tries each --what there, as a newcomer does.
Needs root, debootstrap and the package registries; changes nothing outside of the folder --keep.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tests.rigs.machines import roots
from tests.rigs.machines.roots import ROOT, TOO_LONG, Machine, NotMade
from tests.rigs.machines.screen import screen

SYSTEMS = (*roots.SUITES, roots.HERE)
HOWS = ("plain", "busy", "slow-shell")
WHATS = ("run", "run-display", "test")
LIMITS = {"run": 1200.0, "run-display": 1200.0, "test": 5400.0}  # seconds, beside eight busy processes
TOLD = re.compile(
    r"^deskbell: .*; please run this, then run make again:  (?:sudo (.+)|su -c '(.+)')$", re.MULTILINE
)
TOOLS = ("debootstrap", "unshare", "git")
FOLDER = Path(__file__).parent


class Trial(NamedTuple):
    system: str
    how: str
    what: str
    passed: bool
    seconds: float
    remark: str

    def __str__(self) -> str:
        verdict = "passed" if self.passed else "FAILED"
        return f"{self.system:10} {self.how:11} {self.what:12} {verdict} {self.seconds:6.0f} s  {self.remark}"


class Rig:
    """The folders of one run: kept roots, machines that come and go, logs."""

    def __init__(self, keep: Path, logs: Path) -> None:
        self.keep = keep
        self.logs = logs
        self.machines = logs / "machines"
        self.trials: list[Trial] = []
        logs.mkdir(parents=True)
        self._bundle = logs / "deskbell.bundle"
        git = ("git", "-c", "safe.directory=*", "-C", str(FOLDER), "bundle", "create", "--quiet")
        subprocess.run((*git, str(self._bundle), "HEAD"), check=True)

    def shared(self, name: str) -> Path:
        """A folder that a machine sees as /mnt."""
        folder = self.machines / name / "shared"
        folder.mkdir(parents=True)
        for file in (self._bundle, FOLDER / "trial.sh", FOLDER / "screen.sh"):
            shutil.copy(file, folder)
        folder.chmod(0o777)
        return folder

    def note(self, *trial: object) -> None:
        self.trials.append(Trial(*trial))  # type: ignore[arg-type]
        print(self.trials[-1], flush=True)
        (self.logs / "table.txt").write_text("".join(f"{each}\n" for each in self.trials))


def set_up(rig: Rig, system: str) -> Machine | None:
    """Make a machine in which set-up succeeds, by what set-up itself tells a plain user to install."""
    log, began = rig.logs / f"{system}-setup.log", time.monotonic()
    told: list[str] = []
    try:
        machine = roots.machine(system, rig.keep, rig.machines / system, rig.shared(system), log)
        while command := _told(machine, log.with_stem(f"{system}-setup-{len(told) + 1}")):
            if command in told or machine.run(log, "sh", "-ec", command, uid=ROOT):
                raise NotMade(f"this did not help: {command}")
            told.append(command)
        shutil.rmtree(machine.changes / "upper/home")  # the clone, and what pip has kept
    except NotMade as error:
        rig.note(system, "plain", "setup", False, time.monotonic() - began, str(error))
        return None
    remark = "; then ".join(told) or "nothing was missing"
    rig.note(system, "plain", "setup", True, time.monotonic() - began, remark)
    return machine


def _told(machine: Machine, log: Path) -> str:
    """What a plain user is told to run, in one line and without many others; nothing: set-up is done."""
    code = machine.run(log, "/mnt/trial.sh", "plain", "setup")
    said = log.read_text()
    others = [line for line in said.splitlines() if not line.startswith(("deskbell: ", "make: "))]
    if others:
        raise NotMade(f"set-up printed {len(others)} other lines: {others[0]}")
    commands = ["".join(each) for each in TOLD.findall(said)]
    if len(commands) != bool(code):
        raise NotMade(f"exit code {code}, and told to run {len(commands)} commands: {_last_line(log)}")
    return "".join(commands)


def attempt_each(rig: Rig, base: Machine, system: str, how: str, whats: Sequence[str], number: int) -> None:
    """Trials in one machine, one after another."""
    name = f"{system}-{how}-{number}"
    machine = base.copy(rig.machines / name, rig.shared(name))
    try:
        for what in whats:
            log, began = rig.logs / f"{name}-{what}.log", time.monotonic()
            fault = _fault(replace(machine, shared=rig.shared(f"{name}-{what}")), log, rig, how, what)
            rig.note(system, how, what, not fault, time.monotonic() - began, fault or _last_line(log))
    finally:
        machine.forget()


def _fault(machine: Machine, log: Path, rig: Rig, how: str, what: str) -> str:
    display: AbstractContextManager[str] = nullcontext("")
    if what == "run-display":
        display = screen(rig.keep, machine.shared, rig.logs / "screen.log")
    try:
        with display as name:
            env = {"DISPLAY": name} if name else {}
            code = machine.run(log, "/mnt/trial.sh", how, what, env=env, limit=LIMITS[what])
    except NotMade as error:
        return str(error)
    if code:
        return f"exit code {code}{' (too long)' if code == TOO_LONG else ''}: {_last_line(log)}"
    return "it printed a traceback" if what != "test" and "Traceback" in log.read_text() else ""


def _last_line(log: Path) -> str:
    lines = [line.strip("=! ") for line in log.read_text(errors="replace").splitlines()]
    return next((line for line in reversed(lines) if line and not line.startswith("make: ")), "nothing")


def _options() -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python3 -m tests.rigs.machines", description=__doc__, formatter_class=form
    )
    parser.add_argument("systems", nargs="*", metavar="system", help=f"of {', '.join(SYSTEMS)}; default: all")
    parser.add_argument("--how", nargs="+", choices=HOWS, default=HOWS, help="default: each")
    parser.add_argument(
        "--what", nargs="*", choices=WHATS, default=WHATS, help="default: each; none: set-up only"
    )
    parser.add_argument("--times", type=int, default=1, help="how often each (default: once)")
    default = Path.home() / ".cache/deskbell-machines"
    parser.add_argument("--keep", type=Path, default=default, help=f"where roots and logs stay ({default})")
    options = parser.parse_args()
    if not set(options.systems) <= set(SYSTEMS):
        parser.error(f"systems are {', '.join(SYSTEMS)}")
    return options


def main() -> int:
    options = _options()
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if os.geteuid() != 0 or missing:
        lack = f"apt-get install {' '.join(missing)}" if missing else "python3 -m tests.rigs.machines"
        print(f"This needs root, and {', '.join(TOOLS)}:  sudo {lack}", file=sys.stderr)
        return 1
    keep = options.keep.resolve()
    rig = Rig(keep, keep / "logs" / time.strftime("%Y-%m-%d-%H%M%S"))
    print(f"logs: {rig.logs}")
    try:
        for system in options.systems or SYSTEMS:
            if base := set_up(rig, system):
                for number, how in itertools.product(range(options.times), options.how):
                    attempt_each(rig, base, system, how, options.what, number + 1)
    finally:
        shutil.rmtree(rig.machines)
    failed = sum(not trial.passed for trial in rig.trials)
    print(f"{len(rig.trials)} trials, {failed} failed; logs: {rig.logs}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
