"""Find the toolboxes: built-in ones, and those of installed packages, by entry points.

A package that cannot be imported is reported to the user; Deskbell starts without it.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bridge.i18n import say
from bridge.tools.base import Tool
from bridge.tools.elicit_tools import DESK
from bridge.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "deskbell.tools"
OWN = (DESK,)


@dataclass(slots=True)
class DiscoveredToolboxes:
    """Toolboxes by name, and problems as texts for the user."""

    boxes: dict[str, Toolbox] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def find(taken: Collection[str] = ()) -> DiscoveredToolboxes:
    """Find all toolboxes. `taken` has the names of configured servers, which a package must not replace."""
    found = DiscoveredToolboxes({box.name: box for box in OWN})
    for entry in _entries():
        try:
            box = _as_toolbox(entry.name, entry.load())
            if box.name in found.boxes or box.name in taken:
                raise ValueError(f"there is a server called {box.name} already")
            found.boxes[box.name] = box
        except Exception as error:  # importing a package may raise anything
            why = f"{type(error).__name__}: {error}"
            problem = say("The tools of {package} cannot be used: {why}.", package=entry.value, why=why)
            found.problems.append(problem)
    return found


def _entries() -> Iterable[EntryPoint]:
    """Return the entry points of GROUP. entry_points() reads all packages, which takes as long as the rest of
    the start; it is skipped if no package mentions the group."""
    if not any(map(_may_offer, sys.path)):
        return ()
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _may_offer(place: str) -> bool:
    """True if a package in this folder mentions the group, or `place` is not a folder."""
    try:
        return any(map(_mentions_group, _entry_files(place or ".")))
    except NotADirectoryError:  # a zip
        return True
    except OSError:
        return False


def _entry_files(place: str) -> Iterator[str]:
    with os.scandir(place) as folder:
        for entry in folder:
            if entry.name.endswith((".dist-info", ".egg-info")):
                yield os.path.join(entry.path, "entry_points.txt")
            elif entry.name.endswith(".egg"):
                yield os.path.join(entry.path, "EGG-INFO", "entry_points.txt")


def _mentions_group(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return f"[{GROUP}]".encode() in file.read()
    except OSError:  # no entry points
        return False


def _as_toolbox(name: str, offered: object) -> Toolbox:
    """Return a Toolbox unchanged; put a single tool or function into a Toolbox named like the entry point."""
    if isinstance(offered, Toolbox):
        return offered
    box = Toolbox(name)
    if isinstance(offered, Tool):
        box.add(offered)
    elif inspect.isfunction(offered):
        box.tool()(offered)
    else:
        raise TypeError("an entry point must lead to a Toolbox, a Tool or a function")
    return box
