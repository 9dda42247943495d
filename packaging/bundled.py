"""What a bundle is made of, for its SBOM and licences: Python, its packages, libraries of the system."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from check_dependencies import declared
from release import ROOT

_EXTRA = re.compile(r";.*\bextra\b")


def packages() -> list[Distribution]:
    """Return the distributions that Deskbell needs, and what they need, as this Python has them installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted, found = declared(project["dependencies"]), dict[str, Distribution]()
    while wanted:
        name = wanted.pop()
        try:
            one = distribution(name)
        except PackageNotFoundError:  # for another system
            continue
        found[name] = one
        wanted |= declared([line for line in one.requires or () if not _EXTRA.search(line)]) - found.keys()
    return [found[name] for name in sorted(found)]


def licence(one: Distribution) -> tuple[str, str]:
    """Return a package's licence as an SPDX expression, if it gives one, and in its own words."""
    about = one.metadata
    classes = [
        line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if "License ::" in line
    ]
    expression, text = (about.get_all(key) or [""] for key in ("License-Expression", "License"))
    return expression[0], ", ".join(classes) or text[0].strip().split("\n")[0] or "unknown"


def python_licence() -> Path | None:
    """Return the file with Python's own licence."""
    places = (Path(sys.base_prefix), Path(subprocess.__file__).parent)
    return next((path for place in places if (path := place / "LICENSE.txt").is_file()), None)


def system_packages(libraries: list[Path]) -> Iterator[tuple[str, str, Path]]:
    """Yield the Debian packages that libraries came from: name, version, file with the licence."""
    owners = set()
    for library in libraries:
        done = subprocess.run(("dpkg", "-S", f"*/{library.name}"), capture_output=True, text=True)
        owners |= {line.split(":")[0] for line in done.stdout.splitlines() if f"/{library.name}" in line}
    for owner in sorted(owners):
        shown = subprocess.run(("dpkg-query", "-W", "-f=${Version}", owner), capture_output=True, text=True)
        text = Path("/usr/share/doc") / owner / "copyright"
        if text.is_file() and not owner.endswith(("-dev", "-dbg")):
            yield owner, shown.stdout.strip(), text
