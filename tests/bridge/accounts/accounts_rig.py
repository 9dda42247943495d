"""What the tests of accounts share: a sky, a registry in a folder, and a person with a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx

from bridge.accounts.account import Account
from bridge.accounts.registry import AccountRegistry
from bridge.accounts.sign_in import by_browser
from tests.fixtures.account_owner import book_in
from tests.fixtures.fake_pds import Sky
from tests.fixtures.patience import WITHIN


class Browser:
    """Opens the address, follows every redirect, and remembers the last page."""

    def __init__(self) -> None:
        self.url = ""
        self.page: asyncio.Task[str] | None = None

    async def open(self, url: str) -> bool:
        self.url = url
        self.page = asyncio.create_task(self._visit(url))
        return True

    async def _visit(self, url: str) -> str:
        async with httpx.AsyncClient(follow_redirects=True, timeout=WITHIN) as http:
            return (await http.get(url)).text

    async def says(self) -> str:
        assert self.page
        return await self.page


async def signed_in(
    sky: Sky,
    folder: Path,
    who: str = "alice.test",
    show: Callable[[str], Awaitable[bool]] | None = None,
    registry: AccountRegistry | None = None,
) -> tuple[AccountRegistry, Account]:
    registry = registry or book_in(folder, sky.places)
    browser = Browser()
    account = await by_browser(registry, who, "", lambda _: None, show or browser.open)
    if browser.page:
        await browser.page
    return registry, account
