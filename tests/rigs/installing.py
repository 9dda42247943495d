"""From the file to the first answered question, on a bare Debian: `sudo python3 -m tests.rigs.installing`.

Knows only docs/installing.md: the commands of its blocks, in their order. What they say with `sudo` is done
as root, all else as a plain person. The window is Qt's offscreen one; the rig answers as soon as it is asked.
Needs root, debootstrap and what `make dist` has built.

    python -m tests.rigs.installing [deb|rpm|appimage|tarball|nsis|msi …] [--write] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import resource
import shutil
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from tests.rigs import installing_windows
from tests.rigs.machines import roots

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "installing.md"
FILES = {
    "deb": "*.deb",
    "rpm": "*.rpm",
    "appimage": "*.AppImage",
    "tarball": "*.tar.xz",
    "nsis": "*-setup.exe",
    "msi": "*.msi",
}
# How the command is called after each, as the page says.
CALLED = {"appimage": "./Deskbell-*.AppImage", "tarball": "~/.local/bin/deskbell"}
BARE = ("rpm", "appimage", "tarball")  # bring no libraries along
REMOVE = {
    "deb": "apt-get remove deskbell",
    "rpm": "rpm --erase deskbell",
    "appimage": "./Deskbell-*.AppImage uninstall --yes",
    "tarball": "~/.local/lib/deskbell/install.sh --uninstall --yes",
}
# A person who answers at once: asks for the question until it is there, then sends.
ANSWER = """
({call}) > said & calling=$!
first() {{ {deskbell} questions --json | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p' | head -n 1; }}
until id=$(first) && [ -n "$id" ]; do
    kill -0 $calling || {{ cat said; exit 1; }}
    sleep 0.1
done
{deskbell} answer "$id" value=Ada
wait $calling && cat said && grep -q Ada said
"""
CLAIM = """
mkdir -p ~/.cursor && echo '{{"mcpServers": {{}}}}' > ~/.cursor/mcp.json && cp ~/.cursor/mcp.json before
{deskbell} hosts connect cursor > /dev/null && ! cmp -s before ~/.cursor/mcp.json
"""
LEFT = """
cmp before ~/.cursor/mcp.json
! ls /usr/bin/deskbell /usr/lib/deskbell ~/.local/bin/deskbell ~/.local/lib/deskbell 2>/dev/null
"""


@dataclass(frozen=True)
class Trial:
    kind: str
    seconds: float
    problem: str = ""
    work: float = 0.0  # processor time in seconds, which other work on the machine does not change


def blocks(page: str) -> dict[str, list[str]]:
    """Return the commands of the page's blocks, by the word after `sh` or `bat`."""
    found = re.findall(r"^```(?:sh|bat) (\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return {name: text.strip().splitlines() for name, text in found}


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rigs.installing")
    parser.add_argument("kinds", nargs="*", choices=[[], *FILES], default=[])
    parser.add_argument("--write", action="store_true", help="put the table into docs/installing.md")
    parser.add_argument(
        "--keep", type=Path, default=Path("/var/tmp/deskbell-machines"), help="where roots are"
    )
    given = parser.parse_args(words)
    given.keep.mkdir(parents=True, exist_ok=True)
    trials = [attempt(kind, given.keep) for kind in given.kinds or FILES]
    table = "| file | from the file to the answer | processor time |\n|---|---|---|\n"
    table += "".join(
        f"| {one.kind} | {one.problem or f'{one.seconds:.0f} s'} | {one.work:.0f} s |\n" for one in trials
    )
    day, load = time.strftime("%Y-%m-%d"), os.getloadavg()[2] / (os.cpu_count() or 1)
    table += f"\n{day}, {platform.machine()}, with {load:.0f} processes for each processor.\n"
    print(table)
    if given.write:
        text = PAGE.read_text("utf-8")
        PAGE.write_text(
            re.sub(r"(<!-- times -->\n).*?(<!-- end -->)", rf"\g<1>{table}\g<2>", text, flags=re.DOTALL)
        )
    return int(any(one.problem for one in trials))


def attempt(kind: str, keep: Path) -> Trial:
    """Install one file on a fresh machine and answer one question; then remove it again."""
    if kind in ("nsis", "msi"):
        return _attempt_windows(kind, keep)
    changes, shared, log = (
        keep / f"installing-{kind}",
        keep / f"shared-{kind}",
        keep / f"installing-{kind}.log",
    )
    for folder in (changes, shared):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    log.unlink(missing_ok=True)
    [file] = (ROOT / "dist").glob(FILES[kind])
    machine = roots.machine("debian-12", keep, changes, shared, log)
    if kind == "rpm":  # the tool itself is the system's
        machine.run(log, "apt-get", "install", "--no-install-recommends", "-qq", "rpm", uid=roots.ROOT)
    shutil.copy(file, shared)
    shared.chmod(0o777)
    (shared / file.name).chmod(0o644)
    shutil.chown(shared / file.name, roots.PERSON, roots.PERSON)  # who downloaded it
    began, before = time.monotonic(), _work()
    problem = _install(machine, kind, log) or _ask(machine, kind, log)
    seconds, work = time.monotonic() - began, _work() - before
    if not problem:
        problem = _remove(machine, kind, log)
    if not problem:
        machine.forget()
    return Trial(kind, seconds, problem and f"{problem}: see {log}", work)


def _work() -> float:
    """Return the processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _attempt_windows(kind: str, keep: Path) -> Trial:
    [file] = (ROOT / "dist").glob(FILES[kind])
    one = installing_windows.MSI
    question = blocks(PAGE.read_text("utf-8"))["nsis"][1]
    if kind == "nsis":
        [setup, question] = blocks(PAGE.read_text("utf-8"))["nsis"]
        one = replace(installing_windows.NSIS, setup=setup)
    question = question.replace(installing_windows.NSIS.program, one.program)
    before = _work()
    seconds, problem = installing_windows.attempt(one, question, file, keep)
    return Trial(f"{file.suffix[1:]}, under Wine", seconds, problem, _work() - before)


def _install(machine: roots.Machine, kind: str, log: Path) -> str:
    said = blocks(PAGE.read_text("utf-8"))
    for command in [*(said["bare"] if kind in BARE else []), *said[kind]]:
        by_root = command.startswith("sudo ")
        line = f"cd /mnt && {command.removeprefix('sudo ')}"
        uid = roots.ROOT if by_root else roots.PERSON
        if machine.run(log, "sh", "-exc", line, uid=uid, limit=900):
            return f"`{command}` failed"
    return ""


def _ask(machine: roots.Machine, kind: str, log: Path) -> str:
    [call] = blocks(PAGE.read_text("utf-8"))["question"]
    deskbell = CALLED.get(kind, "deskbell")
    call = call.replace("deskbell", deskbell, 1)
    script = f"cd /mnt\n{ANSWER.format(call=call, deskbell=deskbell)}"
    shown = {"QT_QPA_PLATFORM": "offscreen"}
    return (
        "nobody was asked"
        if machine.run(log, "sh", "-exc", script, uid=roots.PERSON, env=shown, limit=900)
        else ""
    )


def _remove(machine: roots.Machine, kind: str, log: Path) -> str:
    """Connect an AI application, remove Deskbell, and see that nothing is left."""
    deskbell = CALLED.get(kind, "deskbell")
    steps = [
        (f"cd /mnt\n{CLAIM.format(deskbell=deskbell)}", roots.PERSON),
        (f"cd /mnt && {REMOVE[kind]}", roots.ROOT if kind in ("deb", "rpm") else roots.PERSON),
        (f"cd /mnt\n{LEFT}", roots.PERSON),
    ]
    for script, uid in steps:
        if machine.run(log, "sh", "-exc", script, uid=uid, limit=900):
            return "it was not removed cleanly"
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
