"""Modules of packaging/, which is no package: the index has one of that name."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "packaging"


@pytest.fixture
def recipe(monkeypatch) -> Callable[[str], ModuleType]:
    """Import a module of packaging/; its name is free for others again when the test has ended."""
    monkeypatch.syspath_prepend(str(FOLDER))
    for path in FOLDER.glob("*.py"):
        monkeypatch.delitem(sys.modules, path.stem, raising=False)

    def load(name: str) -> ModuleType:
        module = importlib.import_module(name)
        for path in FOLDER.glob("*.py"):  # to be removed at the end, whatever it imported
            if path.stem in sys.modules:
                monkeypatch.setitem(sys.modules, path.stem, sys.modules[path.stem])
        return module

    return load
