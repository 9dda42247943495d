"""Which part of a host's name somebody registered: the public suffix list, as it came with its package.

Both its parts count, that of the registries and that of services whose users have names below theirs
(`ada.github.io`). Read from disk when the first link is judged; nothing is ever fetched.
"""

from __future__ import annotations

from functools import cache
from typing import Any


def registrable(host: str) -> str:
    """`example.co.uk` for `www.example.co.uk`; "" for a name that is a suffix itself."""
    return load_list().privatesuffix(host) or ""


@cache
def load_list() -> Any:
    """The list, which takes a moment to read: whoever will need it soon may call this before."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
