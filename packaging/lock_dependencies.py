"""Pin what goes into a bundle, and what builds it, by version and SHA-256, in release-requirements.txt.

    python packaging/lock_dependencies.py      after a change of pyproject.toml or constraints.txt

One file for Linux, Windows and macOS. Builds install from it and from nothing else.
"""

from __future__ import annotations

import sys
from pathlib import Path

from release import ROOT, NotBuilt, run

LOCK = ROOT / "packaging" / "release-requirements.txt"


def lock(uv: str | Path) -> None:
    what = ("--constraint", "constraints.txt", "--extra", "release", "pyproject.toml")
    plain = ("--no-header", "--no-annotate", "--no-emit-index-url", "--quiet")
    for_all = ("--universal", "--python-version", "3.11", "--generate-hashes")
    run(uv, "pip", "compile", *for_all, *plain, *what, "--output-file", LOCK)


if __name__ == "__main__":
    from freeze import make_venv

    try:
        lock(make_venv().with_name("uv"))
    except NotBuilt as failed:
        sys.exit(f"deskbell: {failed}")
