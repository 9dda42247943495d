"""The process an AI host spawns, with the test as its host."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import bridge
from tests.fixtures.patience import WITHIN

PACKAGE = Path(bridge.__file__).parent
BY_PATH = [sys.executable, "-I", "-S", str(PACKAGE / "__main__.py")]


class Process:
    """The shim. `usual`: the command of every test that gives no other."""

    usual = BY_PATH

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.stdin = process.stdin
        self.stdout = process.stdout

    @classmethod
    async def spawn(cls, home: Path, *words: str, command: list[str] | None = None, **env: str) -> Process:
        return cls(
            await asyncio.create_subprocess_exec(
                *(command or cls.usual),
                *(words or ("stdio",)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=16 << 20,
                env={**os.environ, "DESKBELL_HOME": str(home), **env},
            )
        )

    async def line(self) -> bytes:
        return await asyncio.wait_for(self.stdout.readline(), WITHIN)

    async def ended(self, within: float = WITHIN) -> tuple[int, bytes, str]:
        """Exit code, the rest of stdout, stderr."""
        assert self.process.stderr is not None
        async with asyncio.timeout(within):
            out, err = await asyncio.gather(self.stdout.read(), self.process.stderr.read())
            return await self.process.wait(), out, err.decode()

    async def leave(self) -> None:
        self.stdin.close()
        assert await self.ended() == (0, b"", "")


async def until(done: Callable[[], bool]) -> None:
    def watch() -> None:
        limit = time.monotonic() + WITHIN
        while not done():
            assert time.monotonic() < limit
            time.sleep(0.01)

    await asyncio.to_thread(watch)
