"""What a person should know about a link before opening it. Pure: nothing is looked up or fetched.

Only http and https are opened, plain http only to this machine. A link that browsers and this module might
read differently (backslashes, spaces, controls) is refused.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from enum import Enum, auto
from urllib.parse import SplitResult, urlsplit

_TRICKY = re.compile("[\x00-\x20\x7f-\x9f\\\\\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_PORTS = {"https": 443, "http": 80}
_HOST = re.compile(r"[a-z0-9._~-]+|\[[0-9a-f:.]+\]|.*[^\x00-\x7f].*", re.IGNORECASE)


class Refusal(Enum):
    SCHEME = auto()  # javascript:, data:, file:, anything a browser tab is not for
    MALFORMED = auto()
    NOT_ENCRYPTED = auto()


class Doubt(Enum):
    USERINFO = auto()
    BARE_ADDRESS = auto()
    LOOKALIKE = auto()
    ODD_PORT = auto()


@dataclass(frozen=True, slots=True)
class Address:
    """A judged link. `start` and `end` say where its host is in the text."""

    text: str
    host: str = ""
    start: int = 0
    end: int = 0
    refusal: Refusal | None = None
    doubts: tuple[Doubt, ...] = ()


def judge(url: str) -> Address:
    if _TRICKY.search(url):
        return Address(url, refusal=Refusal.MALFORMED)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return Address(url, refusal=Refusal.MALFORMED)
    if parts.scheme not in _PORTS:
        return Address(url, refusal=Refusal.SCHEME if parts.scheme else Refusal.MALFORMED)
    host = _written_host(parts)
    if not _HOST.fullmatch(host):
        return Address(url, refusal=Refusal.MALFORMED)
    start = url.index("//") + 2 + parts.netloc.rfind("@") + 1
    local = _is_loopback(host.lower())
    refusal = None if local or parts.scheme == "https" else Refusal.NOT_ENCRYPTED
    doubts = tuple(_doubts(parts, host.lower(), port, local))
    return Address(url, host, start, start + len(host), refusal, doubts)


def destination(host: str) -> str:
    """A host in the letters that are looked up, so that look-alikes show."""
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return ascii(host)[1:-1]


def _written_host(parts: SplitResult) -> str:
    """As it stands in the link (`hostname` would change its case)."""
    place = parts.netloc.rpartition("@")[2]
    return place.partition("]")[0] + "]" if place.startswith("[") else place.partition(":")[0]


def _doubts(parts: SplitResult, host: str, port: int | None, here: bool) -> list[Doubt]:
    found = {
        Doubt.USERINFO: "@" in parts.netloc,
        Doubt.BARE_ADDRESS: _is_bare_address(host) and not here,
        Doubt.LOOKALIKE: not host.isascii() or any(label.startswith("xn--") for label in host.split(".")),
        Doubt.ODD_PORT: port is not None and port != _PORTS[parts.scheme] and not here,
    }
    return [doubt for doubt, there in found.items() if there]


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):  # RFC 6761, 6.3
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _is_bare_address(host: str) -> bool:
    """IPv6, or what browsers read as IPv4: its last part is a number (WHATWG URL, ends in a number)."""
    return host.startswith("[") or _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]) is not None
