"""Where newer versions are announced, and how to ask there.

Every Deskbell sends the same request: no cookie, no identifier, not even its own version. Where a public key
is known, the reply is a signed Manifest, and nothing else counts. Without a key it is JSON with the version
in `version`, `tag_name` (releases of a forge) or `info.version` (a package index), which is only reported.
"""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

import msgspec

from bridge.errors import DeskbellError
from bridge.http_client.client import HttpClient
from bridge.i18n import failure_text, say
from bridge.settings import Updates
from bridge.updates.manifest import SIGNATURE, Manifest, read
from bridge.updates.versions import version_in

_TIMEOUT = 10.0  # seconds
_MAX_BYTES = 4 << 20  # a package index lists every file there ever was


class Source(msgspec.Struct, frozen=True):
    """`keys`: the public keys of minisign, one of which signs the Manifest at `url`."""

    url: str = ""
    keys: tuple[str, ...] = ()


@cache
def built_in() -> Source:
    """Return what the build of a release wrote beside this module; an empty Source elsewhere."""
    try:
        return msgspec.json.decode(Path(__file__).with_name("source.json").read_bytes(), type=Source)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return Source()


def wanted_source(wanted: Updates) -> Source:
    """Return the person's own Source where config.toml has one, else the release's."""
    if wanted.url:
        return Source(wanted.url, (wanted.key,) if wanted.key else ())
    return built_in()


async def latest(source: Source, seen: int) -> tuple[str, Manifest | None]:
    """Return the newest version, and its Manifest where keys are known. `seen`: the highest serial so far.

    Raises DeskbellError, and ValueError with its reason in words.
    """
    async with HttpClient() as http:
        content = await _get(http, source.url)
        if source.keys:
            signature = await _get(http, source.url + SIGNATURE)
            manifest = read(content, signature.decode("utf-8", "replace"), source.keys, seen, time.time())
            return manifest.version, manifest
    try:
        return version_in(msgspec.json.decode(content)), None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(say("the answer is not JSON")) from error


async def _get(http: HttpClient, url: str) -> bytes:
    headers = {"Accept": "application/json"}
    reply = await http.request("GET", url, headers=headers, max_bytes=_MAX_BYTES, timeout=_TIMEOUT)
    if reply.status != 200:
        raise ValueError(say("HTTP status {code}", code=reply.status))
    return reply.body


def why(error: Exception) -> str:
    """Return why asking or downloading failed, in words."""
    return failure_text(error) if isinstance(error, DeskbellError) else say("{title}.", title=error.args[0])
