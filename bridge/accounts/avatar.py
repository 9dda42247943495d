"""Download the avatars of accounts from their own servers, and keep them on disk. Failures are ignored.

A picture is bytes here; the window scales it.
"""

from __future__ import annotations

import contextlib
import re
import time
from pathlib import Path

from bridge.accounts.account import Account
from bridge.errors import DeskbellError
from bridge.http_client.client import HttpClient
from bridge.system.atomic_file import write_private

_MAX_BYTES = 1 << 20  # by the lexicon app.bsky.actor.profile
_MAX_AGE = 86400.0  # seconds until it is downloaded again
_KINDS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")


def path(folder: Path, did: str) -> Path:
    return folder / re.sub(r"[^a-z0-9.]", "-", did)


async def fetch(http: HttpClient, account: Account, folder: Path) -> bool:
    """Download the avatar if it is due; True if there is a new picture."""
    place = path(folder, account.did)
    with contextlib.suppress(DeskbellError, OSError):
        if place.exists() and time.time() - place.stat().st_mtime < _MAX_AGE:
            return False
        data = await _picture(http, account)
        if data.startswith(_KINDS):
            write_private(place, data)
            return True
    return False


async def _picture(http: HttpClient, account: Account) -> bytes:
    xrpc = f"{account.pds}/xrpc"
    asked = {"repo": account.did, "collection": "app.bsky.actor.profile", "rkey": "self"}
    reply = await http.request("GET", f"{xrpc}/com.atproto.repo.getRecord", params=asked)
    value = reply.json().get("value")
    blob = value.get("avatar") if isinstance(value, dict) else None
    ref = blob.get("ref") if isinstance(blob, dict) else None
    link = ref.get("$link") if isinstance(ref, dict) else None
    if not reply.ok or not isinstance(link, str):
        return b""
    wanted = {"did": account.did, "cid": link}
    picture = await http.request(
        "GET", f"{xrpc}/com.atproto.sync.getBlob", params=wanted, max_bytes=_MAX_BYTES
    )
    return picture.body if picture.ok else b""
