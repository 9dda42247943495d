"""UpdateCheck: ask once a day whether there is a newer version, if the person wants it. Installs nothing.

Every Deskbell sends the same request: no cookie, no identifier, not even its own version. The reply is JSON
with the version in `version`, `tag_name` (releases of a forge) or `info.version` (a package index).
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
from bridge.i18n import failure_text, say
from bridge.settings import Updates

DAY = 86400.0
SOON = 60.0  # seconds after the start of Deskbell
_TIMEOUT = 10.0  # seconds
_MAX_BYTES = 4 << 20  # a package index lists every file there ever was
_VERSION = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,5})(.*)")
_NO_ADDRESS = say("There is no address to ask at. Give `url` in [updates] of config.toml.")


class _LastCheck(msgspec.Struct):
    """The last result, on disk: a restart does not repeat the check."""

    asked: float = 0.0  # Unix time
    found: str = ""
    url: str = ""


class UpdateCheck:
    """`here`: the running version. `on_change` is called when status() has changed."""

    def __init__(self, file: Path, here: str, on_change: Callable[[], None]) -> None:
        self._file = file
        self._here = here
        self._on_change = on_change
        self._wanted = Updates()
        self._last = _LastCheck()
        self._problem = ""
        self._task: asyncio.Task[None] | None = None

    def apply(self, wanted: Updates) -> None:
        """Apply changed settings; once switched on, the check runs soon."""
        if wanted == self._wanted:
            return
        self._wanted = wanted
        self.close()
        self._problem = _NO_ADDRESS if wanted.check and not wanted.url else ""
        if wanted.check and wanted.url:
            self._task = asyncio.get_running_loop().create_task(self._run(wanted.url))

    def status(self) -> UpdateStatus:
        newer = self._last.found if is_newer(self._last.found, self._here) else ""
        wanted = self._wanted
        return UpdateStatus(
            wanted.check, wanted.url, newer if wanted.check else "", self._problem, self._last.asked
        )

    def notices(self) -> tuple[str, ...]:
        newer = self.status().newer
        return (
            (say("Deskbell {newer} is out; this is {here}.", newer=newer, here=self._here),) if newer else ()
        )

    def ask_now(self) -> None:
        """Check now, because the person asked for it."""
        if self._wanted.check and self._wanted.url:
            self.close()
            self._task = asyncio.get_running_loop().create_task(self._run(self._wanted.url, now=True))

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self, url: str, now: bool = False) -> None:
        self._last = await asyncio.to_thread(self._load, url)
        self._on_change()
        while True:
            if not now:
                await asyncio.sleep(max(SOON, self._last.asked + DAY - time.time()))
            now = False
            await self._check(url)

    async def _check(self, url: str) -> None:
        try:
            found = await latest(url)
            self._problem = ""
        except (DeskbellError, ValueError) as error:
            found = self._last.found
            why = (
                failure_text(error)
                if isinstance(error, DeskbellError)
                else say("{title}.", title=error.args[0])
            )
            self._problem = say("Could not check for a new version: {why}", why=why)
        self._last = _LastCheck(time.time(), found, url)
        await asyncio.to_thread(self._save, self._last)
        self._on_change()

    def _load(self, url: str) -> _LastCheck:
        try:
            last = msgspec.json.decode(self._file.read_bytes(), type=_LastCheck)
        except (OSError, msgspec.MsgspecError):
            return self._last
        return last if last.url == url and last.asked <= time.time() else self._last

    def _save(self, last: _LastCheck) -> None:
        with contextlib.suppress(OSError):
            self._file.write_bytes(msgspec.json.encode(last))


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


def version_in(value: object) -> str:
    """Return the version that a decoded reply names. Raises ValueError."""
    table = value if isinstance(value, dict) else {}
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
    """True if `found` is a higher version than `here`, and no pre-release (1.2rc1, 1.2-beta)."""
    theirs, ours = _VERSION.fullmatch(found), _VERSION.fullmatch(here)
    if theirs is None or ours is None or theirs[2]:
        return False
    one, other = _numbers(theirs[1]), _numbers(ours[1])
    return one > other or (one == other and bool(ours[2]))


def _numbers(version: str) -> tuple[int, ...]:
    parts = [int(part) for part in version.split(".")]
    return tuple(parts + [0] * (6 - len(parts)))
