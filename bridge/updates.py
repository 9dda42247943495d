"""Is there a newer Deskbell? Asked only if the person wants it, at one address, once a day. Installs nothing.

Every Deskbell sends the same request: no cookie, no identifier, not even its own version. The answer is JSON
that names a version: `version`, `tag_name` (releases of a forge) or `info.version` (a package index).
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from bridge.core.status import UpdateStatus
from bridge.errors import DeskbellError
from bridge.http_client.client import HttpClient
from bridge.i18n import say, told
from bridge.settings import Updates

DAY = 86400.0
SOON = 60.0  # seconds after the start, which has other things to do
_TIMEOUT = 10.0  # seconds
_MAX_BYTES = 4 << 20  # a package index lists every file there ever was
_VERSION = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,5})(.*)")
_NOWHERE = say("There is no address to ask at. Give `url` in [updates] of config.toml.")


class _Kept(msgspec.Struct):
    """What is remembered of the last answer, so that a restart is no reason to ask again."""

    asked: float = 0.0
    found: str = ""
    url: str = ""


class UpdateCheck:
    """`here`: our own version. `on_change`: status() has changed."""

    def __init__(self, file: Path, here: str, on_change: Callable[[], None]) -> None:
        self._file = file
        self._here = here
        self._on_change = on_change
        self._wanted = Updates()
        self._kept = _Kept()
        self._problem = ""
        self._task: asyncio.Task[None] | None = None

    def apply(self, wanted: Updates) -> None:
        """What the person wants from now on; switched on by hand, it asks soon."""
        if wanted == self._wanted:
            return
        self._wanted = wanted
        self.close()
        self._problem = _NOWHERE if wanted.check and not wanted.url else ""
        if wanted.check and wanted.url:
            self._task = asyncio.get_running_loop().create_task(self._keep_asking(wanted.url))

    def status(self) -> UpdateStatus:
        newer = self._kept.found if is_newer(self._kept.found, self._here) else ""
        wanted = self._wanted
        return UpdateStatus(
            wanted.check, wanted.url, newer if wanted.check else "", self._problem, self._kept.asked
        )

    def notices(self) -> tuple[str, ...]:
        newer = self.status().newer
        return (
            (say("Deskbell {newer} is out; this is {here}.", newer=newer, here=self._here),) if newer else ()
        )

    def ask_now(self) -> None:
        """The person does not want to wait."""
        if self._wanted.check and self._wanted.url:
            self.close()
            self._task = asyncio.get_running_loop().create_task(self._keep_asking(self._wanted.url, now=True))

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _keep_asking(self, url: str, now: bool = False) -> None:
        self._kept = await asyncio.to_thread(self._remembered, url)
        self._on_change()
        while True:
            if not now:
                await asyncio.sleep(max(SOON, self._kept.asked + DAY - time.time()))
            now = False
            await self._ask(url)

    async def _ask(self, url: str) -> None:
        try:
            found = await latest(url)
            self._problem = ""
        except (DeskbellError, ValueError) as error:
            found = self._kept.found
            why = told(error) if isinstance(error, DeskbellError) else say("{title}.", title=error.args[0])
            self._problem = say("Could not check for a new version: {why}", why=why)
        self._kept = _Kept(time.time(), found, url)
        await asyncio.to_thread(self._remember, self._kept)
        self._on_change()

    def _remembered(self, url: str) -> _Kept:
        try:
            kept = msgspec.json.decode(self._file.read_bytes(), type=_Kept)
        except (OSError, msgspec.MsgspecError):
            return self._kept
        return kept if kept.url == url and kept.asked <= time.time() else self._kept

    def _remember(self, kept: _Kept) -> None:
        with contextlib.suppress(OSError):
            self._file.write_bytes(msgspec.json.encode(kept))


async def latest(url: str) -> str:
    """Return the version that `url` names. Raises DeskbellError, and ValueError with its reason in words."""
    async with HttpClient() as http:
        reply = await http.request(
            "GET", url, headers={"Accept": "application/json"}, max_bytes=_MAX_BYTES, timeout=_TIMEOUT
        )
    if reply.status != 200:
        raise ValueError(say("HTTP status {code}", code=reply.status))
    try:
        return version_in(msgspec.json.decode(reply.body))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(say("the answer is not JSON")) from error


def version_in(said: object) -> str:
    table = said if isinstance(said, dict) else {}
    info = table.get("info")
    named = (
        table.get("version"),
        table.get("tag_name"),
        info.get("version") if isinstance(info, dict) else "",
    )
    for word in named:
        if isinstance(word, str) and _VERSION.fullmatch(word):
            return word.removeprefix("v")
    raise ValueError(say("the answer names no version"))


def is_newer(found: str, here: str) -> bool:
    """A pre-release (1.2rc1, 1.2-beta) is not offered."""
    theirs, ours = _VERSION.fullmatch(found), _VERSION.fullmatch(here)
    if theirs is None or ours is None or theirs[2]:
        return False
    one, other = _numbers(theirs[1]), _numbers(ours[1])
    return one > other or (one == other and bool(ours[2]))


def _numbers(version: str) -> tuple[int, ...]:
    parts = [int(part) for part in version.split(".")]
    return tuple(parts + [0] * (6 - len(parts)))
