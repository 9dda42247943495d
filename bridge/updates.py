"""Is there a newer Deskbell? Asked only if the person wants it, at one address, once a day. Installs nothing.

Every Deskbell sends the same request: no cookie, no identifier, not even its own version. The answer is JSON
that names a version: `version`, `tag_name` (releases of a forge) or `info.version` (a package index).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from bridge.core.status import UpdateStatus
from bridge.i18n import Words, say
from bridge.settings import Updates

DAY = 86400.0
SOON = 60.0  # seconds after the start, which has other things to do
LIMIT = 10.0  # seconds for an answer
_LARGEST = 4 << 20  # bytes of an answer; a package index lists every file there ever was
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
            found = await asyncio.to_thread(latest, url)
            self._problem = ""
        except (OSError, ValueError) as error:
            found = self._kept.found
            self._problem = say("Nobody knows whether there is a newer one: {why}.", why=_why(error))
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


def latest(url: str) -> str:
    """The version named there. Blocks; raises OSError or ValueError."""
    from urllib.request import HTTPRedirectHandler, Request, build_opener  # late: nobody may ever want it

    class Stay(HTTPRedirectHandler):
        """One address is asked, and no other."""

        def redirect_request(self, *arguments: Any) -> None:
            return None

    request = Request(url, headers={"User-Agent": "Deskbell", "Accept": "application/json"})  # noqa: S310 - config.toml takes https (and http on this computer) only
    with build_opener(Stay).open(request, timeout=LIMIT) as answer:
        text = answer.read(_LARGEST + 1)
    if len(text) > _LARGEST:
        raise ValueError(say("the answer is too long"))
    return version_in(json.loads(text))


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


def _why(error: Exception) -> str:
    """In a few words; a peer's text is not repeated."""
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return say("the answer is not JSON")
    code = getattr(error, "code", None)
    if isinstance(code, int):
        return say("HTTP status {code}", code=code)
    if error.args and isinstance(error.args[0], Words):
        return error.args[0]
    return str(getattr(error, "reason", error)).rstrip(".")
