"""Plan the hook by which an application asks Deskbell for permissions (a Recipe's PermissionHook).

It runs `deskbell permission-hook NAME` through the application's shell, before the application uses a tool.
NAME is the Recipe's: each application wants its answers in a form of its own (bridge/cli/permission_hook.py).
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
from bridge.hosts.recipe import PERMISSION_LIMIT, PermissionHook, Recipe

VERB = "permission-hook"


def shell_command(
    words: Sequence[str], env: Mapping[str, str], app: str, platform: str = sys.platform
) -> str:
    """Return the command line of the hook, quoted for the shell that runs it."""
    if platform == "win32":
        return subprocess.list2cmdline([*words, VERB, app])
    settings = ["env", *(f"{name}={value}" for name, value in env.items())] if env else []
    return shlex.join([*settings, *words, VERB, app])


def plan_hook(
    recipe: Recipe, hook: PermissionHook, path: Path, raw: bytes | None, command: str
) -> HostFilePlan:
    """Plan to add the hook, or to bring it up to date."""
    document = config_document.read(path, raw or b"")
    limit = round(PERMISSION_LIMIT / hook.limit_unit)
    entry = {
        "matcher": hook.matcher,
        "hooks": [{"type": "command", "command": command, "timeout": limit}],
    }
    if entry in _groups(document.data, hook):
        return HostFilePlan(ChangeKind.CONNECT, recipe, path, raw, raw)
    groups = [*_others(document.data, hook), entry]
    after = config_document.edited(document, [Put(_place(hook), groups)])
    return HostFilePlan(ChangeKind.CONNECT, recipe, path, raw, after, (hook.event,))


def plan_without_hook(
    recipe: Recipe, hook: PermissionHook, path: Path, raw: bytes | None, past: Sequence[UndoableChange]
) -> HostFilePlan:
    """Plan to remove the hook; exactly as before, if no other program changed the file."""
    if raw is None or not _has_hook(path, raw, hook):
        return HostFilePlan(ChangeKind.DISCONNECT, recipe, path, raw, raw)
    for count, one in enumerate(past, 1):
        if not _has_hook(path, one.before or b"", hook):
            steps = tuple(each.step for each in past[:count])
            return HostFilePlan(ChangeKind.DISCONNECT, recipe, path, raw, one.before, back=steps)
    document = config_document.read(path, raw)
    others = _others(document.data, hook)
    change: Change = Put(_place(hook), others) if others else Drop(_place(hook))
    after = config_document.edited(document, [change])
    return HostFilePlan(ChangeKind.DISCONNECT, recipe, path, raw, after, (hook.event,))


def _place(hook: PermissionHook) -> tuple[str, str]:
    return "hooks", hook.event


def _has_hook(path: Path, raw: bytes, hook: PermissionHook) -> bool:
    data = config_document.read(path, raw).data
    return len(_others(data, hook)) < len(_groups(data, hook))


def _groups(data: Any, hook: PermissionHook) -> list[Any]:
    hooks = data.get("hooks") if isinstance(data, dict) else None
    found = hooks.get(hook.event) if isinstance(hooks, dict) else None
    return found if isinstance(found, list) else []


def _others(data: Any, hook: PermissionHook) -> list[Any]:
    return [group for group in _groups(data, hook) if not _is_ours(group)]


def _is_ours(group: Any) -> bool:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    commands = [hook.get("command") for hook in hooks or () if isinstance(hook, dict)]
    return bool(commands) and all(isinstance(one, str) and VERB in one.split()[-2:] for one in commands)
