"""The HTTP endpoint: change its port and token while Deskbell runs.

A port that cannot be used leaves the endpoint where it was, at first on a free port, and is tried again every
RETRY seconds. A new
token refuses requests with the old one; the applications' files that still contain the old token are listed.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from bridge.core.status import EndpointStatus
from bridge.errors import NetworkError
from bridge.i18n import failure_text, say, together
from bridge.settings import Home
from bridge.system.masking import MASK
from bridge.transports.http.lazy_server import LazyHttpServer

RETRY = 30.0  # seconds between attempts to open a port that is in use


MakeServer = Callable[[str, int, frozenset[str]], LazyHttpServer]  # token, port, replaced tokens
FindFiles = Callable[[str], tuple[str, ...]]  # text → names of applications' files that contain it


class HttpEndpoint:
    """`on_change` is called when the address, the problem or the outdated files change."""

    def __init__(
        self, home: Home, make: MakeServer, find_files: FindFiles, on_change: Callable[[], None]
    ) -> None:
        self._home = home
        self._make = make
        self._find_files = find_files
        self._on_change = on_change
        self._server: LazyHttpServer | None = None
        self._token = ""
        self._retired: frozenset[str] = frozenset()
        self._port: int | None = None  # from the settings; None before `open`
        self._bound = 0  # port in use; 0: none
        self._lock = asyncio.Lock()
        self._retry_task: asyncio.Task[None] | None = None
        self._renewed = 0.0  # Unix time of the last new token; 0: never
        self._outdated: tuple[str, ...] = ()
        self.problem = ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._bound}/mcp" if self._bound else ""

    def status(self) -> EndpointStatus:
        return EndpointStatus(self._port or 0, self._renewed, self._outdated)

    def mask_token(self, text: str) -> str:
        """Return the text with the token masked."""
        return text.replace(self._token, MASK) if self._token else text

    async def open(self, port: int, exact: bool = False) -> None:
        """Open the port for the first time. If it is in use, take a free one and retry; `exact`: raise
        NetworkError."""
        self._port = port
        self._token = self._home.read_token()
        try:
            await self._listen(port)
        except NetworkError as error:
            if exact:
                raise
            with contextlib.suppress(NetworkError):
                await self._listen(0)
            self._retry_later(error)

    def _retry_later(self, error: NetworkError) -> None:
        """Report a port that is in use, and retry: hosts can still reach Deskbell by stdio."""
        current = say("Until then it is {address}.", address=self.address) if self._bound else ""
        self.problem = together(failure_text(error), current)
        self._retry_task = asyncio.get_running_loop().create_task(self._retry())
        self._on_change()

    async def change_port(self, port: int) -> None:
        """Listen on another port."""
        async with self._lock:
            if self._port is None or port == self._port:
                return
            self._port = port
            self._stop_retrying()
            if port and port == self._bound:  # the settings name the open port again
                self.problem = ""
                self._on_change()
                return
            old_address = self.address
            try:
                await self._listen(port)
            except NetworkError as error:
                self._retry_later(error)
                return
            self._outdated = await asyncio.to_thread(self._find_files, old_address.removesuffix("/mcp"))
            self._on_change()

    async def renew_token(self) -> None:
        """Replace the token; the old one is refused from now on. Raises DeskbellError."""
        async with self._lock:
            old, self._token = self._token, await asyncio.to_thread(self._home.renew_token)
            self._retired |= {old}
            old_server, self._server = self._server, None
            if old_server is not None:  # the old server must close the port before it can be opened again
                await old_server.stop()
                await self._reopen()
            self._renewed = time.time()
            self._outdated = await asyncio.to_thread(self._find_files, old)
            self._on_change()

    async def close(self) -> None:
        self._stop_retrying()
        if self._server is not None:
            await self._server.stop()

    async def _listen(self, port: int) -> None:
        server = self._make(self._token, port, self._retired)
        self._bound = await server.start()
        old_server, self._server = self._server, server
        self.problem = ""
        if old_server is not None:
            await old_server.stop()

    async def _reopen(self) -> None:
        try:
            await self._listen(self._bound)
        except NetworkError as error:
            self._bound = 0
            self._retry_later(error)

    async def _retry(self) -> None:
        while True:
            await asyncio.sleep(RETRY)
            async with self._lock:
                try:
                    await self._listen(self._port or 0)
                except NetworkError:
                    continue
            self._retry_task = None
            self._on_change()
            return

    def _stop_retrying(self) -> None:
        if self._retry_task is not None:
            self._retry_task.cancel()
            self._retry_task = None


def renew_token_while_closed(home: Home, find_files: FindFiles) -> tuple[str, ...]:
    """Replace the token while Deskbell is not running; return the files that contain the old one."""
    old = home.read_token()
    home.renew_token()
    return find_files(old)
