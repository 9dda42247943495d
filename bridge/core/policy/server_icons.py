"""Choose the icon of a server among those it declares (`serverInfo.icons`, MCP 2025-11-25). Pure.

PNG and JPEG only: an SVG can hold scripts and references. A `data:` URI comes first, because it needs no
request. An https URL counts only on the server's own site (the same registrable domain), where the server
learns nothing new; a server that is a program on this machine has no site.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import Raw

from bridge.core.policy.network_addresses import is_public
from bridge.core.policy.url_safety import Registrable, check_url
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.protocol.jsonrpc import Malformed, read

MAX_BYTES = 1 << 20  # of a picture
_MOST = 32  # icons of a server that are read
_WANTED = 96  # pixels of the largest picture of a server, at 200 %
_KINDS = ("image/png", "image/jpeg", "image/jpg")
_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")
_DATA = re.compile(r"data:(image/(?:png|jpe?g));base64,([A-Za-z0-9+/=]+)", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,5})x\d{1,5}", re.IGNORECASE)
_THEMES = {"": 0, "light": 0, "dark": 1}  # a picture stands on white


class ServerIcon(NamedTuple):
    """Where to take an icon from: `url`, or `data` itself."""

    url: str = ""
    data: bytes = b""


class _Icon(msgspec.Struct, rename="camel"):
    src: str
    mime_type: str = ""
    sizes: list[str] | str = ""
    theme: str = ""

    @property
    def rank(self) -> tuple[bool, int, bool, int]:
        """Sort key: data before URLs, for light grounds first, the smallest that is large enough."""
        found = _SIZE.findall(" ".join(self.sizes) if isinstance(self.sizes, list) else self.sizes)
        side = max(map(int, found), default=_WANTED)
        small = side < _WANTED
        return not _DATA.match(self.src), _THEMES.get(self.theme, 1), small, -side if small else side


class _ServerInfo(msgspec.Struct):
    icons: list[Raw] = []


def choose_icon(introduction: ServerIdentity, server_url: str, registrable: Registrable) -> ServerIcon | None:
    """Return the icon to show for a server, None if it declares none that may be used.

    `server_url`: the server's address; "" for a server that is a program here.
    """
    try:
        declared = read(_ServerInfo, introduction.info).icons[:_MOST]
    except Malformed:
        return None
    icons = sorted((icon for one in declared if (icon := _read(one)) is not None), key=lambda one: one.rank)
    found = (_source(icon, server_url, registrable) for icon in icons)
    return next((source for source in found if source is not None), None)


def is_picture(data: bytes) -> bool:
    """True for the bytes of a PNG or JPEG, judged by their beginning."""
    return len(data) <= MAX_BYTES and data.startswith(_SIGNATURES)


def _read(declared: Raw) -> _Icon | None:
    try:
        icon = read(_Icon, declared)
    except Malformed:
        return None
    return icon if not icon.mime_type or icon.mime_type.lower() in _KINDS else None


def _source(icon: _Icon, server_url: str, registrable: Registrable) -> ServerIcon | None:
    if icon.src[:5].lower() != "data:":
        return (
            ServerIcon(icon.src) if server_url and _is_own_site(icon.src, server_url, registrable) else None
        )
    written = _DATA.fullmatch(icon.src) if len(icon.src) <= 2 * MAX_BYTES else None
    if written is None:
        return None
    try:
        data = base64.b64decode(written[2], validate=True)
    except binascii.Error:
        return None
    return ServerIcon(data=data) if is_picture(data) else None


def _is_own_site(url: str, server_url: str, registrable: Registrable) -> bool:
    """True for an https URL of the server's site; on this machine or a private network, of the same host and
    port."""
    if check_url(url).refusal is not None or urlsplit(url).scheme != "https":
        return False
    icon, server = urlsplit(url), urlsplit(server_url)
    if "@" in icon.netloc:
        return False
    hosts = [(part.hostname or "").rstrip(".") for part in (icon, server)]
    if not all(map(is_public, hosts)):
        return icon.netloc.lower() == server.netloc.lower()
    return hosts[0] == hosts[1] or registrable(hosts[0]) == registrable(hosts[1]) != ""
