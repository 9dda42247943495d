"""Files: the folders that the person mounted for a Toolbox, by `[files]` in config.toml.

One folder is the root of all names. Of several, a name begins with that of its folder: `notes/today.md`. No
name leads out of them, by `..`, by a symlink, or by a folder whose name begins alike.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from bridge.errors import DeskbellError
from bridge.system import atomic_file
from bridge.tools.base import ToolProblem

WRITABLE = ":rw"  # ends a folder in which files may be written
LARGEST = 50 << 20  # bytes of a file that is read
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class Files:
    """`mounted`: paths of folders, as in config.toml."""

    def __init__(self, toolbox: str, mounted: Sequence[str]) -> None:
        self._toolbox = toolbox
        self._mounted = mounted

    @property
    def folders(self) -> Mapping[str, Path]:
        """The real paths of the mounted folders, by their names. Raises ToolProblem if there are none."""
        if not self._mounted:
            raise ToolProblem(
                f"No folder is mounted for {self._toolbox}. Add it to config.toml, below [files]."
            )
        return {path.name: path for path in map(_real, self._mounted)}

    def path(self, name: str) -> Path:
        """Return the real path of a file or folder, which need not exist. Raises ToolProblem for a path that
        leads outside."""
        root, inside = self._split(name)
        if "\0" in name:
            raise ToolProblem("This is not the name of a file.")
        path = Path(os.path.realpath(root / inside))
        if not path.is_relative_to(root):
            raise ToolProblem(f"{name[:200]} is not in a folder of {self._toolbox}.")
        return path

    def list(self, name: str = "") -> list[str]:
        """Return the names in a folder, sorted; those of folders end with `/`. Raises ToolProblem."""
        if not name and len(self.folders) > 1:
            return sorted(f"{one}/" for one in self.folders)
        try:
            with os.scandir(self.path(name or ".")) as found:
                return sorted(f"{one.name}/" if one.is_dir() else one.name for one in found)
        except OSError as error:
            raise _problem(name, "be listed", error) from error

    def read(self, name: str) -> bytes:
        """Return the contents of a file. Raises ToolProblem."""
        try:
            handle = os.open(self.path(name), _OPEN | getattr(os, "O_BINARY", 0))
            with open(handle, "rb") as file:
                known = os.fstat(handle)
                if not stat.S_ISREG(known.st_mode):
                    raise ToolProblem(f"{name[:200]} is not a file.")
                if known.st_size > LARGEST:
                    raise ToolProblem(f"{name[:200]} is larger than {LARGEST >> 20} MB.")
                return file.read(LARGEST)
        except OSError as error:
            raise _problem(name, "be read", error) from error

    def read_text(self, name: str) -> str:
        """Return the contents of a text file, which must be UTF-8. Raises ToolProblem."""
        try:
            return self.read(name).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ToolProblem(f"{name[:200]} is not a text in UTF-8.") from error

    def write(self, name: str, data: str | bytes) -> None:
        """Write a file, whole or not at all, and the folders it needs. Raises ToolProblem where the person
        has not allowed that."""
        root, _ = self._split(name)
        path = self.path(name)
        if root not in [_real(one) for one in self._mounted if one.endswith(WRITABLE)]:
            raise ToolProblem(
                f"{self._toolbox} may not write to {root.name}. "
                f'Only "{root.name}{WRITABLE}" below [files] in config.toml allows it.'
            )
        try:
            atomic_file.write(path, data.encode() if isinstance(data, str) else data)
        except DeskbellError as error:
            raise ToolProblem(f"{name[:200]} cannot be written: {error.message}") from error

    def _split(self, name: str) -> tuple[Path, str]:
        """Return the folder that a name belongs to, and the rest of the name."""
        folders = self.folders
        if len(folders) == 1:
            return next(iter(folders.values())), name
        first, _, rest = name.replace(os.sep, "/").partition("/")
        if first not in folders:
            known = ", ".join(sorted(folders))
            raise ToolProblem(
                f"{name[:200]} is not in a folder of {self._toolbox}. Begin with one of {known}."
            )
        return folders[first], rest or "."


def _real(folder: str) -> Path:
    return Path(os.path.realpath(os.path.expanduser(folder.removesuffix(WRITABLE))))


def _problem(name: str, what: str, error: OSError) -> ToolProblem:
    why = error.strerror or type(error).__name__
    return ToolProblem(f"{name[:200] or 'The folder'} cannot {what}: {why}.")
