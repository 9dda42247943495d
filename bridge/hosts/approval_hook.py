"""Plan the hook by which an application asks Deskbell for permissions (Claude Code's PermissionRequest).

The hook is in another file than the servers. It runs `deskbell permission-hook` through the application's
shell, for each permission that the application would otherwise ask for or, unattended, refuse.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bridge.hosts.backups import ChangeKind, UndoableChange
from bridge.hosts.formats import document as config_document
from bridge.hosts.formats.edits import Change, Drop, Put
from bridge.hosts.plan import HostFilePlan
from bridge.hosts.recipe import Recipe

VERB = "permission-hook"
PLACE = ("hooks", "PermissionRequest")
LIMIT = 86_400  # seconds that the application waits for the person


def shell_command(words: Sequence[str], env: Mapping[str, str], platform: str = sys.platform) -> str:
    """Return the command line of the hook, quoted for the shell that runs it."""
    if platform == "win32":
        return subprocess.list2cmdline([*words, VERB])
    settings = ["env", *(f"{name}={value}" for name, value in env.items())] if env else []
    return shlex.join([*settings, *words, VERB])


def plan_hook(recipe: Recipe, path: Path, raw: bytes | None, command: str) -> HostFilePlan:
    """Plan to add the hook, or to bring it up to date."""
    document = config_document.read(path, raw or b"")
    entry = {"matcher": "*", "hooks": [{"type": "command", "command": command, "timeout": LIMIT}]}
    if entry in _groups(document.data):
        return HostFilePlan(ChangeKind.CONNECT, recipe, path, raw, raw)
    after = config_document.edited(document, [Put(PLACE, [*_others(document.data), entry])])
    return HostFilePlan(ChangeKind.CONNECT, recipe, path, raw, after, (PLACE[1],))


def plan_without_hook(
    recipe: Recipe, path: Path, raw: bytes | None, past: Sequence[UndoableChange]
) -> HostFilePlan:
    """Plan to remove the hook; exactly as before, if no other program changed the file."""
    if raw is None or not _has_hook(path, raw):
        return HostFilePlan(ChangeKind.DISCONNECT, recipe, path, raw, raw)
    for count, one in enumerate(past, 1):
        if not _has_hook(path, one.before or b""):
            steps = tuple(each.step for each in past[:count])
            return HostFilePlan(ChangeKind.DISCONNECT, recipe, path, raw, one.before, back=steps)
    document = config_document.read(path, raw)
    others = _others(document.data)
    change: Change = Put(PLACE, others) if others else Drop(PLACE)
    after = config_document.edited(document, [change])
    return HostFilePlan(ChangeKind.DISCONNECT, recipe, path, raw, after, (PLACE[1],))


def _has_hook(path: Path, raw: bytes) -> bool:
    data = config_document.read(path, raw).data
    return len(_others(data)) < len(_groups(data))


def _groups(data: Any) -> list[Any]:
    hooks = data.get(PLACE[0]) if isinstance(data, dict) else None
    found = hooks.get(PLACE[1]) if isinstance(hooks, dict) else None
    return found if isinstance(found, list) else []


def _others(data: Any) -> list[Any]:
    return [group for group in _groups(data) if not _is_ours(group)]


def _is_ours(group: Any) -> bool:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    commands = [hook.get("command") for hook in hooks or () if isinstance(hook, dict)]
    return bool(commands) and all(isinstance(one, str) and one.split()[-1:] == [VERB] for one in commands)
