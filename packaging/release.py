"""The release, as release.toml describes it: names, texts, version, notes. All recipes read it here."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
DIST = ROOT / "dist"


class NotBuilt(Exception):
    """Why something cannot be built, and what to do about it."""


@dataclass(frozen=True)
class Release:
    version: str
    notes: str  # Markdown; what changed for users
    name: str
    title: str
    id: str
    summary: str
    description: Sequence[str]
    authors: str
    contact: str
    homepage: str
    licence: str
    metadata_licence: str
    categories: Sequence[str]
    keywords: Sequence[str]
    scheme: str
    screenshots: Mapping[str, str]
    programs: Mapping[str, str]
    python: Mapping[str, Any]
    updates: Mapping[str, Any]
    qt: Mapping[str, Any]
    linux: Mapping[str, Any]

    @property
    def system_libraries(self) -> Mapping[str, str]:
        """Return the sonames that a Linux must have, each with its Debian package."""
        found: Mapping[str, str] = self.linux["libraries"]
        return found


@cache
def release() -> Release:
    described = tomllib.loads((ROOT / "packaging" / "release.toml").read_text("utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    version = version_in((ROOT / "bridge" / "__init__.py").read_text("utf-8"))
    return Release(version=version, notes=notes_in(changes, version), **described)


def version_in(source: str) -> str:
    """Return `__version__` of a module's source, which need not be importable here."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__version__":
            return str(ast.literal_eval(node.value))
    raise NotBuilt("bridge/__init__.py has no __version__")


def notes_in(changelog: str, version: str) -> str:
    """Return the notes of this version; those of Unreleased, if it has none yet."""
    section = re.compile(r"^## \[?v?([^\]\s]+)\]?[^\n]*\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    sections: dict[str, str] = dict(section.findall(changelog))
    notes = sections.get(version, sections.get("Unreleased", "")).strip()
    if not notes:
        raise NotBuilt(f"CHANGELOG.md has neither a section {version} nor an Unreleased one")
    return notes


@cache
def source_date() -> int:
    """Return the Unix time that everything built carries: SOURCE_DATE_EPOCH, else that of the last commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    git = subprocess.run(("git", "log", "-1", "--format=%ct"), cwd=ROOT, capture_output=True, text=True)
    return int(git.stdout) if git.returncode == 0 and git.stdout.strip() else int(time.time())


def run(
    *command: str | Path, cwd: Path = ROOT, log: Path | None = None, env: Mapping[str, str] | None = None
) -> None:
    """Run a build tool. What it prints goes into `log`, and to the terminal if it fails."""
    line = [str(word) for word in command]
    try:
        done = subprocess.run(
            line,
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **(env or {})},
        )
    except FileNotFoundError as error:
        raise NotBuilt(
            f"{line[0]} is not installed; `packaging/linux/build-tools.sh` installs what builds need"
        ) from error
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(done.stdout)
    if done.returncode:
        raise NotBuilt(f"{' '.join(line)[:200]} failed ({done.returncode}):\n{done.stdout[-4000:]}")
