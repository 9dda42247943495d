"""Run the tests against mutants: see tests/mutants/__init__.py."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.mutants.making import Mutant, mutants_of
from tests.mutants.modules import TESTS
from tests.mutants.named import NAMED

ROOT = Path(__file__).parents[2]
REASONS = Path(__file__).with_name("reasons.toml")
LIMIT = 900.0  # seconds for the tests of one module; a mutant that takes longer is noticed too


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--named", action="store_true", help="only those that tests once missed")
    parser.add_argument("--under", default="", metavar="FOLDER", help="only of modules below this folder")
    parser.add_argument("--module", default="", help="every mutant of this file, in place of a choice")
    wanted = parser.parse_args(argv)
    first = [] if wanted.under else named()
    chosen = [*first, *([] if wanted.named else choice(wanted.count, wanted.seed, wanted.under))]
    if wanted.module:
        chosen = mutants_of(wanted.module, (ROOT / wanted.module).read_text())
    reasons = tomllib.loads(REASONS.read_text())["survivors"]
    with tempfile.TemporaryDirectory(prefix="deskbell-mutants-") as folder:
        survivors = list(surviving(chosen, copied(Path(folder))))
    unexplained = [mutant for mutant in survivors if mutant.key not in reasons]
    print(f"{len(chosen)} mutants, {len(survivors)} survived, {len(unexplained)} of them without a reason")
    for mutant in unexplained:
        print(f"  {mutant.name}")
    return 1 if unexplained else 0


def named() -> Iterator[Mutant]:
    for one in NAMED:
        source = (ROOT / one.file).read_text()
        at = source.index(one.old)
        yield Mutant(one.file, source.count("\n", 0, at) + 1, at, one.old, one.new)


def choice(count: int, seed: int, under: str = "") -> list[Mutant]:
    """As many of each module, as far as it has them."""
    dice, piles = random.Random(seed), []
    for file in [file for file in TESTS if file.startswith(under)]:
        pile = mutants_of(file, (ROOT / file).read_text())
        dice.shuffle(pile)
        piles.append(pile)
    rounds = (pile[turn] for turn in range(max(map(len, piles))) for pile in piles if turn < len(pile))
    return [mutant for mutant, _ in zip(rounds, range(count), strict=False)]


def copied(folder: Path) -> Path:
    """Copy all files of the checkout: mutants never touch the originals."""
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def surviving(chosen: Sequence[Mutant], folder: Path) -> Iterator[Mutant]:
    for number, mutant in enumerate(chosen, 1):
        path = folder / mutant.file
        source = path.read_text()
        path.write_text(mutant.apply(source))
        try:
            survives = passes(folder, TESTS[mutant.file])
        finally:
            path.write_text(source)
        print(f"{number}/{len(chosen)} {'SURVIVED' if survives else 'noticed '} {mutant.name}", flush=True)
        if survives:
            yield mutant


def passes(folder: Path, tests: Sequence[str]) -> bool:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        *tests,
    ]
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ended = subprocess.run(command, cwd=folder, env=env, capture_output=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
