"""Tasks: calls that go on after their first answer, and how they are called where servers are merged.

There a task is `{server}:{id}`. No server's name has a colon, so that this is read back exactly, in any later
run too, and nothing needs to be remembered. Pure module: wire forms in, wire forms out.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Raw

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import edit, is_object, members, quote
from bridge.core.protocol.revisions import Era

GET, RESULT, CANCEL, UPDATE, LIST = "tasks/get", "tasks/result", "tasks/cancel", "tasks/update", "tasks/list"
BY_TASK = frozenset({GET, RESULT, CANCEL, UPDATE})
STATUS = "notifications/tasks/status"  # 2025-11-25
CHANGED = "notifications/tasks"  # the extension, on a subscriptions/listen
RELATED_KEY = "io.modelcontextprotocol/related-task"
OVER = frozenset({"completed", "failed", "cancelled"})
NAMED = b"taskId"  # what names no task has nothing to be renamed


class Task(msgspec.Struct, frozen=True, rename="camel"):
    """What is read of a task, or of a request about one."""

    task_id: str = ""
    status: str = ""
    input_requests: dict[str, Raw] = {}


class _Created(msgspec.Struct, frozen=True, rename="camel"):
    result_type: str = "complete"
    task_id: str = ""
    task: Raw = Raw(b"")


def split(public: str) -> tuple[str, str]:
    """Server and its own id; no server in a name that is none of ours."""
    server, colon, own = public.partition(":")
    return (server, own) if colon else ("", public)


def created(result: bytes | Raw, era: Era) -> str:
    """The id of the task that this result of a call speaks of; "": the call is over."""
    said = jsonrpc.read(_Created, result)
    if era is Era.MODERN:
        return said.task_id if said.result_type == "task" else ""
    return jsonrpc.read(Task, said.task).task_id if is_object(said.task) else ""


def published(data: bytes | Raw, server: str) -> bytes:
    """A task, or what holds one, under its public name."""
    return _renamed(data, lambda own: f"{server}:{own}", ("taskId", "task", "_meta"))


def published_relation(data: bytes | Raw, server: str) -> bytes:
    """Only what says in `_meta` to which task this belongs."""
    return _renamed(data, lambda own: f"{server}:{own}", ("_meta",))


def own(data: bytes | Raw) -> bytes:
    """What a host says, with the name that the task's server gave it."""
    return _renamed(data, lambda public: split(public)[1], ("taskId", "_meta"))


def related(params: bytes | Raw) -> str | None:
    """To which task `_meta` says that this belongs, if it does."""
    meta = members(params).get("_meta") if is_object(params) else None
    found = members(meta).get(RELATED_KEY) if meta is not None and is_object(meta) else None
    return None if found is None else jsonrpc.read(Task, found).task_id


def update(task: str, answers: dict[str, bytes]) -> bytes:
    """Params of our own `tasks/update`."""
    return edit(b"{}", {"taskId": quote(task), "inputResponses": edit(b"{}", dict(answers))})


def _renamed(data: bytes | Raw, rename: Callable[[str], str], places: tuple[str, ...]) -> bytes:
    found = members(data)
    changes: dict[str, bytes | None] = {}
    for place in places:
        value = found.get(place)
        if value is None:
            continue
        if place == "taskId":
            changes[place] = quote(rename(jsonrpc.read(str, value)))
        elif is_object(value):
            changes[place] = _renamed(value, rename, _INSIDE[place])
    return edit(data, changes)


_INSIDE = {"task": ("taskId",), "_meta": (RELATED_KEY,), RELATED_KEY: ("taskId",)}
