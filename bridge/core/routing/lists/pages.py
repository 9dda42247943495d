"""Lists that come page by page, within limits. Pure."""

from __future__ import annotations

import msgspec

from bridge.core.protocol import jsonrpc

MAX_PAGES = 200
MOST_BYTES = 16 << 20  # of all pages
MOST_ITEMS = 20_000  # of all pages: naming and checking so many takes half a second, in which others wait


class ListPage(msgspec.Struct, frozen=True, rename="camel"):
    next_cursor: str | None = None


class PagedList(msgspec.Struct, eq=False):
    """What one server has listed so far."""

    items: list[bytes] = []  # as the server sent them
    pages: int = 0
    size: int = 0  # bytes

    def add_page(self, result: msgspec.Raw, member: str) -> str | None:
        """Add a page; return the cursor of the next one. Raises Malformed."""
        self.pages += 1
        self.size += len(result)
        self.items += jsonrpc.elements(jsonrpc.members(result).get(member, b"[]"))
        return jsonrpc.read(ListPage, result).next_cursor

    @property
    def excess(self) -> str:
        """The limit that the list has reached; "" if none."""
        if self.size > MOST_BYTES:
            return f"{MOST_BYTES >> 20} MiB"
        if len(self.items) > MOST_ITEMS:
            return f"{MOST_ITEMS} entries"
        return f"{MAX_PAGES} pages" if self.pages >= MAX_PAGES else ""


def array(items: list[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"
