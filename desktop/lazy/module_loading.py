"""Modules of windows, loaded when they are wanted: one by one, in slices, and in the windows' thread only.

PySide makes each of its classes when it is first named. Two threads at that end in a crash, so that a thread
may only find out what is needed, and in which order.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import CodeType

from PySide6.QtCore import QObject

from desktop.lazy.time_slices import SlicedTask, Steps, await_thread

_OURS = ("desktop", "bridge")


def load(name: str) -> Steps:
    """As steps: the module, and before it what it imports of ours."""
    if name in sys.modules:
        return
    for needed in (yield from await_thread(partial(needs, name))):
        import_module(needed)
        yield None


def when_loaded(parent: QObject, name: str, act: Callable[[], object]) -> None:
    """Now, if it is."""
    if name in sys.modules:
        act()
        return
    slices = SlicedTask(parent)
    slices.done.connect(act)
    slices.done.connect(slices.deleteLater)
    slices.start(load(name))


def needs(name: str) -> list[str]:
    """What is to be imported for this module, each after what it needs itself. Imports nothing."""
    found: dict[str, None] = {}
    _find(name, found, set())
    return list(found)


def _find(name: str, found: dict[str, None], begun: set[str]) -> None:
    if name in begun or name in sys.modules or name.partition(".")[0] not in _OURS:
        return
    begun.add(name)
    spec = find_spec(name)
    read = getattr(spec.loader, "get_code", None) if spec is not None else None
    code = read(name) if read is not None else None
    for imported in _imports(code) if code is not None else ():
        _find(imported, found, begun)
    found[name] = None


def _imports(code: CodeType) -> Iterator[str]:
    """At its top, but for those that only a type checker sees."""
    before: list[dis.Instruction] = []
    until = 0  # what comes before this offset is not executed
    for now in dis.get_instructions(code):
        if now.offset < until:
            continue
        if before and before[-1].argval == "TYPE_CHECKING" and "IF_FALSE" in now.opname:
            until = now.argval
        elif now.opname == "IMPORT_NAME":
            yield now.argval
            yield from _modules_of(now.argval, before[-1].argval or ())
        before.append(now)


def _modules_of(package: str, names: tuple[str, ...]) -> Iterator[str]:
    """Which of the names that are imported from it are modules."""
    spec = find_spec(package) if package.partition(".")[0] in _OURS else None
    if spec is not None and spec.submodule_search_locations is not None:
        yield from (f"{package}.{name}" for name in names if find_spec(f"{package}.{name}") is not None)
