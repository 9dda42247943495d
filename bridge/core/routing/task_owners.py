"""Which host started which task of a shared server. Pure, and bounded.

A task without a known owner is visible to no host: those of an earlier run, and the oldest beyond the
limits.
"""

from __future__ import annotations

from bridge.core.ports import ServerSpec
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import Tenant

MOST_TASKS = 10_000  # of one host
MOST_HOSTS = 1000  # that started a task

Named = tuple[str, str]  # ServerSpec.identity, task id


class TaskOwners(RouterPart):
    def __init__(self) -> None:
        self._owner: dict[Named, str] = {}
        self._tasks: dict[str, dict[Named, None]] = {}  # by host, the last to start one comes last

    def begun(self, host: str, server: str, task: str) -> None:
        """Note who started a task. A restarted server may reuse an id: the last host owns it."""
        named = (server, task)
        self._disown(named)
        mine = self._tasks[host] = self._tasks.pop(host, {})
        mine[named] = None
        self._owner[named] = host
        if len(mine) > MOST_TASKS:
            self._disown(next(iter(mine)))
        if len(self._tasks) > MOST_HOSTS:
            self._drop_host(next(iter(self._tasks)))

    def _disown(self, named: Named) -> None:
        self._tasks.get(self._owner.pop(named, ""), {}).pop(named, None)

    def of(self, server: str, task: str) -> str:
        """Return the key of the task's Tenant; "" if unknown."""
        return self._owner.get((server, task), "")

    def may_see(self, tenant: Tenant, spec: ServerSpec, task: str) -> bool:
        """True unless the server is shared and another host started the task."""
        return not spec.shared or self.of(spec.identity, task) == tenant.key

    def tenant_closed(self, tenant: Tenant) -> None:
        if tenant.private:  # a stateless host may come back for its tasks
            self._drop_host(tenant.key)

    def _drop_host(self, host: str) -> None:
        for named in self._tasks.pop(host, {}):
            del self._owner[named]
