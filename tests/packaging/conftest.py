"""Modules of packaging/, which is no package: the index has one of that name."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "packaging"


@pytest.fixture
def recipe(monkeypatch) -> Iterator[Callable[[str], ModuleType]]:
    """Import a module of packaging/ by its name, such as `linux.deb`, which is free again afterwards."""
    monkeypatch.syspath_prepend(str(FOLDER))
    names = {path.stem for path in FOLDER.iterdir()}
    yield importlib.import_module
    for name in [name for name in sys.modules if name.partition(".")[0] in names]:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(FOLDER)):
            del sys.modules[name]
