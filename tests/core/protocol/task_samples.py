"""Tasks of both eras, for tests."""

from __future__ import annotations

from typing import Any

from bridge.core.protocol.revisions import TASKS_EXTENSION
from tests.core.fake_peers import MODERN, Host, Wire, script

RELATED = "io.modelcontextprotocol/related-task"
CAN: dict[str, Any] = {"tools": {}, "tasks": {"list": {}, "cancel": {}}}
LASTING: dict[str, Any] = {"extensions": {TASKS_EXTENSION: {}}}


def related(task: str) -> dict[str, Any]:
    return {"_meta": {RELATED: {"taskId": task}}}


def task(own: str, status: str = "working", **more: Any) -> dict[str, Any]:
    return {"taskId": own, "status": status, **more}


def old(*names: str, can: Any = None, **more: Any) -> tuple[Wire, Host]:
    """A legacy host before these legacy servers."""
    wire = Wire(*(script(name, capabilities=CAN) for name in names), **more)
    return wire, wire.legacy_host(can, server="")


def new(*names: str, can: Any = None, server: str = "", **more: Any) -> tuple[Wire, Host]:
    """A modern host whose calls may become tasks, before these modern servers."""
    wire = Wire(*(script(name, MODERN) for name in names), **more)
    return wire, wire.modern_host({**LASTING, **(can or {})}, server=server)


def begun(wire: Wire, host: Host, server: str, own: str, **params: Any) -> Any:
    """A call of this server becomes this task; what the host was told."""
    modern = host.meta is not None
    public = f"{server}_build" if host.caller.server == "" else "build"
    if not modern:
        params["task"] = {"ttl": 1}
    request = host.calls(public, **params)
    upstream = wire.upstreams[server]
    result = {"resultType": "task", **task(own)} if modern else {"task": task(own)}
    upstream.replies(upstream.calls[-1], result)
    return host.replies[request].result


def looks(wire: Wire, host: Host, public: str, found: Any, method: str = "tasks/get") -> Any:
    """The host looks at a task, and its server has this to say; what the host was told."""
    request = host.requests(method, {"taskId": public})
    upstream = wire.upstreams[public.split(":")[0] if ":" in public else "files"]
    upstream.replies(upstream.calls[-1], found)
    return host.replies[request].result
