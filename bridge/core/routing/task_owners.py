"""Which host began which task, at servers that hosts share. Pure, and bounded.

What is not known to be a host's is nobody's: the tasks of an earlier run, and the oldest of very many.
"""

from __future__ import annotations

from bridge.core.ports import ServerSpec
from bridge.core.routing.part import Part
from bridge.core.routing.state import Tenant

MOST_TASKS = 10_000  # of one host
MOST_HOSTS = 1000  # who began a task and may come back for it

Named = tuple[str, str]  # a server's identity, and its own name for the task


class TaskOwners(Part):
    def __init__(self) -> None:
        self._owner: dict[Named, str] = {}
        self._tasks: dict[str, dict[Named, None]] = {}  # by host; who began one last comes last

    def begun(self, host: str, server: str, task: str) -> None:
        """Servers that start anew may use a name again: it is the last one's."""
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
        """Whose it is; "": nobody's."""
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
