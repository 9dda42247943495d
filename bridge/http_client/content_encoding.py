"""Decode a body in gzip or deflate as it arrives. Pure: no I/O."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from bridge.i18n import say

ENCODINGS = ("gzip", "x-gzip", "deflate")
PIECE = 1 << 18  # bytes; unpacking so many takes a millisecond
_INPUT = 1 << 14  # bytes unpacked at a time: what is left of them is copied for each piece
_GZIP = b"\x1f"  # first byte of each gzip member


class BadEncoding(Exception):
    """The body cannot be decoded; its argument says why."""


class Decoder:
    """Decodes gzip and deflate. Several gzip members in a row are one body (RFC 1952 §2.2); other bytes after
    the end are ignored."""

    def __init__(self) -> None:
        self._started = False
        self._ended = False  # other bytes follow the last member
        self._begin()

    def pieces(self, part: bytes) -> Iterator[bytes]:
        """Yield what `part` unpacks to, PIECE bytes at most at a time. Raises BadEncoding."""
        for start in range(0, len(part), _INPUT):
            left = part[start : start + _INPUT]
            while left and not self._ended:
                if self._member.eof:
                    if not left.startswith(_GZIP):
                        self._ended = True
                        break
                    self._begin()
                if piece := self._decompress(left):
                    yield piece
                left = self._member.unused_data or self._member.unconsumed_tail

    @property
    def is_truncated(self) -> bool:
        return self._started and not self._member.eof

    def _begin(self) -> None:
        self._member = zlib.decompressobj(47)  # 32 + 15: recognises gzip and zlib by their first bytes

    def _decompress(self, part: bytes) -> bytes:
        self._started = True
        try:
            return self._member.decompress(part, PIECE)
        except zlib.error as error:
            raise BadEncoding(say("it is badly packed")) from error
