"""Fuzz targets, guided by coverage, in one process each: a fuzzer never returns (tests/fuzz/__init__.py)."""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_ONE = """
import sys, atheris
with atheris.instrument_imports(include=["bridge"]):
    from tests.fuzz.targets import TARGETS
target = TARGETS[sys.argv.pop(1)]
atheris.Setup(sys.argv, lambda data: target(bytes(data)))
atheris.Fuzz()
"""


def main(argv: Sequence[str]) -> int:
    from tests.fuzz.targets import SEEDS, TARGETS

    options = argparse.ArgumentParser(prog="python -m tests.fuzz")
    options.add_argument("targets", nargs="*", default=[*TARGETS], metavar="TARGET")
    options.add_argument("--seconds", type=int, default=60, help="for each target")
    wanted = options.parse_args(argv)
    if importlib.util.find_spec("atheris") is None:
        print("atheris is not installed (pip install atheris)", file=sys.stderr)
        return 3
    return max(fuzz(name, wanted.seconds, SEEDS[name]) for name in wanted.targets)


def fuzz(name: str, seconds: int, seeds: list[bytes]) -> int:
    """Return 0 if nothing was found; else print the bytes."""
    with tempfile.TemporaryDirectory(prefix="deskbell-fuzz-") as folder:
        corpus, found = Path(folder, "corpus"), Path(folder, "found")
        corpus.mkdir()
        found.mkdir()
        for number, seed in enumerate(seeds):
            (corpus / str(number)).write_bytes(seed)
        limits = [
            f"-max_total_time={seconds}",
            "-max_len=2000",
            f"-artifact_prefix={found}/",
            "-rss_limit_mb=1000",
        ]
        command = [sys.executable, "-c", _ONE, name, *limits, str(corpus)]
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace")
        runs = ended.stderr.rpartition("Done ")[2].partition(" runs")[0]
        print(f"{name}: {runs if ended.returncode == 0 else 'FOUND'}", flush=True)
        for path in found.iterdir():
            print(f"  {path.read_bytes()!r}\n{ended.stderr[-1500:] if ended.returncode else ''}")
    return int(ended.returncode != 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
