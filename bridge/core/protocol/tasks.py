"""Tasks: read them, and translate their ids for merged servers. Pure.

In the merged server a task id is `{server}:{id}`. Server names have no colon, so this can be split again, in
a later run too, without a table.
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
NAMED = b"taskId"  # a message without it names no task


class Task(msgspec.Struct, frozen=True, rename="camel"):
    """The members read of a task, or of a request about one."""

    task_id: str = ""
    status: str = ""
    input_requests: dict[str, Raw] = {}


class _Created(msgspec.Struct, frozen=True, rename="camel"):
    result_type: str = "complete"
    task_id: str = ""
    task: Raw = Raw(b"")


def split(public: str) -> tuple[str, str]:
    """Split a public task id into server and own id; ("", id) if it has no server."""
    server, colon, own = public.partition(":")
    return (server, own) if colon else ("", public)


def created(result: bytes | Raw, era: Era) -> str:
    """Return the id of the task that a call's result announces; "" if the call is over."""
    reply = jsonrpc.read(_Created, result)
    if era is Era.MODERN:
        return reply.task_id if reply.result_type == "task" else ""
    return jsonrpc.read(Task, reply.task).task_id if is_object(reply.task) else ""


def published(data: bytes | Raw, server: str) -> bytes:
    """Replace own task ids by public ones, in a task or a message that holds one."""
    return _renamed(data, lambda own: f"{server}:{own}", ("taskId", "task", "_meta"))


def published_relation(data: bytes | Raw, server: str) -> bytes:
    """Replace the own task id in `_meta` by the public one."""
    return _renamed(data, lambda own: f"{server}:{own}", ("_meta",))


def own(data: bytes | Raw) -> bytes:
    """Replace public task ids in a host's message by the server's own."""
    return _renamed(data, lambda public: split(public)[1], ("taskId", "_meta"))


def related(params: bytes | Raw) -> str | None:
    """Return the task id in `_meta`; None if there is none."""
    meta = members(params).get("_meta") if is_object(params) else None
    found = members(meta).get(RELATED_KEY) if meta is not None and is_object(meta) else None
    return None if found is None else jsonrpc.read(Task, found).task_id


def update(task: str, answers: dict[str, bytes]) -> bytes:
    """Return params of our own `tasks/update`."""
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
