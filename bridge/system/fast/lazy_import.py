"""A module that is loaded when something of it is first used, for the memory and the start of everybody else.

    if TYPE_CHECKING:
        from bridge.settings import toml_edit
    else:
        toml_edit = late("bridge.settings.toml_edit")

Not for what is used in every call, and not where the first use must be quick.
"""

from __future__ import annotations

import importlib
from typing import Any


class lazy_import:  # noqa: N801 - it stands where `import` would
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)
