"""A packed body, unpacked as it comes. Pure: no I/O."""

from __future__ import annotations

import zlib

from bridge.i18n import say

LARGEST = 64 << 20  # bytes that one part may become
NAMES = ("gzip", "x-gzip", "deflate")
_GZIP = b"\x1f"  # how each gzip begins


class BadlyPacked(Exception):
    """It cannot be unpacked; says why."""


class Unpacking:
    """Either of gzip and deflate. Several gzips in a row are one body (RFC 1952 §2.2); what else follows the
    end is nobody's."""

    def __init__(self) -> None:
        self._started = False
        self._begin()

    def feed(self, part: bytes) -> bytes:
        self._started = self._started or bool(part)
        found: list[bytes] = []
        left = LARGEST
        while part and left > 0:
            if self._one.eof:
                if not part.startswith(_GZIP):
                    break
                self._begin()
            found.append(self._unpacked(part, left))
            left -= len(found[-1])
            part = self._one.unused_data or self._one.unconsumed_tail
        else:
            if part:
                raise BadlyPacked(say("it is too large once unpacked"))
        return found[0] if len(found) == 1 else b"".join(found)

    @property
    def is_cut(self) -> bool:
        """It would have gone on."""
        return self._started and not self._one.eof

    def _begin(self) -> None:
        self._one = zlib.decompressobj(47)  # it sees which of the two it is

    def _unpacked(self, part: bytes, most: int) -> bytes:
        try:
            return self._one.decompress(part, most)
        except zlib.error as error:
            raise BadlyPacked(say("it is badly packed")) from error
