"""Find which AI applications are installed, and their config files by the paths in recipes.py."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bridge.hosts.recipe import Recipe
from bridge.hosts.recipes import EXTRA_FILES, RECIPES

KEYS = ("mcpServers", "servers", "context_servers", "mcp_servers", "extensions", "mcp", "amp.mcpServers")
_OWN_FOLDERS = {  # applications whose folder an environment variable sets
    "codex": ("CODEX_HOME", ".codex"),
    "kimi": ("KIMI_CODE_HOME", ".kimi-code"),
    "vibe": ("VIBE_HOME", ".vibe"),
    "cline": ("CLINE_DIR", ".cline"),
}
_LARGEST = 8 << 20  # bytes; a larger file is not a config file


@dataclass(frozen=True, slots=True)
class ServersFile:
    """An application's file, and the key of its servers."""

    host: str
    path: Path
    key: str


@dataclass(frozen=True, slots=True)
class HostFile:
    """The file that Deskbell would change. `installed`: whether the application seems to be installed."""

    recipe: Recipe
    path: Path
    installed: bool


def find_files(env: Mapping[str, str], platform: str) -> Iterator[ServersFile]:
    """Yield the existing files. `platform`: a sys.platform."""
    folders = _folders(env, platform)
    for recipe in RECIPES:
        for pattern in (*recipe.files, *EXTRA_FILES.get(recipe.id, ())):
            for path in _found(pattern, folders):
                if path.is_file():
                    yield ServersFile(recipe.name, path, recipe.key)


def files_with(text: str) -> tuple[str, ...]:
    """Return the files of AI applications that contain this text."""
    if not text:
        return ()
    found: list[str] = []
    for place in find_files(os.environ, sys.platform):
        try:
            held = place.path.stat().st_size <= _LARGEST and text.encode() in place.path.read_bytes()
        except OSError:
            continue
        if held:
            found.append(f"{place.host}: {place.path}")
    return tuple(dict.fromkeys(found))


def host_file(recipe: Recipe, env: Mapping[str, str], platform: str) -> HostFile:
    """Return the application's file: an existing one, else the one it would read."""
    folders = _folders(env, platform)
    files = [path for pattern in recipe.files for path in _found(pattern, folders) if path.is_file()]
    homes = [path for pattern in recipe.files for path in _would_be(pattern, folders)]
    signs = any(_found(pattern, folders) for pattern in recipe.signs)
    programs = any(shutil.which(program, path=env.get("PATH")) for program in recipe.programs)
    there = [path for path in homes if path.parent.is_dir()]
    installed = bool(files or (there and not recipe.private) or signs or programs)
    return HostFile(recipe, next(iter((*files, *there, *homes)), Path()), installed)


def hooks_file(recipe: Recipe, env: Mapping[str, str], platform: str) -> Path | None:
    """Return the application's file with hooks; None if it has none."""
    if recipe.approvals is None:
        return None
    return next(iter(_would_be(recipe.approvals.file, _folders(env, platform))), None)


def _folders(env: Mapping[str, str], platform: str) -> dict[str, str]:
    home = env.get("USERPROFILE" if platform == "win32" else "HOME", "")
    if platform == "win32":
        config = env.get("APPDATA", f"{home}/AppData/Roaming")
    elif platform == "darwin":
        config = f"{home}/Library/Application Support"
    else:
        config = env.get("XDG_CONFIG_HOME") or f"{home}/.config"
    own = {name: env.get(variable) or f"{home}/{usual}" for name, (variable, usual) in _OWN_FOLDERS.items()}
    local = env.get("LOCALAPPDATA", f"{home}/AppData/Local")
    return {"home": home, "config": config, "local": local, "platform": platform, **own}


def _found(pattern: str, folders: Mapping[str, str]) -> list[Path]:
    root, rest = _parted(pattern, folders)
    return sorted(root.glob(rest)) if root is not None else []


def _would_be(pattern: str, folders: Mapping[str, str]) -> list[Path]:
    """Return where this file would be created. A glob only matches existing folders."""
    root, rest = _parted(pattern, folders)
    if root is None:
        return []
    if "*" not in rest:
        return [root / rest]
    folder, _, name = rest.rpartition("/")
    return sorted(found / name for found in root.glob(folder))


def _parted(pattern: str, folders: Mapping[str, str]) -> tuple[Path | None, str]:
    only, _, pattern = pattern.rpartition(":")
    root, _, rest = pattern.partition("/")
    folder = folders[root.strip("{}")] if only in ("", folders["platform"]) else ""
    return (Path(folder) if folder else None), rest
