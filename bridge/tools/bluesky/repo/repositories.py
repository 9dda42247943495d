"""Other people's repositories on this computer: downloaded when first searched, refreshed when they changed.

A repository is public: no account is needed. Where nothing has changed only the revision is asked for, else
what is new since; and all of it only if that is not enough.
"""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
import threading
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from bridge.accounts.book import AccountBook
from bridge.accounts.identity import Identity
from bridge.accounts.xrpc import refusal
from bridge.errors import DeskbellError, NetworkError, RequestRefused, TimeoutError_
from bridge.tools.bluesky.repo.car import DamagedRepository
from bridge.tools.bluesky.repo.search_index import SearchIndex
from bridge.tools.bluesky.shared import now
from bridge.tools.bluesky.text.views import text_of
from bridge.tools.context import ToolContext

_LARGEST = 2 << 30  # bytes of one repository
_KEPT = 20  # repositories; the one that was not used for longest goes
_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class LocalRepository:
    """A repository to search; `stale` says why it may not be the newest."""

    who: Identity
    index: SearchIndex
    stale: str = ""


class Stopped(Exception):
    """Nobody waits for it any more."""


class Repositories:
    def __init__(self, book: AccountBook, folder: Path) -> None:
        self._book = book
        self._folder = folder
        self._alone: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def get(self, ctx: ToolContext, who: str) -> LocalRepository:
        identity = await self._book.resolver().resolve(who)
        async with self._alone[identity.did]:
            index = SearchIndex(await asyncio.to_thread(self._place, identity.did))
            stale = await self._refresh(ctx, identity, index)
            await asyncio.to_thread(self._tidy, index.path)
        return LocalRepository(identity, index, stale)

    async def _refresh(self, ctx: ToolContext, who: Identity, index: SearchIndex) -> str:
        held = await asyncio.to_thread(index.rev)
        try:
            newest = await self._newest(who)
            if held and newest == held:
                return ""
            try:
                await self._download(ctx, who, index, newest, since=held)
            except (DamagedRepository, RequestRefused):
                if not held:
                    raise
                await asyncio.to_thread(index.forget)
                await self._download(ctx, who, index, newest)
        except DamagedRepository as error:
            raise NetworkError(f"The repository of @{who.handle} cannot be read", f"{error}.") from error
        except (NetworkError, TimeoutError_) as error:
            if not held:
                raise
            return f"{error.title}; these are the posts as of {await asyncio.to_thread(index.fetched)}."
        return ""

    async def _newest(self, who: Identity) -> str:
        url = f"{who.pds}/xrpc/com.atproto.sync.getLatestCommit"
        reply = await self._book.http.request("GET", url, params={"did": who.did})
        if not reply.ok:
            raise refusal(reply)
        return text_of(reply.json(), "rev")

    async def _download(
        self, ctx: ToolContext, who: Identity, index: SearchIndex, rev: str, since: str = ""
    ) -> None:
        async def told(size: int, total: int) -> None:
            words = f"Downloading the posts of @{who.handle}: {size / _MB:.1f} MB"
            await ctx.progress(size, max(total, size) if total else None, words)

        params = {"did": who.did, **({"since": since} if since else {})}
        url = f"{who.pds}/xrpc/com.atproto.sync.getRepo"
        with tempfile.TemporaryFile(dir=self._folder) as file:
            reply = await self._book.http.download(url, params, file, _LARGEST, told)
            if not reply.ok:
                raise refusal(reply)
            size = file.tell()
            file.seek(0)
            await ctx.progress(size, message=f"Reading the posts of @{who.handle}…")
            await in_thread(index, file, rev)

    # --- the folder --------------------------------------------------------------------------------------

    def _place(self, did: str) -> Path:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._folder / f"{hashlib.sha256(did.encode()).hexdigest()[:24]}.db"

    def _tidy(self, used: Path) -> None:
        used.touch()
        kept = sorted(self._folder.glob("*.db"), key=lambda one: one.stat().st_mtime, reverse=True)
        for old in kept[_KEPT:]:
            SearchIndex(old).forget()


async def in_thread(index: SearchIndex, file: BinaryIO, rev: str) -> None:
    """Who gives up stops the thread too, and waits for it: the file is still in its hands."""
    stop = threading.Event()

    def go_on(_: int) -> None:
        if stop.is_set():
            raise Stopped

    when = now().isoformat(timespec="minutes")
    work = asyncio.ensure_future(asyncio.to_thread(index.fill, file, rev, when, go_on))
    try:
        await asyncio.shield(work)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.gather(work, return_exceptions=True)
        await asyncio.to_thread(index.forget_if_empty)
        raise
    except OSError as error:
        raise DeskbellError("The posts cannot be kept here", f"{error.strerror}.") from error
