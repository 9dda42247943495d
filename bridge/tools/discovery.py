"""Which toolboxes there are: our own, and those that installed packages offer by an entry point.

A package that cannot be loaded is a problem to tell the person, never a reason not to start.
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
from bridge.tools.desk import DESK
from bridge.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "deskbell.tools"
OWN = (DESK,)


@dataclass(slots=True)
class DiscoveredToolboxes:
    """`boxes` by name; `problems` in words for a person."""

    boxes: dict[str, Toolbox] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def find(taken: Collection[str] = ()) -> DiscoveredToolboxes:
    """`taken`: names of configured servers, which a package must not push aside."""
    found = DiscoveredToolboxes({box.name: box for box in OWN})
    for entry in _entries():
        try:
            box = _box(entry.name, entry.load())
            if box.name in found.boxes or box.name in taken:
                raise ValueError(f"there is a server called {box.name} already")
            found.boxes[box.name] = box
        except Exception as error:  # whatever a stranger's package does when it is imported
            why = f"{type(error).__name__}: {error}"
            words = say("The tools of {package} cannot be used: {why}.", package=entry.value, why=why)
            found.problems.append(words)
    return found


def _entries() -> Iterable[EntryPoint]:
    """What installed packages offer. On most computers none does, and then the look at all of them, which
    would cost as much as the rest of the start, is spared."""
    if not any(map(_may_offer, sys.path)):
        return ()
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _may_offer(place: str) -> bool:
    """Whether a package there has an entry point of ours, or cannot be looked at so simply."""
    try:
        return any(map(_names_us, _entry_files(place or ".")))
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


def _names_us(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return f"[{GROUP}]".encode() in file.read()
    except OSError:  # it has none
        return False


def _box(name: str, offered: object) -> Toolbox:
    """A Toolbox as it is; a single tool or function in a box of the entry point's name."""
    if isinstance(offered, Toolbox):
        return offered
    box = Toolbox(name)
    if isinstance(offered, Tool):
        box.add(offered)
    elif inspect.iscoroutinefunction(offered):
        box.tool()(offered)
    else:
        raise TypeError("an entry point must lead to a Toolbox, a Tool or an `async def`")
    return box
