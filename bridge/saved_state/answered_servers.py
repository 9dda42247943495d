"""`met`: the servers that asked before and got an answer, one line each, so that a new one can be marked.

A line is a digest of name and command or address: a server set up anew is new again. What cannot be read or
written is done without; then every server looks new.
"""

from __future__ import annotations

import logging
from pathlib import Path

log = logging.getLogger(__name__)


def load(path: Path) -> set[str]:
    try:
        return set(path.read_text("ascii").split())
    except FileNotFoundError:
        return set()
    except (OSError, UnicodeDecodeError) as error:
        log.warning("%s cannot be read: %s", path, error)
        return set()


def add(path: Path, who: str) -> None:
    try:
        with path.open("a", encoding="ascii") as file:
            file.write(f"{who}\n")
    except OSError as error:
        log.warning("%s cannot be written: %s", path, error)
