"""Which toolboxes there are: our own, and those that installed packages offer by an entry point.

A package that cannot be loaded is a problem to tell the person, never a reason not to start.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection
from dataclasses import dataclass, field

from bridge.tools.ask import DESK
from bridge.tools.base import Tool
from bridge.tools.toolbox import Toolbox

GROUP = "deskbell.tools"
OWN = (DESK,)


@dataclass(slots=True)
class Found:
    """`boxes` by name; `problems` in words for a person."""

    boxes: dict[str, Toolbox] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def find(taken: Collection[str] = ()) -> Found:
    """`taken`: names of configured servers, which a package must not push aside."""
    from importlib.metadata import entry_points  # late: costs as much as the rest of start-up

    found = Found({box.name: box for box in OWN})
    for entry in entry_points(group=GROUP):
        try:
            box = _box(entry.name, entry.load())
            if box.name in found.boxes or box.name in taken:
                raise ValueError(f"there is a server called {box.name} already")
            found.boxes[box.name] = box
        except Exception as error:  # whatever a stranger's package does when it is imported
            found.problems.append(
                f"The tools of {entry.value} cannot be used: {type(error).__name__}: {error}."
            )
    return found


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
