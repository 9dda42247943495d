"""Test servers when Deskbell starts and when they are added: start each once, and list its tools.

No question is asked: a server that needs an unlocked vault waits until something calls it, and one
that wants a sign-in is shown as such.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import nullcontext

from bridge.core.ports import ServerSpec
from bridge.servers.details import ServerDetailsService
from bridge.servers.secrets import SecretNames, references_of
from bridge.settings import SettingsFile
from bridge.system.background_tasks import BackgroundTasks
from bridge.upstreams.oauth.sign_in import SignIns

AT_ONCE = 2  # servers that start together: more would slow down a login


class ServerChecks:
    """`is_locked`: True while a secret could be had only by asking the person."""

    def __init__(
        self,
        settings: SettingsFile,
        details: ServerDetailsService,
        secrets: SecretNames,
        sign_ins: SignIns,
        is_locked: Callable[[], bool],
    ) -> None:
        self._settings = settings
        self._details = details
        self._secrets = secrets
        self._sign_ins = sign_ins
        self._is_locked = is_locked
        self._tested: dict[str, str] | None = None  # server → its identity then; None: not begun
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._tasks = BackgroundTasks()

    async def close(self) -> None:
        await self._tasks.cancel()

    def begin(self) -> None:
        """Test all servers now, and from now on each that is added or edited."""
        if self._tested is None:
            self._tested = {}
            self.test_new()

    def test_new(self) -> None:
        """Test the servers that were not tested as they are configured now."""
        if self._tested is None:
            return
        now = {name: spec for name, spec in self._settings.current.servers.items() if spec.enabled}
        new = [spec for name, spec in now.items() if self._tested.get(name) != spec.identity]
        self._tested = {name: spec.identity for name, spec in now.items()}
        if new:
            self._tasks.start(self._test_all(new))

    async def _test_all(self, specs: list[ServerSpec]) -> None:
        if self._secrets.are_used:
            await self._secrets.look()
        await asyncio.gather(*(self._test(spec) for spec in specs if not self._needs_person(spec)))

    def _needs_person(self, spec: ServerSpec) -> bool:
        guarded = bool(spec.url or references_of(spec))
        return (guarded and self._is_locked()) or bool(self._secrets.missing(spec))

    async def _test(self, spec: ServerSpec) -> None:
        quiet = self._sign_ins.of(spec).without_asking() if spec.url else nullcontext()
        async with self._turn:
            with quiet:
                await self._details.list_tools(spec)
