"""Compare what the code imports with what pyproject.toml declares: `make check`.

Every package that bridge/ and desktop/ import must be in `dependencies`, and nothing else. What comes along
with another package counts as undeclared: it may leave with that package's next release.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OURS = {"bridge", "desktop"}


def imported(folder: str) -> dict[str, str]:
    """Return each package from outside that the folder imports, with one file that does."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module]
            for name in names:
                package = name.partition(".")[0]
                if package not in sys.stdlib_module_names and package not in OURS:
                    found.setdefault(package, str(path.relative_to(ROOT)))
    return found


def declared(requirements: list[str]) -> set[str]:
    return {plain(re.split(r"[^\w.-]", requirement)[0]) for requirement in requirements}


def plain(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def for_windows_only() -> set[str]:
    """Return the distributions that desktop/ imports and bridge/ does not."""
    distributions = packages_distributions()
    packages = imported("desktop").keys() - imported("bridge").keys()
    return {plain(name) for package in packages for name in distributions.get(package, [package])}


def problems() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    known, distributions = declared(project["dependencies"]), packages_distributions()
    found, unused = [], set(known)
    for package, path in (imported("desktop") | imported("bridge")).items():
        names = {plain(name) for name in distributions.get(package, [package])}
        unused -= names
        if not names & known:
            found.append(f"{path} imports {package}, which pyproject.toml does not declare")
    return [*found, *(f"pyproject.toml declares {name}, which nothing imports" for name in sorted(unused))]


if __name__ == "__main__":
    wrong = problems()
    print("\n".join(wrong) or "Declared dependencies are those imported.")
    sys.exit(bool(wrong))
