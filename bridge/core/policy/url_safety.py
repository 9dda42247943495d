"""Check a URL before it is opened: refuse it, or list warnings for the user. Pure.

Only http and https are opened, plain http only to this machine. A URL that browsers and this module might
read differently (backslashes, spaces, control characters, compatibility characters) is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from urllib.parse import SplitResult, urlsplit

from bridge.core.policy.network_addresses import is_loopback, is_number
from bridge.system.foreign_text import has_unseen

_MISREAD = re.compile(r"[\t\n \\]")  # browsers drop or change these
_PORTS = {"https": 443, "http": 80}
_FULL_STOP = "\N{IDEOGRAPHIC FULL STOP}"  # a dot to browsers (RFC 3490, 3.1)
_HOST = re.compile(r"(?:[a-z0-9._~-]|[^\x00-\x7f])+|\[[0-9a-f:.]+\]", re.IGNORECASE)


class UrlRefusal(Enum):
    SCHEME = auto()  # javascript:, data:, file: and others
    MALFORMED = auto()
    NOT_ENCRYPTED = auto()


class UrlWarning(Enum):
    USERINFO = auto()
    BARE_ADDRESS = auto()
    INTERNATIONAL = auto()  # non-ASCII letters, as such or as Punycode
    MIXED_SCRIPT = auto()
    LOOKALIKE = auto()  # looks like another, ASCII name
    ODD_PORT = auto()


@dataclass(frozen=True, slots=True)
class CheckedUrl:
    """A checked URL. `start` and `end`: position of the host in the text. `site`: the registrable domain at
    the end of the host. `spelled`: the host with Punycode decoded. `resembles`: the ASCII name it could be
    taken for. `scripts`: those it uses beside Latin."""

    text: str
    host: str = ""
    start: int = 0
    end: int = 0
    refusal: UrlRefusal | None = None
    doubts: tuple[UrlWarning, ...] = ()
    site: str = ""
    spelled: str = ""
    resembles: str = ""
    scripts: tuple[str, ...] = ()


Registrable = Callable[[str], str]  # host → registrable domain; "": unknown


def _all_of_it(host: str) -> str:
    return host


def check_url(url: str, registrable: Registrable = _all_of_it) -> CheckedUrl:
    if _MISREAD.search(url) or has_unseen(url):
        return CheckedUrl(url, refusal=UrlRefusal.MALFORMED)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return CheckedUrl(url, refusal=UrlRefusal.MALFORMED)
    if parts.scheme not in _PORTS:
        return CheckedUrl(url, refusal=UrlRefusal.SCHEME if parts.scheme else UrlRefusal.MALFORMED)
    host = _written_host(parts)
    if not _HOST.fullmatch(host) or not _reads_alike(host):
        return CheckedUrl(url, refusal=UrlRefusal.MALFORMED)
    start = url.index("//") + 2 + parts.netloc.rfind("@") + 1
    local = is_loopback(host)
    refusal = None if local or parts.scheme == "https" else UrlRefusal.NOT_ENCRYPTED
    spelled = spell(host)
    resembles = _resembles(spelled)
    doubts = tuple(_doubts(parts, spelled, resembles, port, local))
    site = _last_labels(host, registrable(host.lower().rstrip(".")))
    scripts = tuple(sorted(name.title() for name in _scripts(spelled) - {"LATIN"}))
    return CheckedUrl(url, host, start, start + len(host), refusal, doubts, site, spelled, resembles, scripts)


def spell(host: str) -> str:
    """Return a host with its Punycode (RFC 3492) decoded."""
    return ".".join(_undone(label) for label in host.lower().split("."))


def _undone(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


def destination(host: str) -> str:
    """Return a host in ASCII, as it is resolved, so that look-alikes can be seen."""
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return ascii(host)[1:-1]


def _written_host(parts: SplitResult) -> str:
    """Return the host as written (`hostname` would change its case)."""
    place = parts.netloc.rpartition("@")[2]
    return place.partition("]")[0] + "]" if place.startswith("[") else place.partition(":")[0]


def _reads_alike(host: str) -> bool:
    """True if browsers resolve exactly these characters (UTS 46), and none is invisible."""
    if host.isascii():
        return True
    plain = unicodedata.normalize("NFKC", host.lower()) == host.lower() and _FULL_STOP not in host
    return plain and not any(unicodedata.category(letter)[0] in "CZ" for letter in host)


def _last_labels(host: str, site: str) -> str:
    """Return as many labels from the end of the host, as written, as `site` has."""
    if not site or _is_bare_address(host.lower()):
        return host
    end = "." if host.endswith(".") else ""
    return ".".join(host.removesuffix(".").split(".")[-site.count(".") - 1 :]) + end


def _doubts(parts: SplitResult, host: str, resembles: str, port: int | None, here: bool) -> list[UrlWarning]:
    found = {
        UrlWarning.USERINFO: "@" in parts.netloc,
        UrlWarning.BARE_ADDRESS: _is_bare_address(host) and not here,
        UrlWarning.INTERNATIONAL: not host.isascii()
        or any(label.startswith("xn--") for label in host.split(".")),
        UrlWarning.MIXED_SCRIPT: any(_is_mixed(label) for label in host.split(".")),
        UrlWarning.LOOKALIKE: bool(resembles),
        UrlWarning.ODD_PORT: port is not None and port != _PORTS[parts.scheme] and not here,
    }
    return [doubt for doubt, there in found.items() if there]


def _is_bare_address(host: str) -> bool:
    return host.startswith("[") or is_number(host)


# ---- letters ------------------------------------------------------------------------------------------

# Scripts that are written together (UTS 39, highly restrictive); each of them also with Latin.
_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)
# Letters of other scripts that look like ASCII ones in common fonts: code point, letter.
_LOOK_LIKE = {
    int(code, 16): letter
    for line in (
        "0430a 0441c 0501d 0435e 04bbh 0456i 0458j 04cfl 043eo 0440p 051bq 0455s 0475v 051dw 0445x 0443y",
        "043ak 043cm 0442t 0432b 043dh 043fn 0433r 0451e 0457i 04afy 04e9o",
        "03b1a 03bfo 03bdv 03c1p 03b9i 03bak 03c5u 03c7x 03c4t 03b7n 03c9w 03f2c 03f3j",
        "0585o 057du 0581g 0570h 0566q 0578n 057cn 0261g 0251a 0131i 0269i 026fw 0185b 01bfp 1d0fo 1d04c",
    )
    for code, letter in ((pair[:-1], pair[-1]) for pair in line.split())
}


def _scripts(label: str) -> frozenset[str]:
    names = (unicodedata.name(letter, "") for letter in label if letter.isalpha())
    return frozenset(re.split("[ -]", name)[0] for name in names)


def _is_mixed(label: str) -> bool:
    scripts = _scripts(label)
    return len(scripts) > 1 and not any(scripts <= group for group in _TOGETHER)


def _resembles(host: str) -> str:
    """Return the ASCII name that this one could be taken for; "" if there is none."""
    twin = host.translate(_LOOK_LIKE)
    return twin if twin.isascii() and twin != host else ""
