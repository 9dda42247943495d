"""Import a module when one of its attributes is first used, to save memory and start-up time.

    if TYPE_CHECKING:
        from bridge.settings import toml_edit
    else:
        toml_edit = lazy_import("bridge.settings.toml_edit")

The import under TYPE_CHECKING keeps the types, which a proxy object would lose. Not for modules that every
call uses, nor where the first use must be fast. The plain twin is an import inside the function.
"""

from __future__ import annotations

import importlib
from typing import Any


class lazy_import:  # noqa: N801 - it stands where `import` would
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)
