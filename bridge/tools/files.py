"""Files: the folder that the person mounted for a Toolbox, by `[files]` in config.toml."""

from __future__ import annotations

import os
from pathlib import Path

from bridge.tools.base import ToolProblem


class Files:
    def __init__(self, toolbox: str, folder: str) -> None:
        self._toolbox = toolbox
        self._folder = folder

    @property
    def folder(self) -> Path:
        """The real path of the folder. Raises ToolProblem if the person has mounted none."""
        if not self._folder:
            raise ToolProblem(
                f"No folder is mounted for {self._toolbox}. Add it to config.toml, below [files]."
            )
        return Path(os.path.realpath(os.path.expanduser(self._folder)))

    def path(self, name: str) -> Path:
        """Return the real path of a file in the folder. Raises ToolProblem for a path that leads outside."""
        folder = self.folder
        if "\0" in name:
            raise ToolProblem("This is not the name of a file.")
        path = Path(os.path.realpath(folder / name))
        if not path.is_relative_to(folder):
            raise ToolProblem(f"{name[:200]} is not in the folder of {self._toolbox}.")
        return path
