"""Check `format` of a schema: email address, URI, date, date-time. Pure.

Other formats are annotations (JSON Schema 2020-12, 7.2.1) and never an error. Addresses and URIs may be
international.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from bridge.i18n import say

# RFC 5321 Mailbox with RFC 6531's UTF-8: dot-atom or quoted text, then a domain or an address literal.
_ATOM = r"[\w!#$%&'*+/=?^`{|}~-]+"
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_EMAIL = re.compile(
    rf'(?P<local>{_ATOM}(?:\.{_ATOM})*|"(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*")'
    rf"@(?P<domain>{_LABEL}(?:\.{_LABEL})*\.?|\[[0-9A-Za-z.:]+\])"
)
# RFC 3986 URI, with the characters of RFC 3987 let through; an authority is looked at more closely.
_URI = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?P<rest>(?:%[0-9A-Fa-f]{2}|[^\s%<>\"{}|\\^`\x00-\x20\x7f])*)"
)
_AUTHORITY = re.compile(
    r"//(?:[^/?#@]*@)?(?P<host>\[[0-9A-Fa-fvV.:]+\]|[^/?#:@\[\]]*)(?::[0-9]*)?(?:[/?#]|$)"
)
# RFC 3339, 5.6: full-date and date-time; the offset is not optional.
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_NEEDS_HOST = frozenset({"http", "https", "ws", "wss", "ftp"})


def problem(format_: str, text: str) -> str:
    """Return what is wrong with `text`, for the user; "" if nothing is."""
    known = _FORMATS.get(format_)
    return "" if known is None or known[0](text) else known[1]


def _is_email(text: str) -> bool:
    found = _EMAIL.fullmatch(text)
    return found is not None and len(found["local"].encode()) <= 64 and len(found["domain"].encode()) <= 255


def _is_uri(text: str) -> bool:
    found = _URI.fullmatch(text)
    if found is None:
        return False
    authority = _AUTHORITY.match(found["rest"])
    if found["rest"].startswith("//") and authority is None:
        return False
    return found["scheme"].lower() not in _NEEDS_HOST or (authority is not None and authority["host"] != "")


def _is_date(text: str) -> bool:
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    try:
        date(*map(int, found.groups()))
    except ValueError:
        return False
    return True


def _is_date_time(text: str) -> bool:
    return text[10:11] in ("T", "t") and _is_date(text[:10]) and _TIME.fullmatch(text[11:]) is not None


_EMAIL_HELP = say("Please enter an email address, such as ann@example.org.")
_URI_HELP = say("Please enter a full address, such as https://example.org/page.")
_FORMATS: dict[str, tuple[Callable[[str], bool], str]] = {
    "email": (_is_email, _EMAIL_HELP),
    "idn-email": (_is_email, _EMAIL_HELP),
    "uri": (_is_uri, _URI_HELP),
    "iri": (_is_uri, _URI_HELP),
    "date": (_is_date, say("Please enter a date as YYYY-MM-DD, such as 2026-03-31.")),
    "date-time": (
        _is_date_time,
        say("Please enter date, time and offset, such as 2026-03-31T14:30:00+02:00 or 2026-03-31T12:30:00Z."),
    ),
}
KNOWN = frozenset(_FORMATS)
