"""Find the registrable domain of a host name by the Public Suffix List, as packaged; nothing is fetched.

Both parts of the list count: registries, and services whose users have names below theirs (`ada.github.io`).
"""

from __future__ import annotations

from functools import cache
from typing import Any


def registrable(host: str) -> str:
    """Return `example.co.uk` for `www.example.co.uk`; "" for a name that is itself a public suffix."""
    return load_list().privatesuffix(host) or ""


@cache
def load_list() -> Any:
    """Load the list. Slow the first time, so callers may load it ahead."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
