"""The door: where AI applications reach Deskbell by HTTP. Moves and changes its lock while Deskbell runs.

A port that cannot be used leaves the door where it was, and is tried again now and then: whoever has it may
end. A new token shuts out everybody who shows the old one; the files that still hold it are named.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from bridge.core.questions.question import MASK
from bridge.core.status import DoorStatus
from bridge.errors import NetworkError
from bridge.i18n import say, together, told
from bridge.settings import Home

RETRY = 30.0  # seconds between attempts at a port that was taken


class Listens(Protocol):
    """As much of HttpPort as the door uses."""

    async def start(self) -> int: ...
    async def stop(self) -> None: ...


Make = Callable[[str, int, frozenset[str]], Listens]  # token, port, tokens that were replaced
FilesWith = Callable[[str], tuple[str, ...]]  # names the applications' files that hold this text


class Door:
    """`on_change`: the address, the problem or the files have changed."""

    def __init__(self, home: Home, make: Make, files_with: FilesWith, on_change: Callable[[], None]) -> None:
        self._home = home
        self._make = make
        self._files_with = files_with
        self._on_change = on_change
        self._http: Listens | None = None
        self._token = ""
        self._retired: frozenset[str] = frozenset()
        self._port: int | None = None  # as wanted; None: not opened yet
        self._bound = 0
        self._turn = asyncio.Lock()
        self._again: asyncio.Task[None] | None = None
        self._renewed = 0.0
        self._outdated: tuple[str, ...] = ()
        self.problem = ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._bound}/mcp" if self._bound else ""

    def status(self) -> DoorStatus:
        return DoorStatus(self._port or 0, self._renewed, self._outdated)

    def masked(self, text: str) -> str:
        """The text without the token."""
        return text.replace(self._token, MASK) if self._token else text

    async def open(self, port: int) -> None:
        """For the first time. Raises NetworkError; `keep_trying` is up to whoever hears it."""
        self._port = port
        self._token = self._home.read_token()
        await self._listen(port)

    def keep_trying(self, error: NetworkError) -> None:
        """There are other ways to reach Deskbell, so that a taken port is only told."""
        here = say("Until then it is {address}.", address=self.address) if self._bound else ""
        self.problem = together(told(error), here)
        self._again = asyncio.get_running_loop().create_task(self._try_again())
        self._on_change()

    async def move(self, port: int) -> None:
        """To another port, if it is another one."""
        async with self._turn:
            if self._port is None or port == self._port:
                return
            self._port = port
            self._stop_trying()
            if port and port == self._bound:  # back to where it still is
                self.problem = ""
                self._on_change()
                return
            before = self.address
            try:
                await self._listen(port)
            except NetworkError as error:
                self.keep_trying(error)
                return
            self._outdated = await asyncio.to_thread(self._files_with, before.removesuffix("/mcp"))
            self._on_change()

    async def renew(self) -> None:
        """Another token; whoever shows the old one is turned away. Raises DeskbellError."""
        async with self._turn:
            old, self._token = self._token, await asyncio.to_thread(self._home.renew_token)
            self._retired |= {old}
            before, self._http = self._http, None
            if before is not None:  # the same port again: the old must be closed before
                await before.stop()
                await self._return()
            self._renewed = time.time()
            self._outdated = await asyncio.to_thread(self._files_with, old)
            self._on_change()

    async def close(self) -> None:
        self._stop_trying()
        if self._http is not None:
            await self._http.stop()

    async def _listen(self, port: int) -> None:
        http = self._make(self._token, port, self._retired)
        self._bound = await http.start()
        before, self._http = self._http, http
        self.problem = ""
        if before is not None:
            await before.stop()

    async def _return(self) -> None:
        """Listen again where it did."""
        try:
            await self._listen(self._bound)
        except NetworkError as error:
            self._bound = 0
            self.keep_trying(error)

    async def _try_again(self) -> None:
        while True:
            await asyncio.sleep(RETRY)
            async with self._turn:
                try:
                    await self._listen(self._port or 0)
                except NetworkError:
                    continue
            self._again = None
            self._on_change()
            return

    def _stop_trying(self) -> None:
        if self._again is not None:
            self._again.cancel()
            self._again = None


def renew_while_closed(home: Home, files_with: FilesWith) -> tuple[str, ...]:
    """Another token while no Deskbell runs; the files that still hold the old one."""
    old = home.read_token()
    home.renew_token()
    return files_with(old)
