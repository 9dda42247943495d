"""Download repositories of accounts for search, and refresh them.

Repositories are public: no account is needed. A refresh gets only the revision if nothing has changed,
otherwise the changes since the last one; if these cannot be applied, the whole repository.
"""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
import threading
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bridge.accounts.identity import Identity
from bridge.accounts.registry import AccountRegistry
from bridge.accounts.xrpc import refusal
from bridge.errors import DeskbellError, NetworkError, RequestRefused, TimeoutError_
from bridge.tools.bluesky.repo.car import DamagedRepository
from bridge.tools.bluesky.repo.search_index import SearchIndex
from bridge.tools.bluesky.shared import now
from bridge.tools.bluesky.text.views import text_of
from bridge.tools.context import ToolContext

_MAX_BYTES = 2 << 30  # of one repository
_MAX_KEPT = 20  # repositories; the least recently used are deleted
_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class LocalRepository:
    """A downloaded repository; `stale` says why it may be outdated."""

    identity: Identity
    index: SearchIndex
    stale: str = ""


class Stopped(Exception):
    """The search was cancelled."""


class Repositories:
    def __init__(self, registry: AccountRegistry, folder: Path) -> None:
        self._registry = registry
        self._folder = folder
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def get(self, ctx: ToolContext, who: str) -> LocalRepository:
        identity = await self._registry.resolver().resolve(who)
        async with self._locks[identity.did]:
            index = SearchIndex(await asyncio.to_thread(self._path, identity.did))
            stale = await self._refresh(ctx, identity, index)
            await asyncio.to_thread(self._delete_unused, index.path)
        return LocalRepository(identity, index, stale)

    async def _refresh(self, ctx: ToolContext, who: Identity, index: SearchIndex) -> str:
        indexed = await asyncio.to_thread(index.rev)
        try:
            newest = await self._newest(who)
            if indexed and newest == indexed:
                return ""
            try:
                await self._download(ctx, who, index, newest, since=indexed)
            except (DamagedRepository, RequestRefused):
                if not indexed:
                    raise
                await asyncio.to_thread(index.delete)
                await self._download(ctx, who, index, newest)
        except DamagedRepository as error:
            raise NetworkError(f"The repository of @{who.handle} cannot be read", f"{error}.") from error
        except (NetworkError, TimeoutError_) as error:
            if not indexed:
                raise
            return f"{error.title}; these are the posts as of {await asyncio.to_thread(index.fetched)}."
        return ""

    async def _newest(self, who: Identity) -> str:
        url = f"{who.pds}/xrpc/com.atproto.sync.getLatestCommit"
        reply = await self._registry.http.request("GET", url, params={"did": who.did})
        if not reply.ok:
            raise refusal(reply)
        return text_of(reply.json(), "rev")

    async def _download(
        self, ctx: ToolContext, who: Identity, index: SearchIndex, rev: str, since: str = ""
    ) -> None:
        async def on_progress(size: int, total: int) -> None:
            text = f"Downloading the posts of @{who.handle}: {size / _MB:.1f} MB"
            await ctx.progress(size, max(total, size) if total else None, text)

        params = {"did": who.did, **({"since": since} if since else {})}
        url = f"{who.pds}/xrpc/com.atproto.sync.getRepo"
        with tempfile.TemporaryFile(dir=self._folder) as file:
            reply = await self._registry.http.download(url, params, file, _MAX_BYTES, on_progress)
            if not reply.ok:
                raise refusal(reply)
            size = file.tell()
            file.seek(0)
            await ctx.progress(size, message=f"Reading the posts of @{who.handle}…")
            await fill_in_thread(index, file, rev)

    # --- files -------------------------------------------------------------------------------------------

    def _path(self, did: str) -> Path:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._folder / f"{hashlib.sha256(did.encode()).hexdigest()[:24]}.db"

    def _delete_unused(self, used: Path) -> None:
        used.touch()
        by_use = sorted(self._folder.glob("*.db"), key=lambda one: one.stat().st_mtime, reverse=True)
        for old in by_use[_MAX_KEPT:]:
            SearchIndex(old).delete()


async def fill_in_thread(index: SearchIndex, file: IO[bytes], rev: str) -> None:
    """Index the file in a thread. A cancellation stops the thread and waits for it, because it reads the
    file."""
    stop = threading.Event()

    def check_stop(_: int) -> None:
        if stop.is_set():
            raise Stopped

    when = now().isoformat(timespec="minutes")
    work = asyncio.ensure_future(asyncio.to_thread(index.fill, file, rev, when, check_stop))
    try:
        await asyncio.shield(work)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.gather(work, return_exceptions=True)
        await asyncio.to_thread(index.delete_if_empty)
        raise
    except OSError as error:
        raise DeskbellError("The posts cannot be stored", f"{error.strerror}.") from error
