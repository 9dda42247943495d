"""The signed list of the newest version's files: `updates.json`, and its signature `updates.json.minisig`.

    {"serial": 1795000000, "expires": 1810000000, "version": "0.2.0",
     "files": {"appimage-x86_64": {"name": "Deskbell-0.2.0-x86_64.AppImage", "size": 46000000, "sha256": …}}}

`serial` grows with every list: an older one, however well signed, is refused once a newer one was seen. After
`expires` a list counts no more, so that nobody can hold a computer at an old version unnoticed.
Files lie beside the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urljoin

import msgspec

from bridge.i18n import say
from bridge.updates.minisign import verify

SIGNATURE = ".minisig"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,199}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


class NotUsable(ValueError):
    """A list of files was rejected; the argument says why."""


class ReleaseFile(msgspec.Struct, frozen=True):
    name: str
    size: int
    sha256: str

    def url(self, manifest: str) -> str:
        return urljoin(manifest, self.name)


class Manifest(msgspec.Struct, frozen=True):
    serial: int
    expires: int  # Unix time
    version: str
    files: Mapping[str, ReleaseFile] = {}  # by kind of installation and machine


def read(content: bytes, signature: str, keys: Iterable[str], seen: int, now: float) -> Manifest:
    """Return the list, which one of the keys has signed. `seen`: the highest serial so far.

    Raises NotSigned and NotUsable.
    """
    verify(content, signature, keys)
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except msgspec.MsgspecError as error:
        raise NotUsable(say("the list of files cannot be read")) from error
    if manifest.serial < seen:
        raise NotUsable(say("the list of files is older than one that was seen before"))
    if manifest.expires < now:
        raise NotUsable(say("the list of files is out of date"))
    if any(
        not (_NAME.fullmatch(one.name) and _DIGEST.fullmatch(one.sha256)) for one in manifest.files.values()
    ):
        raise NotUsable(say("the list of files cannot be read"))
    return manifest
